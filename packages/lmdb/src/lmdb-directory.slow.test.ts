import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, open, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { StorageEngine } from '@quadrille/storage';
import { storageConformance, type ConformanceStore } from '@quadrille/storage/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LmdbDirectory, openLmdbDirectory, type LmdbDirectoryOptions } from './lmdb-directory.js';

let base: string;
let path: string;
beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'quadrille-lmdb-'));
  path = join(base, 'my.store');
});
afterEach(() => rm(base, { recursive: true }));

function conformanceStore(options: LmdbDirectoryOptions): () => Promise<ConformanceStore> {
  return async () => {
    const directory = await mkdtemp(join(tmpdir(), 'quadrille-conformance-'));
    const again = () => new LmdbDirectory(directory, { create: true, ...options });
    return { driver: again(), again, dispose: () => rm(directory, { recursive: true }) };
  };
}

const testApi = { describe, it, expect };
storageConformance(testApi, 'LMDB', conformanceStore({}), { persistent: true });
storageConformance(testApi, 'LMDB without syncs', conformanceStore({ noSync: true }), { persistent: true });
storageConformance(testApi, 'LMDB without a journal', conformanceStore({ noSync: true, journal: false }), {
  persistent: true,
});
const TINY = { fileBytes: 1000, recordBytes: 400 };
storageConformance(testApi, 'LMDB with a tiny journal', conformanceStore({ noSync: true, journal: TINY }), {
  persistent: true,
});

const key = new TextEncoder().encode('key');
const value = new TextEncoder().encode('value');
const other = new TextEncoder().encode('other');
const numbered = (i: number) => Uint8Array.of(i >>> 8, i & 255);

async function withEngine<T>(options: LmdbDirectoryOptions, body: (engine: StorageEngine) => Promise<T>): Promise<T> {
  const engine = await StorageEngine.open(await openLmdbDirectory(path, options));
  try {
    return await body(engine);
  } finally {
    await engine.close();
  }
}

const write = (engine: StorageEngine, what = value) =>
  engine.write([{ type: 'put', key, value: what }], { durable: true });
const createStore = () => withEngine({ create: true }, (engine) => write(engine));
const readStore = (options: LmdbDirectoryOptions = {}) => withEngine(options, (engine) => engine.get(key));
const openError = async (options: LmdbDirectoryOptions = {}) => {
  const thrown = await openLmdbDirectory(path, options).catch((error: unknown) => error);
  expect(thrown).toBeInstanceOf(Error);
  return thrown as Error & { code: string };
};

describe('creation', () => {
  it('makes missing parents, a marker and a directory for LMDB; the lock goes with closing', async () => {
    path = join(base, 'a/b/store');
    await createStore();
    expect((await readdir(path)).sort()).toEqual(['lmdb', 'quadrille.json']);
    expect(await readdir(join(path, 'lmdb'))).toContain('data.mdb');
    expect(JSON.parse(await readFile(join(path, 'quadrille.json'), 'utf8'))).toMatchObject({ backend: 'lmdb' });
    expect(await readStore()).toEqual(value);
    expect(await readStore({ create: true })).toEqual(value);
  });

  it('without create neither a missing nor an empty directory is touched', async () => {
    for (const readOnly of [false, true]) expect((await openError({ readOnly })).code).toBe('STORE_NOT_FOUND');
    expect(existsSync(path)).toBe(false);
    await mkdir(path);
    for (const readOnly of [false, true]) expect((await openError({ readOnly })).code).toBe('STORE_NOT_FOUND');
    expect(await readdir(path)).toEqual([]);
  });

  it.each(['nothing', 'half of LMDB', 'all of LMDB'])('that was cut off, leaving %s, is completed', async (left) => {
    if (left === 'all of LMDB') await createStore();
    await mkdir(join(path, 'lmdb'), { recursive: true });
    await rm(join(path, 'quadrille.json'), { force: true });
    await writeFile(join(path, 'quadrille.json.new'), '{"form');
    if (left === 'half of LMDB') await writeFile(join(path, 'lmdb/data.mdb'), 'half');
    expect((await openError()).code).toBe('STORE_NOT_FOUND');
    expect(await readStore({ create: true })).toBe(undefined);
    expect((await readdir(path)).sort()).toEqual(['lmdb', 'quadrille.json']);
  });

  it('keeps away from what is no store, and from a store of another backend', async () => {
    await mkdir(path);
    await writeFile(join(path, 'thesis.txt'), 'mine');
    for (const create of [false, true]) expect((await openError({ create })).code).toBe('NOT_A_STORE');
    expect(await readdir(path)).toEqual(['thesis.txt']);
    await rm(join(path, 'thesis.txt'));
    const marker = { format: 1, id: 'x', created: 'then' };
    await writeFile(join(path, 'quadrille.json'), JSON.stringify(marker));
    const error = await openError({ create: true });
    expect(error.code).toBe('INVALID_OPTION');
    expect(error.message).toMatch(/leveldb, not lmdb/);
  });
});

describe('damage', () => {
  it.each([
    ['missing', (file: string) => rm(file)],
    ['empty', (file: string) => writeFile(file, '')],
    ['no LMDB', (file: string) => writeFile(file, 'x'.repeat(10_000))],
    ['cut short', (file: string) => truncate(file, 9000)],
  ])('data %s: refused', async (_, damage) => {
    await createStore();
    await damage(join(path, 'lmdb/data.mdb'));
    for (const create of [false, true]) expect((await openError({ create })).code).toBe('LOG_BROKEN');
    expect((await openError({ readOnly: true })).code).toBe('LOG_BROKEN');
    expect(existsSync(join(path, 'quadrille.pid'))).toBe(false);
  });

  it('a flipped bit of a value is found', async () => {
    const random = (i: number) => Uint8Array.from({ length: 300 }, (_, j) => (i * 31 + j * j * 17 + i * j) & 255);
    await withEngine({ create: true }, (engine) =>
      engine.write(
        Array.from({ length: 100 }, (_, i) => ({ type: 'put' as const, key: numbered(i), value: random(i) })),
        { durable: true },
      ),
    );
    const file = join(path, 'lmdb/data.mdb');
    const bytes = await readFile(file);
    const handle = await open(file, 'r+');
    for (let i = 0; i < 100; i += 10) {
      const at = bytes.indexOf(random(i)) + i;
      await handle.write(Uint8Array.of(bytes[at]! ^ 8), 0, 1, at);
    }
    await handle.close();
    await withEngine({}, async (engine) => {
      for (let i = 0; i < 100; i++) {
        if (i % 10 === 0) await expect(engine.get(numbered(i))).rejects.toMatchObject({ code: 'CHECKSUM' });
        else expect(await engine.get(numbered(i))).toEqual(random(i));
      }
    });
  });
});

describe('growth', () => {
  it('the map grows under open ranges, and what is deleted is used again', async () => {
    await withEngine({ create: true, noSync: true }, async (engine) => {
      const block = (i: number) => new Uint8Array(60_000).fill(i);
      const fill = async (from: number): Promise<void> => {
        for (let i = from; i < from + 300; i += 20) {
          const ops = Array.from({ length: 20 }, (_, j) => ({
            type: 'put' as const,
            key: numbered(i + j),
            value: block(i + j),
          }));
          await engine.write(ops, { durable: true });
        }
      };
      await fill(0);
      const range = engine.range();
      const first = (await range.next()).value!;
      await fill(300);
      let seen = first.length;
      for await (const chunk of range) seen += chunk.length;
      expect(seen).toBe(300);
      for (let i = 0; i < 600; i++) expect(engine.getSync(numbered(i))![59_999]).toBe(i & 255);
      const size = async () => (await readFile(join(path, 'lmdb/data.mdb'))).length;
      const before = await size();
      for (let round = 0; round < 5; round++) {
        await engine.write([{ type: 'deleteRange', gte: numbered(0), lt: numbered(600) }], { durable: true });
        await fill(0);
        await fill(300);
      }
      expect(await size()).toBeLessThan(before * 2.5);
    });
  });
});

describe('lock', () => {
  it('a second writer is refused, and the first goes on', async () => {
    await withEngine({ create: true }, async (engine) => {
      const error = await openError();
      expect(error.code).toBe('STORE_LOCKED');
      expect(error.message).toContain(`${path} is held by this process (${process.pid}`);
      expect(await write(engine)).toBe('ok');
    });
    expect(await readStore()).toEqual(value);
  });

  it('of another container of this machine is respected: LMDB has no lock that would tell', async () => {
    await createStore();
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '');
    const holder = { pid: 2 ** 22 + 1, host: `not-${hostname()}`, boot: boot.trim(), token: 't', started: 'then' };
    await writeFile(join(path, 'quadrille.pid'), JSON.stringify(holder));
    expect((await openError()).code).toBe('STORE_LOCKED');
    expect(await readStore({ readOnly: true })).toEqual(value);
  });
});

describe('readOnly', () => {
  it('shows the state of when it was opened, beside a writer in this process, and refuses writes', async () => {
    await withEngine({ create: true }, async (engine) => {
      await write(engine);
      const reader = await StorageEngine.open(await openLmdbDirectory(path, { readOnly: true }));
      await write(engine, other);
      for (let i = 0; i < 50; i++) await engine.write([{ type: 'put', key: numbered(i), value }], { durable: false });
      expect(await reader.get(key)).toEqual(value);
      expect(reader.getSync(key)).toEqual(value);
      expect(await reader.getMany([key, numbered(3)])).toEqual([value, undefined]);
      const seen: number[] = [];
      for await (const chunk of reader.range()) seen.push(chunk.length);
      expect(seen).toEqual([1]);
      await expect(write(reader)).rejects.toMatchObject({ code: 'READ_ONLY' });
      expect(reader.state).toBe('open');
      await reader.close();
      expect(await readStore({ readOnly: true })).toEqual(other);
      expect(await write(engine)).toBe('ok');
    });
  });

  it('a writer in the same process waits until the readers before it are closed', async () => {
    await createStore();
    const readers = [
      await openLmdbDirectory(path, { readOnly: true }),
      await openLmdbDirectory(path, { readOnly: true }),
    ];
    for (const reader of readers) {
      const error = await openError();
      expect(error.code).toBe('STORE_LOCKED');
      expect(error.message).toContain('open for reading in this process');
      await reader.close();
    }
    expect(await readStore()).toEqual(value);
  });
});

describe('journal', () => {
  const text = (bytes: Uint8Array | undefined) => Number(new TextDecoder().decode(bytes));
  const both = (i: number, filler = 0) => [
    { type: 'put' as const, key, value: new TextEncoder().encode(`${i}`) },
    { type: 'put' as const, key: other, value: new TextEncoder().encode(`${i}`) },
    { type: 'put' as const, key: numbered(i % 10_000), value: new Uint8Array(filler) },
  ];

  it('readers see it, and a copy of the store with what it held is taken over', async () => {
    const copy = join(base, 'copy');
    await withEngine({ create: true }, async (engine) => {
      for (let i = 0; i < 20; i++) await engine.write(both(i), { durable: i % 2 === 0 });
      expect((await readdir(path)).sort()).toEqual([
        'lmdb',
        'quadrille.journal.0',
        'quadrille.journal.1',
        'quadrille.json',
        'quadrille.pid',
      ]);
      await cp(path, copy, { recursive: true });
    });
    expect((await readdir(path)).sort()).toEqual(['lmdb', 'quadrille.json']);
    expect(JSON.parse(await readFile(join(path, 'quadrille.json'), 'utf8'))).toMatchObject({ format: 5 });
    await rm(join(copy, 'quadrille.pid'));
    path = copy;
    expect(text(await readStore({ readOnly: true }))).toBe(19);
    expect(await readdir(copy)).toContain('quadrille.journal.0');
    expect(text(await readStore())).toBe(19);
    expect((await readdir(copy)).sort()).toEqual(['lmdb', 'quadrille.json']);
  });

  it('a damaged record before whole ones is refused, by readers too', async () => {
    const copy = join(base, 'copy');
    await withEngine({ create: true }, async (engine) => {
      for (let i = 0; i < 20; i++) await engine.write(both(i), { durable: true });
      await cp(path, copy, { recursive: true });
    });
    path = copy;
    await rm(join(copy, 'quadrille.pid'));
    const file = join(copy, 'quadrille.journal.0');
    const bytes = await readFile(file);
    bytes[bytes.length >> 1]! ^= 1;
    await writeFile(file, bytes);
    for (const readOnly of [true, false]) expect((await openError({ readOnly })).code).toBe('LOG_BROKEN');
    expect(existsSync(join(path, 'quadrille.pid'))).toBe(false);
  });

  it.each([
    ['tiny', { journal: TINY }, 10],
    ['as it is', {}, 3000],
  ])(
    'a reader that opens while it is written, taken over and begun anew sees one state, not older than its opening (%s)',
    async (_, options, filler) => {
      await withEngine({ create: true, noSync: true, ...options }, async (engine) => {
        let written = 0;
        let done = false;
        const writing = (async () => {
          for (; !done; written++) {
            // Some batches are too long for the journal: they go to LMDB together with the batches that the journal
            // holds.
            await engine.write(both(written, written % 97 === 0 ? 60_000 : filler), { durable: false });
            if (written % 16 === 0) await new Promise((next) => setImmediate(next));
          }
        })();
        let newer = 0;
        for (let opened = 0; opened < 60; opened++) {
          const before = written - 1;
          const reader = await StorageEngine.open(await openLmdbDirectory(path, { readOnly: true }));
          const seen = text(reader.getSync(key));
          if (opened > 0) expect(seen).toBeGreaterThanOrEqual(before);
          if (opened > 0 || before >= 0) {
            expect(text(reader.getSync(other))).toBe(seen);
            for (let i = Math.max(0, seen - 200); i <= seen; i++)
              expect(reader.getSync(numbered(i % 10_000))).toBeDefined();
            expect(seen + 1 < 10_000 && reader.getSync(numbered(seen + 1)) !== undefined).toBe(false);
          }
          if (seen > before) newer++;
          await reader.close();
        }
        done = true;
        await writing;
        expect(written).toBeGreaterThan(1000);
        expect(newer).toBeGreaterThan(0);
      });
    },
  );
});
