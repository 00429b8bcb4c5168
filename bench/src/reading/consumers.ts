/** How answers are read: the same loop and the same listener, whoever answers. */
import type * as RDF from '@rdfjs/types';
import { consumed } from '../stores/streams.js';
import type { Stream } from '../stores/streams.js';

/** By `for await`; how many quads there were. */
export async function iterated(quads: AsyncIterable<RDF.Quad>): Promise<number> {
  let rows = 0;
  for await (const quad of quads) rows += quad.object === undefined ? 0 : 1;
  return rows;
}

/** By `'data'` events. */
export async function listened(quads: Stream<RDF.Quad>): Promise<number> {
  let rows = 0;
  await consumed(quads, (quad) => (rows += quad.object === undefined ? 0 : 1));
  return rows;
}

/** By `for`, of what answers at once. */
export function looped(quads: Iterable<RDF.Quad>): number {
  let rows = 0;
  for (const quad of quads) rows += quad.object === undefined ? 0 : 1;
  return rows;
}

/** An answer that costs nothing to find: the same quad so many times. */
export function repeated(quad: RDF.Quad, times: number): AsyncIterable<RDF.Quad> {
  return {
    [Symbol.asyncIterator]() {
      let left = times;
      return {
        next: () =>
          left-- > 0
            ? Promise.resolve({ value: quad, done: false })
            : Promise.resolve({ value: undefined, done: true }),
      };
    },
  };
}
