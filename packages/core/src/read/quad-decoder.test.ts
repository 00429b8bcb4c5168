import type * as RDF from '@rdfjs/types';
import { iri, literal, quad } from '@quadrille/model';
import { describe, expect, test } from 'vitest';
import { asyncDriver, openRepository, turnCountingEnv } from '../testing/fixture.js';
import type { Repository } from '../repository.js';

const LENGTH = 100_000;
const text = (n: number, length: number): string => String(n).padStart(length, 'x');
const quads = (lengths: readonly number[]): RDF.Quad[] =>
  lengths.map((length, n) => quad(iri(`http://e/s${n}`), iri('http://e/p'), literal(text(n, length))));

async function batches(repository: Repository): Promise<RDF.Quad[][]> {
  const snapshot = repository.snapshot();
  const reader = snapshot.read({ s: 0, p: 0, o: 0, g: 0 });
  const found: RDF.Quad[][] = [];
  for (let batch = await reader.next(); batch !== undefined; batch = await reader.next()) found.push(batch);
  reader.close();
  snapshot.close();
  return found;
}

const lengthOf = (batch: readonly RDF.Quad[]): number =>
  batch.reduce((sum, { object }) => sum + object.value.length, 0);

describe.each([true, false])('batches of quads (getSync: %s)', (sync) => {
  test.each([
    [3000, false],
    [3000, true],
    [LENGTH, false],
    [LENGTH, true],
  ])('are bounded by the bytes of texts of %i that are not in memory (compacted: %s)', async (length, compacted) => {
    const { repository, driver, store } = await openRepository(sync ? undefined : asyncDriver());
    const all = quads(Array.from({ length: Math.floor(2_000_000 / length) }, () => length));
    await repository.commit(all, []);
    if (compacted) await repository.maintenance.compact();
    await store.close();
    const again = await openRepository(driver);
    const found = await batches(again.repository);
    expect(found.flat().map(({ object }) => object.value)).toEqual(all.map(({ object }) => object.value));
    for (const batch of found) expect(lengthOf(batch)).toBeLessThan(4 * (256 * 1024 + length));
  });

  test('are long again behind long texts', async () => {
    const { repository } = await openRepository(sync ? undefined : asyncDriver());
    const lengths = Array.from({ length: 1500 }, (_, n) => (n < 12 ? LENGTH : 10));
    await repository.commit(quads(lengths), []);
    const sizes = (await batches(repository)).map((batch) => batch.length);
    expect(sizes.reduce((sum, size) => sum + size)).toBe(1500);
    expect(Math.max(...sizes)).toBeGreaterThan(500);
  });
});

test('the event loop has a turn between long texts', async () => {
  const env = turnCountingEnv();
  const { repository } = await openRepository(undefined, { env });
  await repository.commit(quads(Array.from({ length: 30 }, () => LENGTH)), []);
  await repository.maintenance.compact();
  env.turns = 0;
  const snapshot = repository.snapshot();
  const { decoder } = snapshot.timeline;
  const ids = Uint32Array.from({ length: 60 }, (_, n) => n + 2);
  expect(await decoder.decodeAll(ids, 0, ids.length)).toHaveLength(60);
  expect(env.turns).toBeGreaterThanOrEqual(20);
});
