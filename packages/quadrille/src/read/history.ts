/**
 * When quads came and went, with the revisions themselves. Loaded with the first call. It imports no value that a page starts with,
 * so that bundlers can split it off.
 */
import type { Repository as CoreRepository, toRevision, TermPattern } from '@quadrille/core';
import type { HistoryEvent, HistoryOptions, Revision } from '../api/index.js';

/** Revisions that are kept while events are read: those of neighbours are mostly the same. */
const KEPT_REVISIONS = 4096;

export async function* historyBatches(
  core: CoreRepository,
  pattern: TermPattern,
  { from, to, signal }: HistoryOptions,
  describe: typeof toRevision,
): AsyncGenerator<HistoryEvent[]> {
  const revisionOf = revisionsOf(core, describe);
  for await (const events of core.history.events(pattern, { from, to }, signal)) {
    const batch: HistoryEvent[] = [];
    for (const { op, quad, number } of events) batch.push({ op, quad, revision: await revisionOf(number) });
    yield batch;
  }
}

/** Finds revisions by number, most of them without reading. */
function revisionsOf(core: CoreRepository, describe: typeof toRevision): (number: number) => Promise<Revision> {
  const revisions = new Map<number, Revision>();
  return async (number) => {
    const known = revisions.get(number);
    if (known !== undefined) return known;
    const revision = describe(await core.resolve(number));
    if (revisions.size >= KEPT_REVISIONS) revisions.clear();
    revisions.set(number, revision);
    return revision;
  };
}
