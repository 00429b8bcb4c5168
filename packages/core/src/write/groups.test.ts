/** Callers who commit again and again share one write each time. */
import { expect, test } from 'vitest';
import { platformEnv } from '../runtime/env.js';
import { asyncDriver, openRepository, q } from '../testing/fixture.js';

const CALLERS = 8;
const COMMITS = 20;

test('callers who commit again when they are answered share one write, and no one of them goes alone', async () => {
  const driver = asyncDriver();
  // No caller pauses because its time is up: it would come too late for the write of the others.
  const env = { ...platformEnv(), ticks: () => 0 };
  const { store, repository } = await openRepository(driver, { env });
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
  // The first commits come one after the other. From then on all callers share each write.
  expect(writes).toBeLessThanOrEqual(COMMITS + 4);
  await store.close();
});
