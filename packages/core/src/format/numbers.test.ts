/** Numbers that are used up are refused before anything is harmed: of revisions, runs, terms, branches and repositories. */
import { expect, test } from 'vitest';
import { MemoryDriver, StorageEngine } from '@quadrille/storage';
import type { WriteOp } from '@quadrille/storage';
import { storeEntryOp } from '../catalogue/catalogue.js';
import { encodeLine } from '../timeline/line-record.js';
import { flushTail } from '../maintenance/flush.js';
import { decodeManifest, encodeManifest } from '../timeline/manifest.js';
import type { Repository } from '../repository.js';
import { readRecord } from '../revision/log.js';
import { encodeHead, encodeRecord } from '../revision/record.js';
import { Pacer } from '../runtime/env.js';
import { Store } from '../store.js';
import { contents, feed, many, openRepository, q, SMALL } from '../testing/fixture.js';
import { dataKey, FIRST_INLINE_ID, Tag } from './layout.js';
import { LAST_NUMBER } from './numbers.js';

const LIMIT = { code: 'STORAGE_LIMIT' };

async function load(repository: Repository, prefix: string, count: number): Promise<unknown> {
  const loader = await repository.beginLoad();
  await feed(loader, many(prefix, count));
  return repository.finishLoad(loader, {});
}

async function rewrite(driver: MemoryDriver, repository: Repository, ops: readonly WriteOp[]): Promise<void> {
  const engine = await StorageEngine.open(driver);
  await engine.write(ops, { durable: true });
  await engine.close();
  expect(repository.name).toBe('a/r');
}

/** The first revision of an empty repository gets another number. */
async function beginAt(driver: MemoryDriver, number: number): Promise<void> {
  const { store, repository } = await openRepository(driver);
  const { keyspace } = repository.handle;
  const { bytes, digest } = encodeRecord({ ...(await readRecord(keyspace, 1)), number });
  const statistics = (await keyspace.get(Tag.statistics, 1, 0))!;
  const root = { ...decodeManifest((await keyspace.get(Tag.root))!), flushed: number, checkpoint: number };
  await store.close();
  await rewrite(driver, repository, [
    { type: 'delete', key: keyspace.key(Tag.log, 1) },
    { type: 'put', key: keyspace.key(Tag.log, number), value: bytes },
    { type: 'put', key: keyspace.key(Tag.head), value: encodeHead({ number, digest }) },
    { type: 'put', key: keyspace.key(Tag.root), value: encodeManifest(root) },
    { type: 'put', key: keyspace.key(Tag.statistics, number, 0), value: statistics },
  ]);
}

test('the last revision', async () => {
  const driver = new MemoryDriver();
  await beginAt(driver, LAST_NUMBER - 2);
  const { store, repository } = await openRepository(driver, { tuning: SMALL });
  await repository.commit([q('a p o')], []);
  await load(repository, 'b', 100);
  expect(repository.head.number).toBe(LAST_NUMBER);
  const before = await contents(repository);
  expect(before).toHaveLength(101);
  await expect(repository.commit([q('c p o')], [])).rejects.toMatchObject(LIMIT);
  await expect(repository.commit([q('c p o')], [])).rejects.toThrow(/revisions of repository a\/r/);
  await expect(load(repository, 'd', 100)).rejects.toMatchObject(LIMIT);
  const transaction = await repository.begin();
  await transaction.count({});
  await transaction.add([q('e p o')]);
  await expect(repository.commitTransaction(transaction, {})).rejects.toMatchObject(LIMIT);
  // Without a change no number is needed.
  expect((await repository.commit([q('a p o')], [])).number).toBe(LAST_NUMBER);
  expect(await contents(repository)).toEqual(before);
  await store.close();
  const again = await openRepository(driver);
  expect(await contents(again.repository)).toEqual(before);
  expect((await again.store.verify()).problems).toEqual([]);
  await again.store.close();
});

test('the last run: loads fail, and what is there stays', async () => {
  const driver = new MemoryDriver();
  const first = await openRepository(driver, { tuning: SMALL });
  await load(first.repository, 'a', 200);
  const { keyspace } = first.repository.handle;
  const root = decodeManifest((await keyspace.get(Tag.root))!);
  await first.store.close();
  await rewrite(driver, first.repository, [
    { type: 'put', key: keyspace.key(Tag.root), value: encodeManifest({ ...root, nextRun: LAST_NUMBER - 66 }) },
  ]);
  const { store, repository } = await openRepository(driver, { tuning: { ...SMALL, memtableRows: 1e6 } });
  await load(repository, 'b', 200);
  await expect(load(repository, 'c', 200)).rejects.toMatchObject(LIMIT);
  await expect(repository.maintenance.compact()).rejects.toMatchObject(LIMIT);
  // Small changes need no run.
  await repository.commit([q('d p o')], []);
  await store.close();
  const again = await openRepository(driver, { tuning: { ...SMALL, memtableRows: 1e6 } });
  expect(await contents(again.repository)).toHaveLength(401);
  expect((await again.store.verify()).problems).toEqual([]);
  await again.store.close();
});

test('a load takes as many numbers of runs as it writes', async () => {
  const { store, repository } = await openRepository(undefined, {
    tuning: { ...SMALL, memtableRows: 1e6, tierRuns: 99 },
  });
  const { numbers } = repository.handle;
  const before = numbers.next;
  for (let i = 0; i < 10; i++) await load(repository, `a${i}x`, 100);
  expect(numbers.next - before).toBeLessThanOrEqual(10 * 4);
  await repository.removeMatches({});
  expect((await store.verify()).problems).toEqual([]);
  await store.close();
});

test('the last term and the last hash run', async () => {
  const { store, repository } = await openRepository();
  await repository.commit([q('a p o')], []);
  const { dictionary, env } = { ...repository.handle.timeline, env: repository.handle.env };
  dictionary.root.nextRun = LAST_NUMBER + 1;
  await expect(flushTail(repository.handle.timeline, new Pacer(env))).rejects.toMatchObject(LIMIT);
  dictionary.root.nextId = FIRST_INLINE_ID;
  await expect(repository.commit([q('new p o')], [])).rejects.toMatchObject(LIMIT);
  await repository.commit([q('o p a')], []);
  expect(await contents(repository)).toEqual(['a p o', 'o p a']);
  await store.close();
});

test('the last branch and the last repository', async () => {
  const driver = new MemoryDriver();
  const { store, repository } = await openRepository(driver);
  const { keyspace } = repository.handle;
  const { id } = repository.head;
  await keyspace.writeAlone([
    {
      type: 'put',
      key: keyspace.key(Tag.line, LAST_NUMBER),
      value: encodeLine({ base: 0, fork: 1, forkId: id, materialised: false }),
    },
  ]);
  const place = { keyspace, record: await repository.resolve('HEAD') };
  await expect((await repository.branches()).create('dev', place)).rejects.toMatchObject(LIMIT);
  await keyspace.writeAlone([{ type: 'delete', key: keyspace.key(Tag.line, LAST_NUMBER) }]);
  await store.close();
  const engine = await StorageEngine.open(driver);
  await engine.write([storeEntryOp(LAST_NUMBER + 1, new Uint8Array(16))], { durable: true });
  const full = await Store.open(engine, { env: repository.handle.env });
  await expect(full.repository('a/other', true)).rejects.toMatchObject(LIMIT);
  expect((await full.repository('a/r')).head.number).toBe(1);
  await full.close();
});

test('a number that does not fit into a key is refused', () => {
  expect(() => dataKey(1, Tag.block, 2 ** 32)).toThrow(/does not fit into a key/);
});
