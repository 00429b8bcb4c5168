/**
 * The write that switches to other runs fails, with or without effect, and the repository is read again. Readers of the
 * state before go on, and the old runs are deleted when the last of them ends.
 */
import type { WriteOp, WriteOptions, WriteOutcome } from '@quadrille/storage';
import { expect, test } from 'vitest';
import { flushTerms } from '../dictionary/dictionary-flush.js';
import { hashHigh, hashLow, hashTerm } from '../dictionary/hash.js';
import { TermTable } from '../dictionary/term-table.js';
import { readU32, Tag, TERM_BLOCK_IDS } from '../format/layout.js';
import { flushMemtable, flushTail } from '../maintenance/flush.js';
import { mergeAll } from '../maintenance/merge-tiers.js';
import type { Repository } from '../repository.js';
import { Pacer } from '../runtime/env.js';
import type { Tuning } from '../runtime/tuning.js';
import type { Snapshot } from '../read/snapshot.js';
import { contents, feed, many, openRepository, q, readAll, show } from '../testing/fixture.js';
import { manyTurns, WaitingDriver } from '../testing/storage-keys.js';

const isPut = (tag: number) => (op: { type: string; key?: Uint8Array }) => op.type === 'put' && op.key?.[5] === tag;

/** Lets the next write of a manifest, or of another tag, fail, before or after its effect. */
function failSwitch(driver: WaitingDriver, when: 'before' | 'after', tag: number = Tag.root, code = 'EIO'): void {
  const others = driver[when];
  driver[when] = (call, ops) => {
    if (call !== 'write' || !ops.some(isPut(tag))) return others(call, ops);
    driver[when] = others;
    return Promise.reject(Object.assign(new Error(code), { code }));
  };
}

const job = (x: Repository, work: typeof mergeAll): Promise<void> =>
  x.handle.maintenance.run(() => work(x.handle.timeline, new Pacer(x.handle.env)));

/** Numbers of the runs that the storage has, and of those that are marked. */
async function stored(x: Repository): Promise<{ runs: number[]; marked: number[] }> {
  const numbers = async (tag: number): Promise<number[]> => {
    const found: number[] = [];
    for await (const { rest } of x.handle.keyspace.entries(tag)) found.push(readU32(rest, 0));
    return found;
  };
  return { runs: await numbers(Tag.runMeta), marked: await numbers(Tag.garbage) };
}

const QUADS = many('a', 300);
const LATER = many('b', 300);

/** Puts other values into the cache, so that the next read of a block goes to the storage. */
async function emptyCache({ handle: { keyspace } }: Repository): Promise<void> {
  const { cache } = keyspace;
  const value = new Uint8Array(64 * 1024);
  const read = async (indexes: readonly number[]): Promise<Uint8Array[]> => indexes.map(() => value);
  const values = Math.ceil(cache.capacityBytes / value.length) + 1;
  await cache.fetch(
    { id: cache.newSource(), readSync: () => value, read },
    Array.from({ length: values }).map((_, i) => i),
  );
}

/** A repository with two flushes. */
async function openTwice(driver: WaitingDriver) {
  const tuning = { memtableRows: 1e9, tierRuns: 99, deltaBytes: 1e6 };
  const opened = await openRepository(driver, { tuning });
  const { repository: x } = opened;
  await x.commit(QUADS, []);
  await job(x, flushMemtable);
  await x.commit(LATER, []);
  await job(x, flushMemtable);
  return opened;
}

async function checkEnd(x: Repository, snapshot: Snapshot, expected: readonly string[]): Promise<void> {
  const before = [...QUADS, ...LATER].map(show).toSorted();
  await emptyCache(x);
  expect(await readAll(snapshot)).toEqual(before);
  expect((await x.maintenance.verify()).problems).toEqual([]);
  snapshot.close();
  await manyTurns();
  expect(await contents(x)).toEqual([...before, ...expected].toSorted());
  const named = x.handle.timeline.index.runs.map(({ entry }) => entry.id).toSorted((a, b) => a - b);
  expect(await stored(x)).toEqual({ runs: named, marked: [] });
  expect(x.handle.idle).toBe(true);
}

test.each(['before', 'after'] as const)('a merge whose write fails %s its effect, under a reader', async (when) => {
  const driver = new WaitingDriver(false);
  const { store, repository: x } = await openTwice(driver);
  const snapshot = x.snapshot();
  failSwitch(driver, when);
  await expect(job(x, mergeAll)).rejects.toMatchObject({ code: 'STORAGE_IO' });
  await x.commit([q('c p o')], []);
  await checkEnd(x, snapshot, ['c p o']);
  await store.close();
});

test.each(['before', 'after'] as const)(
  'a merge after two reopenings, the first of them by a write that failed %s its effect, under a reader of the state before both',
  async (when) => {
    const driver = new WaitingDriver(false);
    const { store, repository: x } = await openTwice(driver);
    const snapshot = x.snapshot();
    const failed: string[] = [];
    for (const name of ['c', 'd']) {
      failSwitch(driver, name === 'c' ? when : 'before');
      await expect(x.commit([q(`${name}0 p o`)], []).then(() => job(x, flushMemtable))).rejects.toMatchObject({
        code: 'STORAGE_IO',
      });
      await x.commit([q(`${name}1 p o`)], []);
      failed.push(`${name}0 p o`, `${name}1 p o`);
    }
    await job(x, flushMemtable);
    await job(x, mergeAll);
    await manyTurns();
    await checkEnd(x, snapshot, failed);
    await store.close();
  },
);

test('a reader of the state before a failed write finds terms after compactions', async () => {
  const driver = new WaitingDriver(false);
  const first = await openTwice(driver);
  await first.repository.maintenance.compact();
  await first.store.close();
  // No id of a term is known any more.
  const { store, repository: x } = await openRepository(driver);
  const snapshot = x.snapshot();
  failSwitch(driver, 'before');
  await x.commit([q('c p o')], []);
  await expect(job(x, flushMemtable)).rejects.toMatchObject({ code: 'STORAGE_IO' });
  for (const name of ['d', 'e']) {
    await x.commit(many(name, 300), []);
    await x.maintenance.compact();
  }
  await manyTurns();
  await emptyCache(x);
  const { subject } = q('a7 p o');
  expect(await readAll(snapshot, { subject })).toEqual(['a7 p o7']);
  snapshot.close();
  await x.maintenance.compact();
  expect((await x.maintenance.verify()).problems).toEqual([]);
  await store.close();
});

/** A repository whose terms are all in the tail. No id of a term is known. */
async function openTail(driver: WaitingDriver, more: Partial<Tuning>) {
  const tuning = { ...more, tailTerms: 1e9 };
  const first = await openRepository(driver, { tuning });
  await first.repository.commit([...QUADS, ...LATER], []);
  await first.store.close();
  return openRepository(driver, { tuning });
}

test('commits whose terms a flush has written do not write over them', async () => {
  const driver = new WaitingDriver(false);
  const { store, repository: x } = await openRepository(driver, { tuning: { tailTerms: 1e9 } });
  await x.commit(QUADS, []);
  for (let i = 0; x.handle.timeline.dictionary.nextId % TERM_BLOCK_IDS !== 0; i++)
    await x.commit([q(`a0 p x${i}`)], []);
  const flush = (): Promise<void> => job(x, (timeline, pacer) => flushTail(timeline, pacer));
  await flush();
  expect(x.handle.timeline.dictionary.tailIds).toEqual([]);
  const before = await contents(x);
  const held = driver.holdWrite((ops) => ops.some(isPut(Tag.head)));
  const first = x.commit([q('a0 p o7')], []);
  await held.begun;
  const second = x.commit([q('new p o')], []);
  await manyTurns();
  const text = new TextEncoder().encode('<urn:load>');
  const third = x.handle.timeline.dictionary.lock.run(async () => {
    const { dictionary } = x.handle.timeline;
    const terms = new TermTable(64);
    hashTerm(text, 0, text.length, dictionary.root.seed);
    terms.add(text, 0, text.length, hashHigh, hashLow);
    await flushTerms(dictionary, new Pacer(x.handle.env), { table: terms, indexes: Uint32Array.of(0) });
  });
  await manyTurns();
  const flushing = driver.holdWrite((ops) => ops.some(isPut(Tag.dictionary)));
  held.release();
  await flushing.begun;
  await manyTurns();
  flushing.release();
  await Promise.all([first, second, third]);
  await store.close();
  const again = await openRepository(driver);
  expect(await contents(again.repository)).toEqual([...before, 'a0 p o7', 'new p o'].toSorted());
  expect(await again.repository.handle.timeline.dictionary.find(text)).not.toBe(0);
  expect((await again.repository.maintenance.verify()).problems).toEqual([]);
  await again.store.close();
});

test.each([
  ['before', 'EIO'],
  ['after', 'EIO'],
  ['before', 'ENOSPC'],
] as const)('readers find terms after a flush of them whose write fails %s its effect: %s', async (when, code) => {
  const driver = new WaitingDriver(false);
  const { store, repository: x } = await openTail(driver, {});
  const snapshot = x.snapshot();
  const { dictionary } = x.handle.timeline;
  const flush = (): Promise<void> => job(x, (timeline, pacer) => flushTail(timeline, pacer));
  failSwitch(driver, when, Tag.dictionary, code);
  await expect(flush()).rejects.toMatchObject({ code: code === 'EIO' ? 'STORAGE_IO' : 'STORAGE_FULL' });
  // The number of its hash run is given again, to other terms.
  await x.commit(many('c', 300), []);
  expect(x.handle.timeline.dictionary).not.toBe(dictionary);
  await flush();
  await x.maintenance.compact();
  await emptyCache(x);
  for (const name of ['a7', 'b299'])
    expect(await readAll(snapshot, { subject: q(`${name} p o`).subject })).toHaveLength(1);
  expect(await readAll(snapshot)).toEqual([...QUADS, ...LATER].map(show).toSorted());
  snapshot.close();
  expect((await x.maintenance.verify()).problems).toEqual([]);
  await store.close();
});

/** A disk that may be full. Then it takes only writes that free space, each as `freeing` says. */
class FullDriver extends WaitingDriver {
  isFull = false;
  freeing: (ops: readonly WriteOp[], write: () => Promise<WriteOutcome>) => Promise<WriteOutcome> = (_, write) =>
    write();

  override async write(ops: readonly WriteOp[], options: WriteOptions): Promise<WriteOutcome> {
    if (!this.isFull) return super.write(ops, options);
    if (options.frees !== true) return 'full';
    return this.freeing(ops, () => super.write(ops, options));
  }
}

const BEFORE = [...QUADS, ...LATER].map(show).toSorted();

/** A load of 1,000 quads that finds no room after its first half. Returns the code of its error. */
async function loadWithoutRoom(driver: FullDriver, x: Repository, name: string): Promise<string | undefined> {
  const loading = await x.beginLoad();
  try {
    await feed(loading, many(name, 500));
    await loading.writeChunk();
    driver.isFull = true;
    await feed(loading, many(`${name}-`, 500));
    await x.finishLoad(loading, {});
    return undefined;
  } catch (error) {
    return (error as { code: string }).code;
  } finally {
    await loading.close();
  }
}

async function checkFound(x: Repository, snapshot: Snapshot, name: string): Promise<void> {
  await emptyCache(x);
  for (const { subject } of [q('b299 p o'), q(`${name}7 p o`), q(`${name}-7 p o`)])
    expect((await readAll(snapshot, { subject })).length).toBe(subject.value.includes('b') ? 1 : 0);
  expect(await readAll(snapshot)).toEqual(BEFORE);
}

test('a load that finds no room leaves the terms that a reader reads', async () => {
  const driver = new FullDriver(false);
  const { store, repository: x } = await openTail(driver, { chunkRows: 200, loadTailTerms: 20 });
  const snapshot = x.snapshot();
  expect(await loadWithoutRoom(driver, x, 'c')).toBe('STORAGE_FULL');
  await checkFound(x, snapshot, 'c');
  driver.isFull = false;
  // The ids of the terms that have gone are those of other terms.
  await x.commit(many('d', 600), []);
  await x.maintenance.compact();
  await checkFound(x, snapshot, 'c');
  snapshot.close();
  expect((await x.maintenance.verify()).problems).toEqual([]);
  await store.close();
});

const io = Object.assign(new Error('EIO'), { code: 'EIO' });

type End = (work: () => Promise<WriteOutcome>) => Promise<WriteOutcome>;

test.each<[string, boolean, End]>([
  ['go', true, (work) => work()],
  ['find no room either', false, () => Promise.resolve('full')],
  ['do not go', false, () => Promise.reject(io)],
  ['go, and nobody knows', true, (work) => work().then(() => Promise.reject(io))],
])('whoever comes when the terms of a load without room go waits and reads on: they %s', async (_, go, end) => {
  const driver = new FullDriver(false);
  const { store, repository: x } = await openTail(driver, { chunkRows: 200, loadTailTerms: 20 });
  const kept = x.handle.timeline.dictionary.root.nextId;
  let begin!: () => void;
  let release!: () => void;
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const held = new Promise<void>((resolve) => (release = resolve));
  driver.freeing = async (ops, write) => {
    if (!ops.some(isPut(Tag.dictionary))) return write();
    begin();
    await held;
    return end(write);
  };
  const loading = loadWithoutRoom(driver, x, 'c');
  await begun;
  expect(x.handle.inMemory).toBe(false);
  const found = contents(x);
  release();
  expect(await loading).toBe('STORAGE_FULL');
  expect(await found).toEqual(BEFORE);
  expect(x.handle.timeline.dictionary.root.nextId === kept).toBe(go);
  driver.isFull = false;
  await x.commit(many('d', 600), []);
  await x.maintenance.compact();
  expect(await contents(x)).toEqual([...BEFORE, ...many('d', 600).map(show)].toSorted());
  expect((await x.maintenance.verify()).problems).toEqual([]);
  await store.close();
});
