/**
 * Races between opening, creating, deleting and closing: each call succeeds or fails as a whole, and leaves no keys.
 */
import { MemoryDriver, StorageEngine } from '@quadrille/storage';
import type { StorageDriver, WriteOp } from '@quadrille/storage';
import { FaultDriver } from '@quadrille/storage/testing';
import { describe, expect, test } from 'vitest';
import { droppedKey } from '../catalogue/catalogue.js';
import { Area, Tag } from '../format/layout.js';
import { platformEnv } from '../runtime/env.js';
import type { Tuning } from '../runtime/tuning.js';
import { Store } from '../store.js';
import { contents, feed, many, q, SMALL } from '../testing/fixture.js';
import { manyTurns, repositoryIds, WaitingDriver } from '../testing/storage-keys.js';

const NAME = 'a/r';
const deleted = { code: 'REPOSITORY_DELETED' };
const notFound = { code: 'REPOSITORY_NOT_FOUND' };
const notOpen = { code: 'STORE_NOT_OPEN' };

async function openStore(driver: StorageDriver = new MemoryDriver(), tuning: Partial<Tuning> = {}): Promise<Store> {
  const engine = await StorageEngine.open(driver);
  return Store.open(engine, { env: platformEnv(), cacheBytes: 1 << 20, tuning });
}

/** Checks that every key in the storage belongs to a repository of the catalogue. */
async function checkKeys(driver: StorageDriver, store: Store): Promise<void> {
  const known = Array.from((await store.repositories()).values(), ({ id }) => id);
  const { data, marked } = await repositoryIds(driver);
  expect([...data].toSorted()).toEqual(known.toSorted());
  expect([...marked]).toEqual([]);
}

const isMark = (ops: readonly WriteOp[]): boolean =>
  ops.some(({ type, ...op }) => 'key' in op && op.key[0] === Area.dropped && type === 'put');
const has =
  (tag: number) =>
  (ops: readonly WriteOp[]): boolean =>
    ops.some((op) => 'key' in op && op.key[0] === Area.data && op.key[5] === tag);

describe('opening and making', () => {
  test.each(['open first', 'make first'])('one that opens and one that makes both succeed (%s)', async (order) => {
    const store = await openStore(new WaitingDriver(false));
    const calls = [() => store.repository(NAME), () => store.repository(NAME, true)];
    if (order === 'make first') calls.reverse();
    const [one, other] = await Promise.all(calls.map((call) => call()));
    expect(one).toBe(other);
  });

  test('opening twice at once gives one, and so does making', async () => {
    const driver = new WaitingDriver(false);
    const store = await openStore(driver);
    const made = await Promise.all([store.repository(NAME, true), store.repository(NAME, { name: 'R' })]);
    expect(made[0]).toBe(made[1]);
    await store.close();
    const again = await openStore(driver);
    const opened = await Promise.all([1, 2, 3].map(() => again.repository(NAME)));
    expect(new Set(opened).size).toBe(1);
  });

  test('a name that nobody makes is not found, and making it afterwards succeeds', async () => {
    const store = await openStore();
    await expect(store.repository(NAME)).rejects.toMatchObject(notFound);
    await store.repository(NAME, true);
    await store.repository(NAME);
  });

  test('making that fails leaves no key, and opening does not make it afterwards', async () => {
    const driver = new FaultDriver(new MemoryDriver());
    const store = await openStore(driver);
    driver.setFault({ effect: 'fail', operations: ['write'], repeat: 'forever' });
    await expect(store.repository(NAME, true)).rejects.toMatchObject({ code: 'STORAGE_IO' });
    driver.setFault();
    await expect(store.repository(NAME)).rejects.toMatchObject(notFound);
    await checkKeys(driver, store);
    const repository = await store.repository('b/r', true);
    await repository.commit([q('a p o')], []);
    await checkKeys(driver, store);
    expect(await store.accounts.list()).toEqual(['b']);
  });

  test('opening waits for a deletion and then says that there is none; making begins anew', async () => {
    const driver = new WaitingDriver();
    const store = await openStore(driver);
    const old = await store.repository(NAME, true);
    await old.commit([q('a p o')], []);
    const mark = driver.holdWrite(isMark);
    const deletion = store.deleteRepository(NAME);
    await mark.begun;
    const opening = store.repository(NAME);
    mark.release();
    await expect(opening).rejects.toMatchObject(notFound);
    expect(await deletion).toBe(true);
    const again = await store.repository(NAME, true);
    expect(await contents(again)).toEqual([]);
    expect(again.head.number).toBe(1);
    await checkKeys(driver, store);
  });

  test('deleting waits for one that is being made or opened', async () => {
    const driver = new WaitingDriver(false);
    const store = await openStore(driver);
    const made = store.repository(NAME, true);
    expect(await store.deleteRepository(NAME)).toBe(true);
    const repository = await made;
    await expect(repository.commit([q('a p o')], [])).rejects.toMatchObject(deleted);
    await checkKeys(driver, store);
  });
});

describe('what is under way when its repository is deleted', () => {
  const uses: Record<string, (store: Store) => Promise<() => Promise<unknown>>> = {
    'a commit': async (store) => {
      const repository = await store.repository(NAME);
      return () => repository.commit([q('x p o')], []);
    },
    'a head': async (store) => {
      const repository = await store.repository(NAME);
      return () => repository.resolve('HEAD');
    },
    'a load': async (store) => {
      const repository = await store.repository(NAME);
      const load = await repository.beginLoad();
      await feed(load, many('l', 50));
      await load.writeChunk();
      return () => repository.finishLoad(load, {});
    },
    'a load that takes more': async (store) => {
      const load = await (await store.repository(NAME)).beginLoad();
      await feed(load, many('l', 50));
      return () => load.writeChunk();
    },
    'a transaction that commits': async (store) => {
      const repository = await store.repository(NAME);
      const transaction = await repository.begin();
      await transaction.add([q('x p o')]);
      return () => repository.commitTransaction(transaction, {});
    },
    'a transaction that reads': async (store) => {
      const transaction = await (await store.repository(NAME)).begin();
      return () => transaction.count({});
    },
    'a transaction that changes': async (store) => {
      const transaction = await (await store.repository(NAME)).begin();
      return () => transaction.add([q('x p o')]);
    },
    'a snapshot': async (store) => {
      const snapshot = (await store.repository(NAME)).snapshot();
      return () => snapshot.count({ s: 0, p: 0, o: 0, g: 0 });
    },
    'a reader that has begun': async (store) => {
      const reader = (await store.repository(NAME)).snapshot().read({ s: 0, p: 0, o: 0, g: 0 });
      await reader.next();
      return async () => reader.next();
    },
    'a history': async (store) => {
      const events = (await store.repository(NAME)).history.events({});
      return async () => events.next();
    },
    'a log': async (store) => {
      const log = (await store.repository(NAME)).history.log();
      await log.next();
      return () => log.next();
    },
    tags: async (store) => {
      const { tags } = await store.repository(NAME);
      return () => tags.list();
    },
    'a tag that is set': async (store) => {
      const { tags } = await store.repository(NAME);
      return () => tags.set('t', new Uint8Array(16));
    },
    namespaces: async (store) => {
      const { namespaces } = await store.repository(NAME);
      return () => namespaces.get('p');
    },
    metadata: async (store) => {
      const { metadata } = await store.repository(NAME);
      return () => metadata.get();
    },
    'metadata that are set': async (store) => {
      const { metadata } = await store.repository(NAME);
      return () => metadata.set({ name: 'mine' });
    },
    verify: async (store) => {
      const repository = await store.repository(NAME);
      return () => repository.maintenance.verify();
    },
    compact: async (store) => {
      const repository = await store.repository(NAME);
      return () => repository.maintenance.compact();
    },
    rebuild: async (store) => {
      const repository = await store.repository(NAME);
      return () => repository.maintenance.rebuild();
    },
    bytes: async (store) => {
      const repository = await store.repository(NAME);
      return () => repository.maintenance.bytes();
    },
  };

  for (const [what, begin] of Object.entries(uses)) {
    test.each([false, true])(`${what} says so (made again: %s), and leaves no key`, async (again) => {
      const driver = new WaitingDriver();
      const store = await openStore(driver, SMALL);
      const repository = await store.repository(NAME, true);
      await repository.commit(many('s', 5), []);
      await repository.commit([], many('s', 2));
      const goOn = await begin(store);
      expect(await store.deleteRepository(NAME)).toBe(true);
      if (again) await store.repository(NAME, { name: 'yours' });
      await expect(goOn()).rejects.toMatchObject(deleted);
      if (again) expect(await store.record(NAME)).toMatchObject({ name: 'yours' });
      await checkKeys(driver, store);
      await store.close();
    });
  }

  test('a commit that is staged is answered before the deletion, one that comes later is refused', async () => {
    const driver = new WaitingDriver();
    const store = await openStore(driver);
    const repository = await store.repository(NAME, true);
    const log = driver.holdWrite(has(Tag.log));
    const first = repository.commit([q('a p o')], []);
    await log.begun;
    const deletion = store.deleteRepository(NAME);
    await manyTurns();
    const second = expect(repository.commit([q('b p o')], [])).rejects.toMatchObject(deleted);
    log.release();
    expect(await first).toMatchObject({ number: 2 });
    await second;
    expect(await deletion).toBe(true);
    await checkKeys(driver, store);
  });

  test('a flush whose batch is under way does not write after the deletion', async () => {
    const driver = new WaitingDriver();
    const store = await openStore(driver, { ...SMALL, memtableRows: 10 });
    const repository = await store.repository(NAME, true);
    const block = driver.holdWrite(has(Tag.block));
    await repository.commit(many('s', 15), []);
    await block.begun;
    const deletion = store.deleteRepository(NAME);
    await manyTurns();
    block.release();
    expect(await deletion).toBe(true);
    await manyTurns();
    await checkKeys(driver, store);
  });

  test('a tag whose write is under way is not acknowledged', async () => {
    const driver = new WaitingDriver();
    const store = await openStore(driver);
    const repository = await store.repository(NAME, true);
    const mark = driver.holdWrite(isMark);
    const deletion = store.deleteRepository(NAME);
    await mark.begun;
    const tagged = repository.tags.set('t', new Uint8Array(16));
    mark.release();
    await expect(tagged).rejects.toMatchObject(deleted);
    await deletion;
    await checkKeys(driver, store);
  });

  test('metadata that are set beside a deletion do not bring the repository back', async () => {
    const driver = new WaitingDriver();
    const store = await openStore(driver);
    const repository = await store.repository(NAME, true);
    const changes = [1, 2, 3].map((n) => repository.metadata.set({ summary: `${n}` }));
    const deletion = store.deleteRepository(NAME);
    await Promise.allSettled([...changes, deletion]);
    expect(await store.record(NAME)).toBeUndefined();
    await checkKeys(driver, store);
  });

  test('where the deletion fails the repository goes on as if nothing had happened', async () => {
    const driver = new FaultDriver(new MemoryDriver());
    const store = await openStore(driver);
    const repository = await store.repository(NAME, true);
    await repository.commit([q('a p o')], []);
    const transaction = await repository.begin();
    await transaction.add([q('b p o')]);
    driver.setFault({ effect: 'fail', operations: ['write'], repeat: 'forever' });
    await expect(store.deleteRepository(NAME)).rejects.toMatchObject({ code: 'STORAGE_IO' });
    driver.setFault();
    expect(await store.repository(NAME)).toBe(repository);
    expect(await contents(repository)).toEqual(['a p o']);
    await repository.commit([q('c p o')], []);
    expect(await contents(repository)).toEqual(['a p o', 'c p o']);
    transaction.close();
  });
});

describe('deletion and failures of the storage', () => {
  test('a crash between the mark and the deletion of the keys is finished at the next open', async () => {
    const driver = new MemoryDriver();
    const store = await openStore(driver);
    await (await store.repository(NAME, true)).commit(many('s', 5), []);
    await (await store.repository('a/other', true)).commit(many('s', 5), []);
    const { id } = (await store.record(NAME))!;
    await store.close();
    const engine = await StorageEngine.open(driver);
    const key = new Uint8Array([Area.repository, ...new TextEncoder().encode(NAME)]);
    await engine.write(
      [
        { type: 'delete', key },
        { type: 'put', key: droppedKey(id), value: new Uint8Array(0) },
      ],
      { durable: true },
    );
    expect((await repositoryIds(driver)).data.size).toBe(2);
    const again = await openStore(driver);
    await checkKeys(driver, again);
    expect(await contents(await again.repository('a/other'))).toHaveLength(5);
  });

  test('where the keys cannot be deleted the repository is gone, and the next deletion takes them along', async () => {
    const driver = new FaultDriver(new MemoryDriver());
    const store = await openStore(driver);
    const repository = await store.repository(NAME, true);
    await store.repository('a/other', true);
    driver.setFault({ effect: 'fail', operations: ['write'], at: 2, repeat: 'forever' });
    expect(await store.deleteRepository(NAME)).toBe(true);
    driver.setFault();
    await expect(repository.commit([q('a p o')], [])).rejects.toMatchObject(deleted);
    expect((await repositoryIds(driver)).marked.size).toBe(1);
    expect(await store.deleteRepository('a/other')).toBe(true);
    await checkKeys(driver, store);
  });

  test('a store opens, reads and verifies where nothing can be written, with a deletion and a job to finish', async () => {
    const driver = new FaultDriver(new MemoryDriver());
    const first = await openStore(driver, SMALL);
    const repository = await first.repository(NAME, true);
    await repository.commit(many('s', 15), []);
    await first.repository('a/gone', true);
    const load = await repository.beginLoad();
    await feed(load, many('l', 50));
    await load.writeChunk();
    driver.setFault({ effect: 'fail', operations: ['write'], at: 2, repeat: 'forever' });
    expect(await first.deleteRepository('a/gone')).toBe(true);
    await first.close();
    driver.setFault({
      effect: 'fail',
      operations: ['write'],
      repeat: 'forever',
      error: Object.assign(new Error('full'), { code: 'ENOSPC' }),
    });
    const store = await openStore(driver, SMALL);
    const again = await store.repository(NAME);
    expect(await contents(again)).toHaveLength(15);
    expect((await store.verify()).problems).toEqual([]);
    await expect(again.commit([q('x p o')], [])).rejects.toMatchObject({ code: 'STORAGE_FULL' });
    expect(await contents(again)).toHaveLength(15);
    driver.setFault();
    await again.commit([q('x p o')], []);
    expect(await contents(again)).toHaveLength(16);
    await again.maintenance.rebuild();
    expect((await store.verify()).problems).toEqual([]);
    await store.close();
  });

  test('a repository is deleted on a full disk, which makes room', async () => {
    const driver = new FaultDriver(new MemoryDriver());
    const store = await openStore(driver);
    const repository = await store.repository(NAME, true);
    await repository.commit(many('s', 5), []);
    driver.setFault({ effect: 'full', operations: ['write', 'probe'], repeat: 'forever' });
    await expect(repository.commit([q('x p o')], [])).rejects.toMatchObject({ code: 'STORAGE_FULL' });
    expect(await contents(repository)).toHaveLength(5);
    expect(await store.deleteRepository(NAME)).toBe(true);
    await checkKeys(driver, store);
    driver.setFault();
    await store.repository(NAME, true);
  });

  test('an empty store opens where nothing can be written', async () => {
    const driver = new FaultDriver(new MemoryDriver());
    driver.setFault({ effect: 'fail', operations: ['write'], repeat: 'forever' });
    const store = await openStore(driver);
    expect([...(await store.repositories()).keys()]).toEqual([]);
    await expect(store.repository(NAME, true)).rejects.toMatchObject({ code: 'STORAGE_IO' });
    driver.setFault();
    await store.repository(NAME, true);
    await store.close();
  });
});

describe('closing', () => {
  test('whatever is under way ends whole or with STORE_NOT_OPEN', async () => {
    const driver = new WaitingDriver(false);
    const store = await openStore(driver, SMALL);
    const repository = await store.repository(NAME, true);
    await repository.commit(many('s', 5), []);
    await store.repository('a/gone', true);
    const snapshot = repository.snapshot();
    const reader = snapshot.read({ s: 0, p: 0, o: 0, g: 0 });
    const load = await repository.beginLoad();
    await feed(load, many('l', 50));
    const transaction = await repository.begin();
    await transaction.add([q('t p o')]);
    const calls = [
      repository.commit([q('x p o')], []),
      store.repository('a/late', true),
      store
        .repository('a/none')
        .catch((error: unknown) =>
          expect(error).toMatchObject({ code: expect.stringMatching(/^REPOSITORY_NOT_FOUND|^STORE_NOT_OPEN/) }),
        ),
      store.deleteRepository('a/gone'),
      load.writeChunk(),
      repository.commitTransaction(transaction, {}),
      repository.tags.set('t', new Uint8Array(16)),
      repository.metadata.set({ name: 'R' }),
      repository.maintenance.verify(),
      repository.maintenance.compact(),
    ];
    const closing = store.close();
    const results = await Promise.allSettled([...calls, closing]);
    for (const result of results) if (result.status === 'rejected') expect(result.reason).toMatchObject(notOpen);
    await expect(closing).resolves.toBeUndefined();
    await expect(repository.commit([q('y p o')], [])).rejects.toMatchObject(notOpen);
    await expect((async () => reader.next())()).rejects.toMatchObject(notOpen);
    await expect(store.repository(NAME)).rejects.toMatchObject(notOpen);
    await expect(repository.resolve(1)).rejects.toMatchObject(notOpen);
    expect(() => snapshot.scanQuads({ s: 0, p: 0, o: 0, g: 0 })).toThrow(expect.objectContaining(notOpen));

    const again = await openStore(driver, SMALL);
    const reopened = await again.repository(NAME);
    const has = new Set(await contents(reopened));
    expect(has.has('x p o')).toBe(results[0]!.status === 'fulfilled');
    expect((await again.repositories()).has('a/late')).toBe(results[1]!.status === 'fulfilled');
    expect(has.has('t p o')).toBe(results[5]!.status === 'fulfilled');
    expect((await reopened.tags.get('t')) !== undefined).toBe(results[6]!.status === 'fulfilled');
    await checkKeys(driver, again);
    expect((await again.verify()).problems).toEqual([]);
  });

  test('a half-read reader ends with STORE_NOT_OPEN, however short it is', async () => {
    const store = await openStore();
    const repository = await store.repository(NAME, true);
    await repository.commit(many('s', 3), []);
    const reader = repository.snapshot().read({ s: 0, p: 0, o: 0, g: 0 });
    await reader.next();
    await store.close();
    await expect((async () => reader.next())()).rejects.toMatchObject(notOpen);
  });
});
