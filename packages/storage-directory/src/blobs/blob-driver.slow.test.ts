import { CorruptionError } from '@quadrille/model';
import { MemoryDriver, StorageEngine, toHex, type Damage, type StorageDriver, type WriteOp } from '@quadrille/storage';
import { FaultDriver, seededRandom, storageConformance } from '@quadrille/storage/testing';
import { describe, expect, it } from 'vitest';
import { JournalledDriver } from '../journal/journalled-driver.js';
import { SimulatedBlobFiles } from '../testing/simulated-blob-files.js';
import { SimulatedJournalFiles } from '../testing/simulated-journal-files.js';
import { BlobDriver, type BlobOptions } from './blob-driver.js';
import { LEDGER_KEY } from './blob-ledger.js';

const TINY: BlobOptions = { valueBytes: 8, batchBytes: 8, fileBytes: 400 };

storageConformance(
  { describe, it, expect },
  'tiny blob files over memory',
  async () => {
    const [memory, files] = [new MemoryDriver(), new SimulatedBlobFiles()];
    const again = (): StorageDriver => new BlobDriver(memory, files, TINY);
    return { driver: again(), again };
  },
  { persistent: true },
);
// As in a directory: blob files over a journal over a database that shows a batch before it answers.
storageConformance(
  { describe, it, expect },
  'tiny blob files over a journal over memory that answers late',
  async () => {
    const late = new FaultDriver(new MemoryDriver());
    late.setFault({ effect: 'late', operations: ['write'], repeat: 'forever', delayMs: 3 });
    return {
      driver: new BlobDriver(new JournalledDriver(late, new SimulatedJournalFiles()), new SimulatedBlobFiles(), TINY),
    };
  },
);

const bytes = (value: string): Uint8Array => new TextEncoder().encode(value);
const put = (key: string, value: string, lasting = false): WriteOp => ({
  type: 'put',
  key: bytes(key),
  value: bytes(value),
  lasting,
});
const noPauses = {
  withoutWrites: <T>(work: () => Promise<T>) => work(),
  alone: (work: () => Promise<void>) => work(),
  signal: new AbortController().signal,
};
const del = (key: string): WriteOp => ({ type: 'delete', key: bytes(key) });
const durable = { durable: true };
/** Returns 100 incompressible characters, different for each number. */
function long(number: number): string {
  const random = seededRandom(number + 1);
  return Array.from({ length: 100 }, () => String.fromCharCode(33 + Math.floor(random() * 90))).join('');
}

async function opened(
  inner: StorageDriver,
  files: SimulatedBlobFiles,
  options: BlobOptions = TINY,
): Promise<BlobDriver> {
  const driver = new BlobDriver(inner, files, options);
  await driver.open();
  return driver;
}

async function made(options: BlobOptions = TINY) {
  const [inner, files] = [new MemoryDriver(), new SimulatedBlobFiles()];
  return { inner, files, driver: await opened(inner, files, options) };
}

/** Returns all entries as `key=value`, and checks that `get` and `getSync` agree with `range`. */
async function list(driver: StorageDriver): Promise<string[]> {
  const entries: string[] = [];
  for await (const chunk of driver.range({}, { read: 'entries' })) {
    for (const { key, value } of chunk) {
      entries.push(`${Buffer.from(key).toString()}=${Buffer.from(value).toString()}`);
      expect(toHex(driver.getSync!(key)!)).toBe(toHex(value));
      expect(toHex((await driver.get(key))!)).toBe(toHex(value));
    }
  }
  return entries;
}

const sizes = (files: SimulatedBlobFiles): Record<string, number> =>
  Object.fromEntries([...files.contents].map(([number, { length }]) => [number, length]));

describe('large values', () => {
  it('go into a file, lasting ones compressed where that saves something, and small ones below', async () => {
    const { inner, files, driver } = await made({ ...TINY, fileBytes: 10_000 });
    const repeated = 'again and '.repeat(30);
    await driver.write([put('a', 'short'), put('b', repeated, true), put('c', long(1), true)], durable);
    expect(Buffer.from(inner.getSync(bytes('a'))!).toString()).toBe('short');
    expect(inner.getSync(bytes('b'))).toHaveLength(18);
    expect(sizes(files)[1]).toBeLessThan(repeated.length);
    expect(await list(driver)).toEqual(['a=short', `b=${repeated}`, `c=${long(1)}`]);
    expect(await driver.getMany([bytes('c'), bytes('none'), bytes('a')])).toEqual([
      bytes(long(1)),
      undefined,
      bytes('short'),
    ]);
  });

  it('of a batch that has few of them stay below', async () => {
    const { inner, files, driver } = await made({ ...TINY, batchBytes: 150 });
    await driver.write([put('a', long(1))], durable);
    expect(files.calls.create).toBe(0);
    expect(inner.getSync(bytes('a'))).toHaveLength(100);
    await driver.write([put('a', long(1)), put('b', long(2))], durable);
    expect(inner.getSync(bytes('a'))).toHaveLength(18);
  });

  it('and any that would be taken for a pointer', async () => {
    const { inner, driver } = await made({ ...TINY, batchBytes: 1e6 });
    const value = Uint8Array.of(2, 0, 1, 0, 0, 0);
    await driver.write([{ type: 'put', key: bytes('a'), value }], durable);
    expect(inner.getSync(bytes('a'))).toHaveLength(18);
    expect(driver.getSync(bytes('a'))).toEqual(value);
  });

  it('that last have files of their own', async () => {
    const { files, driver } = await made({ ...TINY, fileBytes: 10_000 });
    await driver.write([put('a', long(1)), put('b', long(2), true), put('c', long(3))], durable);
    expect(sizes(files)).toEqual({ 1: 222, 2: 111 });
    await driver.write([put('d', long(4), true)], durable);
    expect(sizes(files)).toEqual({ 1: 222, 2: 222 });
  });

  it('are on the disk before a pointer is written', async () => {
    const [memory, files] = [new MemoryDriver(), new SimulatedBlobFiles()];
    const inner = new FaultDriver(memory);
    const driver = await opened(inner, files);
    for (const [key, durableToo] of [
      ['a', true],
      ['b', false],
    ] as const) {
      const { write, sync } = files.calls;
      await driver.write([put(key, long(1))], { durable: durableToo });
      expect(files.calls).toMatchObject({ write: write + 1, sync: sync + 1 });
    }
    files.setFault({ operation: 'sync' });
    const { write } = inner.calls;
    await expect(driver.write([put('c', long(2))], durable)).rejects.toThrow('injected fault in sync');
    expect(inner.calls.write).toBe(write);
    expect(await list(driver)).toEqual([`a=${long(1)}`, `b=${long(1)}`]);
  });

  it('of a batch that failed leave nothing: the next one takes their place', async () => {
    const [memory, files] = [new MemoryDriver(), new SimulatedBlobFiles()];
    const inner = new FaultDriver(memory);
    const driver = await opened(inner, files);
    await driver.write([put('a', long(1))], durable);
    inner.setFault({ effect: 'fail', repeat: 'once', at: 1, operations: ['write'] });
    await expect(driver.write([put('b', long(2)), put('c', long(3))], durable)).rejects.toThrow();
    await driver.reopen();
    await driver.write([put('d', long(4))], durable);
    expect(await list(driver)).toEqual([`a=${long(1)}`, `d=${long(4)}`]);
    expect(await list(await opened(memory, SimulatedBlobFiles.of(files.contents)))).toHaveLength(2);
  });

  it('are refused after a write that may have been done all the same, until the storage is reopened', async () => {
    const [memory, files] = [new MemoryDriver(), new SimulatedBlobFiles()];
    const inner = new FaultDriver(memory);
    const driver = await opened(inner, files);
    inner.setFault({ effect: 'throwAfterApply', repeat: 'once', at: 1, operations: ['write'] });
    await expect(driver.write([put('a', long(1))], durable)).rejects.toThrow();
    await expect(driver.write([put('b', long(2))], durable)).rejects.toMatchObject({ code: 'STORAGE_IO' });
    await driver.reopen();
    await driver.write([put('b', long(2))], durable);
    expect(await list(driver)).toEqual([`a=${long(1)}`, `b=${long(2)}`]);
  });

  it('are found by every key of a precondition', async () => {
    const { driver } = await made();
    await driver.write([put('a', long(1))], durable);
    const when = (value: string) => ({ durable: true, precondition: { key: bytes('a'), value: bytes(value) } });
    expect(await driver.write([put('b', 'x')], when(long(2)))).toBe('conflict');
    expect(await driver.write([put('b', 'x')], when(long(1)))).toBe('ok');
  });
});

describe('collecting', () => {
  it('a file that is dead as a whole goes, one that half lives is moved', async () => {
    const { inner, files, driver } = await made();
    for (let n = 0; n < 8; n++) await driver.write([put(`k${n}`, long(n))], durable);
    expect(sizes(files)).toEqual({ 1: 336, 2: 336, 3: 224 });
    await driver.write([{ type: 'deleteRange', gte: bytes('k0'), lt: bytes('k3') }], durable);
    await driver.write([del('k3'), del('k4'), del('k4')], durable);
    await driver.compact({});
    await driver.close();
    const again = await opened(inner, files);
    expect(await list(again)).toEqual([5, 6, 7].map((n) => `k${n}=${long(n)}`));
    expect(sizes(files)).toEqual({ 3: 224, 4: 112 });
    expect(files.nameless).toEqual([]);
  });

  it('values that others took the place of are dead', async () => {
    const { files, driver } = await made();
    for (let n = 0; n < 30; n++) await driver.write([put('a', long(n)), put('b', long(n + 50))], durable);
    // A small value also makes the old one dead; the ledger learns of it when the file is collected.
    await driver.write([put('a', 'x')], durable);
    await driver.compact({});
    expect(Object.values(sizes(files)).reduce((sum, size) => sum + size, 0)).toBeLessThan(900);
    expect(await list(driver)).toEqual(['a=x', `b=${long(79)}`]);
  });

  it('within one batch the last word counts', async () => {
    const { files, driver } = await made();
    await driver.write([put('a', long(1)), put('b', long(2))], durable);
    await driver.write(
      [
        put('a', long(3)),
        del('a'),
        put('a', long(4)),
        { type: 'deleteRange', gte: bytes('a'), lt: bytes('b') },
        put('a', long(5)),
        put('b', long(6)),
        put('b', 'small'),
      ],
      durable,
    );
    expect(await list(driver)).toEqual([`a=${long(5)}`, 'b=small']);
    await driver.compact({});
    expect(await list(driver)).toEqual([`a=${long(5)}`, 'b=small']);
    expect(Object.values(sizes(files)).reduce((sum, size) => sum + size, 0)).toBeLessThan(250);
  });

  it('goes on after a failure, when the storage was reopened; asked twice at once, it does it once', async () => {
    const { files, driver } = await made();
    for (let n = 0; n < 6; n++) await driver.write([put(`k${n}`, long(n))], durable);
    // Not enough dead bytes to start a collection in the background.
    await driver.write([del('k0')], durable);
    files.setFault({ operation: 'write' });
    await expect(driver.compact({})).rejects.toThrow('injected fault in write');
    await driver.reopen();
    await Promise.all([driver.compact({}), driver.write([del('k3')], durable), driver.compact({})]);
    await driver.compact({});
    expect(await list(driver)).toEqual([1, 2, 4, 5].map((n) => `k${n}=${long(n)}`));
    expect(Object.values(sizes(files)).reduce((sum, size) => sum + size, 0)).toBe(4 * 112);
  });

  it('a file that somebody reads stays until he is done', async () => {
    const { files, driver } = await made();
    for (let n = 0; n < 6; n++) await driver.write([put(`k${n}`, long(n))], durable);
    const reading = driver.range({}, { read: 'entries' })[Symbol.asyncIterator]();
    const first = await reading.next();
    expect(first.value).toHaveLength(6);
    await driver.write([{ type: 'deleteRange', gte: bytes('k'), lt: bytes('l') }], durable);
    await driver.compact({});
    expect(sizes(files)).toEqual({});
    expect(files.nameless).toEqual([1, 2]);
    await reading.return?.();
    expect(files.nameless).toEqual([]);
  });

  it('a file whose records are damaged is left as it is', async () => {
    const { inner, files, driver } = await made();
    for (let n = 0; n < 4; n++) await driver.write([put(`k${n}`, long(n))], durable);
    await driver.close();
    const damaged = new Map([...files.contents].map(([number, content]) => [number, content.slice()]));
    damaged.get(1)![9]! ^= 1;
    const hurt = SimulatedBlobFiles.of(damaged);
    const again = await opened(inner, hurt);
    await again.write([del('k0'), del('k1')], durable);
    await again.write([put('x', long(9))], durable);
    await again.close();
    expect(Buffer.from((await (await opened(inner, hurt)).get(bytes('k2')))!).toString()).toBe(long(2));
  });
});

describe('a full disk', () => {
  it('keeps the values of a batch whose record in the journal may be taken by the next open', async () => {
    const [inner, files, journal] = [new MemoryDriver(), new SimulatedBlobFiles(), new SimulatedJournalFiles()];
    let full = false;
    const open = (): Promise<BlobDriver> =>
      opened(new JournalledDriver(inner, journal, { boot: 'boot', hasRoom: () => !full }), files);
    const driver = await open();
    await driver.write([put('a', long(1))], durable);
    await driver.write([put('b', 'small')], durable);
    journal.setFault({ operation: 'sync' });
    await expect(driver.write([put('c', long(2))], durable)).rejects.toThrow('injected fault in sync');
    full = true;
    await driver.reopen();
    expect(driver.failure).toMatchObject({ code: 'STORAGE_FULL' });
    expect(await list(driver)).toEqual([`a=${long(1)}`, 'b=small']);
    // The process ends here.
    full = false;
    expect(await list(await open())).toEqual([`a=${long(1)}`, 'b=small', `c=${long(2)}`]);
  });

  const noSpace = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });

  it('takes back what of the values was written, and the files that were made for them', async () => {
    const { files, driver } = await made();
    await driver.write([put('a', long(1))], durable);
    const before = sizes(files);
    const batch = [put('b', long(2)), put('c', long(3), true), put('d', long(4), true)];
    for (const fault of [
      { operation: 'write', torn: 50 },
      { operation: 'write', at: 2, torn: 50 },
      { operation: 'sync', at: 2 },
      { operation: 'create' },
    ] as const) {
      files.setFault({ ...fault, error: noSpace });
      expect(await driver.write(batch, durable)).toBe('full');
      expect(files.fired).toBe(1);
      expect(sizes(files)).toEqual(before);
    }
    expect(await driver.write(batch, durable)).toBe('ok');
    expect(await list(driver)).toEqual([1, 2, 3, 4].map((n) => `${'abcd'[n - 1]}=${long(n)}`));
  });

  it('and what was written for pointers that find no room below', async () => {
    const [memory, files] = [new MemoryDriver(), new SimulatedBlobFiles()];
    const inner = new FaultDriver(memory);
    const driver = await opened(inner, files);
    await driver.write([put('a', long(1))], durable);
    const before = sizes(files);
    inner.setFault({ effect: 'full', operations: ['write'] });
    expect(await driver.write([put('b', long(2)), put('c', long(3), true)], durable)).toBe('full');
    expect(sizes(files)).toEqual(before);
    await driver.write([put('b', long(4))], durable);
    expect(await list(driver)).toEqual([`a=${long(1)}`, `b=${long(4)}`]);
  });

  it('is asked before values are written; what frees gives back dead files and dead ends before it is answered', async () => {
    let room = true;
    const { inner, files, driver } = await made({ ...TINY, fileBytes: 600, hasRoom: () => room });
    for (let n = 0; n < 9; n++) await driver.write([put(`k${n}`, long(n))], durable);
    expect(sizes(files)).toEqual({ 1: 560, 2: 448 });
    room = false;
    const { write } = files.calls;
    expect(await driver.write([put('x', long(9))], durable)).toBe('full');
    expect(files.calls.write).toBe(write);
    const reading = driver.range({}, { read: 'entries' })[Symbol.asyncIterator]();
    expect((await reading.next()).value).toHaveLength(9);
    await driver.write([{ type: 'deleteRange', gte: bytes('k3'), lt: bytes('l') }], { durable: true, frees: true });
    // A reader that began earlier may still read the removed part, so the file stays open.
    expect(sizes(files)).toEqual({ 1: 560 });
    expect(files.nameless).toEqual([2]);
    await reading.return?.();
    await driver.write([del('none')], { durable: true, frees: true });
    expect(sizes(files)).toEqual({ 1: 336 });
    expect(files.calls.write).toBe(write);
    room = true;
    await driver.write([put('x', long(9))], durable);
    const expected = [...[0, 1, 2].map((n) => `k${n}=${long(n)}`), `x=${long(9)}`];
    expect(await list(driver)).toEqual(expected);
    await driver.close();
    expect(await list(await opened(inner, files))).toEqual(expected);
  });

  it('leaves longer files behind where the power fails before they are cut: opening cuts them', async () => {
    const { inner, files, driver } = await made();
    await driver.write([put('a', long(1))], durable);
    await driver.close();
    const longer = SimulatedBlobFiles.of([[1, Uint8Array.of(...files.contents.get(1)!, 1, 2, 3)]]);
    expect(await list(await opened(inner, longer))).toEqual([`a=${long(1)}`]);
    expect(sizes(longer)).toEqual(sizes(files));
  });
});

describe('opening', () => {
  it('names a file that is missing or cut off, and changes nothing', async () => {
    const { inner, files, driver } = await made();
    await driver.write([put('a', long(1))], durable);
    await driver.close();
    const whole = files.contents.get(1)!;
    for (const [contents, message] of [
      [[], /Blob file 1 of the blob files is missing/],
      [[[1, whole.slice(0, -1)]], /Blob file 1 of the blob files has 110 bytes instead of 111/],
    ] as const) {
      const error: unknown = await opened(inner, SimulatedBlobFiles.of(contents)).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(CorruptionError);
      expect((error as CorruptionError).code).toBe('LOG_BROKEN');
      expect((error as Error).message).toMatch(message);
    }
    expect(await list(await opened(inner, files))).toEqual([`a=${long(1)}`]);
  });

  it('goes on where somebody is to be told of the damage: values that are gone cannot be read, all others can', async () => {
    const { inner, files, driver } = await made();
    await driver.write([put('a', long(1)), put('b', long(2)), put('c', 'short')], durable);
    await driver.close();
    const whole = files.contents.get(1)!;
    for (const [contents, lost, message] of [
      [[], ['a', 'b'], /Blob file 1 of the blob files is missing/],
      [[[1, whole.slice(0, -1)]], ['b'], /has \d+ bytes instead of/],
      [[[1, whole]], [], /list of the blob files/],
    ] as const) {
      if (lost.length === 0) await inner.write([{ type: 'put', key: LEDGER_KEY, value: bytes('no ledger') }], durable);
      const damages: Damage[] = [];
      const damaged = SimulatedBlobFiles.of(contents);
      const remains = await opened(inner, damaged, { ...TINY, onDamage: (damage) => damages.push(damage) });
      expect(damages).toMatchObject([{ message: expect.stringMatching(message) }]);
      expect(damages[0]!.missing).toBeUndefined();
      for (const [key, value] of [
        ['a', long(1)],
        ['b', long(2)],
        ['c', 'short'],
      ] as const) {
        if (lost.some((name) => name === key)) expect(() => remains.getSync(bytes(key))).toThrow();
        else expect(Buffer.from(remains.getSync(bytes(key))!).toString()).toBe(value);
      }
      await remains.close();
      expect([...damaged.contents]).toEqual(contents);
    }
  });

  it('takes away what no batch named, but not for reading alone', async () => {
    const { inner, files, driver } = await made();
    await driver.write([put('a', long(1))], durable);
    const stray = SimulatedBlobFiles.of([...files.contents, [7, bytes('of a batch that failed')]]);
    await opened(inner, stray, { ...TINY, readOnly: true });
    expect([...stray.contents.keys()]).toEqual([1, 7]);
    await opened(inner, stray);
    expect([...stray.contents.keys()]).toEqual([1]);
  });

  it('finds a ledger that was changed', async () => {
    const { inner, files, driver } = await made();
    await driver.write([put('a', long(1))], durable);
    const ledger = inner.getSync(LEDGER_KEY)!.slice();
    ledger[5]! ^= 1;
    await inner.write([{ type: 'put', key: LEDGER_KEY, value: ledger }], durable);
    await expect(opened(inner, files)).rejects.toMatchObject({ code: 'CHECKSUM' });
  });

  // LZ4 data with a flipped bit may decompress to the same bytes.
  it('finds each bit of a stored value that flipped, unless the value is still what it was', async () => {
    const [inner, files] = [new MemoryDriver(), new SimulatedBlobFiles()];
    const engine = await StorageEngine.open(new BlobDriver(inner, files, TINY));
    const value = bytes('a value of some length, a value of some length, a value');
    await engine.write([{ type: 'put', key: bytes('a'), value, lasting: true }], durable);
    const whole = files.contents.get(1)!;
    expect(whole.length).toBeLessThan(value.length + 11);
    let found = 0;
    for (let bit = 11 * 8; bit < whole.length * 8; bit++) {
      const flipped = whole.slice();
      flipped[bit >> 3]! ^= 1 << (bit & 7);
      const hurt = await StorageEngine.open(new BlobDriver(inner, SimulatedBlobFiles.of([[1, flipped]]), TINY));
      const read = ((): unknown => {
        try {
          return toHex(hurt.getSync(bytes('a'))!);
        } catch (error) {
          return error;
        }
      })();
      if (read instanceof CorruptionError) found++;
      else expect(read).toBe(toHex(value));
    }
    expect(found).toBeGreaterThan((whole.length - 11) * 7);
  });
});

describe('random batches', () => {
  it('leave what a map would hold, also after a kill at any time', async () => {
    const [inner, files] = [new MemoryDriver(), new SimulatedBlobFiles()];
    let driver = await opened(inner, files);
    const model = new Map<string, string>();
    const random = seededRandom(3);
    const below = (n: number): number => Math.floor(random() * n);
    for (let n = 0; n < 600; n++) {
      const ops: WriteOp[] = [];
      for (let m = 1 + below(4); m > 0; m--) {
        const key = `k${String(below(60)).padStart(2, '0')}`;
        const kind = random();
        if (kind < 0.1) {
          ops.push({ type: 'deleteRange', gte: bytes('k1'), lt: bytes('k3') });
          for (const held of model.keys()) if (held >= 'k1' && held < 'k3') model.delete(held);
        } else if (kind < 0.3) {
          ops.push(del(key));
          model.delete(key);
        } else {
          const value = random() < 0.3 ? 'small' : long(n).slice(0, 10 + below(90));
          ops.push(put(key, value, random() < 0.4));
          model.set(key, value);
        }
      }
      await driver.write(ops, { durable: random() < 0.3 });
      const expected = [...model.keys()].sort().map((key) => `${key}=${model.get(key)}`);
      expect(await list(driver)).toEqual(expected);
      if (random() < 0.1) {
        if (random() < 0.5) await driver.close();
        driver = await opened(inner, files);
        expect(await list(driver)).toEqual(expected);
      }
    }
    expect(files.calls.remove).toBeGreaterThan(20);
    const stored = Object.values(sizes(files)).reduce((sum, size) => sum + size, 0);
    const living = [...model.values()].reduce((sum, value) => sum + value.length + 14, 0);
    expect(stored).toBeLessThan(3 * living + 800);
  });
});

describe('damage of a dead value', () => {
  const KEYS = 6;
  const SIZES: BlobOptions = { valueBytes: 8, batchBytes: 8, fileBytes: 4000 };
  const batch = (prefix: string, n: number): WriteOp[] =>
    Array.from({ length: KEYS }, (_, i) => put(`${prefix}${i}`, long(100 * n + i)));

  /** A file with living values, dead ones, and one flipped bit or an unreadable part at `position`. */
  async function worn(damage: (files: SimulatedBlobFiles, end: number) => Promise<void>) {
    const store = await made(SIZES);
    await store.driver.write(batch('stays', 1), durable);
    await store.driver.write(batch('goes', 2), durable);
    await damage(store.files, store.files.contents.get(1)!.length);
    for (let n = 3; n < 40; n++) {
      await store.driver.write(batch('goes', n), durable);
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
    await store.driver.compact({});
    return store;
  }

  const flip = (at: number) => async (files: SimulatedBlobFiles) => {
    const byte = new Uint8Array(1);
    await files.read(1, byte, at);
    byte[0]! ^= 1;
    await files.write(1, byte, at);
  };

  it.each([
    ['the checksum of the first dead record', 6 * 116 + 1],
    ['the length of a dead value', 7 * 116 + 6],
    ['the key of the last dead record', 11 * 115 + 15],
    ['the header of a living record', 2],
  ])('of %s: what is living is moved, the file goes, and it is reported', async (_, at) => {
    const { driver, files, inner } = await worn(flip(at));
    const bytes = [...files.contents.values()].reduce((sum, { length }) => sum + length, 0);
    expect(bytes).toBeLessThan(3 * SIZES.fileBytes!);
    expect([...files.contents.keys()]).not.toContain(1);
    expect(driver.failure).toBe(undefined);
    expect(driver.backgroundFailures()).toMatchObject([
      { job: 'collection of damaged blob files', failures: 1, error: { code: 'CHECKSUM' } },
    ]);
    const expected = [...batch('goes', 39), ...batch('stays', 1)].map((op) => (op.type === 'put' ? op : undefined)!);
    expect(await list(driver)).toEqual(
      expected.map(({ key, value }) => `${Buffer.from(key).toString()}=${Buffer.from(value).toString()}`),
    );
    await driver.compact({});
    expect(await driver.purge(noPauses)).toBeGreaterThanOrEqual(0);
    expect((await list(await opened(inner, files, SIZES))).length).toBe(2 * KEYS);
  });

  it('where a living value cannot be read: its file stays, others are collected', async () => {
    const { driver, files } = await worn(async (simulated) => {
      const read = simulated.read.bind(simulated);
      // A bad sector in the first living value.
      simulated.read = async (file, into, position) => {
        if (file === 1 && position < 50) throw Object.assign(new Error('EIO'), { code: 'EIO' });
        return read(file, into, position);
      };
    });
    expect([...files.contents.keys()]).toContain(1);
    expect(files.contents.size).toBeLessThan(4);
    expect(driver.backgroundFailures()).toMatchObject([{ job: 'collection of damaged blob files' }]);
    await expect(driver.get(bytes('stays0'))).rejects.toThrow('EIO');
    // A purge cannot keep its promise for that file. It keeps it for all others.
    await driver.write([put('secret', long(1)), put('other', long(2))], durable);
    await driver.write([del('secret')], durable);
    await expect(driver.purge(noPauses)).rejects.toMatchObject({ code: 'CHECKSUM' });
    const left = [...files.contents]
      .filter(([file]) => file !== 1)
      .map(([, content]) => Buffer.from(content).toString('latin1'));
    expect(left.some((content) => content.includes(long(2)))).toBe(true);
    expect(left.some((content) => content.includes(long(1)))).toBe(false);
    expect(Buffer.from((await driver.get(bytes('stays5')))!).toString()).toBe(long(105));
  });
});

it('collection in the background goes on after failures, and they are counted meanwhile', async () => {
  const { driver, files } = await made();
  let fails = true;
  const remove = files.remove.bind(files);
  files.remove = async (file) => {
    if (fails) throw new Error('EACCES');
    return remove(file);
  };
  const write = async (n: number): Promise<void> => {
    await driver.write([put('a', long(n)), put('b', long(n + 1000))], durable);
    await new Promise((resolve) => setTimeout(resolve, 0));
  };
  for (let n = 0; n < 20; n++) await write(n);
  expect(driver.backgroundFailures()).toMatchObject([{ job: 'collection of blob files' }]);
  expect(driver.backgroundFailures()[0]!.failures).toBeGreaterThan(1);
  fails = false;
  for (let n = 20; n < 60; n++) await write(n);
  expect(driver.backgroundFailures()).toEqual([]);
  expect(files.contents.size).toBeLessThan(5);
});

it('a file that cannot be removed does not stop the collection of others', async () => {
  const { driver, files } = await made();
  const remove = files.remove.bind(files);
  files.remove = async (file) => {
    if (file === 1) throw new Error('EACCES');
    return remove(file);
  };
  for (let n = 0; n < 100; n++) {
    await driver.write([put('a', long(n)), put('b', long(n + 1000))], durable);
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
  expect(driver.backgroundFailures()).toMatchObject([
    { job: 'collection of blob files', error: { message: 'EACCES' } },
  ]);
  await expect(driver.compact({})).rejects.toThrow('EACCES');
  expect([...files.contents.keys()]).toContain(1);
  expect(files.contents.size).toBeLessThan(5);
  expect(await list(driver)).toEqual([`a=${long(99)}`, `b=${long(1099)}`]);
});

/** A database that can be asked for what it would have if a power failure took one batch, and none after it: as where a log was not synced. */
class LosingDriver extends MemoryDriver {
  readonly #batches: (readonly WriteOp[])[] = [];

  override async write(...[ops, options]: Parameters<MemoryDriver['write']>): ReturnType<MemoryDriver['write']> {
    this.#batches.push(ops);
    return super.write(ops, options);
  }

  get last(): number {
    return this.#batches.length - 1;
  }

  async without(lost: number | undefined): Promise<MemoryDriver> {
    const driver = new MemoryDriver();
    for (const [number, ops] of this.#batches.entries()) if (number !== lost) await driver.write(ops, durable);
    return driver;
  }
}

describe('a power failure that takes a batch and leaves those after it', () => {
  async function made() {
    const [inner, files] = [new LosingDriver(), new SimulatedBlobFiles()];
    let settled = (): Promise<void> => Promise.resolve();
    const driver = await opened(inner, files, { ...TINY, fileBytes: 260, settle: () => settled() });
    await driver.write([put('a', long(1)), put('b', long(2))], durable);
    await driver.write([put('a', long(3))], { durable: false });
    const lost = inner.last;
    return { inner, files, driver, lost, onSettle: (run: () => Promise<void>) => void (settled = run) };
  }

  it('leaves a value that the list of files counts as dead: it is moved', async () => {
    const { inner, files, driver, lost } = await made();
    await driver.write([put('b', long(4))], { durable: true });
    const again = await opened(await inner.without(lost), SimulatedBlobFiles.of(files.contents));
    expect(await list(again)).toEqual([`a=${long(1)}`, `b=${long(4)}`]);
    await again.compact({});
    expect(await list(again)).toEqual([`a=${long(1)}`, `b=${long(4)}`]);
  });

  it.each(['compact', 'purge'] as const)(
    'during %s: no file is forgotten before what emptied it is on the disk',
    async (how) => {
      const { inner, files, driver, lost, onSettle } = await made();
      const survivors: [MemoryDriver, SimulatedBlobFiles][] = [];
      // What comes before the end of this is on the disk.
      onSettle(async () => {
        if (survivors.length === 0) survivors.push([await inner.without(lost), SimulatedBlobFiles.of(files.contents)]);
      });
      await driver.write([del('b')], durable);
      await (how === 'compact' ? driver.compact({}) : driver.purge(noPauses));
      expect(survivors).toHaveLength(1);
      const again = await opened(...survivors[0]!);
      expect(await list(again)).toEqual([`a=${long(1)}`]);
    },
  );
});
