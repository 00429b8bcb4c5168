/** The store unloads idle repositories beyond `repositoryBytes`; their handles keep working. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { iterate, yieldTurn } from '@quadrille/model';
import { MemoryDriver, StorageEngine } from '@quadrille/storage';
import type { StorageDriver } from '@quadrille/storage';
import { FaultDriver } from '@quadrille/storage/testing';
import { describe, expect, test } from 'vitest';
import { platformEnv } from '../runtime/env.js';
import type { Repository } from '../repository.js';
import { Store } from '../store.js';
import { asyncDriver, contents, many, q, readAll } from '../testing/fixture.js';
import type { Tuning } from '../runtime/tuning.js';

async function openStore(
  driver: StorageDriver = new MemoryDriver(),
  { repositoryBytes = 0, ...tuning }: Partial<Tuning> & { repositoryBytes?: number } = {},
): Promise<Store> {
  const engine = await StorageEngine.open(driver);
  return Store.open(engine, {
    env: platformEnv(),
    cacheBytes: 4 * 1024 * 1024,
    repositoryBytes,
    tuning: { sparedRepositories: 0, ...tuning },
  });
}

/** Waits for turns of the event loop, in which idle repositories are unloaded. */
async function turns(count = 20): Promise<void> {
  for (let n = 0; n < count; n++) await yieldTurn();
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

const namesInMemory = (store: Store): string[] => [...store.repositoriesInMemory].map(({ name }) => name).sort();

/** Returns a repository of three revisions that was unloaded. */
async function unload(store: Store, name = 'a/r'): Promise<Repository> {
  const repository = await store.repository(name, true);
  await repository.commit(many('s', 5), []);
  await repository.commit([q('late p o')], [q('s0 p o0')]);
  await turns();
  expect(repository.handle.inMemory).toBe(false);
  return repository;
}

const HELD = ['late p o', 's1 p o1', 's2 p o2', 's3 p o3', 's4 p o4'];

describe.each([true, false])('a handle goes on where its repository was unloaded (getSync: %s)', (sync) => {
  const store = (): Promise<Store> => openStore(sync ? new MemoryDriver() : asyncDriver());
  const uses: Record<string, (repository: Repository) => Promise<unknown>> = {
    read: async (repository) => expect(await contents(repository)).toEqual(HELD),
    'read an old revision': async (repository) => expect(await contents(repository, 2)).toHaveLength(5),
    'its head': async (repository) => expect(repository.revision).toMatchObject({ number: 3, added: 1, removed: 1 }),
    resolve: async (repository) => expect((await repository.resolve('HEAD')).added.length).toBe(1),
    commit: async (repository) => expect(await repository.commit([q('x p o')], [])).toMatchObject({ number: 4 }),
    'commit nothing': async (repository) => expect(await repository.commit([], [])).toMatchObject({ number: 3 }),
    'remove matches': async (repository) => expect(await repository.removeMatches({})).toMatchObject({ size: 0 }),
    revert: async (repository) => expect(await repository.revert('HEAD')).toMatchObject({ number: 4, size: 5 }),
    reset: async (repository) => expect(await repository.reset(2)).toMatchObject({ number: 4, size: 5 }),
    load: async (repository) => {
      const load = await repository.beginLoad();
      await turns();
      expect(await repository.finishLoad(load, {})).toMatchObject({ number: 3 });
    },
    transaction: async (repository) => {
      const transaction = await repository.begin();
      await transaction.add([q('x p o')]);
      await turns();
      expect(await repository.commitTransaction(transaction, {})).toMatchObject({ number: 4 });
      transaction.close();
    },
    diff: async (repository) => expect((await all(iterate(repository.history.diff(2, 3)))).flat()).toHaveLength(2),
    history: async (repository) => expect((await all(iterate(repository.history.events({})))).flat()).toHaveLength(7),
    log: async (repository) => expect(await all(repository.history.log())).toHaveLength(3),
    bytes: async (repository) => expect(await repository.maintenance.bytes()).toBeGreaterThan(100),
    verify: async (repository) => expect((await repository.maintenance.verify()).problems).toEqual([]),
    compact: (repository) => repository.maintenance.compact(),
    rebuild: (repository) => repository.maintenance.rebuild(),
    'delete it': async (repository) => expect(repository.name).toBe('a/r'),
  };
  test.each(Object.entries(uses))('%s', async (_, use) => {
    const opened = await store();
    const repository = await unload(opened);
    await use(repository);
    await turns();
    expect(repository.handle.inMemory).toBe(false);
    expect(await opened.repository('a/r')).toBe(repository);
    expect((await repository.maintenance.verify()).problems).toEqual([]);
    expect(await opened.deleteRepository('a/r')).toBe(true);
    await expect(repository.commit([q('x p o')], [])).rejects.toMatchObject({ code: 'REPOSITORY_DELETED' });
    await expect(contents(repository)).rejects.toMatchObject({ code: 'REPOSITORY_DELETED' });
    const next = await opened.repository('a/r', true);
    expect(next).not.toBe(repository);
    expect(next.head.number).toBe(1);
    await opened.close();
  });

  test('many uses at once read it once', async () => {
    const opened = await store();
    const repository = await unload(opened);
    const jobs = Array.from({ length: 20 }, (_, n) => repository.commit([q(`n${n} p o`)], []));
    const reads = Array.from({ length: 20 }, async () => contents(repository, 3));
    for (const read of await Promise.all(reads)) expect(read).toEqual(HELD);
    await Promise.all(jobs);
    expect(repository.head.number).toBe(23);
    expect(opened.commits).toBe(22);
    await opened.close();
    expect(opened.commits).toBe(22);
  });
});

test('what is in use stays: an open snapshot, a transaction, a load', async () => {
  const store = await openStore();
  const [first, second, third] = [
    await unload(store, 'a/first'),
    await unload(store, 'a/second'),
    await unload(store, 'a/third'),
  ];
  const snapshot = await first.snapshotAt('HEAD');
  const transaction = await second.begin();
  const load = await third.beginLoad();
  await turns();
  expect(namesInMemory(store)).toEqual(['a/first', 'a/second', 'a/third']);
  expect(await readAll(snapshot)).toEqual(HELD);
  snapshot.close();
  transaction.close();
  await load.close();
  await turns();
  expect(namesInMemory(store)).toEqual([]);
  await store.close();
});

test('after nothing could be unloaded, each that becomes idle is tried', async () => {
  const store = await openStore();
  const [x, y] = [await unload(store, 'a/x'), await unload(store, 'a/y')];
  const inY = await y.snapshotAt('HEAD');
  const before = await x.snapshotAt('HEAD');
  await turns();
  // It is used again before it is looked at.
  before.close();
  const inX = x.snapshot();
  await turns();
  expect(namesInMemory(store)).toEqual(['a/x', 'a/y']);
  inX.close();
  await turns();
  expect(namesInMemory(store)).toEqual(['a/y']);
  inY.close();
  await turns();
  expect(namesInMemory(store)).toEqual([]);
  await store.close();
});

test('the least recently used ones go first, and those used last stay whatever they take', async () => {
  const store = await openStore(undefined, { repositoryBytes: 1, sparedRepositories: 2 });
  for (const name of ['a/x', 'a/y', 'a/z']) await (await store.repository(name, true)).commit([q('s p o')], []);
  await contents(await store.repository('a/x'));
  await turns();
  await contents(await store.repository('a/w', true));
  await turns();
  expect(namesInMemory(store)).toHaveLength(2);
  expect(namesInMemory(store)).toContain('a/w');
  const roomy = await openStore(undefined, { repositoryBytes: 1e9 });
  for (let n = 0; n < 50; n++) await roomy.repository(`a/r${n}`, true);
  await turns();
  expect(namesInMemory(roomy)).toHaveLength(50);
  await store.close();
  await roomy.close();
});

test('letting go writes nothing; but many changes are written out as runs, so that the next use need not replay them', async () => {
  const driver = new MemoryDriver();
  let writes = 0;
  const write = driver.write.bind(driver);
  driver.write = (ops, options) => {
    writes++;
    return write(ops, options);
  };
  const store = await openStore(driver);
  const few = await unload(store);
  const before = writes;
  await contents(few);
  await turns();
  expect(few.handle.inMemory).toBe(false);
  expect(writes).toBe(before);
  const repository = await store.repository('a/many', true);
  const snapshot = repository.snapshot();
  for (let n = 0; n < 1100; n++) await repository.commit([q(`s${n % 40} p o${n}`)], []);
  snapshot.close();
  for (let n = 0; repository.handle.inMemory && n < 1000; n++) await turns();
  await repository.ready();
  expect(repository.handle.timeline.flushed).toBe(1101);
  expect((await repository.maintenance.verify()).problems).toEqual([]);
  await store.close();
});

test('where it cannot be read again, the call fails, and the next one tries anew', async () => {
  const driver = asyncDriver();
  const store = await openStore(driver);
  const repository = await unload(store);
  const get = driver.get.bind(driver);
  let failing = true;
  driver.get = (key) => (failing ? Promise.reject(new Error('no')) : get(key));
  await expect(contents(repository)).rejects.toThrow();
  await expect(repository.commit([q('x p o')], [])).rejects.toThrow();
  failing = false;
  expect(await contents(repository)).toEqual(HELD);
  await store.close();
});

test('the memory of very many repositories is bounded, and nothing keeps those that nobody holds', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const driver = new MemoryDriver();
  const store = await openStore(driver, { repositoryBytes: 2 * 1024 * 1024 });
  const use = async (n: number): Promise<void> => {
    const repository = await store.repository(`a/r${n}`, true);
    await repository.commit([q(`s${n} p o`)], []);
    expect(await contents(repository)).toHaveLength(1);
  };
  const heap = async (): Promise<number> => {
    for (let n = 0; n < 4; n++) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      collect();
    }
    return process.memoryUsage().heapUsed - driverBytes();
  };
  // MemoryDriver keeps the stored data on the heap as well.
  const driverBytes = (): number => stored * 3000;
  let stored = 0;
  for (; stored < 400; stored++) await use(stored);
  const before = await heap();
  for (; stored < 2000; stored++) await use(stored);
  const after = await heap();
  expect([...store.repositoriesInMemory].length).toBeLessThan(200);
  expect(after - before).toBeLessThan(8 * 1024 * 1024);
  await store.close();
}, 60_000);

test('a flush before unloading that fails is counted, until it succeeds', async () => {
  const driver = new FaultDriver(new MemoryDriver());
  const store = await openStore(driver);
  const repository = await store.repository('a/r', true);
  const until = async (isSo: () => boolean): Promise<void> => {
    for (let n = 0; !isSo() && n < 1000; n++) await turns();
    expect(isSo()).toBe(true);
  };
  const snapshot = repository.snapshot();
  for (let n = 0; n < 1100; n++) await repository.commit([q(`s${n % 40} p o${n}`)], []);
  driver.setFault({ effect: 'full', operations: ['write'], repeat: 'forever' });
  snapshot.close();
  await until(() => store.failedFlushes.length > 0);
  expect(store.failedFlushes).toMatchObject([
    { repository: 'a/r', job: 'flush before unloading', failures: 1, error: { code: 'STORAGE_FULL' } },
  ]);
  driver.setFault();
  await store.engine.recover();
  await repository.commit([q('x p o')], []);
  await until(() => store.failedFlushes.length === 0);
  await store.close();
});
