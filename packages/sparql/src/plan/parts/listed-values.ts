/**
 * VALUES in a group. The terms of a single row stand in the patterns of the group, so that the index counts and orders what matches them.
 * Of a few rows the matches of each are counted.
 */
import type * as RDF from '@rdfjs/types';
import type { Operation, Pattern, Values } from '../../algebra/algebra.js';
import { makePattern } from '../../algebra/terms.js';
import type { JoinPart, JoinSample } from '../join/join-part.js';
import { variablesOf } from '../patterns.js';
import type { PlanContext } from '../context.js';
import type { PatternTerm, PlanPattern } from '../plan.js';

type Terms = ReadonlyMap<string, RDF.Term>;

/** The only values of variables, by name. */
export function onlyValues(operations: readonly Operation[]): Terms {
  const terms = new Map<string, RDF.Term>();
  for (const operation of operations) {
    if (!isRow(operation)) continue;
    for (const [name, term] of Object.entries(operation.bindings[0]!)) if (!terms.has(name)) terms.set(name, term);
  }
  return terms;
}

/** Whether an operation is VALUES with one row, which binds all its variables. */
export const isRow = (operation: Operation): operation is Values =>
  operation.type === 'values' &&
  operation.bindings.length === 1 &&
  operation.variables.every(({ value }) => operation.bindings[0]![value] !== undefined);

/** The pattern with these terms in it. */
export function withTerms(pattern: Pattern, terms: Terms): Pattern {
  const of = (term: RDF.Term): RDF.Term => (term.termType === 'Variable' ? terms.get(term.value) : undefined) ?? term;
  const { subject, predicate, object, graph } = pattern;
  if (terms.size === 0 || ![subject, predicate, object].some((term) => of(term) !== term)) return pattern;
  return makePattern(of(subject), of(predicate), of(object), graph);
}

/** Rows of more are not counted: that would take longer than it saves. */
const MOST_ROWS = 16;

/** The share of the pairs of rows that join, of VALUES with a pattern: from the number of matches of each row. */
export async function countMatches(
  { figures, constants }: Pick<PlanContext, 'figures' | 'constants'>,
  { variables, bindings }: Values,
  pattern: PlanPattern,
  { rows }: JoinPart,
): Promise<JoinSample | undefined> {
  const own = variablesOf(pattern);
  const names = variables.map(({ value }) => value).filter((name) => own.includes(name));
  if (names.length === 0 || bindings.length < 2 || bindings.length > MOST_ROWS || rows === 0) return undefined;
  if (pattern.g.kind === 'each' && names.includes(pattern.g.name)) return undefined;
  let matches = 0;
  for (const row of bindings) {
    if (names.some((name) => row[name] === undefined)) return undefined;
    const of = (term: PatternTerm): PatternTerm =>
      term.kind === 'variable' && names.includes(term.name)
        ? { kind: 'constant', constant: constants.add(row[term.name]!, true) }
        : term;
    const { s, p, o, g } = pattern;
    matches += (await figures.of({ s: of(s), p: of(p), o: of(o), g })).rows;
  }
  // Where no row has a match, half of one is assumed.
  return { names, share: Math.max(matches, 0.5) / bindings.length / rows };
}
