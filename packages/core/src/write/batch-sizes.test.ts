/** Batches of quads below and above the sizes from which their terms are looked up together, with old, new and repeated terms. */
import { literal } from '@quadrille/model';
import { MemoryDriver } from '@quadrille/storage';
import { expect, test } from 'vitest';
import { contents, openRepository, q, randomInts, show } from '../testing/fixture.js';

test.each([
  // Many hash runs that are seldom merged, and terms that are only in the tail.
  ['flushed often', { tailTerms: 300, tierRuns: 12 }],
  ['in the tail', {}],
])('batches of all sizes, with terms %s, are there', async (_, tuning) => {
  const driver = new MemoryDriver();
  const { store, repository } = await openRepository(driver, { tuning });
  const next = randomInts(20261201);
  const model = new Set<string>();
  for (const size of [1, 255, 256, 257, 1000, 2, 3000, 4095, 4096, 4097]) {
    const quads = Array.from({ length: size }, (_, n) => {
      const { subject, predicate, object, graph } = q(`s${next(0, 9000)} p${n % 5} o${next(0, 9000)} g${n % 3}`);
      // Long texts are stored apart.
      const value = n === 17 ? literal(`${size} `.repeat(3000)) : object;
      return { ...q('a b c'), subject, predicate, object: value, graph } as ReturnType<typeof q>;
    });
    const gone = [...model].filter(() => next(0, 50) === 0).slice(0, size);
    const came = quads.map(show);
    await repository.commit(
      quads,
      gone.filter((quad) => !quad.includes('"')).map((quad) => q(quad)),
    );
    for (const quad of gone) if (!quad.includes('"')) model.delete(quad);
    for (const quad of came) model.add(quad);
    expect(repository.head.size).toBe(model.size);
  }
  expect(await contents(repository)).toEqual([...model].toSorted());
  await store.close();
  const again = await openRepository(driver, { tuning });
  expect(await contents(again.repository)).toEqual([...model].toSorted());
  expect((await again.repository.maintenance.verify()).problems).toEqual([]);
  await again.store.close();
});
