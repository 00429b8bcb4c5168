import type * as RDF from '@rdfjs/types';
import { expect, test } from 'vitest';
import { literal, quad } from '../index.js';
import { all, ex, lines, many, repository } from '../testing/fixtures.js';
import { areFew, inBatches, quadBatches } from './quad-input.js';

const long = (length: number, name = 'long'): RDF.Quad => quad(ex(name), ex('p'), literal('x'.repeat(length)));
async function* streamed(quads: readonly RDF.Quad[]): AsyncGenerator<RDF.Quad> {
  yield* quads;
}
const sizes = async (input: Iterable<RDF.Quad> | AsyncIterable<RDF.Quad>): Promise<number[]> =>
  (await all(quadBatches(input))).map(({ length }) => length);

test.each([
  ['an array', (quads: RDF.Quad[]) => quads],
  ['a stream', streamed],
])('batches of %s have few quads, and few characters', async (_, form) => {
  expect(await sizes(form(many(600)))).toEqual([256, 256, 88]);
  expect(await sizes(form([long(100_000), long(100_000), ...many(3)]))).toEqual([1, 1, 3]);
  const nested = quad(ex('a'), ex('p'), quad(ex('a'), ex('p'), literal('x'.repeat(100_000))));
  expect(await sizes(form([nested, nested]))).toEqual([1, 1, 0]);
});

test('the event loop has its turn between batches', async () => {
  let turns = 0;
  let over = false;
  const count = (): void => {
    turns++;
    if (!over) setImmediate(count);
  };
  setImmediate(count);
  const busy = (): void => {
    for (const end = performance.now() + 11; performance.now() < end;);
  };
  await inBatches(many(256 * 8), busy);
  over = true;
  expect(turns).toBeGreaterThanOrEqual(8);
});

test('quads are few by their number and their characters', () => {
  expect(areFew(many(10), 10)).toBe(true);
  expect(areFew(many(11), 10)).toBe(false);
  expect(areFew([long(2_000_000)], 10)).toBe(false);
  expect(areFew(streamed(many(1)), 10)).toBe(false);
});

test('a stream of terms that grow keeps them whole', async () => {
  const repo = await repository();
  const texts = Array.from({ length: 14 }, (_, i) => '€'.repeat(1 << i) + 'x'.repeat(1 << i));
  const quads = texts.map((text, i) => quad(ex(`s${String(i)}`), ex('p'), literal(text)));
  await repo.add(streamed(quads));
  expect(await lines(repo.quads())).toEqual(await lines(streamed(quads)));
});
