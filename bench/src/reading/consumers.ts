/** Reads answers with the same loop or listener for every store. */
import type * as RDF from '@rdfjs/types';
import { consumed } from '../stores/streams.js';
import type { Stream } from '../stores/streams.js';

/** Reads by `for await` and returns the number of quads. */
export async function iterated(quads: AsyncIterable<RDF.Quad>): Promise<number> {
  let rows = 0;
  for await (const quad of quads) rows += quad.object === undefined ? 0 : 1;
  return rows;
}

/** Reads by `'data'` events and returns the number of quads. */
export async function listened(quads: Stream<RDF.Quad>): Promise<number> {
  let rows = 0;
  await consumed(quads, (quad) => (rows += quad.object === undefined ? 0 : 1));
  return rows;
}

/** Reads a synchronous iterable and returns the number of quads. */
export function looped(quads: Iterable<RDF.Quad>): number {
  let rows = 0;
  for (const quad of quads) rows += quad.object === undefined ? 0 : 1;
  return rows;
}

/** An answer without any search: the same quad `times` times. */
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
