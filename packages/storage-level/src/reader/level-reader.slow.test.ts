import { readdirSync, readlinkSync } from 'node:fs';
import { copyFile, cp, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  compareBytes,
  isInRange,
  type Damage,
  type Entry,
  type KeyRange,
  type StorageDriver,
} from '@quadrille/storage';
import { seededRandom } from '@quadrille/storage/testing';
import { ClassicLevel } from 'classic-level';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { removeLeftovers } from './leftovers.js';
import { LevelReader } from './level-reader.js';
import { readLogRecords } from './log-records.js';
import { decompressSnappy } from './snappy.js';
import { readVersion } from './version.js';

let base: string;
let path: string;
beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'quadrille-reader-'));
  path = join(base, 'level');
});
afterEach(() => rm(base, { recursive: true }));

const toHex = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex');
const VIEW = { keyEncoding: 'view', valueEncoding: 'view' } as const;
type Model = Map<string, Entry>;

/** Writes batches of puts, replacements and deletions, with compressible and incompressible values. */
async function fill(database: ClassicLevel, model: Model, batches: number, random: () => number): Promise<void> {
  const below = (n: number): number => Math.floor(random() * n);
  for (let n = 0; n < batches; n++) {
    const ops: any[] = [];
    for (let m = below(30); m >= 0; m--) {
      const key = Uint8Array.of(below(3), below(256), ...new Uint8Array(below(4)).fill(7));
      if (random() < 0.3) {
        ops.push({ type: 'del', key });
        model.delete(toHex(key));
      } else {
        const length = random() < 0.1 ? below(8_000) : below(200);
        const value = Uint8Array.from({ length }, (_, i) => (length % 2 === 0 ? i : below(256)));
        ops.push({ type: 'put', key, value });
        model.set(toHex(key), { key, value });
      }
    }
    await (database as unknown as ClassicLevel<Uint8Array, Uint8Array>).batch(ops, VIEW);
  }
}

async function entriesOf(driver: StorageDriver, range: KeyRange = {}): Promise<string[]> {
  const found: string[] = [];
  for await (const chunk of driver.range(range, { read: 'entries' }))
    found.push(...chunk.map(({ key, value }) => `${toHex(key)}=${toHex(value)}`));
  return found;
}

function expected(model: Model, range: KeyRange = {}): string[] {
  const inside = [...model.values()].filter(({ key }) => isInRange(key, range));
  inside.sort((a, b) => compareBytes(a.key, b.key));
  if (range.reverse === true) inside.reverse();
  return inside.slice(0, range.limit).map(({ key, value }) => `${toHex(key)}=${toHex(value)}`);
}

describe('reading a directory of LevelDB without it', () => {
  it('gives what LevelDB had: of logs, tables of every level, compressed and not, deleted and replaced', async () => {
    const random = seededRandom(5);
    const model: Model = new Map();
    let levels = 0;
    for (let round = 0; round < 5; round++) {
      const database = new ClassicLevel(path, {
        writeBufferSize: 64 * 1024,
        maxFileSize: 1024 * 1024,
        compression: round % 2 === 0,
      });
      await database.open();
      await fill(database, model, 40, random);
      if (round % 3 === 2) await database.compactRange('\0', '\x7f');
      await fill(database, model, 20, random);
      await database.close();
      const reader = new LevelReader(path);
      await reader.open();
      expect(await entriesOf(reader)).toEqual(expected(model));
      for (const range of [
        { reverse: true },
        { gte: Uint8Array.of(1), lt: Uint8Array.of(2) },
        { gte: Uint8Array.of(0, 100), reverse: true, limit: 50 },
        { lt: Uint8Array.of(1, 7, 7), limit: 20 },
      ])
        expect(await entriesOf(reader, range)).toEqual(expected(model, range));
      for (let n = 0; n < 300; n++) {
        const key = Uint8Array.of(n % 3, n & 255);
        expect(toHex(reader.getSync(key) ?? Uint8Array.of())).toBe(
          toHex(model.get(toHex(key))?.value ?? Uint8Array.of()),
        );
      }
      expect(await reader.write()).toBe('full');
      await reader.close();
      levels = Math.max(levels, (await readVersion(path)).levels.filter((files) => files.length > 0).length);
    }
    expect(levels).toBeGreaterThan(1);
  });

  it('changes no file', async () => {
    const database = new ClassicLevel(path);
    await fill(database, new Map(), 10, seededRandom(1));
    await database.close();
    const contents = async () =>
      Promise.all((await readdir(path)).map(async (name) => [name, toHex(await readFile(join(path, name)))]));
    const before = await contents();
    const reader = new LevelReader(path);
    await reader.open();
    expect((await entriesOf(reader)).length).toBeGreaterThan(50);
    await reader.close();
    expect(await contents()).toEqual(before);
  });

  it.skipIf(process.platform !== 'linux')('keeps no file open, however many tables there are', async () => {
    const model: Model = new Map();
    const database = new ClassicLevel(path, { writeBufferSize: 64 * 1024 });
    await fill(database, model, 60, seededRandom(3));
    await database.close();
    const tables = (await readdir(path)).filter((name) => name.endsWith('.ldb'));
    expect(tables.length).toBeGreaterThan(3);
    const reader = new LevelReader(path);
    await reader.open();
    expect(await entriesOf(reader)).toEqual(expected(model));
    const open = readdirSync('/proc/self/fd').map((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`);
      } catch {
        return '';
      }
    });
    expect(open.filter((file) => file.startsWith(path))).toEqual([]);
    await reader.close();
  });

  it('finds every flipped bit of a table: an error, or what was there', async () => {
    const model: Model = new Map();
    const database = new ClassicLevel(path);
    await fill(database, model, 8, seededRandom(2));
    await database.compactRange('\0', '\x7f');
    await database.close();
    const table = join(
      path,
      (await readdir(path)).find((name) => name.endsWith('.ldb'))!,
    );
    const whole = await readFile(table);
    let found = 0;
    for (let at = 3; at < whole.length; at += Math.ceil(whole.length / 40)) {
      const flipped = Buffer.from(whole);
      flipped[at]! ^= 1 << (at % 8);
      await writeFile(table, flipped);
      const reader = new LevelReader(path);
      const read = await reader
        .open()
        .then(() => entriesOf(reader))
        .catch((error: unknown) => error as { code: string });
      await reader.close();
      if (Array.isArray(read)) expect(read).toEqual(expected(model));
      else {
        expect(read.code).toBe('CHECKSUM');
        found++;
      }
    }
    expect(found).toBeGreaterThan(30);
  });
});

describe('reading a directory that is damaged', () => {
  let model: Model;
  /** Makes tables of several levels with several versions of the same keys, and a log. */
  beforeEach(async () => {
    model = new Map();
    const random = seededRandom(7);
    // Each opening turns the log into a table; LevelDB merges none because there are so few.
    for (let round = 0; round < 4; round++) {
      const database = new ClassicLevel(path);
      await database.open();
      await fill(database, model, 30, random);
      if (round === 0) await database.compactRange('\0', '\x7f');
      await database.close();
    }
    // LevelDB may leave an unreferenced table when it is closed.
    await removeLeftovers(path);
  });

  async function remains(): Promise<{ reader: LevelReader; damages: Damage[] }> {
    const damages: Damage[] = [];
    const reader = new LevelReader(path, (damage) => damages.push(damage));
    await reader.open();
    return { reader, damages };
  }

  const named = async (end: string | RegExp): Promise<string[]> =>
    (await readdir(path)).filter((name) => (typeof end === 'string' ? name.endsWith(end) : end.test(name))).sort();

  /**
   * Checks that each key has its value, fails with an error, or lies in a span reported as missing. Returns the
   * number of readable keys.
   */
  async function check(): Promise<{ there: number; damages: Damage[] }> {
    const { reader, damages } = await remains();
    const listed = new Set<string>();
    for await (const chunk of reader.range({}, { read: 'keys' })) for (const { key } of chunk) listed.add(toHex(key));
    const anywhere = damages.some(({ missing }) => missing === 'anywhere');
    const mayMiss = (key: Uint8Array): boolean =>
      damages.some(
        ({ missing }) =>
          missing === 'anywhere' ||
          (missing !== undefined && compareBytes(missing.from, key) <= 0 && compareBytes(key, missing.to) <= 0),
      );
    let there = 0;
    for (const { key, value } of model.values()) {
      if (!listed.has(toHex(key))) expect(mayMiss(key), `${toHex(key)} is missing`).toBe(true);
      let found: Uint8Array | undefined;
      try {
        found = reader.getSync(key);
      } catch (error) {
        expect(error).toMatchObject({ code: 'CHECKSUM' });
        continue;
      }
      if (found !== undefined && toHex(found) === toHex(value)) there++;
      else expect(anywhere, `${toHex(key)} is another one`).toBe(true);
    }
    await reader.close();
    return { there, damages };
  }

  it('finds nothing where nothing is damaged', async () => {
    expect(await check()).toEqual({ there: model.size, damages: [] });
  });

  it('passes over blocks of tables, and gives nothing older in their place', async () => {
    const tables = await named('.ldb');
    expect(tables.length).toBeGreaterThan(1);
    for (const name of tables) {
      const whole = await readFile(join(path, name));
      for (let at = 3; at < whole.length; at += Math.ceil(whole.length / 12)) {
        const flipped = Buffer.from(whole);
        flipped[at]! ^= 1 << (at % 8);
        await writeFile(join(path, name), flipped);
        const { damages } = await check();
        // Unused bytes, such as the padding of the footer, may be damaged without a report.
        expect(damages.length, `${name} at ${at} of ${whole.length}`).toBeLessThanOrEqual(1);
      }
      await writeFile(join(path, name), whole);
    }
  });

  it('passes over tables that are missing, empty or cut off', async () => {
    for (const name of await named('.ldb')) {
      const file = join(path, name);
      const whole = await readFile(file);
      for (const hurt of [() => rm(file), () => writeFile(file, ''), () => truncate(file, whole.length - 20)]) {
        await hurt();
        const { damages } = await check();
        expect(damages).toMatchObject([{ message: expect.stringContaining(name), missing: { to: expect.anything() } }]);
        await writeFile(file, whole);
      }
    }
  });

  it('reads by a manifest where CURRENT is gone or wrong, and all that is there without one', async () => {
    const current = join(path, 'CURRENT');
    for (const hurt of [() => rm(current), () => writeFile(current, 'nonsense'), () => writeFile(current, '')]) {
      await hurt();
      const { there, damages } = await check();
      expect([there, damages.length]).toEqual([model.size, 1]);
      expect(damages[0]!.missing).toBeUndefined();
    }
    const [manifest] = await named(/^MANIFEST/);
    const whole = await readFile(join(path, manifest!));
    const flipped = Buffer.from(whole);
    flipped[whole.length - 3]! ^= 4;
    for (const content of [flipped, whole.subarray(0, 5), Buffer.alloc(0)]) {
      await writeFile(join(path, manifest!), content);
      const { there, damages } = await check();
      expect(there).toBe(model.size);
      expect(damages).toMatchObject([{ message: expect.stringContaining('manifest'), missing: 'anywhere' }]);
    }
    await rm(join(path, manifest!));
    expect((await check()).there).toBe(model.size);
  });

  it('of a log that is damaged gives what stands before and after the damage', async () => {
    const [log] = await named('.log');
    const whole = await readFile(join(path, log!));
    expect(whole.length).toBeGreaterThan(2000);
    for (let at = 0; at < whole.length; at += Math.ceil(whole.length / 40)) {
      const flipped = Buffer.from(whole);
      flipped[at]! ^= 1 << (at % 8);
      await writeFile(join(path, log!), flipped);
      const { damages } = await check();
      expect(damages).toMatchObject([{ message: expect.stringContaining(log!), missing: 'anywhere' }]);
    }
    await rm(join(path, log!));
    expect((await check()).damages).toMatchObject([
      { message: expect.stringContaining('missing'), missing: 'anywhere' },
    ]);
  });
});

describe('records of a log', () => {
  it('end where the file was torn; what is damaged before whole ones is told', async () => {
    const database = new ClassicLevel(path);
    for (let n = 0; n < 40; n++) await database.put(`k${n}`, 'x'.repeat(n * 100));
    await database.close();
    const log = join(
      path,
      (await readdir(path)).find((name) => name.endsWith('.log'))!,
    );
    const whole = new Uint8Array(await readFile(log));
    const all = readLogRecords(whole);
    expect([all.records.length, all.end, all.damaged]).toEqual([40, whole.length, []]);
    for (const cut of [1, 500, 5000, 40_000]) {
      const torn = readLogRecords(whole.subarray(0, whole.length - cut));
      expect(torn.records.length).toBeLessThan(40);
      expect(torn.damaged).toEqual([]);
      expect(readLogRecords(whole.subarray(0, torn.end)).records).toEqual(torn.records);
    }
    const hurt = whole.slice();
    hurt.fill(1, 100, 120);
    const left = readLogRecords(hurt);
    expect(left.records.length).toBeLessThan(40);
    // `thorough` continues after the damaged records, because their lengths are known.
    expect(readLogRecords(hurt, { thorough: true }).records.length).toBeGreaterThan(left.records.length);
    const end = whole.slice();
    end[whole.length - 1]! ^= 1;
    expect(readLogRecords(end)).toMatchObject({ damaged: [], rest: { whole: true } });
    expect(readLogRecords(whole.subarray(0, whole.length - 1))).toMatchObject({ damaged: [], rest: { whole: false } });
    expect(left.end).toBe(whole.length);
    expect(left.damaged.length).toBeGreaterThan(0);
  });
});

describe('leftovers of a LevelDB that found no room', () => {
  it('go, and what is needed stays', async () => {
    const model: Model = new Map();
    const database = new ClassicLevel(path, { writeBufferSize: 64 * 1024 });
    await fill(database, model, 60, seededRandom(3));
    await database.close();
    // LevelDB may leave an unreferenced table when it is closed.
    await removeLeftovers(path);
    const before = (await readdir(path)).sort();
    const [table, log] = ['.ldb', '.log'].map((end) => before.find((name) => name.endsWith(end))!);
    const manifest = before.find((name) => name.startsWith('MANIFEST'))!;
    await copyFile(join(path, table!), join(path, '900001.ldb'));
    await copyFile(join(path, log!), join(path, '000001.log'));
    await copyFile(join(path, manifest), join(path, 'MANIFEST-000001'));
    await writeFile(join(path, '900002.dbtmp'), 'MANIFEST-900003\n');
    const { size } = await stat(join(path, log!));
    await writeFile(join(path, log!), Buffer.concat([await readFile(join(path, log!)), Buffer.alloc(5000, 9)]));
    await removeLeftovers(path);
    expect((await readdir(path)).sort()).toEqual(before);
    expect((await stat(join(path, log!))).size).toBe(size);
    await cp(path, join(base, 'copy'), { recursive: true });
    for (const directory of [path, join(base, 'copy')]) {
      const reader = new LevelReader(directory);
      await reader.open();
      expect(await entriesOf(reader)).toEqual(expected(model));
      await reader.close();
    }
    const again = new ClassicLevel(path);
    await again.open();
    // It would write into the directory while that is removed.
    await again.close();
  });

  it('are left alone where the manifest is damaged', async () => {
    const database = new ClassicLevel(path);
    await fill(database, new Map(), 5, seededRandom(4));
    await database.close();
    const names = await readdir(path);
    await truncate(
      join(
        path,
        names.find((name) => name.startsWith('MANIFEST'))!,
      ),
      5,
    );
    await expect(removeLeftovers(path)).rejects.toMatchObject({ code: 'LOG_BROKEN' });
    expect(await readdir(path)).toEqual(names);
  });
});

describe('Snappy', () => {
  it('refuses what is none, and takes no memory for it', () => {
    const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);
    expect(decompressSnappy(bytes(5, 16, 1, 2, 3, 4, 5))).toEqual(bytes(1, 2, 3, 4, 5));
    // A copy whose source overlaps with its output.
    expect(decompressSnappy(bytes(9, 0, 7, 17, 1))).toEqual(new Uint8Array(9).fill(7));
    for (const wrong of [
      bytes(),
      bytes(5, 16, 1, 2),
      bytes(9, 0, 7, 17, 2),
      bytes(2, 0, 7),
      bytes(255, 255, 255, 255, 7, 0),
    ])
      expect(() => decompressSnappy(wrong)).toThrow(RangeError);
  });
});
