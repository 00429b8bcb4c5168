/** Makes a repository as small as it can be without dropping a revision. */
import { flushTerms, mergeHashRuns, sweepHashRuns, sweepTermBlocks } from './dictionary/dictionary-flush.js';
import { dropTerms, IdSet } from './dictionary/drop-terms.js';
import { TermEncoder } from './dictionary/term-encoder.js';
import { Pacer } from './env.js';
import { afterPrefix, dataKey, FIRST_INLINE_ID } from './format.js';
import { SPOG } from './index/orders.js';
import { flushMemtable, mergeAll } from './maintenance.js';
import type { RepositoryCore } from './repository-core.js';
import { lives } from './revision/lives.js';

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
    // Not while somebody holds ids, perhaps of a term that nothing uses yet: the next time will do.
    await core.gate.tryAlone(() => dropUnusedTerms(core, pacer));
    await core.dictionary.lock.run(async () => {
      if (core.dictionary.tail.size > 0) await flushTerms(core.dictionary, pacer);
      await mergeHashRuns(core.dictionary, pacer, true);
      await sweepHashRuns(core.dictionary);
      await sweepTermBlocks(core.dictionary);
    });
  });
  // Retired runs are deleted in the background; the deletions have to be in before the space can be given back.
  await core.env.yieldTurn();
  const { engine } = core.space;
  const gte = dataKey(core.space.id, 0).subarray(0, 5);
  if (engine.capabilities.compact) await engine.compact({ gte, lt: afterPrefix(gte) });
}

async function dropUnusedTerms(core: RepositoryCore, pacer: Pacer): Promise<void> {
  await core.dictionary.lock.run(async () => {
    if (core.dictionary.tail.size > 0) await flushTerms(core.dictionary, pacer);
    const used = new IdSet(core.dictionary.nextId);
    for await (const { ids } of lives(core.state, SPOG, core.published.number, pacer)) {
      for (const id of ids) if (id < FIRST_INLINE_ID) used.add(id);
    }
    // What was found before may be gone now.
    if ((await dropTerms(core.dictionary, used, pacer)) > 0) core.encoder = new TermEncoder(core.dictionary);
  });
}
