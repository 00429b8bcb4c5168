/** Compacts a repository to its smallest size without dropping a revision. */
import { mergeHashRuns, sweepHashRuns } from '../dictionary/dictionary-flush.js';
import { sweepTermBlocks } from '../dictionary/rebuild-hash-runs.js';
import { Pacer } from '../runtime/env.js';
import { flushMemtable, flushTail } from '../maintenance/flush.js';
import { mergeAll } from '../maintenance/merge-tiers.js';
import type { Timeline } from '../timeline/timeline.js';
import type { Lines, OpenLine } from '../branch/lines.js';
import { copyBase, isCopyDue } from '../maintenance/copy-base.js';
import { withLines } from '../branch/held-lines.js';
import { dropUnreachedLines } from '../branch/drop-lines.js';
import { dropUnusedTerms } from './unused-terms.js';

/** Bytes that a repository occupied before and after the work. */
export interface SpaceUse {
  /** Approximate size before, in bytes. */
  readonly bytesBefore: number;
  /** Approximate size after, in bytes. */
  readonly bytesAfter: number;
}

/**
 * Flushes, merges live and history runs of all lines, deletes lines that nothing reaches, unused terms and runs, and
 * lets the backend free the space.
 */
export async function compactRepository(lines: Lines<OpenLine>): Promise<void> {
  const { handle } = lines;
  const pacer = new Pacer(handle.env);
  await handle.maintenance.run(async () => {
    await dropUnreachedLines(lines, pacer);
    await withLines(lines, async (held) => {
      for (const { timeline } of await held.handles()) await mergeLine(timeline, pacer);
      await dropUnusedTerms(handle.timeline, () => held.handles(), pacer);
    });
    const { timeline } = handle;
    const { dictionary } = timeline;
    await flushTail(timeline, pacer);
    await mergeHashRuns(dictionary, dictionary.root.runs, pacer);
    await dictionary.lock.run(async () => {
      await sweepHashRuns(dictionary);
      await sweepTermBlocks(dictionary);
    });
  });
  // Retired runs are deleted in the background. Their deletions must be written before the backend can free the
  // space.
  await handle.env.yieldTurn();
  const { engine, everything } = handle.keyspace;
  if (engine.capabilities.compact) await engine.compact(everything);
}

async function mergeLine(timeline: Timeline, pacer: Pacer): Promise<void> {
  if (timeline.index.memtables.some((memtable) => memtable.rows > 0)) await flushMemtable(timeline, pacer);
  await mergeAll(timeline, pacer);
  if (isCopyDue(timeline)) await copyBase(timeline, pacer);
}
