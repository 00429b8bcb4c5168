import { CorruptionError } from '@quadrille/model';
import { describe, expect, it } from 'vitest';
import { MemoryDriver, StorageEngine, toHex, type Damage, type StorageDriver, type WriteOp } from '@quadrille/storage';
import { FaultDriver, seededRandom, storageConformance } from '@quadrille/storage/testing';
import { SimulatedJournalFiles } from '../testing/simulated-journal-files.js';
import { JournalledDriver, type JournalOptions } from './journalled-driver.js';

const TINY: JournalOptions = { fileBytes: 400, recordBytes: 150 };

storageConformance(
  { describe, it, expect },
  'a tiny journal over memory',
  async () => {
    const [memory, files] = [new MemoryDriver(), new SimulatedJournalFiles()];
    const again = (): StorageDriver => new JournalledDriver(memory, files, TINY);
    return { driver: again(), again };
  },
  { persistent: true },
);
/** Memory that shows a batch some time before it answers, as a database does that syncs its files in another thread. */
function late(): FaultDriver {
  const driver = new FaultDriver(new MemoryDriver());
  driver.setFault({ effect: 'late', operations: ['write'], repeat: 'forever', delayMs: 3 });
  return driver;
}
for (const [name, options] of [
  ['a journal', {}],
  ['a tiny journal', TINY],
] as const)
  storageConformance({ describe, it, expect }, `${name} over memory that answers late`, async () => ({
    driver: new JournalledDriver(late(), new SimulatedJournalFiles(), options),
  }));

const text = (value: string): Uint8Array => new TextEncoder().encode(value);
const put = (key: string, value: string): WriteOp => ({ type: 'put', key: text(key), value: text(value) });
const del = (key: string): WriteOp => ({ type: 'delete', key: text(key) });
const small = { durable: false };
const durable = { durable: true };

/** Returns all entries as `key=value`, in key order. */
async function list(driver: StorageDriver): Promise<string[]> {
  const entries: string[] = [];
  for await (const chunk of driver.range({}, { read: 'entries' })) {
    for (const { key, value } of chunk) {
      entries.push(`${Buffer.from(key).toString()}=${Buffer.from(value).toString()}`);
      // getSync must agree with range.
      expect(toHex(driver.getSync!(key)!)).toBe(toHex(value));
    }
  }
  return entries;
}

async function opened(
  inner: StorageDriver,
  files: SimulatedJournalFiles,
  options: JournalOptions = {},
): Promise<JournalledDriver> {
  const driver = new JournalledDriver(inner, files, options);
  await driver.open();
  return driver;
}

async function copyOf(inner: MemoryDriver): Promise<MemoryDriver> {
  const copy = new MemoryDriver();
  for await (const chunk of inner.range({}, { read: 'entries' })) {
    await copy.write(
      chunk.map((entry) => ({ type: 'put', ...entry })),
      small,
    );
  }
  return copy;
}

/** Reopens as after `kill -9`: the files hold everything that was written, synced or not. */
const afterKill = (inner: StorageDriver, files: SimulatedJournalFiles, options?: JournalOptions) =>
  opened(inner, SimulatedJournalFiles.of(files.contents), options);

/** A driver whose journal holds records 2 to `last`: the first batch of a session is written to the inner driver. */
async function withRecords(last: number, options: JournalOptions = {}, writeOptions = small) {
  const [inner, files] = [new MemoryDriver(), new SimulatedJournalFiles()];
  const driver = await opened(inner, files, options);
  const ends = [0];
  for (let n = 1; n <= last; n++) {
    await driver.write([put(`k${n}`, `v${n}`), put('last', `${n}`)], writeOptions);
    ends.push(files.contents[0]!.length);
  }
  const upTo = (n: number): string[] => [
    ...Array.from({ length: n }, (_, i) => `k${i + 1}=v${i + 1}`).sort(),
    `last=${n}`,
  ];
  return { inner, files, driver, upTo, ends };
}

describe('small batches', () => {
  it('stay in the journal, are read from there and come back after a kill', async () => {
    const { inner, files, driver, upTo } = await withRecords(5);
    expect(await list(inner)).toHaveLength(2 + 1);
    expect(await list(driver)).toEqual(upTo(5));
    await driver.write([del('k1'), del('nothing')], small);
    expect(driver.getSync(text('k1'))).toBeUndefined();
    expect(await driver.getMany([text('k1'), text('k2'), text('none')])).toEqual([undefined, text('v2'), undefined]);
    const revived = await afterKill(inner, files);
    expect(await list(revived)).toEqual(upTo(5).slice(1));
    expect(revived.warnings).toEqual([]);
  });

  it('are below, and the files gone, after closing', async () => {
    const { inner, files, driver, upTo } = await withRecords(5);
    await driver.close();
    expect(files.contents.every(({ length }) => length === 0)).toBe(true);
    expect(await list(await opened(inner, files))).toEqual(upTo(5));
  });

  it('of two files that are written in turn all are there, whenever the process is killed', async () => {
    const [inner, files] = [new MemoryDriver(), new SimulatedJournalFiles()];
    const driver = await opened(inner, files, TINY);
    const model = new Map<string, string>();
    const random = seededRandom(7);
    for (let n = 0; n < 300; n++) {
      const key = `k${Math.floor(random() * 40)}`;
      const kind = random();
      if (kind < 0.1) {
        const [gte, lt] = ['k1', 'k2'];
        await driver.write([{ type: 'deleteRange', gte: text(gte), lt: text(lt) }], small);
        for (const held of model.keys()) if (held >= gte && held < lt) model.delete(held);
      } else if (kind < 0.25) {
        await driver.write([del(key)], small);
        model.delete(key);
      } else {
        // Some values are too long for the journal and go to the inner driver.
        const value = `${n}`.padEnd(kind < 0.4 ? 300 : 10);
        await driver.write([put(key, value)], { durable: random() < 0.3 });
        model.set(key, value);
      }
      const expected = [...model.keys()].sort().map((held) => `${held}=${model.get(held)}`);
      expect(await list(driver)).toEqual(expected);
      const revived = await afterKill(await copyOf(inner), files, { ...TINY, boot: 'same' });
      expect(await list(revived)).toEqual(expected);
      await revived.write([put('more', 'x')], small);
      await revived.close();
    }
    expect(files.calls.write).toBeGreaterThan(100);
  });
});

describe('the end of the journal', () => {
  it('torn at any byte: what is whole before it counts, and the store goes on from there', async () => {
    const { inner, files, upTo, ends } = await withRecords(4, { boot: 'b' });
    const whole = files.contents[0]!;
    for (let cut = 0; cut <= whole.length; cut++) {
      const copy = await copyOf(inner);
      const torn = SimulatedJournalFiles.of([whole.slice(0, cut), new Uint8Array(0)]);
      const driver = await opened(copy, torn, { boot: 'b' });
      let last = 1;
      while (last < 4 && ends[last + 1]! <= cut) last++;
      expect(await list(driver), `cut at ${cut}`).toEqual(upTo(last));
      await driver.write([put('more', 'x')], small);
      // Records beyond the cut must not reappear when the same file is read again.
      const next = await afterKill(copy, torn, { boot: 'b' });
      expect(await list(next)).toEqual([...upTo(last), 'more=x']);
    }
  });

  it('that an older session left is not read', async () => {
    const { inner, files, upTo } = await withRecords(20, TINY);
    const old = files.contents;
    const driver = await afterKill(inner, files, TINY);
    await driver.write([put('z', 'new')], small);
    const next = await opened(inner, SimulatedJournalFiles.of(old), TINY);
    expect(await list(next)).toEqual(expect.arrayContaining(upTo(20)));
  });
});

describe('damage in the middle', () => {
  const flipped = (content: Uint8Array, at: number): SimulatedJournalFiles => {
    const damaged = content.slice();
    damaged[at]! ^= 1 << (at & 7);
    return SimulatedJournalFiles.of([damaged, new Uint8Array(0)]);
  };

  it('is an error that names the record while the machine has not been started anew', async () => {
    const { inner, files, ends } = await withRecords(4, { boot: 'b' });
    for (let at = 0; at < ends[4]!; at++) {
      const record = at < ends[2]! ? 2 : at < ends[3]! ? 3 : 4;
      const driver = new JournalledDriver(inner, flipped(files.contents[0]!, at), { boot: 'b', readOnly: true });
      const problem = await driver.open().catch((error: unknown) => error);
      if (record === 4) {
        // Damage in the last record looks like a torn write, so it is no error.
        expect(problem, `bit in byte ${at}`).toBeUndefined();
        continue;
      }
      expect(problem, `bit in byte ${at}`).toBeInstanceOf(CorruptionError);
      expect(problem).toMatchObject({ code: 'LOG_BROKEN', details: { record } });
    }
  });

  it('of what was not synced, after another start, loses what comes after it, and says so', async () => {
    const { inner, files, upTo } = await withRecords(5, { boot: 'b' });
    const driver = await opened(inner, flipped(files.contents[0]!, files.contents[0]!.length >> 1), { boot: 'c' });
    expect(await list(driver)).toEqual(upTo(3));
    expect(driver.warnings).toEqual(['dropped 1 records (5 to 5) of the journal, because record 4 is missing']);
  });

  it('of what was synced is an error in any case', async () => {
    const { inner, files } = await withRecords(5, { boot: 'b' }, durable);
    const driver = new JournalledDriver(inner, flipped(files.contents[0]!, 40), { boot: 'c' });
    await expect(driver.open()).rejects.toMatchObject({ code: 'LOG_BROKEN', details: { record: 2, later: 3 } });
  });

  it('of the position is an error', async () => {
    const { inner, files } = await withRecords(3);
    for await (const chunk of inner.range({}, { read: 'entries' })) {
      const { key, value } = chunk.at(-1)!;
      await inner.write([{ type: 'put', key, value: value.map((byte, i) => (i === 9 ? byte ^ 4 : byte)) }], small);
    }
    await expect(opened(inner, files)).rejects.toMatchObject({ code: 'CHECKSUM' });
  });
});

describe('damage, where reading goes on', () => {
  async function remains(inner: StorageDriver, files: SimulatedJournalFiles) {
    const damages: Damage[] = [];
    const driver = await opened(inner, files, { boot: 'b', onDamage: (damage) => damages.push(damage) });
    return { driver, entries: await list(driver), damages };
  }

  it('of any byte of a record: all others are there, and it is told', async () => {
    const { inner, files, ends, upTo } = await withRecords(4, { boot: 'b' }, durable);
    const content = files.contents[0]!;
    for (let at = 0; at < ends[4]!; at++) {
      const record = at < ends[2]! ? 2 : at < ends[3]! ? 3 : 4;
      const damaged = content.slice();
      damaged[at]! ^= 1 << (at & 7);
      const { driver, entries, damages } = await remains(inner, SimulatedJournalFiles.of([damaged, new Uint8Array(0)]));
      expect(entries, `bit in byte ${at}`).toEqual(
        upTo(record === 4 ? 3 : 4).filter((entry) => !entry.startsWith(`k${record}=`)),
      );
      expect(damages.length, `bit in byte ${at}`).toBe(1);
      for (const { message, missing } of damages) {
        expect(message).toContain(`record ${record} is `);
        expect(missing).toBe('anywhere');
      }
      await driver.close();
    }
    expect(files.contents[0]).toEqual(content);
  });

  it('of the end, cut anywhere but between two records', async () => {
    const beginning = 12;
    const { inner, files, ends, upTo } = await withRecords(4, { boot: 'b' }, durable);
    for (let length = 1; length < ends[4]!; length++) {
      const cut = SimulatedJournalFiles.of([files.contents[0]!.slice(0, length), new Uint8Array(0)]);
      const { entries, damages } = await remains(inner, cut);
      const whole = ends.findLastIndex((end) => end <= length);
      expect(entries).toEqual(upTo(Math.max(1, whole)));
      const isBetween = length - ends[whole]! < beginning;
      expect(damages.length, `${length} bytes`).toBe(isBetween ? 0 : 1);
    }
  });

  it('of nothing where older records stand behind the newest ones, overwritten in part', async () => {
    const [inner, files] = [new MemoryDriver(), new SimulatedJournalFiles()];
    const driver = await opened(inner, files, { ...TINY, boot: 'b' });
    for (let n = 1; n < 400; n++) {
      await driver.write([put(`k${n % 7}`, 'x'.repeat((n * 31) % 90))], durable);
      const copy = await copyOf(inner);
      expect((await remains(copy, SimulatedJournalFiles.of(files.contents))).damages, `batch ${n}`).toEqual([]);
    }
  });

  it('of the position: the records are not used, since they may be below already', async () => {
    const { inner, files, upTo } = await withRecords(4, { boot: 'b' }, durable);
    const key = new Uint8Array(257).fill(0xff);
    const position = (await inner.get(key))!;
    for (const value of [position.map((byte, i) => (i === 6 ? byte ^ 1 : byte)), undefined]) {
      const copy = await copyOf(inner);
      await copy.write([value === undefined ? { type: 'delete', key } : { type: 'put', key, value }], small);
      const { entries, damages } = await remains(copy, files);
      expect(entries).toEqual(upTo(1));
      expect(damages).toMatchObject([{ missing: 'anywhere' }]);
    }
  });

  it('of nothing is nothing', async () => {
    const { inner, files, upTo } = await withRecords(4, { boot: 'b' }, durable);
    expect(await remains(inner, files)).toMatchObject({ entries: upTo(4), damages: [] });
  });
});

describe('order', () => {
  it('a large batch is not overwritten by an older small one', async () => {
    const [inner, files] = [new MemoryDriver(), new SimulatedJournalFiles()];
    const driver = await opened(inner, files, TINY);
    const large = 'L'.repeat(500);
    await driver.write([put('a', '0')], small);
    await driver.write([put('a', '1'), put('b', '1')], small);
    await driver.write([put('a', large)], small);
    expect(await list(await afterKill(inner, files, TINY))).toEqual([`a=${large}`, 'b=1']);
  });

  it('a record that follows what the storage below lost is not taken over', async () => {
    const [inner, files] = [new MemoryDriver(), new SimulatedJournalFiles()];
    const driver = await opened(inner, files, { ...TINY, boot: 'b' });
    await driver.write([put('a', '0')], small);
    const lost = await copyOf(inner);
    await driver.write([put('large', 'L'.repeat(500))], small);
    await driver.write([put('names', 'large')], small);
    const survivor = await afterKill(lost, files, { ...TINY, boot: 'c' });
    expect(await list(survivor)).toEqual(['a=0']);
    expect(survivor.warnings).toHaveLength(1);
  });

  it('a durable batch after one that only the storage below has makes that one durable too', async () => {
    const [inner, files] = [new FaultDriver(new MemoryDriver()), new SimulatedJournalFiles()];
    const driver = await opened(inner, files, TINY);
    await driver.write([put('a', '0')], small);
    await driver.write([put('a', '1')], durable);
    expect([inner.calls.write, files.calls.write, files.calls.sync]).toEqual([2, 0, 0]);
    await driver.write([put('a', '2')], durable);
    expect([inner.calls.write, files.calls.write, files.calls.sync]).toEqual([2, 1, 1]);
  });
});

describe('failures', () => {
  const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });

  for (const [what, fault, writeOptions] of [
    ['a write', { operation: 'write', torn: 20, error: full }, small],
    ['a write that was whole', { operation: 'write', torn: 1000 }, small],
    ['a sync', { operation: 'sync' }, durable],
    ['opening the files', { operation: 'open' }, small],
  ] as const) {
    it(`${what} that fails stops all writes until the storage is reopened; then it is gone for good`, async () => {
      const [inner, files] = [new MemoryDriver(), new SimulatedJournalFiles()];
      const engine = await StorageEngine.open(new JournalledDriver(inner, files, TINY));
      await engine.write([put('a', '0')], durable);
      if (fault.operation !== 'open') await engine.write([put('a', '1'), put('b', '1')], durable);
      const before = await Promise.all(['a', 'b'].map((key) => engine.get(text(key))));
      files.setFault(fault);
      const code = 'error' in fault ? 'STORAGE_FULL' : 'STORAGE_IO';
      await expect(engine.write([put('a', '2')], writeOptions)).rejects.toMatchObject({ code });
      await expect(engine.write([put('a', '3')], durable)).rejects.toMatchObject({ code });
      expect(await Promise.all(['a', 'b'].map((key) => engine.get(text(key))))).toEqual(before);
      await engine.recover();
      expect(await Promise.all(['a', 'b'].map((key) => engine.get(text(key))))).toEqual(before);
      const killed = await StorageEngine.open(
        new JournalledDriver(inner, SimulatedJournalFiles.of(files.contents), TINY),
      );
      expect(await Promise.all(['a', 'b'].map((key) => killed.get(text(key))))).toEqual(before);
      await killed.write([put('a', '4')], durable);
      expect(await killed.get(text('a'))).toEqual(text('4'));
    });
  }

  for (const effect of ['unknown', 'throwAfterApply', 'fail'] as const) {
    for (const then of ['recovering', 'closing', 'a kill'] as const) {
      it(`of a batch below (${effect}), then ${then}: it is there as a whole or not at all`, async () => {
        const [memory, files] = [new MemoryDriver(), new SimulatedJournalFiles()];
        const inner = new FaultDriver(memory);
        let engine = await StorageEngine.open(new JournalledDriver(inner, files, TINY));
        await engine.write([put('a', 'first')], small);
        await engine.write([put('a', 'before'), put('b', 'before'), put('c', 'before')], small);
        inner.setFault({ effect, operations: ['write'] });
        const large = 'L'.repeat(500);
        const batch = [put('a', 'after'), put('large', large), del('c')];
        expect(await engine.write(batch, small).catch(({ code }: { code: string }) => code)).toBe(
          effect === 'unknown' ? 'unknown' : 'STORAGE_IO',
        );
        inner.setFault();
        if (then === 'recovering') await engine.recover();
        else {
          if (then === 'closing') await engine.close();
          const left = then === 'closing' ? files : SimulatedJournalFiles.of(files.contents);
          engine = await StorageEngine.open(new JournalledDriver(memory, left, TINY));
        }
        const seen = async (key: string): Promise<string | undefined> => {
          const value = await engine.get(text(key));
          return value && new TextDecoder().decode(value);
        };
        const values = async () => Promise.all(['a', 'b', 'c', 'large'].map(seen));
        const whole = ['after', 'before', undefined, large];
        const expected = effect === 'fail' ? ['before', 'before', 'before', undefined] : whole;
        expect(await values()).toEqual(expected);
        await engine.write([put('b', 'next')], small);
        await engine.close();
        engine = await StorageEngine.open(new JournalledDriver(memory, files, TINY));
        expect(await values()).toEqual(expected.with(1, 'next'));
        await engine.close();
      });
    }
  }

  it('of the storage below in the background: later writes are refused, nothing acknowledged is lost', async () => {
    const [memory, files] = [new MemoryDriver(), new SimulatedJournalFiles()];
    const inner = new FaultDriver(memory);
    const engine = await StorageEngine.open(new JournalledDriver(inner, files, TINY));
    await engine.write([put('k', 'first')], small);
    inner.setFault({ effect: 'fail', operations: ['write'], repeat: 'forever' });
    let acknowledged = 'first';
    let failure: unknown;
    for (let n = 0; failure === undefined && n < 100; n++) {
      await engine.write([put('k', `${n}`), put(`k${n}`, 'x')], small).then(
        () => (acknowledged = `${n}`),
        (error: unknown) => (failure = error),
      );
    }
    expect(failure).toMatchObject({ code: 'STORAGE_IO' });
    expect(await engine.get(text('k'))).toEqual(text(acknowledged));
    await expect(engine.recover()).rejects.toMatchObject({ code: 'STORAGE_IO' });
    await engine.close();
    inner.setFault();
    const again = await StorageEngine.open(new JournalledDriver(memory, files, TINY));
    expect(await again.get(text('k'))).toEqual(text(acknowledged));
    expect(await again.get(text(`k${acknowledged}`))).toEqual(text('x'));
    await again.close();
  });
});

describe('a full disk', () => {
  const noSpace = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });

  it('takes back what of a record was written; the next batch is written as if nothing had been', async () => {
    const { inner, files, driver, upTo } = await withRecords(2);
    const sizes = (): number[] => files.contents.map(({ length }) => length);
    const before = sizes();
    for (const torn of [0, 10, 1000]) {
      files.setFault({ operation: 'write', torn, error: noSpace });
      expect(await driver.write([put('k2', 'v')], small)).toBe('full');
      expect(sizes()).toEqual(before);
    }
    files.setFault();
    expect(await driver.write([put('x', '1')], durable)).toBe('ok');
    expect(await list(driver)).toEqual([...upTo(2), 'x=1']);
    expect(await list(await opened(inner, SimulatedJournalFiles.of(files.contents)))).toEqual([...upTo(2), 'x=1']);
  });

  it('is not asked to take more than there is room for, but for what gives space back', async () => {
    const [inner, files] = [new FaultDriver(new MemoryDriver()), new SimulatedJournalFiles()];
    let room = true;
    const driver = await opened(inner, files, { ...TINY, hasRoom: () => room });
    await driver.write([put('a', '0')], small);
    await driver.write([put('a', '1')], small);
    room = false;
    const calls = inner.calls.write;
    // The loop of small batches uses up the preallocated room of both files.
    expect(await driver.write([put('b', 'x'.repeat(200))], small)).toBe('full');
    for (let n = 0; n < 20; n++) await driver.write([put('b', `${n}`)], small);
    expect(await driver.write([put('b', 'y')], small)).toBe('full');
    expect(inner.calls.write).toBe(calls);
    expect(await driver.write([del('a')], { durable: true, frees: true })).toBe('ok');
    expect(await driver.get(text('a'))).toBe(undefined);
    await driver.close();
  });

  it('is opened for reading: what the journal holds is read from memory until there is room below', async () => {
    const { inner, files, upTo } = await withRecords(5);
    for (const full of ['the storage below', 'the disk'] as const) {
      let room = full === 'the storage below';
      const below = new FaultDriver(inner);
      if (room) below.setFault({ effect: 'fail', operations: ['write'], error: noSpace, repeat: 'forever' });
      const copies = SimulatedJournalFiles.of(files.contents);
      const engine = await StorageEngine.open(new JournalledDriver(below, copies, { hasRoom: () => room }));
      const driver = new JournalledDriver(below, copies, { hasRoom: () => room });
      await driver.open();
      expect(await list(driver)).toEqual(upTo(5));
      expect([engine.state, engine.failure?.code]).toEqual(['failed', 'STORAGE_FULL']);
      await expect(engine.write([put('x', '1')], durable)).rejects.toMatchObject({ code: 'STORAGE_FULL' });
      await expect(engine.recover()).rejects.toMatchObject({ code: 'STORAGE_FULL' });
      expect(await list(driver)).toEqual(upTo(5));
      // Closing without room leaves the files unchanged.
      await driver.close();
      expect(copies.contents.map(({ length }) => length)).toEqual(files.contents.map(({ length }) => length));
      room = true;
      below.setFault();
      const again = await opened(await copyOf(inner), SimulatedJournalFiles.of(copies.contents));
      expect(again.failure).toBe(undefined);
      expect(await again.write([put('x', '1')], durable)).toBe('ok');
      expect(await list(again)).toEqual([...upTo(5), 'x=1']);
      await engine.recover();
      expect(engine.state).toBe('open');
    }
  });
});

describe('read only', () => {
  it('shows what the journal holds and changes nothing', async () => {
    const { inner, files, upTo } = await withRecords(6);
    const before = await list(inner);
    const contents = files.contents.map((content) => content.slice());
    const driver = await opened(inner, files, { readOnly: true });
    expect(await list(driver)).toEqual(upTo(6));
    await driver.close();
    expect(await list(inner)).toEqual(before);
    expect(files.contents).toEqual(contents);
    expect(files.calls.open + files.calls.remove).toBe(1);
  });
});
