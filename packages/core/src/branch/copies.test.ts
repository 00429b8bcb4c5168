/** Backups, restored points and recovered stores have the branches. */
import { expect, test } from 'vitest';
import { MemoryDriver, StorageEngine } from '@quadrille/storage';
import { cutRepositories } from '../backup/index.js';
import { recoverStore } from '../recovery/recover.js';
import type { Repository } from '../repository.js';
import { clockEnv, contents, many, openRepository, q, SMALL } from '../testing/fixture.js';

async function branch(repository: Repository, name: string, from: Repository): Promise<Repository> {
  const record = await from.resolve('HEAD');
  await (await repository.branches()).create(name, { keyspace: from.handle.keyspace, record });
  return (await repository.lines()).branch(name);
}

/** A life of three branches, a minute between its steps. */
async function live(): Promise<{ driver: MemoryDriver; times: number[]; states: Record<string, string[]>[] }> {
  const env = clockEnv();
  const { store, repository, driver } = await openRepository(new MemoryDriver(), { env, tuning: SMALL });
  const times: number[] = [];
  const states: Record<string, string[]>[] = [];
  let branches: Record<string, Repository> = { main: repository };
  const step = async (work: () => Promise<unknown>): Promise<void> => {
    await work();
    const state: Record<string, string[]> = {};
    for (const [name, each] of Object.entries(branches)) state[name] = await contents(each);
    states.push(state);
    times.push(env.time);
    env.time += 60_000;
  };
  await step(() => repository.commit(many('a', 100), []));
  await step(async () => {
    branches = { ...branches, one: await branch(repository, 'one', repository) };
    await branches['one']!.commit(many('b', 80), many('a', 30));
  });
  await step(async () => {
    branches = { ...branches, two: await branch(repository, 'two', branches['one']!) };
    await branches['two']!.commit(many('c', 5), many('b', 70));
  });
  await step(() => branches['one']!.commit(many('d', 3), many('a', 40)));
  // Taken over by a line that begins on main, and by main itself.
  await step(() => branches['one']!.merge('two', { strategy: 'theirs' }));
  await step(() => branches['two']!.merge('one', { fastForward: true }));
  await step(async () => {
    branches = { ...branches, three: await branch(repository, 'three', repository) };
    await branches['three']!.commit(many('e', 90), []);
    await repository.merge('three', { fastForward: true });
  });
  await step(() => repository.commit([q('late p o')], many('a', 90)));
  await repository.tags.set('two', Uint8Array.from(branches['two']!.head.id));
  await store.close();
  return { driver: driver as MemoryDriver, times, states };
}

async function look(driver: MemoryDriver): Promise<Record<string, string[]>> {
  const { store, repository } = await openRepository(driver, { tuning: SMALL });
  expect((await repository.maintenance.verify()).problems).toEqual([]);
  const seen: Record<string, string[]> = {};
  for (const { name } of await (await repository.branches()).list())
    seen[name] = await contents(await (await repository.lines()).branch(name));
  const mark = await repository.tags.get('two');
  if (mark !== undefined) await (await repository.snapshotAt('two')).close();
  await store.close();
  return seen;
}

test('a store that is set back to a time has the branches of that time', async () => {
  for (const at of [7, 6, 5, 4, 3, 2, 1, 0]) {
    const { driver, times, states } = await live();
    const engine = await StorageEngine.open(driver);
    await cutRepositories(engine, new Date(times[at]!), clockEnv());
    await engine.close();
    expect(await look(driver), `step ${at}`).toEqual(states[at]);
  }
});

test('a store that is set back to a revision of main keeps the branches that begin before it', async () => {
  const { driver, states } = await live();
  const engine = await StorageEngine.open(driver);
  await cutRepositories(engine, 2, clockEnv());
  await engine.close();
  expect(await look(driver)).toEqual({ ...states[7], main: states[0]!['main'] });
  const again = await StorageEngine.open(driver);
  await cutRepositories(again, 1, clockEnv());
  await again.close();
  expect(await look(driver)).toEqual({ main: [] });
});

test('a recovered store has the branches, and tells of those that are damaged', async () => {
  const { driver, states } = await live();
  const source = await StorageEngine.open(driver);
  const memory = new MemoryDriver();
  const target = await StorageEngine.open(memory);
  const report = await recoverStore(source, target, { env: clockEnv(), damages: [] });
  expect(report.problems).toEqual([]);
  await target.close();
  expect(await look(memory)).toEqual(states[7]);
  // Line 1 is that of branch one, on which two begins.
  await source.write([{ type: 'delete', key: Uint8Array.of(0x10, 0, 0, 0, 1, 0x1a, 0, 0, 0, 1, 1) }], {
    durable: true,
  });
  const second = new MemoryDriver();
  const other = await StorageEngine.open(second);
  const told = await recoverStore(source, other, { env: clockEnv(), damages: [] });
  expect(told.problems.map(({ where, lost }) => [where, lost])).toContainEqual(['a/r branch two', true]);
  await other.close();
  expect(await look(second)).toEqual({ main: states[7]!['main'], three: states[7]!['three'] });
});
