/** Comparisons with constants that bound what a scan has to read. */
import type * as RDF from '@rdfjs/types';
import type { Expression } from '../../algebra/algebra.js';
import type { ScanRange } from '../plan.js';

type Comparison = ScanRange['comparisons'][number];
const MIRRORED: Readonly<Record<string, Comparison['operator']>> = {
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
  '=': '=',
};

/** The comparisons of a variable among some filters; `undefined`: none. */
export function rangeOf(variable: string | undefined, filters: readonly Expression[]): ScanRange | undefined {
  if (variable === undefined) return undefined;
  const comparisons = filters.flatMap((filter) => comparisonOf(filter, variable) ?? []);
  return comparisons.length === 0 ? undefined : { variable, comparisons };
}

/** Whether a filter is a comparison of a variable with a constant. */
export const isComparison = (filter: Expression, variable: string): boolean =>
  comparisonOf(filter, variable) !== undefined;

/** The comparisons of a variable with constants that an expression consists of; `undefined` where it says anything else, or very much. */
export function comparisonsIn(expression: Expression, variable: string): readonly Expression[] | undefined {
  const found: Expression[] = [];
  const open = [expression];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next.subType === 'operator' && next.operator === '&&') open.push(...next.args);
    else if (isComparison(next, variable)) found.push(next);
    else return undefined;
    if (found.length + open.length > MOST_COMPARISONS) return undefined;
  }
  return found;
}

const MOST_COMPARISONS = 16;

function comparisonOf(expression: Expression, variable: string): Comparison | undefined {
  if (expression.subType !== 'operator' || !(expression.operator in MIRRORED)) return undefined;
  const [left, right] = expression.args;
  if (left?.subType !== 'term' || right?.subType !== 'term') return undefined;
  if (isVariable(left.term, variable) && right.term.termType === 'Literal') {
    return { operator: expression.operator as Comparison['operator'], value: right.term };
  }
  if (isVariable(right.term, variable) && left.term.termType === 'Literal') {
    return { operator: MIRRORED[expression.operator]!, value: left.term };
  }
  return undefined;
}

const isVariable = (term: RDF.Term, name: string): boolean => term.termType === 'Variable' && term.value === name;
