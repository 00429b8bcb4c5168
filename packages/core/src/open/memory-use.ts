/** About how much memory an open repository takes: its recent changes and terms, what it knows of its runs, its caches. */
import type { Generation } from './generation.js';

/** Of one that is empty, and was used once. */
const EMPTY_BYTES = 24 * 1024;
/** Six columns, the table and sorted segments of a row of the memtable. */
const ROW_BYTES = 64;
/** Beside its text. */
const TAIL_TERM_BYTES = 64;
/** A decoded term, or a text whose id is known. */
const CACHED_TERM_BYTES = 200;
/** Fences and bounds. */
const BLOCK_BYTES = 40;
const COUNT_BYTES = 48;

export function memoryUse({ dictionary, encoder, decoder, index, statistics }: Generation): number {
  let rows = 0;
  for (const memtable of index.memtables) rows += memtable.rows;
  let fences = 0;
  for (const { entry } of dictionary.root.runs) fences += entry.fences.byteLength;
  return (
    EMPTY_BYTES +
    rows * ROW_BYTES +
    index.blocks * BLOCK_BYTES +
    dictionary.tail.bytes +
    dictionary.tail.size * TAIL_TERM_BYTES +
    fences +
    (encoder.cached + decoder.cached) * CACHED_TERM_BYTES +
    statistics.entries * COUNT_BYTES
  );
}
