/** SELECT and the solution modifiers, with what they make of a pattern (SPARQL 1.2, sections 18.2.4 and 18.2.5). */
import type * as RDF from '@rdfjs/types';
import type { Expression, Operation } from '../../algebra/algebra.js';
import { countsSolutions, visibleVariables } from '../../algebra/variables.js';
import { isAggregate, isFunction } from '../lexer/tokens.js';
import { Aggregates } from './aggregates.js';
import type { Mention } from './expression-parser.js';
import { unite, withCondition, type Group } from './group-builder.js';
import { GroupParser, type SubSelect } from './group-parser.js';
import { operatorExpression } from './operators.js';
import { boundAgain, Columns, findBoundAgain, findUngrouped, type Breach, type SelectClause } from './select-clause.js';
import type { Parsing } from './token-reader.js';

const COLUMN = "a variable, '(' or '*'";
const KEY = 'a variable, a call or an expression in parentheses';

type Values = Extract<Operation, { type: 'values' }>;

/** A key of GROUP BY. */
interface GroupKey {
  readonly variable: RDF.Variable;
  readonly expression?: Expression;
  /** Whether the text has no name for it. */
  readonly isMade?: boolean;
}

/** What stands behind a pattern. */
export interface Modifiers {
  /** `undefined` where there is no GROUP BY. */
  readonly keys: readonly GroupKey[] | undefined;
  readonly having: readonly Expression[];
  readonly order: readonly Expression[];
  readonly limit: number | undefined;
  readonly offset: number;
  readonly values: Values | undefined;
}

export abstract class SelectParser extends GroupParser {
  /** How many columns without a name there are of each function. The numbers go on in sub-selects. */
  readonly #nameless = new Map<string, number>();

  /** The clauses of a dataset, where the query may have some. */
  protected abstract datasetClauses(): void;

  protected override *subSelect(): Parsing<SubSelect> {
    return yield* this.select(false);
  }

  protected *select(hasDataset: boolean): Parsing<SubSelect> {
    const outer = this.aggregates;
    this.aggregates = new Aggregates();
    const clause = yield* this.#selectClause();
    if (hasDataset) this.datasetClauses();
    const where = yield* this.whereClause();
    this.#checkNameless(clause, where);
    const modifiers = yield* this.modifiers(where);
    this.#checkColumns(clause, where, modifiers);
    const visible = visibleIn(where, modifiers);
    const operation = this.#projected(this.grouped(where, modifiers), clause, modifiers, visible);
    this.aggregates = outer;
    const variables = new Set(clause.columns?.map(({ variable }) => variable.value) ?? visible);
    return { operation, variables };
  }

  protected *whereClause(): Parsing<Group> {
    const hasWord = this.take('WHERE');
    if (this.lexer.token !== '{') this.fail(hasWord ? "'{'" : "WHERE or '{'");
    return yield* this.group();
  }

  // ── SELECT ──────────────────────────────────────────────────────────────────────────────────────────────────────

  *#selectClause(): Parsing<SelectClause> {
    this.expect('SELECT', 'SELECT');
    const unique = this.take('DISTINCT') ? 'distinct' : this.take('REDUCED') ? 'reduced' : undefined;
    const offset = this.lexer.start;
    if (this.take('*')) return { unique, columns: undefined, offset };
    const columns = new Columns();
    if (!this.#isColumn) this.fail(COLUMN);
    this.aggregates.allowed = true;
    while (this.#isColumn) {
      if (this.isPauseDue) yield;
      yield* this.#column(columns);
    }
    this.aggregates.allowed = false;
    return { unique, columns: columns.all, offset };
  }

  get #isColumn(): boolean {
    return this.lexer.token === 'variable' || this.lexer.token === '(' || this.#isBuiltInCall;
  }

  get #isBuiltInCall(): boolean {
    const { token } = this.lexer;
    return token === 'EXISTS' || token === 'NOT' || token === 'BOUND' || isFunction(token) || isAggregate(token);
  }

  *#column(columns: Columns): Parsing<void> {
    const { token, start } = this.lexer;
    if (token === 'variable') {
      this.#refuseBreach(columns.add({ variable: this.variable(), offset: start, mentions: [] }));
      return;
    }
    const mentions: Mention[] = [];
    this.mentions = mentions;
    if (this.take('(')) {
      const expression = yield* this.expression();
      this.expect('AS', 'an operator or AS');
      const offset = this.lexer.start;
      const variable = this.variable();
      this.expect(')');
      this.#refuseBreach(columns.add({ variable, expression, offset, mentions }));
    } else {
      const name = token === 'NOT' ? 'NOTEXISTS' : token;
      const expression = yield* this.builtInCall()!;
      const variable = this.names.variable(this.#numbered(name));
      this.#refuseBreach(columns.add({ variable, expression, offset: start, mentions, isNameless: true }));
    }
    this.mentions = undefined;
  }

  /** The name of a column that has none: the function and a number. */
  #numbered(name: string): string {
    const number = (this.#nameless.get(name) ?? 0) + 1;
    this.#nameless.set(name, number);
    return `${name}${number}`;
  }

  /** The W3C suite wants `SELECT COUNT(*) {}` refused. Over a pattern, a column without AS gets a name. */
  #checkNameless({ columns = [] }: SelectClause, { pattern, condition }: Group): void {
    const isNothing = pattern.type === 'bgp' && pattern.patterns.length === 0 && condition === undefined;
    const nameless = isNothing ? columns.find(({ isNameless }) => isNameless) : undefined;
    if (nameless !== undefined) this.refuse('an expression in SELECT needs a name: (… AS ?name)', nameless.offset);
  }

  #checkColumns({ columns, offset }: SelectClause, where: Group, { keys, values }: Modifiers): void {
    const isGrouped = keys !== undefined || this.aggregates.all.length > 0;
    if (columns === undefined) {
      if (isGrouped) this.refuse('SELECT * cannot stand with GROUP BY: name the grouped variables', offset);
      return;
    }
    const added = values?.variables.map(({ value }) => value) ?? [];
    const grouped = new Set([...(keys ?? []).map(({ variable }) => variable.value), ...added]);
    const bound = isGrouped ? grouped : where.variables;
    this.#refuseBreach(findBoundAgain(columns, bound) ?? findBoundAgain(columns, new Set(added)));
    if (isGrouped) this.#refuseBreach(findUngrouped(columns, grouped));
  }

  #refuseBreach(breach: Breach | undefined): void {
    if (breach !== undefined) this.refuse(breach.message, breach.offset);
  }

  #projected(
    input: Operation,
    { columns, unique }: SelectClause,
    modifiers: Modifiers,
    visible: ReadonlySet<string>,
  ): Operation {
    let result = input;
    for (const { variable, expression } of columns ?? []) {
      if (expression !== undefined) result = { type: 'extend', input: result, variable, expression };
    }
    result = ordered(result, modifiers);
    const variables = columns?.map(({ variable }) => variable) ?? this.names.inTextOrder(visible);
    result = { type: 'project', input: result, variables };
    if (unique !== undefined) result = { type: unique, input: result };
    return sliced(result, modifiers);
  }

  // ── Modifiers ───────────────────────────────────────────────────────────────────────────────────────────────────

  protected *modifiers(where: Group): Parsing<Modifiers> {
    const keys = this.take('GROUP') ? yield* this.#groupKeys(where) : undefined;
    this.aggregates.allowed = true;
    const having = this.take('HAVING') ? yield* this.#conditions() : [];
    const order = this.take('ORDER') ? yield* this.#orderKeys() : [];
    this.aggregates.allowed = false;
    let limit: number | undefined;
    let offset: number | undefined;
    for (let clause = 0; clause < 2; clause++) {
      if (limit === undefined && this.take('LIMIT')) limit = this.#count();
      else if (offset === undefined && this.take('OFFSET')) offset = this.#count();
    }
    const values = this.lexer.token === 'VALUES' ? yield* this.values() : undefined;
    return { keys, having, order, limit, offset: offset ?? 0, values };
  }

  #count(): number {
    const { token, value } = this.lexer;
    if (token !== 'integer' || value.startsWith('+') || value.startsWith('-')) this.fail('a number');
    this.advance();
    return Number(value);
  }

  *#groupKeys(where: Group): Parsing<GroupKey[]> {
    this.expect('BY', 'BY');
    const keys: GroupKey[] = [];
    const bound = new Set(where.variables);
    do {
      if (this.isPauseDue) yield;
      const key = yield* this.#groupKey(bound);
      if (key.expression !== undefined) bound.add(key.variable.value);
      keys.push(key);
    } while (this.#isGroupKey);
    return keys;
  }

  get #isGroupKey(): boolean {
    return this.#isColumn || this.isIri;
  }

  *#groupKey(bound: ReadonlySet<string>): Parsing<GroupKey> {
    const { token } = this.lexer;
    if (token === 'variable') return { variable: this.variable() };
    if (token !== '(') {
      const call = this.isIri ? this.functionCall() : (this.builtInCall() ?? this.fail(KEY));
      return { variable: this.names.fresh(), expression: yield* call, isMade: true };
    }
    this.advance();
    const expression = yield* this.expression();
    if (this.take('AS')) {
      const { start } = this.lexer;
      const variable = this.variable();
      if (bound.has(variable.value)) this.refuse(boundAgain(variable.value), start);
      this.expect(')');
      return { variable, expression };
    }
    this.expect(')', "an operator, AS or ')'");
    const isVariable = expression.subType === 'term' && expression.term.termType === 'Variable';
    return isVariable ? { variable: expression.term } : { variable: this.names.fresh(), expression, isMade: true };
  }

  *#conditions(): Parsing<Expression[]> {
    const conditions: Expression[] = [];
    do {
      if (this.isPauseDue) yield;
      conditions.push(yield* this.constraint('HAVING'));
    } while (this.lexer.token === '(' || this.isIri || this.#isBuiltInCall);
    return conditions;
  }

  *#orderKeys(): Parsing<Expression[]> {
    this.expect('BY', 'BY');
    const keys: Expression[] = [];
    do {
      if (this.isPauseDue) yield;
      keys.push(yield* this.#orderKey());
    } while (this.#isGroupKey || this.lexer.token === 'ASC' || this.lexer.token === 'DESC');
    return keys;
  }

  *#orderKey(): Parsing<Expression> {
    if (this.lexer.token === 'variable') return { type: 'expression', subType: 'term', term: this.variable() };
    if (this.take('ASC')) return yield* this.parenthesised();
    if (this.take('DESC')) return operatorExpression('desc', [yield* this.parenthesised()]);
    return yield* this.constraint('ORDER BY');
  }

  /** A pattern with its grouping, HAVING and the VALUES at the end. */
  protected grouped(where: Group, { keys, having, values }: Modifiers): Operation {
    let result = withCondition(where);
    const aggregates = this.aggregates.all;
    if (keys !== undefined || aggregates.length > 0) {
      for (const { variable, expression } of keys ?? []) {
        if (expression !== undefined) result = { type: 'extend', input: result, variable, expression };
      }
      const variables = (keys ?? []).map(({ variable }) => variable);
      if (aggregates.some(countsSolutions)) result = this.#ofText(result, where, variables);
      result = { type: 'group', input: result, variables, aggregates };
    }
    for (const expression of having) result = { type: 'filter', input: result, expression };
    if (values === undefined) return result;
    return { type: 'join', input: [...(result.type === 'join' ? result.input : [result]), values] };
  }

  /** Without the variables that stand for blank nodes and for the steps of paths. Those are not parts of solutions. */
  #ofText(input: Operation, { variables }: Group, keys: readonly RDF.Variable[]): Operation {
    const others = keys.filter(({ value }) => !variables.has(value));
    const kept = [...this.names.inTextOrder(variables), ...others];
    const names = new Set(kept.map(({ value }) => value));
    const isWhole = [...visibleVariables(input)].every((name) => names.has(name));
    return isWhole ? input : { type: 'project', input, variables: kept };
  }
}

/** The variables of the text that stand for something before the solutions are projected. */
export function visibleIn({ variables }: Group, { keys = [], values }: Modifiers): Set<string> {
  const isNamed = ({ expression, isMade }: GroupKey): boolean => expression !== undefined && isMade !== true;
  const named = keys.filter(isNamed).map(({ variable }) => variable.value);
  return unite(variables, new Set([...named, ...(values?.variables ?? []).map(({ value }) => value)]));
}

export const ordered = (input: Operation, { order }: Modifiers): Operation =>
  order.length === 0 ? input : { type: 'orderby', input, expressions: order };

export function sliced(input: Operation, { limit, offset }: Modifiers): Operation {
  if (limit === undefined) return offset === 0 ? input : { type: 'slice', input, start: offset };
  return { type: 'slice', input, start: offset, length: limit };
}
