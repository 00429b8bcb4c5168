/** A shared store whose commits share writes: the packs of living values stay, so that other servers can open it. */
import { Store, platformEnv, type Tuning } from '@quadrille/core';
import { defaultGraph, iri, quad } from '@quadrille/model';
import { StorageEngine } from '@quadrille/storage';
import { SharedMemory, SharedMemoryDriver, SharedStorage } from '@quadrille/storage-shared';
import { open } from 'quadrille';
import { expect, test } from 'vitest';

test('hundreds of commits at once, whose writes put a long manifest twice: another server opens all of it', async () => {
  const memory = new SharedMemory();
  const opened = async (tuning: Partial<Tuning>, options: object = {}) => {
    const engine = await StorageEngine.open(new SharedStorage(new SharedMemoryDriver(memory), options));
    return { engine, store: await Store.open(engine, { env: platformEnv(), cacheBytes: 4 << 20, tuning }) };
  };
  let n = 0;
  const some = () => quad(iri(`urn:s${n++}`), iri('urn:p'), iri(`urn:o${n}`), defaultGraph());
  const first = await opened({ memtableRows: 8, tierRuns: 1000 });
  const begun = await first.store.repository('a/b', true);
  // Each flush makes a run, which the manifest names.
  for (let i = 0; i < 25; i++) {
    await begun.commit(Array.from({ length: 9 }, some), []);
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
  await first.store.close();
  const { engine, store } = await opened({ tierRuns: 1000 }, { graceMs: 0 });
  const repository = await store.repository('a/b');
  await repository.commit([some()], []);
  await Promise.all(Array.from({ length: 600 }, () => repository.commit([some()], [])));
  for (let i = 0; i < 3; i++) await engine.compact();
  const other = await opened({}, { readOnly: true });
  const seen = await other.store.repository('a/b');
  expect(seen.head.number).toBe(repository.head.number);
  expect((await seen.maintenance.verify()).problems).toEqual([]);
  await other.store.close();
  await store.close();
});

test('a collector that fails is shown by the figures of the database and of its repositories, until it succeeds', async () => {
  let fails = true;
  class Forbidden extends SharedMemoryDriver {
    override async listPacks(log: number) {
      if (fails) throw new Error('AccessDenied: s3:ListBucket');
      return super.listPacks(log);
    }
  }
  const storage = new SharedStorage(new Forbidden(new SharedMemory()), { checkpointEntries: 2 });
  const db = await open({ storage });
  const repository = await db.repository('sky', { create: true });
  const write = (n: number) => repository.add([quad(iri(`urn:s${n}`), iri('urn:p'), iri('urn:o'), defaultGraph())]);
  const until = async (count: (failures: number) => boolean): Promise<void> => {
    for (let n = 0; !count(db.metrics().backgroundFailures.length) && n < 1000; n++) await write(n);
  };
  await until((failures) => failures > 0);
  const shown = { job: 'collection of the shared log', message: expect.stringContaining('AccessDenied') };
  expect(db.metrics().backgroundFailures).toMatchObject([shown]);
  expect((await repository.maintenance.stats()).failures).toMatchObject([shown]);
  fails = false;
  await until((failures) => failures === 0);
  expect((await repository.maintenance.stats()).failures).toEqual([]);
  await db.close();
});
