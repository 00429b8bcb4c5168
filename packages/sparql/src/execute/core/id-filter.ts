/**
 * Filters that need only ids: comparisons and sums of inline numbers, identity with IRIs, BOUND, kinds of terms that were read before,
 * and logical combinations of these. If a row needs its terms, the result is {@link UNKNOWN}.
 */
import type * as RDF from '@rdfjs/types';
import {
  DECIMAL_SCALE,
  DECIMAL_ZERO,
  INTEGER_ZERO,
  isInlineDecimal,
  isInlineInteger,
  UNBOUND,
  XSD,
} from '@quadrille/model';
import { operandsOfLarge, type Expression } from '../../algebra/algebra.js';
import type { Execution } from './operator.js';
import { BLANK_NODE, IRI, LITERAL, TRIPLE, UNKNOWN_KIND } from './term-kinds.js';

export const FALSE = 0;
export const TRUE = 1;
export const FAILED = 2;
export const UNKNOWN = 3;

type Columns = readonly Uint32Array[];
/** One of {@link FALSE}, {@link TRUE}, {@link FAILED} (an error) and {@link UNKNOWN}. */
export type IdTest = (columns: Columns, row: number) => number;
/** A number in units of 1 / DECIMAL_SCALE, NaN where ids do not tell it. */
type IdNumber = (columns: Columns, row: number) => number;

interface Scope {
  /** Tests of parts that were compiled before. */
  readonly known: Map<Expression, IdTest | undefined>;
  readonly variables: readonly string[];
  readonly execution: Execution;
}

/** Compiles an expression to a test. `undefined` if ids cannot answer it. It stops between the parts of a large expression. */
export function* compileIdTest(
  expression: Expression,
  variables: readonly string[],
  execution: Execution,
): Generator<undefined, IdTest | undefined> {
  const scope: Scope = { variables, execution, known: new Map() };
  for (const part of operandsOfLarge(expression, isSumOf)) {
    scope.known.set(part, compileTest(part, scope));
    yield;
  }
  return compileTest(expression, scope);
}

function compileTest(expression: Expression, scope: Scope): IdTest | undefined {
  if (expression.subType !== 'operator') return undefined;
  if (scope.known.has(expression)) return scope.known.get(expression);
  const { operator, args } = expression;
  switch (operator) {
    case '&&':
    case '||':
      return logical(operator, compileTest(args[0]!, scope), compileTest(args[1]!, scope));
    case '!':
      return negation(compileTest(args[0]!, scope));
    case 'bound':
      return boundTest(args[0]!, scope);
    case '<':
    case '<=':
    case '>':
    case '>=':
      return comparison(operator, args, scope);
    case '=':
    case '!=':
      return identity(operator === '=', args, scope) ?? comparison(operator, args, scope);
    case 'isiri':
    case 'isuri':
      return kindTest(IRI, args[0]!, scope);
    case 'isblank':
      return kindTest(BLANK_NODE, args[0]!, scope);
    case 'isliteral':
      return kindTest(LITERAL, args[0]!, scope);
    case 'istriple':
      return kindTest(TRIPLE, args[0]!, scope);
    default:
      return undefined;
  }
}

// One side may determine the result alone.
function logical(operator: '&&' | '||', left: IdTest | undefined, right: IdTest | undefined): IdTest | undefined {
  if (left === undefined && right === undefined) return undefined;
  const deciding = operator === '&&' ? FALSE : TRUE;
  const a = left ?? ((): number => UNKNOWN);
  const b = right ?? ((): number => UNKNOWN);
  return (columns, row) => {
    const first = a(columns, row);
    if (first === deciding) return deciding;
    const second = b(columns, row);
    if (second === deciding) return deciding;
    if (first === UNKNOWN || second === UNKNOWN) return UNKNOWN;
    return first === FAILED || second === FAILED ? FAILED : 1 - deciding;
  };
}

function negation(inner: IdTest | undefined): IdTest | undefined {
  if (inner === undefined) return undefined;
  return (columns, row) => {
    const answer = inner(columns, row);
    return answer <= TRUE ? 1 - answer : answer;
  };
}

function columnOf(expression: Expression, { variables }: Scope): number | undefined {
  if (expression.subType !== 'term' || expression.term.termType !== 'Variable') return undefined;
  return variables.indexOf(expression.term.value);
}

function boundTest(argument: Expression, scope: Scope): IdTest | undefined {
  const column = columnOf(argument, scope);
  if (column === undefined) return undefined;
  return column === -1 ? () => FALSE : (columns, row) => (columns[column]![row] === UNBOUND ? FALSE : TRUE);
}

function kindTest(kind: number, argument: Expression, scope: Scope): IdTest | undefined {
  const column = columnOf(argument, scope);
  if (column === undefined) return undefined;
  if (column === -1) return () => FAILED;
  const { kinds } = scope.execution.terms;
  return (columns, row) => {
    const id = columns[column]![row]!;
    if (id === UNBOUND) return FAILED;
    const found = kinds.of(id);
    return found === UNKNOWN_KIND ? UNKNOWN : found === kind ? TRUE : FALSE;
  };
}

function comparison(operator: string, args: readonly Expression[], scope: Scope): IdTest | undefined {
  const left = compileNumber(args[0]!, scope);
  const right = compileNumber(args[1]!, scope);
  if (left === undefined || right === undefined) return undefined;
  const compare = (holds: (difference: number) => boolean): IdTest => {
    return (columns, row) => {
      const difference = left(columns, row) - right(columns, row);
      return Number.isNaN(difference) ? UNKNOWN : holds(difference) ? TRUE : FALSE;
    };
  };
  switch (operator) {
    case '<':
      return compare((difference) => difference < 0);
    case '<=':
      return compare((difference) => difference <= 0);
    case '>':
      return compare((difference) => difference > 0);
    case '>=':
      return compare((difference) => difference >= 0);
    case '=':
      return compare((difference) => difference === 0);
    default:
      return compare((difference) => difference !== 0);
  }
}

function compileNumber(expression: Expression, scope: Scope): IdNumber | undefined {
  if (expression.subType === 'term') {
    const column = columnOf(expression, scope);
    if (column === undefined) return constantNumber(scope.execution.resolve(expression.term));
    return column === -1 ? undefined : (columns, row) => numberOfId(columns[column]![row]!);
  }
  return isSum(expression) ? compileSum(expression, scope) : undefined;
}

const isSum = (expression: Expression): expression is Expression & { readonly subType: 'operator' } =>
  expression.subType === 'operator' &&
  expression.args.length === 2 &&
  (expression.operator === '+' || expression.operator === '-');

/** Whether one loop goes through both. */
const isSumOf = (parent: Expression, operand: Expression): boolean => isSum(parent) && isSum(operand);

/** A sum of any length: calls in one another would overflow the stack. */
function compileSum(expression: Expression, scope: Scope): IdNumber | undefined {
  const terms: IdNumber[] = [];
  const signs: number[] = [];
  let first = expression;
  for (; isSum(first); first = first.args[0]!) {
    const term = compileNumber(first.args[1]!, scope);
    if (term === undefined) return undefined;
    terms.push(term);
    signs.push(first.operator === '+' ? 1 : -1);
  }
  const start = compileNumber(first, scope);
  if (start === undefined) return undefined;
  return (columns, row) => {
    let sum = start(columns, row);
    for (let i = terms.length - 1; i >= 0; i--) sum += signs[i]! * terms[i]!(columns, row);
    return sum;
  };
}

function numberOfId(id: number): number {
  if (isInlineInteger(id)) return (id - INTEGER_ZERO) * DECIMAL_SCALE;
  return isInlineDecimal(id) ? id - DECIMAL_ZERO : NaN;
}

const EXACT_NUMBER = /^[+-]?\d{1,9}(?:\.\d{0,4})?$/;
const NUMERIC: ReadonlySet<string> = new Set([`${XSD}integer`, `${XSD}decimal`]);

// Only what is exact in these units.
function constantNumber(term: RDF.Term): IdNumber | undefined {
  if (term.termType !== 'Literal' || !NUMERIC.has(term.datatype.value) || !EXACT_NUMBER.test(term.value)) {
    return undefined;
  }
  const scaled = Math.round(Number(term.value) * DECIMAL_SCALE);
  return () => scaled;
}

/** `?x = <iri>`: IRIs equal nothing but themselves. */
function identity(equal: boolean, args: readonly Expression[], scope: Scope): IdTest | undefined {
  const [left, right] = args;
  const column = columnOf(left!, scope) ?? columnOf(right!, scope);
  const other = columnOf(left!, scope) === undefined ? left! : right!;
  if (column === undefined || column === -1 || other.subType !== 'term') return undefined;
  const term = scope.execution.resolve(other.term);
  if (term.termType !== 'NamedNode') return undefined;
  // The term has no id yet and may get one later, so the filter needs values.
  const id = scope.execution.dataset.find(term);
  if (id <= 0) return undefined;
  return (columns, row) => {
    const found = columns[column]![row]!;
    return found === UNBOUND ? FAILED : (found === id) === equal ? TRUE : FALSE;
  };
}
