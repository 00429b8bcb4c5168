/** When quads came and went, with the revisions themselves. */
import type { Repository as CoreRepository } from '@quadrille/core';
import { toRevision } from '@quadrille/core';
import type { HistoryEvent, HistoryOptions, QuadPattern, Revision } from '../api/index.js';
import { bound } from './quads.js';

/** Revisions that are kept while events are read: those of neighbours are mostly the same. */
const KEPT_REVISIONS = 4096;

export async function* historyBatches(
  core: CoreRepository,
  pattern: QuadPattern,
  { from, to, signal }: HistoryOptions,
): AsyncGenerator<HistoryEvent[]> {
  const revisions = new Map<number, Revision>();
  const revisionOf = async (number: number): Promise<Revision> => {
    const known = revisions.get(number);
    if (known !== undefined) return known;
    const revision = toRevision(await core.resolve(number));
    if (revisions.size >= KEPT_REVISIONS) revisions.clear();
    revisions.set(number, revision);
    return revision;
  };
  for await (const events of core.history.events(bound(pattern), { from, to }, signal)) {
    const batch: HistoryEvent[] = [];
    for (const { op, quad, number } of events) batch.push({ op, quad, revision: await revisionOf(number) });
    yield batch;
  }
}
