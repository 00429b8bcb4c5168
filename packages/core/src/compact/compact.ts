/** Compacts a repository to its smallest size without dropping a revision. */
import { mergeHashRuns, sweepHashRuns } from '../dictionary/dictionary-flush.js';
import { sweepTermBlocks } from '../dictionary/rebuild-hash-runs.js';
import { Pacer } from '../runtime/env.js';
import { flushMemtable, flushTail } from '../maintenance/flush.js';
import { hasManyTerms } from '../maintenance/jobs.js';
import { mergeAll } from '../maintenance/merge-tiers.js';
import type { Timeline } from '../timeline/timeline.js';
import type { Lines, OpenLine } from '../branch/lines.js';
import { copyBase, isCopyDue } from '../maintenance/copy-base.js';
import { withLines } from '../branch/held-lines.js';
import { dropUnreachedLines } from '../branch/drop-lines.js';
import type { RepositoryHandle } from '../open/handle.js';
import { Tag } from '../format/layout.js';
import { forgetValues } from '../values/no-values.js';
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
    await compactValues(handle, pacer);
  });
  // Retired runs are deleted in the background. Their deletions must be written before the backend can free the
  // space.
  await handle.env.yieldTurn();
  const { engine, everything } = handle.keyspace;
  if (engine.capabilities.compact) await engine.compact(everything);
}

/** One run of each index of values; none of words and vectors where nobody asks for them any more. */
async function compactValues({ timeline, settings }: RepositoryHandle, pacer: Pacer): Promise<void> {
  const { dictionary, shared } = timeline;
  if (hasManyTerms(dictionary)) {
    const { OrderIndex } = await import('../values/order-index.js');
    const order = await OrderIndex.open(dictionary);
    await order.build(shared.writer.termMark, pacer);
    await order.mergeAll(pacer);
  }
  const { text, vectors } = (await settings.read()).search ?? {};
  if (vectors === undefined) {
    await forgetValues(dictionary, ['vectorIndex']);
    const { keyspace } = dictionary;
    if ((await keyspace.get(Tag.embedding)) !== undefined)
      await dictionary.write([{ type: 'deleteRange', ...keyspace.tagRange(Tag.embedding) }]);
  } else {
    const { VectorIndexes } = await import('../read/vectors.js');
    const indexes = await VectorIndexes.open(dictionary, vectors);
    await indexes.dropOthers();
    await indexes.advance(shared.writer.termMark, pacer);
  }
  if (text === undefined) return forgetValues(dictionary, ['textIndex']);
  const { TextIndex } = await import('../texts.js');
  const index = await TextIndex.open(dictionary, text.fold ?? 'case');
  await index.build(shared.writer.termMark, pacer);
  await index.mergeAll(pacer);
}

async function mergeLine(timeline: Timeline, pacer: Pacer): Promise<void> {
  if (timeline.index.memtables.some((memtable) => memtable.rows > 0)) await flushMemtable(timeline, pacer);
  await mergeAll(timeline, pacer);
  if (isCopyDue(timeline)) await copyBase(timeline, pacer);
}
