/** Branches against the model, over the storage of pages and of networks. */
import { describe, test } from 'vitest';
import { MemoryDriver } from '@quadrille/storage';
import { BranchModel } from '../testing/branch-model.js';
import { asyncDriver, randomInts } from '../testing/fixture.js';

const seed = Number(process.env['QUADRILLE_SEED'] ?? 20_261_126);
const STEPS = 30;

describe.each([
  ['synchronous', () => new MemoryDriver()],
  ['asynchronous', asyncDriver],
])('branches over %s storage', (_, newDriver) => {
  test(`every revision equals the model, with seed ${seed}`, async () => {
    const driver = newDriver();
    const model = await BranchModel.open(randomInts(seed), () => driver);
    await model.run(STEPS);
    await model.close();
  });
});
