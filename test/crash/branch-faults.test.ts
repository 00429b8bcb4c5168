/**
 * Faults at every write of the life of branches: what was acknowledged stays, what failed is there whole or not at all,
 * and the store goes on and is valid.
 */
import { Store } from '@quadrille/core';
import type { Repository } from '@quadrille/core';
import { iri, quad } from '@quadrille/model';
import { MemoryDriver, StorageEngine } from '@quadrille/storage';
import { FaultDriver } from '@quadrille/storage/testing';
import type { FaultEffect } from '@quadrille/storage/testing';
import { describe, expect, it } from 'vitest';
import { randomOf, SEED, seededEnv, tinyTuning } from '../model/environment.js';
import { below } from '../model/operations.mjs';

const NAME = 'crash/branches';
const quads = (name: string, count: number) =>
  Array.from({ length: count }, (_, i) => quad(iri(`http://e/${name}${i}`), iri('http://e/p'), iri(`http://e/o${i}`)));

/** The sizes of all branches, by name. */
type Seen = Readonly<Record<string, number>>;

const openStore = async (driver: FaultDriver | MemoryDriver): Promise<Store> =>
  Store.open(await StorageEngine.open(driver), { env: seededEnv(randomOf(0, 7)), tuning: tinyTuning(() => 0.5) });

async function branch(repository: Repository, name: string): Promise<Repository> {
  return (await repository.lines()).branch(name);
}

async function create(repository: Repository, name: string, from: Repository): Promise<void> {
  const record = await from.resolve('HEAD');
  await (await repository.branches()).create(name, { keyspace: from.handle.keyspace, record });
}

/** Each step with what all branches have after it. */
const STEPS: readonly { run(repository: Repository): Promise<unknown>; after: Seen }[] = [
  { run: (main) => main.commit(quads('a', 3), []), after: { main: 3 } },
  { run: (main) => create(main, 'one', main), after: { main: 3, one: 3 } },
  {
    run: async (main) => (await branch(main, 'one')).commit(quads('b', 40), quads('a', 1)),
    after: { main: 3, one: 42 },
  },
  { run: (main) => main.commit(quads('c', 30), []), after: { main: 33, one: 42 } },
  {
    run: async (main) => create(main, 'two', await branch(main, 'one')),
    after: { main: 33, one: 42, two: 42 },
  },
  {
    run: async (main) => (await branch(main, 'two')).commit([], quads('b', 10)),
    after: { main: 33, one: 42, two: 32 },
  },
  { run: (main) => main.merge('two', {}), after: { main: 62, one: 42, two: 32 } },
  {
    run: async (main) => (await main.branches()).rename('two', 'too'),
    after: { main: 62, one: 42, too: 32 },
  },
  { run: async (main) => (await main.branches()).delete('one', true), after: { main: 62, too: 32 } },
  { run: (main) => main.maintenance.compact(), after: { main: 62, too: 32 } },
  { run: async (main) => (await main.branches()).delete('too', true), after: { main: 62 } },
  { run: (main) => main.maintenance.compact(), after: { main: 62 } },
];

async function look(driver: MemoryDriver): Promise<Seen> {
  const store = await openStore(driver);
  try {
    const repository = await store.repository(NAME, true);
    const { problems } = await repository.maintenance.verify();
    expect(problems).toEqual([]);
    const seen: Record<string, number> = {};
    for (const { name } of await (await repository.branches()).list()) {
      const snapshot = await (await branch(repository, name)).snapshotAt('HEAD');
      seen[name] = await snapshot.count({ s: 0, p: 0, o: 0, g: 1 });
      expect(seen[name], name).toBe(snapshot.record.size);
      snapshot.close();
    }
    // The store takes writes.
    await repository.commit(quads('z', 1), []);
    return seen;
  } finally {
    await store.close();
  }
}

/** Runs the life until a step fails. Returns the number of steps that were acknowledged. */
async function live(driver: FaultDriver): Promise<number> {
  const store = await openStore(driver);
  let done = 0;
  try {
    const repository = await store.repository(NAME, true);
    for (const { run } of STEPS) {
      await run(repository);
      done++;
    }
  } catch {
    // The fault.
  }
  await store.close().catch(() => undefined);
  return done;
}

describe.each<FaultEffect>(['fail', 'throwAfterApply', 'unknown'])('a write with the fault %s', (effect) => {
  it(`leaves each branch as it was before or after the step, with seed ${SEED}`, { timeout: 120_000 }, async () => {
    let tried = 0;
    const random = randomOf(1);
    // QUADRILLE_FAULTS=all tries every write.
    const step = (): number => (process.env['QUADRILLE_FAULTS'] === 'all' ? 1 : 1 + below(random, 40));
    for (let at = step(); ; at += step()) {
      const memory = new MemoryDriver();
      const driver = new FaultDriver(memory);
      // Creating the repository is tested elsewhere.
      await (await openStore(driver)).repository(NAME, true);
      driver.setFault({ effect, operations: ['write'], at, repeat: 'forever' });
      const done = await live(driver);
      if (driver.fired === 0) break;
      tried++;
      driver.setFault();
      const seen = await look(memory);
      const possible = [STEPS[done - 1]?.after ?? { main: 0 }, STEPS[done]?.after];
      expect(possible, `write ${at}, ${done} steps done`).toContainEqual(seen);
    }
    expect(tried).toBeGreaterThan(0);
  });
});

it('goes on in the same process after a write of a branch has failed', async () => {
  const memory = new MemoryDriver();
  const driver = new FaultDriver(memory);
  const store = await openStore(driver);
  const main = await store.repository(NAME, true);
  await main.commit(quads('a', 3), []);
  await create(main, 'one', main);
  const one = await branch(main, 'one');
  await one.commit(quads('b', 2), []);
  driver.setFault({ effect: 'fail', operations: ['write'] });
  await expect(one.commit(quads('c', 2), [])).rejects.toMatchObject({ code: 'STORAGE_IO' });
  await main.commit(quads('d', 4), []);
  await one.commit(quads('e', 5), []);
  expect([main.head.size, one.head.size]).toEqual([7, 10]);
  expect((await main.maintenance.verify()).problems).toEqual([]);
  await store.close();
  expect(await look(memory)).toEqual({ main: 7, one: 10 });
});
