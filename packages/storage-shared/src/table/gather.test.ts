import { StorageEngine, type WriteOp } from '@quadrille/storage';
import { expect, it } from 'vitest';
import type { AppendOutcome, NewEntry, Pack } from '../contract.js';
import { decodeRoot } from '../log/root-record.js';
import { SharedMemory, SharedMemoryDriver } from '../memory-driver.js';
import { SharedStorage, type SharedStorageOptions } from './shared-storage.js';

const DURABLE = { durable: true } as const;

/** The key of record `n` of a log, as repositories have it. */
function key(n: number): Uint8Array {
  const bytes = Uint8Array.of(0x10, 0, 0, 0, 1, 3, 0, 0, 0, 0);
  new DataView(bytes.buffer).setUint32(6, n);
  return bytes;
}
/** Records of different lengths: most stand in the entry, some are in packs of their own. */
function value(n: number, salt = 0): Uint8Array {
  const bytes = new Uint8Array(n % 7 === 0 ? 400 : 170).fill(n + salt);
  new DataView(bytes.buffer).setUint32(0, n);
  return bytes;
}
const put = (n: number, salt = 0): WriteOp => ({ type: 'put', key: key(n), value: value(n, salt) });

function storageOver(
  memory: SharedMemory,
  options: SharedStorageOptions = {},
  driver = SharedMemoryDriver,
): SharedStorage {
  return new SharedStorage(new driver(memory), { checkpointEntries: 1e9, ...options });
}

async function fill(storage: SharedStorage, from: number, to: number): Promise<void> {
  for (let n = from; n < to; n++) await storage.write([put(n)], DURABLE);
}

async function read(storage: SharedStorage, range = {}): Promise<string[]> {
  const rows: string[] = [];
  for await (const chunk of storage.range(range, { read: 'entries' }))
    for (const entry of chunk) rows.push(`${entry.key.join()}=${entry.value.join()}`);
  return rows;
}
const row = (n: number, salt = 0): string => `${key(n).join()}=${value(n, salt).join()}`;
const rows = (count: number): string[] => Array.from({ length: count }, (_, n) => row(n));

it('records of revisions lie in a few packs, and a checkpoint has less than 30 bytes for each', async () => {
  const memory = new SharedMemory();
  const storage = storageOver(memory, { graceMs: 0 });
  await storage.open();
  await fill(storage, 0, 3000);
  await storage.compact();
  await storage.compact();
  const { root, packs } = memory.log(0);
  const { checkpoint } = decodeRoot(root!);
  const bytes = checkpoint!.packs.reduce((sum, { length }) => sum + length, 0);
  // The newest 256 stand in it as they are.
  expect(bytes).toBeLessThan(3000 * 30 + 256 * 200);
  expect(packs.size).toBeLessThan(60);
  expect(await read(storage)).toEqual(rows(3000));
  expect(await read(storage, { reverse: true, limit: 700 })).toEqual(rows(3000).reverse().slice(0, 700));
  for (let n = 0; n < 3000; n += 97) expect(await storage.get(key(n))).toEqual(value(n));
  await storage.close();
  const again = storageOver(memory);
  await again.open();
  expect(await read(again)).toEqual(rows(3000));
  await again.close();
});

/** A driver that holds the first pack of many values until `goOn`. */
function slowMove() {
  let moving: ((pack: Pack) => void) | undefined;
  const held = new Promise<Pack>((resolve) => (moving = resolve));
  let goOn: () => void;
  const gate = new Promise<void>((resolve) => (goOn = resolve));
  class Slow extends SharedMemoryDriver {
    override async putPacks(log: number, packs: readonly Pack[]): Promise<void> {
      await super.putPacks(log, packs);
      if (moving === undefined || packs[0]!.bytes.length < 10_000) return;
      moving(packs[0]!);
      moving = undefined;
      await gate;
    }
  }
  return { Slow, held, goOn: goOn! };
}

it('a value that is written or deleted while it is moved stays as it was written', async () => {
  const { Slow, held, goOn } = slowMove();
  const storage = storageOver(new SharedMemory(), {}, Slow);
  await storage.open();
  await fill(storage, 0, 1500);
  const before = storage.range({}, { read: 'entries' })[Symbol.asyncIterator]();
  const first = await before.next();
  const compacted = storage.compact();
  await held;
  const [a, b] = [10, 1200].map((n) => ({ gte: key(n), lt: key(n + 1) })) as [object, object];
  await storage.write(
    [put(11, 5), { type: 'delete', key: key(12) }, { type: 'deleteRange', gte: key(20), lt: key(30) }],
    DURABLE,
  );
  expect(await read(storage, a)).toEqual([row(10)]);
  goOn();
  await compacted;
  const expected = rows(1500).map((text, n) => (n === 11 ? row(11, 5) : n === 12 || (n >= 20 && n < 30) ? '' : text));
  expect(await read(storage)).toEqual(expected.filter((text) => text !== ''));
  expect(await read(storage, b)).toEqual([row(1200)]);
  // A range that began before the move shows its state.
  const seen = [...(first.value as { key: Uint8Array }[])];
  for (let step = await before.next(); step.done !== true; step = await before.next()) seen.push(...step.value);
  expect(seen.map((entry) => entry.key.join())).toEqual(Array.from({ length: 1500 }, (_, n) => key(n).join()));
  await storage.close();
});

it('a purge leaves no byte of a value that was replaced while it was moved', async () => {
  const memory = new SharedMemory();
  const { Slow, held, goOn } = slowMove();
  const storage = storageOver(memory, {}, Slow);
  await storage.open();
  await fill(storage, 0, 1500);
  const former = Buffer.from(value(11));
  const compacted = storage.compact();
  await held;
  await storage.write([put(11, 5)], DURABLE);
  const purged = storage.purge({
    withoutWrites: (work) => work(),
    alone: (work) => work(),
    signal: new AbortController().signal,
  });
  goOn();
  await Promise.all([compacted, purged]);
  const { entries, packs } = memory.log(0);
  const left = [...Array.from(packs.values(), ({ bytes }) => bytes), ...entries.map(({ body }) => body)];
  expect(left.filter((bytes) => Buffer.from(bytes).includes(former))).toEqual([]);
  expect(await read(storage)).toEqual(rows(1500).map((text, n) => (n === 11 ? row(11, 5) : text)));
  await storage.close();
});

it('a compaction that begins during a purge does not wait for it: the purge waits for the reads under way', async () => {
  let compacted: Promise<void> | undefined;
  class Listing extends SharedMemoryDriver {
    override listPacks(log: number): ReturnType<SharedMemoryDriver['listPacks']> {
      compacted = engine.compact();
      return super.listPacks(log);
    }
  }
  const engine = await StorageEngine.open(storageOver(new SharedMemory(), {}, Listing));
  for (let n = 0; n < 20; n++) await engine.write([put(n)], DURABLE);
  expect(await engine.purge()).toBeGreaterThan(0);
  expect(compacted).toBeDefined();
  await compacted;
  await engine.close();
});

it('a follower behind reads its state while values are moved, and hears nothing of those that leave no pack', async () => {
  const memory = new SharedMemory();
  const [holder, follower] = [storageOver(memory), storageOver(memory, { follow: true })] as const;
  await holder.open();
  for (let n = 0; n < 1500; n++) await holder.write([{ type: 'put', key: key(n), value: value(7 * n + 1) }], DURABLE);
  await follower.open();
  const view = follower.view!();
  const shown = await read(follower);
  await holder.compact();
  expect(await follower.refresh!()).toBeUndefined();
  expect(await read(follower)).toEqual(shown);
  expect(await read(view as SharedStorage)).toEqual(shown);
  await holder.write([put(3)], DURABLE);
  const { changed, show } = (await follower.refresh!())!;
  expect(changed).toEqual([{ gte: key(3) }]);
  show();
  expect(await read(follower, { gte: key(3), limit: 1 })).toEqual([row(3)]);
  await follower.close();
  await holder.close();
});

it('a follower hears of values that leave packs, because those packs will be deleted', async () => {
  const memory = new SharedMemory();
  const [holder, follower] = [storageOver(memory, { graceMs: 0 }), storageOver(memory, { follow: true })] as const;
  await holder.open();
  await fill(holder, 0, 1500);
  await follower.open();
  for (let round = 0; round < 3; round++) await holder.compact();
  const { changed, show } = (await follower.refresh!())!;
  expect(changed?.length).toBe(1500 - 256);
  show();
  expect(await read(follower)).toEqual(rows(1500));
  await follower.close();
  await holder.close();
});

it('a pack that is gone is told of; the other values are moved, and the log is kept short', async () => {
  const memory = new SharedMemory();
  const storage = storageOver(memory);
  await storage.open();
  await fill(storage, 0, 1500);
  const gone = [...memory.log(0).packs.keys()][3]!;
  const pack = memory.log(0).packs.get(gone)!;
  memory.log(0).packs.delete(gone);
  await storage.compact();
  expect(storage.backgroundFailures()).toMatchObject([{ job: expect.stringContaining('gathering'), failures: 1 }]);
  expect(decodeRoot(memory.log(0).root!).checkpoint?.position).toBe(storage.position);
  expect(await read(storage, { lt: key(21) })).toEqual(rows(21));
  await expect(storage.get(key(21))).rejects.toMatchObject({ code: 'SNAPSHOT_EXPIRED' });
  memory.log(0).packs.set(gone, pack);
  await storage.compact();
  expect(storage.backgroundFailures()).toEqual([]);
  expect(await read(storage)).toEqual(rows(1500));
  await storage.close();
});

it.each(['is there', 'is not there'])('writes go on after a move of which nobody knows whether it %s', async (what) => {
  let isOver = false;
  class Doubtful extends SharedMemoryDriver {
    override async append(entry: NewEntry): Promise<AppendOutcome> {
      if (isOver || entry.body.length < 10_000) return super.append(entry);
      isOver = true;
      if (what === 'is there') await super.append(entry);
      return 'unknown';
    }
  }
  const storage = storageOver(new SharedMemory(), { resolveMs: -1, silenceMs: 0 }, Doubtful);
  await storage.open();
  await fill(storage, 0, 1500);
  await storage.compact();
  expect(isOver).toBe(true);
  expect(storage.backgroundFailures()).toMatchObject([{ error: { code: 'COMMIT_UNKNOWN' } }]);
  expect(await storage.refresh!()).toBeUndefined();
  await fill(storage, 1500, 1510);
  await storage.compact();
  expect(storage.backgroundFailures()).toEqual([]);
  expect(await read(storage)).toEqual(rows(1510));
  await storage.close();
});

it('values of few keys, of other lengths of keys, and short ones stay in the log', async () => {
  const memory = new SharedMemory();
  const storage = storageOver(memory);
  await storage.open();
  await fill(storage, 1, 7);
  const text = (name: string): Uint8Array => new TextEncoder().encode(name);
  const ops = Array.from({ length: 2000 }, (_, n): WriteOp[] => [
    { type: 'put', key: text(`name ${'x'.repeat(n % 50)}${n}`), value: new Uint8Array(100) },
    { type: 'put', key: Uint8Array.of(9, n >>> 8, n), value: new Uint8Array(60) },
  ]);
  await storage.write(ops.flat(), DURABLE);
  const { position } = storage;
  await storage.compact();
  expect(storage.position).toBe(position);
  await storage.close();
});
