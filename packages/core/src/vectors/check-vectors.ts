/** Compares an index of vectors with the literals that it was made of, chunk by chunk. */
import { CorruptionError } from '@quadrille/model';
import type { Dictionary } from '../dictionary/dictionary.js';
import { equalBytes } from '../format/byte-codec.js';
import { FIRST_TERM_ID } from '../format/layout.js';
import type { Pacer } from '../runtime/env.js';
import { eachTerm } from '../values/value-index.js';
import { countIn, VectorChunk } from './vector-chunk.js';
import type { VectorIndex } from './vector-index.js';
import { vectorOf } from './vector-text.js';

/**
 * Reads all chunks, and all literals that they cover. Returns the number of vectors.
 * @throws CorruptionError `INDEX_DISAGREES`
 */
export async function checkVectors(dictionary: Dictionary, index: VectorIndex, pacer: Pacer): Promise<number> {
  const { dimension, mark } = index;
  let from = FIRST_TERM_ID;
  let count = 0;
  for await (const stored of index.chunks()) {
    const made = new VectorChunk(dimension);
    const size = countIn(stored, dimension);
    const end = lastId(stored, dimension) + 1;
    let isMore = false;
    const take = (id: number, term: Uint8Array): void => {
      const vector = vectorOf(term, dimension);
      if (vector === undefined) return;
      if (made.count < size) made.add(id, vector);
      else isMore = true;
    };
    if (end <= from || end > mark) throw disagrees(dimension);
    await eachTerm(dictionary, from, end, take, undefined, pacer);
    if (isMore || !equalBytes(made.take(), stored)) throw disagrees(dimension);
    from = end;
    count += size;
  }
  await eachTerm(
    dictionary,
    from,
    mark,
    (_, term) => {
      if (vectorOf(term, dimension) !== undefined) throw disagrees(dimension);
    },
    undefined,
    pacer,
  );
  return count;
}

function lastId(chunk: Uint8Array, dimension: number): number {
  const count = countIn(chunk, dimension);
  if (!Number.isInteger(count)) throw disagrees(dimension);
  const after = chunk.length - count * 8;
  return new DataView(chunk.buffer, chunk.byteOffset).getUint32(after - 4, true);
}

const disagrees = (dimension: number): CorruptionError =>
  new CorruptionError(
    'INDEX_DISAGREES',
    `the index of vectors of ${dimension} numbers has other vectors than the literals: rebuild makes it again`,
  );
