/** How the answer of a query differs between two revisions. */
import type { QuadRead } from '@quadrille/sparql/delta';
import type { AnswerDiff, QuadPattern, QueryOptions, Ref, SparqlText } from '../api/index.js';
import type { AnswerSource } from './answer-source.js';
import { type Difference, FollowedQuery } from './followed-query.js';
import type { HeldAnswer } from './held-answer.js';
import { MOST_CHANGES, NetChanges } from './net-changes.js';

/** A longer difference of revisions is not read to its end: the query runs instead. */
const MOST_READ = 5 * MOST_CHANGES;

export async function comparedAnswers(
  source: AnswerSource,
  text: SparqlText,
  [from, to]: readonly [from: Ref, to: Ref],
  options: QueryOptions,
): Promise<AnswerDiff> {
  const query = await FollowedQuery.prepare(source, text, options);
  const { columns: variables, reads, delta } = query;
  const changes = reads === undefined ? undefined : await changesBetween(source, query, [from, to], options);
  if (changes !== undefined) {
    if (changes.of(1).length + changes.of(-1).length === 0) return { variables, added: [], removed: [], path: 'delta' };
    // Counts follow from counts before, and an order from whole answers.
    if (delta !== undefined && delta.counted === undefined && !delta.ordered)
      return { variables, ...(await query.difference({ from, to, changes })), path: 'delta' };
  }
  const before = await query.answerAt(from);
  const after = await query.answerAt(to);
  return { variables: after.variables, ...differenceOf(before, after), path: 'rerun' };
}

/** The changed quads that the query reads; `undefined` where it takes long to find them. */
async function changesBetween(
  { repository }: AnswerSource,
  query: FollowedQuery,
  [from, to]: readonly [from: Ref, to: Ref],
  { signal }: QueryOptions,
): Promise<NetChanges | undefined> {
  const changes = new NetChanges(query.keyOf);
  const [read, ...others] = query.reads!;
  const { subject, predicate, object } = others.length === 0 && read !== undefined ? read : ({} as Partial<QuadRead>);
  const pattern = { subject, predicate, object } as QuadPattern;
  let entries = 0;
  for await (const entry of repository.diff(from, to, pattern, { signal })) {
    if (++entries > MOST_READ) return undefined;
    if (!query.readsQuad(entry.quad)) continue;
    changes.expect(1);
    if (changes.large) return undefined;
    changes.add(entry);
  }
  return changes;
}

export const differenceOf = (before: HeldAnswer, after: HeldAnswer): Difference => ({
  added: after.without(before),
  removed: before.without(after),
});
