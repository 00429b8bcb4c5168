/** A share of the random commits against random shapes. QUADRILLE_SEED repeats a run. */
import { open } from 'quadrille';
import { afterAll, expect, test } from 'vitest';
import { guardedCommits } from './guarded-commits.js';
import { RandomShapes, SEED } from './random-shapes.js';

const counts = { taken: 0, refused: 0 };
const db = await open(':memory:');
afterAll(async () => {
  await db.close();
  console.log(`QUADRILLE_SEED=${SEED}: ${counts.taken} commits taken, ${counts.refused} refused`);
});

/** The first ones have SHACL Core alone. */
const CORE = 30;

test.each(Array.from({ length: 90 }, (_, i) => i))(`sequence %i (QUADRILLE_SEED=${SEED})`, async (index) => {
  const random = new RandomShapes(index, { core: index < CORE });
  const { taken, refused, failure } = await guardedCommits(db, `acme/r${index}`, random, 15);
  expect(failure).toBeUndefined();
  counts.taken += taken;
  counts.refused += refused;
});
