/** How the answer of a query differs between two revisions. */
import type { QuadRead } from '@quadrille/sparql/delta';
import type { AnswerDiff, QuadPattern, QueryOptions, Ref, Revision, SparqlText } from '../api/index.js';
import type { AnswerSource } from './answer-source.js';
import { type Difference, FollowedQuery } from './followed-query.js';
import type { HeldAnswer } from './held-answer.js';
import { MOST_CHANGES, NetChanges } from './net-changes.js';

/** A longer difference of revisions is not read to its end: the query runs instead. */
const MOST_READ = 5 * MOST_CHANGES;

export async function answerDiff(
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
  const [first, last] = [await repository.at(from).revision(), await repository.at(to).revision()];
  const [read, ...others] = query.reads!;
  if (read !== undefined && others.length === 0 && (await areDistant(repository, first, last)))
    return changesOfPattern(repository, query, read, { from: first.number, to: last.number, signal }, changes);
  let entries = 0;
  for await (const entry of repository.diff(from, to, { signal })) {
    if (++entries > MOST_READ) return undefined;
    if (!query.readsQuad(entry.quad)) continue;
    changes.expect(1);
    if (changes.large) return undefined;
    changes.add(entry);
  }
  return changes;
}

/** Whether two revisions of this branch have others between them. */
async function areDistant(repository: AnswerSource['repository'], first: Revision, last: Revision): Promise<boolean> {
  if (Math.abs(first.number - last.number) < 2) return false;
  for (const { id, number } of [first, last]) {
    if (number > (await repository.revision()).number) return false;
    if ((await repository.at(number).revision()).id !== id) return false;
  }
  return true;
}

// What one pattern matches has its history in one range of the index. To run the query reads a range of that length, too.
async function changesOfPattern(
  repository: AnswerSource['repository'],
  query: FollowedQuery,
  { subject, predicate, object }: QuadRead,
  { from, to, signal }: { from: number; to: number; signal: AbortSignal | undefined },
  changes: NetChanges,
): Promise<NetChanges | undefined> {
  const pattern = { subject, predicate, object } as QuadPattern;
  const [older, newer] = from < to ? [from, to] : [to, from];
  for await (const { op, quad, revision } of repository.history(pattern, { from: older, to: newer, signal })) {
    if (revision.number === older || !query.readsQuad(quad)) continue;
    const isAdded = (op === 'add') === from < to;
    changes.expect(1);
    if (changes.large) return undefined;
    changes.add({ op: isAdded ? 'add' : 'remove', quad });
  }
  return changes;
}

export const differenceOf = (before: HeldAnswer, after: HeldAnswer): Difference => ({
  added: after.without(before),
  removed: before.without(after),
});
