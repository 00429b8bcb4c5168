/** Looks at the vectors that a function has made of texts: whether they are vectors, and those of texts that are there. */
import { CorruptionError } from '@quadrille/model';
import type { Dictionary } from '../dictionary/dictionary.js';
import type { Pacer } from '../runtime/env.js';
import { textOf } from '../values/value-index.js';
import { type EmbeddedVectors, isText, isVector } from './embedded-vectors.js';

/** Returns the number of vectors, and the ids of those that are wrong. */
async function lookAt(
  dictionary: Dictionary,
  vectors: EmbeddedVectors,
  pacer: Pacer,
): Promise<{ readonly count: number; readonly wrong: readonly number[] }> {
  const wrong: number[] = [];
  let count = 0;
  for await (const { id, vector } of vectors.stored()) {
    count++;
    const term = id < dictionary.nextId ? await textOf(dictionary, id) : null;
    if (term === null || !isText(term) || !isVector(vector, vectors.dimension)) wrong.push(id);
    if (pacer.due()) await pacer.pause();
  }
  return { count, wrong };
}

/** Returns the number of vectors. @throws CorruptionError `INDEX_DISAGREES` */
export async function checkEmbeddings(dictionary: Dictionary, vectors: EmbeddedVectors, pacer: Pacer): Promise<number> {
  const { count, wrong } = await lookAt(dictionary, vectors, pacer);
  if (wrong.length === 0) return count;
  throw new CorruptionError(
    'INDEX_DISAGREES',
    `${wrong.length} vectors of the name "${vectors.name}" are none, or their texts are not there: rebuild deletes them`,
  );
}

/** Deletes vectors that are wrong, and has all texts looked at again. The caller holds the maintenance lock. */
export async function mendEmbeddings(dictionary: Dictionary, vectors: EmbeddedVectors, pacer: Pacer): Promise<void> {
  const { wrong } = await lookAt(dictionary, vectors, pacer);
  await vectors.drop(wrong);
}
