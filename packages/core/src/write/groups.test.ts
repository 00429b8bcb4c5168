/** Callers who commit again and again share one write each time. */
import { expect, test } from 'vitest';
import { asyncDriver, openRepository, q } from '../testing/fixture.js';

const CALLERS = 8;
const COMMITS = 20;

test('callers who commit again when they are answered share one write, and no one of them goes alone', async () => {
  const driver = asyncDriver();
  const { store, repository } = await openRepository(driver);
  const write = driver.write.bind(driver);
  let writes = 0;
  driver.write = (ops, options) => {
    writes++;
    return write(ops, options);
  };
  const caller = async (name: number): Promise<void> => {
    for (let i = 0; i < COMMITS; i++) await repository.commit([q(`s${name} p o${i}`)], []);
  };
  await Promise.all(Array.from({ length: CALLERS }, (_, name) => caller(name)));
  expect(repository.head.number).toBe(1 + CALLERS * COMMITS);
  // The first commit goes alone, and the rest of the first ones after it.
  expect(writes).toBeLessThanOrEqual(COMMITS + 2);
  await store.close();
});
