/** Estimates the memory of an open repository: recent changes and terms, block tables, statistics, caches. */
import type { Timeline } from '../timeline/timeline.js';

/** Memory of an empty repository that was used once, in bytes. */
const EMPTY_BYTES = 24 * 1024;
/** Memory of one row of the memtable, in bytes: six columns, hash table, sorted segments. */
const ROW_BYTES = 64;
/** Overhead of one term of the dictionary's tail, in bytes, excluding its text. */
const TAIL_TERM_BYTES = 64;
/** Memory of a text with its cached id, in bytes. */
const CACHED_ID_BYTES = 200;
/** Memory of the fence and bounds of one block, in bytes. */
const BLOCK_BYTES = 40;
const COUNT_BYTES = 48;

export function memoryUse(timeline: Timeline): number {
  const { index, statistics } = timeline;
  let rows = 0;
  for (const memtable of index.memtables) rows += memtable.rows;
  const own = EMPTY_BYTES + rows * ROW_BYTES + index.blocks * BLOCK_BYTES + statistics.entries * COUNT_BYTES;
  // All lines have the terms of `main`.
  return timeline.base === undefined ? own + termBytes(timeline) : own;
}

function termBytes({ dictionary, encoder, decoder }: Timeline): number {
  let fences = 0;
  for (const { entry } of dictionary.root.runs) fences += entry.fences.byteLength;
  return (
    dictionary.tail.bytes +
    dictionary.tail.size * TAIL_TERM_BYTES +
    fences +
    (dictionary.vectorIndex?.bytes ?? 0) +
    encoder.cached * CACHED_ID_BYTES +
    decoder.cachedBytes
  );
}
