/** Makes a repository as small as it can be without dropping a revision. */
import { flushTerms, mergeHashRuns, sweepHashRuns, sweepTermBlocks } from '../dictionary/dictionary-flush.js';
import { Pacer } from '../runtime/env.js';
import { afterPrefix, dataKey } from '../format/layout.js';
import { flushMemtable, mergeAll } from './maintenance.js';
import type { RepositoryCore } from '../open/repository-core.js';
import { dropUnusedTerms } from './unused-terms.js';

/** Bytes that a repository occupied and occupies. */
export interface SpaceUse {
  readonly bytesBefore: number;
  readonly bytesAfter: number;
}

/** Flushes, merges live and history runs, drops what nothing names, and lets the backend give the space back. */
export async function compactRepository(core: RepositoryCore): Promise<void> {
  const pacer = new Pacer(core.env);
  await core.maintenance.run(async () => {
    if (core.state.memtables.some((memtable) => memtable.rows > 0)) await flushMemtable(core, pacer);
    await mergeAll(core, pacer);
    await dropUnusedTerms(core, pacer);
    const { dictionary } = core;
    await dictionary.lock.run(async () => {
      if (dictionary.tail.size > 0) await flushTerms(dictionary, pacer);
    });
    await mergeHashRuns(dictionary, pacer, true);
    await dictionary.lock.run(async () => {
      await sweepHashRuns(dictionary);
      await sweepTermBlocks(dictionary);
    });
  });
  // Retired runs are deleted in the background; the deletions have to be in before the space can be given back.
  await core.env.yieldTurn();
  const { engine } = core.keyspace;
  const gte = dataKey(core.keyspace.id, 0).subarray(0, 5);
  if (engine.capabilities.compact) await engine.compact({ gte, lt: afterPrefix(gte) });
}
