/**
 * A write fails while a change of the same repository is between its look at the state and its staging, and somebody else
 * reopens the storage meanwhile. The change must not follow a revision that was never written.
 */
import { StorageError } from '@quadrille/model';
import { expect, test } from 'vitest';
import { HistoryFaults } from '../history/imported-revision.js';
import { HistoryImport } from '../history/history-import.js';
import type { WriteOp, WriteOptions, WriteOutcome } from '@quadrille/storage';
import { equalBytes } from '../format/byte-codec.js';
import { Tag } from '../format/layout.js';
import { flushMemtable, flushTail } from '../maintenance/flush.js';
import { rebuildIndexes } from '../integrity/rebuild.js';
import type { Repository } from '../repository.js';
import { revisionUuid } from '../revision/uuid.js';
import { Pacer } from '../runtime/env.js';
import type { Store } from '../store.js';
import { contents, feed, many, openRepository, q, show } from '../testing/fixture.js';
import { manyTurns, WaitingDriver } from '../testing/storage-keys.js';

interface Deferred {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

function deferred(): Deferred {
  let resolve!: () => void;
  let reject!: (error: unknown) => void;
  const promise = new Promise<void>((done, failed) => {
    [resolve, reject] = [done, failed];
  });
  promise.catch(() => undefined);
  return { promise, resolve, reject };
}

type Change = (x: Repository) => Promise<unknown>;

async function load(x: Repository, count: number): Promise<unknown> {
  const loader = await x.beginLoad();
  await feed(loader, many('load', count));
  return x.finishLoad(loader, {});
}

async function importRevision(x: Repository): Promise<void> {
  const { number, id: parentId, time } = x.handle.timeline.staged;
  const load = await HistoryImport.begin(x, new HistoryFaults('file'), undefined);
  const term = (text: string): number => load.term(new TextEncoder().encode(text), 0, text.length);
  load.change(true, term('<http://e/imported>'), term('<http://e/p>'), term('<http://e/o>'), 1, 1);
  const id = revisionUuid(x.handle.env, time + 1, parentId);
  const unknown = ['author', 'message', 'mergedParent', 'origin', 'nonce', 'integrity', 'signature'];
  const fields = Object.fromEntries(unknown.map((name) => [name, undefined])) as never;
  try {
    await load.commit({ ...(fields as object), number: number + 1, id, parentId, time, kind: 'commit' } as never, 1);
    await load.flush();
  } finally {
    await load.close();
  }
}

async function transaction(x: Repository, reads: boolean): Promise<unknown> {
  const open = await x.begin();
  if (reads) await open.count({ subject: q('a p o').subject });
  await open.add([q('new p o')]);
  return x.commitTransaction(open, {});
}

/** Changes that do not wait for the commits before them. */
const AT_ONCE: Record<string, Change> = {
  'a commit': (x) => x.commit([q('new p o')], [q('a p o')]),
  'a removal': (x) => x.removeMatches({ subject: q('a p o').subject }),
  'a transaction': (x) => transaction(x, false),
  'a small load': (x) => load(x, 1),
  'an import': importRevision,
};

/** Changes at the other places that stage revisions. */
const LATER: Record<string, Change> = {
  'a transaction that has read': (x) => transaction(x, true),
  'a large load': (x) => load(x, 200),
  'a fast-forward': (x) => x.merge('dev', { fastForward: true }),
};

/** Who may reopen the storage without the locks of the repository. */
const REOPENERS: Record<string, (store: Store, x: Repository) => Promise<unknown>> = {
  'a commit to another repository': async (store) => (await store.repository('a/y')).commit([q('y p o')], []),
  'a prefix': (_, x) => x.namespaces.set('ex', Uint8Array.of(1)),
  'a tag': (_, x) => x.tags.set('t', x.head.id),
};

async function openTwo(driver: WaitingDriver): Promise<{ store: Store; repository: Repository }> {
  const opened = await openRepository(driver, { tuning: { deltaBytes: 90, loadTailTerms: 10 } });
  await opened.store.repository('a/y', true);
  return opened;
}

/** Lets the next write fail. It waits for `fail` first. */
function failNextWrite(driver: WaitingDriver): { begun: Promise<void>; fail: () => void } {
  const begun = deferred();
  const failed = deferred();
  driver.before = (call) => {
    if (call !== 'write') return undefined;
    driver.before = () => undefined;
    begun.resolve();
    return failed.promise;
  };
  return { begun: begun.promise, fail: () => failed.reject(Object.assign(new Error('EIO'), { code: 'EIO' })) };
}

/** Holds the next change of the repository where its shapes are checked, just before it is staged. */
function holdBeforeStaging(x: Repository): { begun: Promise<void>; release: () => void } {
  const begun = deferred();
  const held = deferred();
  x.handle.timeline.guard = () => {
    begun.resolve();
    return held.promise.then(() => undefined);
  };
  return { begun: begun.promise, release: held.resolve };
}

const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'ok',
    (error: { code?: string }) => error.code ?? String(error),
  );

/** The log has no hole, now and after a restart, and later commits follow its head. */
async function checkLog(
  driver: WaitingDriver,
  store: Store,
  x: Repository,
  expected: readonly string[],
): Promise<void> {
  const { number } = x.head;
  expect((await x.commit([q('later p o')], [])).number).toBe(number + 1);
  await store.close();
  const again = await openTwo(driver);
  expect(again.repository.head.number).toBe(number + 1);
  expect(await contents(again.repository)).toEqual([...expected, 'later p o'].toSorted());
  expect((await again.store.verify()).problems).toEqual([]);
  await again.store.close();
}

test.each(
  Object.keys(AT_ONCE).flatMap((change) => Object.keys(REOPENERS).map((reopener) => [change, reopener] as const)),
)('%s after a commit that failed, while %s reopens the storage', async (change, reopener) => {
  const driver = new WaitingDriver(false);
  const { store, repository: x } = await openTwo(driver);
  await x.commit([q('a p o')], []);
  const write = failNextWrite(driver);
  const lost = codeOf(x.commit([q('lost p o')], []));
  await write.begun;
  const staging = holdBeforeStaging(x);
  const outcome = codeOf(AT_ONCE[change]!(x));
  await staging.begun;
  write.fail();
  expect(await lost).toBe('STORAGE_IO');
  await REOPENERS[reopener]!(store, x);
  staging.release();
  expect(await outcome).toBe('STORAGE_IO');
  await checkLog(driver, store, x, ['a p o']);
});

test.each(Object.entries({ ...AT_ONCE, ...LATER }))(
  '%s after a flush of terms that failed, while another repository reopens the storage',
  async (_, change) => {
    const driver = new WaitingDriver(false);
    const { store, repository: x } = await openTwo(driver);
    await x.commit([q('a p o')], []);
    const place = { keyspace: x.handle.keyspace, record: await x.resolve('HEAD') };
    const dev = await (await x.branches()).create('dev', place).then(async () => (await x.lines()).branch('dev'));
    await dev.commit([q('b p o')], []);
    const staging = holdBeforeStaging(x);
    const outcome = codeOf(change(x));
    await staging.begun;
    failNextWrite(driver).fail();
    expect(await codeOf(flushTail(x.handle.timeline, new Pacer(x.handle.env)))).toBe('STORAGE_IO');
    await REOPENERS['a commit to another repository']!(store, x);
    staging.release();
    expect(await outcome).toBe('STORAGE_IO');
    await checkLog(driver, store, x, ['a p o']);
  },
);

test('a recovery that ends half way, behind the repository and before its branch, is made again by a write to the branch', async () => {
  const driver = new WaitingDriver(false);
  const { store, repository: x } = await openTwo(driver);
  await x.commit([q('a p o')], []);
  const place = { keyspace: x.handle.keyspace, record: await x.resolve('HEAD') };
  const dev = await (await x.branches()).create('dev', place).then(async () => (await x.lines()).branch('dev'));
  await dev.commit([q('b p o')], []);
  failNextWrite(driver).fail();
  expect(await codeOf(x.commit([q('lost p o')], []))).toBe('STORAGE_IO');
  const { handle } = dev as unknown as { handle: { reread: () => Promise<void> } };
  handle.reread = () => {
    Reflect.deleteProperty(handle, 'reread');
    return Promise.reject(new StorageError('STORAGE_IO', 'the branch cannot be read'));
  };
  expect(await codeOf(x.commit([q('lost p o')], []))).toBe('STORAGE_IO');
  // The repository has another dictionary now than its branch.
  expect(await codeOf(dev.commit([q('c p o')], []))).toBe('ok');
  expect(await codeOf(x.commit([q('d p o')], []))).toBe('ok');
  await checkLog(driver, store, x, ['a p o', 'd p o']);
});

test.each([true, false])(
  'a branch that was renamed or deleted by a write of which nobody knew has that state for its writers (made: %s)',
  async (isMade) => {
    const driver = new WaitingDriver(false);
    const { store, repository: x } = await openTwo(driver);
    await x.commit([q('a p o')], []);
    const place = { keyspace: x.handle.keyspace, record: await x.resolve('HEAD') };
    const branches = await x.branches();
    const [one, two] = await Promise.all(
      ['one', 'two'].map((name) => branches.create(name, place).then(async () => (await x.lines()).branch(name))),
    );
    await one!.commit([q('b p o')], []);
    const failWrite = (): void => {
      driver[isMade ? 'after' : 'before'] = (call) => {
        if (call !== 'write') return undefined;
        driver.before = driver.after = () => undefined;
        return Promise.reject(Object.assign(new Error('EIO'), { code: 'EIO' }));
      };
    };
    failWrite();
    expect(await codeOf(branches.delete('one', true))).toBe('STORAGE_IO');
    expect(await codeOf(one!.commit([q('c p o')], []))).toBe(isMade ? 'BRANCH_NOT_FOUND' : 'ok');
    failWrite();
    expect(await codeOf(branches.rename('two', 'three'))).toBe('STORAGE_IO');
    expect(await codeOf(two!.commit([q('d p o')], []))).toBe('ok');
    expect([one!.handle.branch, two!.handle.branch]).toEqual(isMade ? [undefined, 'three'] : ['one', 'two']);
    await checkLog(driver, store, x, ['a p o']);
  },
);

test('a commit that begins while a recovery ends an erasure follows what the recovery has read', async () => {
  const driver = new WaitingDriver(false);
  const { store, repository: x } = await openTwo(driver);
  await x.commit([q('a p o'), q('secret p o')], []);
  const { keyspace } = x.handle;
  const plan = keyspace.key(Tag.erasure, 0);
  const isEnd = (ops: readonly WriteOp[]): boolean =>
    ops.some((op) => op.type === 'deleteRange' && equalBytes(op.gte, plan));
  // The first write that would end the erasure fails.
  let ends = 0;
  driver.before = (call, ops) =>
    call === 'write' && isEnd(ops) && ends++ === 1
      ? Promise.reject(Object.assign(new Error('EIO'), { code: 'EIO' }))
      : undefined;
  const request = { message: () => 'gone', attest: async () => new Map() };
  expect(await codeOf(x.maintenance.erase({ ...request, target: { quads: [q('secret p o')] } }))).toBe('STORAGE_IO');
  driver.before = () => undefined;
  // The next one ends it, and waits before it reads the repository.
  const ended = driver.holdWrite(isEnd, 'after');
  const first = codeOf(x.commit([q('b p o')], []));
  await ended.begun;
  const read = deferred();
  driver.before = () => read.promise;
  ended.release();
  await manyTurns();
  const second = codeOf(x.commit([q('c p o')], []));
  await manyTurns();
  read.resolve();
  expect([await first, await second]).toEqual(['ok', 'ok']);
  await checkLog(driver, store, x, ['a p o', 'b p o', 'c p o']);
});

test('a commit that waits while the upgrade of an old store fails is refused, and its log has no hole', async () => {
  const driver = new WaitingDriver(false);
  const { store, repository: x } = await openTwo(driver);
  await x.commit([q('a p o')], []);
  const failed = deferred();
  let raised = 0;
  const { format } = x.handle.keyspace;
  format.raise = () => (raised++ === 0 ? failed.promise : undefined);
  const lost = codeOf(x.commit([q('lost p o')], []));
  await manyTurns();
  const staging = holdBeforeStaging(x);
  const outcome = codeOf(x.commit([q('b p o')], []));
  await staging.begun;
  failed.reject(new Error('the marker cannot be written'));
  expect(await lost).toContain('the marker cannot be written');
  staging.release();
  expect(await outcome).toContain('the marker cannot be written');
  await checkLog(driver, store, x, ['a p o']);
});

test('a commit that is staged while the upgrade waits is not written after another write has failed', async () => {
  const driver = new WaitingDriver(false);
  const { store, repository: x } = await openTwo(driver);
  await x.commit([q('a p o')], []);
  const raising = deferred();
  x.handle.keyspace.format.raise = () => raising.promise;
  const outcome = codeOf(x.commit([q('b p o')], []));
  await manyTurns();
  failNextWrite(driver).fail();
  expect(await codeOf(flushTail(x.handle.timeline, new Pacer(x.handle.env)))).toBe('STORAGE_IO');
  await x.namespaces.set('ex', Uint8Array.of(1));
  raising.resolve();
  expect(await outcome).toBe('STORAGE_IO');
  x.handle.keyspace.format.raise = () => undefined;
  await checkLog(driver, store, x, ['a p o']);
});

test('the group writer refuses a batch of a line that has failed, whatever its caller believed', async () => {
  const driver = new WaitingDriver(false);
  const { store, repository: x } = await openTwo(driver);
  await x.commit([q('a p o')], []);
  const { timeline, keyspace, env } = x.handle;
  failNextWrite(driver).fail();
  expect(await codeOf(flushTail(timeline, new Pacer(env)))).toBe('STORAGE_IO');
  await x.namespaces.set('ex', Uint8Array.of(1));
  const key = keyspace.key(Tag.tag, 7);
  const outcome = new Promise((resolve, reject) => {
    const ops = [{ type: 'put', key, value: Uint8Array.of(1) }] as const;
    timeline.writer.push({
      line: timeline,
      record: timeline.staged,
      ops,
      bytes: 1,
      onPublish: undefined,
      resolve,
      reject,
    });
  });
  expect(await codeOf(outcome)).toBe('STORAGE_IO');
  expect(await keyspace.getKey(key)).toBeUndefined();
  await checkLog(driver, store, x, ['a p o']);
});

/** Switches of a line to other runs or records. */
const SWITCHES: Record<string, Change> = {
  'a flush': (x) => x.handle.maintenance.run(() => flushMemtable(x.handle.timeline, new Pacer(x.handle.env))),
  'a compaction': (x) => x.maintenance.compact(),
  'a rebuild': (x) => rebuildIndexes(x.handle),
  'a trim': (x) => x.maintenance.trim({ last: 1, deleteHistory: false, dryRun: false, attest: async () => new Map() }),
  'a large load': (x) => load(x, 200),
};

test.each(Object.entries(SWITCHES))(
  '%s after a write that has failed while it waits for the lock changes nothing',
  async (_, change) => {
    const driver = new WaitingDriver(false);
    const { store, repository: x } = await openTwo(driver);
    const other = await store.repository('a/y');
    // What is loaded with the first use is there afterwards.
    await other.commit([q('other p o')], []);
    await change(other);
    await x.commit([q('a p o')], []);
    await x.commit([q('b p o')], []);
    const { timeline } = x.handle;
    const { index, published, checkpoints, flushed } = timeline;
    const write = failNextWrite(driver);
    const lost = codeOf(x.commit([q('lost p o')], []));
    await write.begun;
    const outcome = codeOf(change(x));
    await manyTurns();
    write.fail();
    expect(await lost).toBe('STORAGE_IO');
    await x.namespaces.set('ex', Uint8Array.of(1));
    expect(await outcome).toBe('STORAGE_IO');
    expect([timeline.published.number, timeline.checkpoints, timeline.flushed]).toEqual([
      published.number,
      checkpoints,
      flushed,
    ]);
    expect(timeline.index.runs).toEqual(index.runs);
    await checkLog(driver, store, x, ['a p o', 'b p o']);
  },
);

test('a load that began before a write failed writes no terms over those that were added since', async () => {
  const driver = new WaitingDriver(false);
  const first = await openTwo(driver);
  await first.repository.commit(many('old', 500), []);
  await first.repository.maintenance.compact();
  await first.store.close();
  // The caches are empty: looking up the terms of the load has to read.
  const { store, repository: x } = await openTwo(driver);
  await x.commit([q('a p o')], []);
  const loader = await x.beginLoad();
  await feed(loader, [...many('old', 500), ...many('loaded', 100)]);
  const read = deferred();
  const reading = deferred();
  driver.before = (call) => {
    if (call === 'write') return undefined;
    driver.before = () => undefined;
    reading.resolve();
    return read.promise;
  };
  const outcome = codeOf(x.finishLoad(loader, {}));
  await reading.promise;
  // The storage itself has not failed, so that it is not reopened, which would wait for the read.
  const { format } = x.handle.keyspace;
  format.raise = () => Promise.reject(new Error('the marker cannot be written'));
  expect(await codeOf(x.commit([q('lost p o')], []))).toContain('the marker cannot be written');
  format.raise = () => undefined;
  await x.commit([q('later p o'), q('later2 p o')], []);
  read.resolve();
  expect(await outcome).not.toBe('ok');
  const expected = [...many('old', 500), q('a p o'), q('later p o'), q('later2 p o')].map(show).toSorted();
  await store.close();
  const again = await openTwo(driver);
  expect(await contents(again.repository)).toEqual(expected);
  expect((await again.store.verify()).problems).toEqual([]);
  await again.store.close();
});

test.each([
  ['a write that failed', true, 'STORAGE_IO'],
  ['nothing but damage', false, 'INDEX_DISAGREES'],
])('a large load whose runs are gone after %s says so', async (_, hasFailed, code) => {
  const { store, repository: x } = await openTwo(new WaitingDriver(false));
  await x.commit([q('a p o')], []);
  const { timeline, keyspace } = x.handle;
  const loader = await x.beginLoad();
  await feed(loader, many('load', 200));
  // Whoever reads the repository again sweeps the runs that the load has written aside.
  const { guard } = timeline;
  timeline.guard = () => {
    if (hasFailed) timeline.failure = new StorageError('STORAGE_IO', 'the write has failed');
    return Promise.reject(keyspace.missing('block of run 1 0'));
  };
  expect(await codeOf(x.finishLoad(loader, {}))).toBe(code);
  timeline.guard = guard;
  expect((await x.commit([q('b p o')], [])).number).toBe(3);
  expect(await contents(x)).toEqual(['a p o', 'b p o']);
  await store.close();
});

/** As a service whose last answer got lost: the next opening shows what it had made. */
class LateDriver extends WaitingDriver {
  /** Whether the next write is such a one. */
  isLate = false;
  #made: readonly WriteOp[] | undefined;

  override write(ops: readonly WriteOp[], options: WriteOptions): Promise<WriteOutcome> {
    if (!this.isLate) return super.write(ops, options);
    this.isLate = false;
    this.#made = ops;
    return Promise.reject(Object.assign(new Error('EIO'), { code: 'EIO' }));
  }

  async reopen(): Promise<void> {
    const made = this.#made;
    this.#made = undefined;
    if (made !== undefined) await super.write(made, { durable: true });
  }
}

test('a repository, a fork and a branch get no number of one that a write of which nobody knows has made', async () => {
  const driver = new LateDriver();
  const { store, repository: x } = await openTwo(driver);
  await x.commit([q('a p o')], []);
  const place = { keyspace: x.handle.keyspace, record: await x.resolve('HEAD') };
  const branches = await x.branches();
  driver.isLate = true;
  expect(await codeOf(store.repository('a/one', true))).toBe('STORAGE_IO');
  await (await store.repository('a/two', true)).commit([q('two p o')], []);
  driver.isLate = true;
  expect(await codeOf(branches.create('one', place))).toBe('STORAGE_IO');
  await branches.create('two', place);
  await (await (await x.lines()).branch('two')).commit([q('of p two')], []);
  driver.isLate = true;
  expect(await codeOf(store.fork('a/r', 'a/fork'))).toBe('STORAGE_IO');
  await store.fork('a/r', 'a/second');
  expect(await contents(await (await x.lines()).branch('one'))).toEqual(['a p o']);
  expect(await contents(await store.repository('a/one'))).toEqual([]);
  await store.deleteRepository('a/two');
  await store.deleteRepository('a/second');
  expect((await store.verify()).problems).toEqual([]);
  await store.close();
});

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await undefined;
}

test('an erasure whose rest fails keeps the runs that it still reads, although another repository recovers the storage', async () => {
  const driver = new WaitingDriver(false);
  const { store, repository: x } = await openTwo(driver);
  const other = await store.repository('a/y');
  await load(x, 200);
  const progress = x.handle.keyspace.key(Tag.erasure, 1);
  let prefix: Promise<unknown> | undefined;
  driver.before = (call, ops) => {
    if (call !== 'write' || !ops.some((op) => op.type === 'put' && equalBytes(op.key, progress))) return undefined;
    driver.before = () => undefined;
    // As soon as the storage knows that the write has failed.
    prefix = until(() => store.engine.state === 'failed').then(() => other.namespaces.set('ex', Uint8Array.of(1)));
    return Promise.reject(Object.assign(new Error('EIO'), { code: 'EIO' }));
  };
  const [secret] = many('load', 200);
  const request = { message: () => 'gone', attest: async () => new Map(), target: { quads: [secret!] } };
  expect(await codeOf(x.maintenance.erase(request))).toBe('STORAGE_IO');
  await prefix;
  expect(await codeOf(x.commit([q('b p o')], []))).toBe('ok');
  await checkLog(driver, store, x, [...many('load', 200).slice(1).map(show), 'b p o']);
});

test('what a write of which nobody knows has made is deleted', async () => {
  const driver = new LateDriver();
  const { store, repository: x } = await openTwo(driver);
  driver.isLate = true;
  expect(await codeOf(x.namespaces.set('ex', Uint8Array.of(1)))).toBe('STORAGE_IO');
  expect(await x.namespaces.delete('ex')).toBe(true);
  expect(await x.namespaces.get('ex')).toBeUndefined();
  await store.close();
});
