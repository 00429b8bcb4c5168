/** Refuses changes that give properties of vectors what are no vectors. */
import { InvalidArgumentError, iri } from '@quadrille/model';
import { FIRST_INLINE_ID } from '../format/layout.js';
import type { VectorSettings } from '../keyspace/stored-settings.js';
import { deltaRows } from '../revision/delta.js';
import { Pacer } from '../runtime/env.js';
import type { ProposedChange } from '../timeline/change.js';
import type { Timeline } from '../timeline/timeline.js';
import { textOf } from '../values/value-index.js';
import { VectorIndexes } from '../vectors/vector-indexes.js';
import { readVector, vectorIn } from '../vectors/vector-text.js';

/** Characters of a literal that an error shows. */
const SHOWN = 60;

/**
 * Looks at the quads that a change adds. Literals of other datatypes are left alone.
 * @throws InvalidArgumentError `INVALID_VECTOR` with the term
 */
export async function refuseVectors(
  timeline: Timeline,
  change: ProposedChange,
  vectors: VectorSettings,
): Promise<void> {
  // From the first commit on it is kept up to date.
  await VectorIndexes.open(timeline.dictionary, vectors);
  const dimensions = new Map<number, number>();
  for (const { property, dimension, embed } of Object.values(vectors)) {
    if (embed === true) continue;
    const id = await timeline.encoder.encode(iri(property));
    if (id !== 0) dimensions.set(id, dimension);
  }
  if (dimensions.size === 0) return;
  const { keyspace, staged, dictionary, env } = timeline;
  const pacer = new Pacer(env);
  // The number tells on which line the runs are.
  const record = { ...staged, ...change, number: staged.number + 1, payload: change.aside?.payload };
  for await (const { columns, start, end } of deltaRows(keyspace, record, 'added')) {
    const [, p, o] = columns;
    for (let i = start; i < end; i++) {
      const dimension = dimensions.get(p[i]!);
      if (dimension === undefined || o[i]! >= FIRST_INLINE_ID) continue;
      const term = await textOf(dictionary, o[i]!);
      const base64 = term === null ? undefined : vectorIn(term);
      const problem = base64 && readVector(base64, dimension);
      if (typeof problem === 'string') throw refused(await timeline.decoder.decode(p[i]!), base64!, problem);
      if (pacer.due()) await pacer.pause();
    }
  }
}

function refused({ value: property }: { readonly value: string }, base64: Uint8Array, problem: string): Error {
  const text = new TextDecoder().decode(base64);
  const term = text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
  return new InvalidArgumentError('INVALID_VECTOR', `the vector "${term}" of <${property}> ${problem}`, {
    details: { property, term },
  });
}
