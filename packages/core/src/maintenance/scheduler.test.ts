/** Background jobs that fail: they are retried later, are reported, and do not use up the disk. */
import { describe, expect, test } from 'vitest';
import { MemoryDriver } from '@quadrille/storage';
import { FaultDriver } from '@quadrille/storage/testing';
import { iri } from '@quadrille/model';
import { dataKey, Tag } from '../format/layout.js';
import { POSG, SPOG } from '../index/orders.js';
import { runsOf } from '../index/index-version.js';
import type { Repository } from '../repository.js';
import type { Env } from '../runtime/env.js';
import { Pacer, platformEnv } from '../runtime/env.js';
import { flushMemtable } from './flush.js';
import { JOBS } from './jobs.js';
import type { Job } from './jobs.js';
import { mergeAll } from './merge-tiers.js';
import type { Store } from '../store.js';
import { WaitingDriver } from '../testing/storage-keys.js';
import { contents, many, openRepository, q, readAll, SMALL, settled } from '../testing/fixture.js';

/** An environment whose clock advances only when the test changes `elapsed`. */
function steppedEnv(): Env & { elapsed: number } {
  const env = { ...platformEnv(), elapsed: 0, ticks: () => env.elapsed };
  return env;
}

/** Resolves when no job is running. */
async function bytesIn(driver: MemoryDriver): Promise<number> {
  let bytes = 0;
  for await (const chunk of driver.range({}, { read: 'entries' }))
    for (const { key, value } of chunk) bytes += key.length + value.length;
  return bytes;
}

/** All keys, as hexadecimal text. */
async function keysOf(driver: MemoryDriver): Promise<string[]> {
  const keys: string[] = [];
  for await (const chunk of driver.range({}, { read: 'keys' }))
    for (const { key } of chunk) keys.push(Buffer.from(key).toString('hex'));
  return keys;
}

const NONE = { runs: new Set<number>(), hashRuns: new Set<number>() };

async function damage(driver: MemoryDriver, key: Uint8Array): Promise<void> {
  const value = (await driver.get(key))!.slice();
  value[value.length >> 1]! ^= 0x40;
  await driver.write([{ type: 'put', key, value }], { durable: false });
}

const TUNING = { ...SMALL, memtableRows: 40, tierRuns: 3 };

/**
 * Returns a repository with one large run per order and many small commits. If `damaged`, one block of two of those
 * runs is damaged.
 */
async function committed(
  tuning: typeof TUNING,
  damaged: boolean,
): Promise<{ repository: Repository; grown: number; env: ReturnType<typeof steppedEnv> }> {
  const driver = new MemoryDriver();
  const env = steppedEnv();
  const { repository } = await openRepository(driver, { env, tuning });
  await repository.commit(many('old', 5000), []);
  await repository.commit(many('older', 1000), []);
  await repository.handle.maintenance.run(() => mergeAll(repository.handle.timeline, new Pacer(env)));
  const { index, keyspace } = repository.handle.timeline;
  if (damaged) {
    for (const order of [SPOG, POSG])
      for (const run of runsOf(index.runs, order, 'live'))
        await damage(driver, dataKey(keyspace.id, Tag.block, run.entry.id, 1));
  }
  const before = await bytesIn(driver);
  for (let n = 0; n < 40; n++) {
    await repository.commit(many(`new${n}-`, 30), n < 3 ? [] : many(`new${n - 2}-`, 5));
    // Longer than the longest delay before a retry.
    env.elapsed += 3600_000;
    await settled(repository);
  }
  return { repository, env, grown: (await bytesIn(driver)) - before };
}

test('a damaged block makes the disk grow no further, is reported, and the rest is merged and read', async () => {
  const { repository, grown } = await committed(TUNING, true);
  // Without merges no space is given back: this is the most that a store may take.
  const { grown: unmerged } = await committed({ ...TUNING, tierRuns: 9999 }, false);
  expect(grown).toBeLessThan(unmerged * 1.1);
  const { handle } = repository;
  expect(handle.scheduler.failures).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        job: 'merge of runs in the order spog',
        error: expect.objectContaining({ code: 'CHECKSUM' }),
      }),
    ]),
  );
  // Readable runs are merged although the damaged run cannot be.
  expect(runsOf(handle.timeline.index.runs, SPOG, 'live').length).toBeLessThan(10);
  for (const tag of [Tag.session, Tag.garbage])
    for await (const entry of handle.keyspace.entries(tag)) expect(entry).toBeUndefined();
  const snapshot = repository.snapshot();
  expect(await readAll(snapshot, { subject: iri('http://e/new37-7') })).toEqual(['new37-7 p o7']);
  expect(await readAll(snapshot, { subject: iri('http://e/new20-1') })).toEqual([]);
  await expect(readAll(snapshot, { subject: iri('http://e/old2500') })).rejects.toMatchObject({ code: 'CHECKSUM' });
  snapshot.close();
  const { size } = repository.head;
  await repository.maintenance.rebuild();
  expect((await contents(repository)).length).toBe(size);
  expect(handle.scheduler.failures).toEqual([]);
  expect((await repository.maintenance.verify()).problems).toEqual([]);
});

test('a repository is deleted at any call of a merge over a damaged block, and no key of it stays', async () => {
  const driver = new WaitingDriver(false);
  const env = steppedEnv();
  const { store, repository: other } = await openRepository(driver, { env, tuning: TUNING });
  await other.commit(many('other', 100), []);
  await settled(other);
  const keysBefore = await keysOf(driver);
  let deletions = 0;
  for (let reached = true; reached; deletions++) {
    const repository = await store.repository(`a/doomed-${deletions}`, true);
    const { handle } = repository;
    await repository.commit(many('old', 300), []);
    const isDue = (job: Job): boolean => job.name.startsWith('merge of runs') && job.isDue(handle.timeline, NONE);
    // A flush makes the merge due, but only a commit starts it.
    while (!JOBS.some(isDue)) {
      await repository.commit(many(`new${repository.head.number}-`, 45), []);
      await handle.maintenance.run(() => flushMemtable(handle.timeline, new Pacer(env)));
    }
    for (const { entry } of handle.timeline.index.runs)
      await damage(driver, dataKey(handle.keyspace.id, Tag.block, entry.id, 0));
    reached = await deletedAtCall(deletions + 1, store, repository, driver);
    await settled(repository);
    expect(await keysOf(driver), `deleted at call ${deletions + 1}`).toEqual(keysBefore);
  }
  expect(deletions).toBeGreaterThan(10);
  expect((await contents(other)).length).toBe(100);
  expect((await store.verify()).problems).toEqual([]);
  await store.close();
});

/** Starts the background work and deletes the repository during the n-th call of the storage. False if there are fewer calls. */
async function deletedAtCall(n: number, store: Store, repository: Repository, driver: WaitingDriver): Promise<boolean> {
  const { env, scheduler } = repository.handle;
  let calls = 0;
  let go: (() => void) | undefined;
  driver.before = () => (++calls === n ? new Promise((resolve) => (go = resolve)) : undefined);
  scheduler.start();
  while (scheduler.busy && go === undefined) await env.yieldTurn();
  // The work has ended: it met the damage.
  if (go === undefined) expect(scheduler.failures.map(({ job }) => job).join()).toContain('merge of runs');
  const deleting = store.deleteRepository(repository.name);
  for (let turn = 0; turn < 3; turn++) await env.yieldTurn();
  go?.();
  expect(await deleting).toBe(true);
  await expect(repository.commit([q('late p o')], [])).rejects.toMatchObject({ code: 'REPOSITORY_DELETED' });
  driver.before = () => undefined;
  return go !== undefined;
}

describe('a job that fails', () => {
  test('waits before it is tried again, and goes on without the run that stopped it', async () => {
    const driver = new MemoryDriver();
    const env = steppedEnv();
    const { repository } = await openRepository(driver, { env, tuning: { ...TUNING, memtableRows: 1000 } });
    const { timeline, scheduler } = repository.handle;
    await repository.commit([q('x p o')], []);
    const key = dataKey(timeline.keyspace.id, Tag.block, 1, 1);
    // One block of this run is missing until the test puts it back.
    await repository.commit(many('a', 5000), []);
    const value = (await driver.get(key))!;
    await driver.write([{ type: 'delete', key }], { durable: false });
    for (const prefix of ['b', 'c', 'd']) await repository.commit(many(prefix, 3000), []);
    await settled(repository);
    const [failure] = scheduler.failures;
    expect(failure).toMatchObject({ job: 'merge of runs in the order spog', failures: 1 });
    let commits = 0;
    const next = async (): Promise<number> => {
      await repository.commit([q(`next${commits++} p o`)], []);
      await settled(repository);
      return scheduler.failures[0]?.failures ?? 0;
    };
    env.elapsed += 500;
    expect(await next()).toBe(1);
    await driver.write([{ type: 'put', key, value }], { durable: false });
    env.elapsed += 600;
    // Merges leave the damaged run out for good, and its failure remains reported.
    expect(await next()).toBe(1);
    expect(scheduler.failures[0]).toEqual(failure);
  });

  test('with a write leaves the state to be read anew, and its runs to be swept', async () => {
    const driver = new FaultDriver(new MemoryDriver());
    const env = steppedEnv();
    const { repository } = await openRepository(driver, { env, tuning: TUNING });
    await repository.commit(many('a', 20), []);
    for (let at = 1; at < 12; at++) {
      driver.setFault({ effect: 'fail', operations: ['write'], at });
      const commits = Array.from({ length: 4 }, (_, n) => repository.commit(many(`b${at}-${n}-`, 15), []));
      await Promise.allSettled(commits);
      await settled(repository);
      driver.setFault();
      env.elapsed += 3600_000;
      await repository.commit([q(`after${at} p o`)], []);
    }
    await settled(repository);
    expect((await repository.maintenance.verify()).problems).toEqual([]);
    expect(repository.handle.scheduler.failures).toEqual([]);
  });
});
