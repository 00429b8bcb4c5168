import { existsSync } from 'node:fs';
import {
  copyFile,
  cp,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { StorageEngine } from '@quadrille/storage';
import { storageConformance, type ConformanceStore } from '@quadrille/storage/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LevelDirectory, openLevelDirectory, type LevelDirectoryOptions } from './level-directory.js';

let base: string;
let path: string;
beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'quadrille-directory-'));
  path = join(base, 'store');
});
afterEach(() => rm(base, { recursive: true }));

async function conformanceStore(options: LevelDirectoryOptions = {}): Promise<ConformanceStore> {
  const directory = await mkdtemp(join(tmpdir(), 'quadrille-conformance-'));
  const again = () => new LevelDirectory(directory, { ...options, create: true });
  return { driver: again(), again, dispose: () => rm(directory, { recursive: true }) };
}

const journal = { fileBytes: 300, recordBytes: 120 };
const blobs = { valueBytes: 10, batchBytes: 10, fileBytes: 2000 };
const LAYERS: Readonly<Record<string, LevelDirectoryOptions>> = {
  'level directory': {},
  'level directory, tiny journal and blob files': { journal, blobs },
  'level directory, tiny journal': { journal, blobs: false },
  'level directory, tiny blob files': { journal: false, blobs },
  'level directory without layers': { journal: false, blobs: false },
};
for (const [name, options] of Object.entries(LAYERS))
  storageConformance({ describe, it, expect }, name, () => conformanceStore(options), { persistent: true });

const key = new TextEncoder().encode('key');
const value = new TextEncoder().encode('value');

async function withEngine<T>(options: LevelDirectoryOptions, body: (engine: StorageEngine) => Promise<T>): Promise<T> {
  const engine = await StorageEngine.open(await openLevelDirectory(path, options));
  try {
    return await body(engine);
  } finally {
    await engine.close();
  }
}

const createStore = () =>
  withEngine({ create: true }, (engine) => engine.write([{ type: 'put', key, value }], { durable: true }));
const readStore = (options: LevelDirectoryOptions = {}) => withEngine(options, (engine) => engine.get(key));
const openError = async (options: LevelDirectoryOptions = {}) => {
  const thrown = await openLevelDirectory(path, options).catch((error: unknown) => error);
  expect(thrown).toBeInstanceOf(Error);
  return thrown as Error & { code: string };
};

describe('creation', () => {
  it('makes missing parents, a marker and a directory for LevelDB; the lock goes with closing', async () => {
    path = join(base, 'a/b/store');
    await createStore();
    expect((await readdir(path)).sort()).toEqual(['level', 'quadrille.json']);
    const marker = JSON.parse(await readFile(join(path, 'quadrille.json'), 'utf8')) as Record<string, unknown>;
    expect(marker).toEqual({
      format: 5,
      backend: 'leveldb',
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      created: expect.any(String),
    });
    expect(await readStore()).toEqual(value);
  });

  it('takes an empty directory, and leaves an existing store as it is', async () => {
    await mkdir(path);
    await createStore();
    expect(await readStore({ create: true })).toEqual(value);
  });

  it('without create neither a missing nor an empty directory is touched', async () => {
    expect((await openError()).code).toBe('STORE_NOT_FOUND');
    expect(existsSync(path)).toBe(false);
    await mkdir(path);
    expect((await openError()).code).toBe('STORE_NOT_FOUND');
    expect(await readdir(path)).toEqual([]);
  });

  it.each(['nothing', 'half of LevelDB', 'all of LevelDB'])(
    'that was cut off, leaving %s, is completed',
    async (left) => {
      if (left === 'all of LevelDB') await createStore();
      await mkdir(join(path, 'level'), { recursive: true });
      await rm(join(path, 'quadrille.json'), { force: true });
      await writeFile(join(path, 'quadrille.json.new'), '{"form');
      if (left === 'half of LevelDB') await writeFile(join(path, 'level/CURRENT'), '');
      expect((await openError()).code).toBe('STORE_NOT_FOUND');
      expect(await readStore({ create: true })).toBe(undefined);
      expect((await readdir(path)).sort()).toEqual(['level', 'quadrille.json']);
    },
  );

  it('keeps away from a directory that is no store, and from a file', async () => {
    await mkdir(path);
    await writeFile(join(path, 'thesis.txt'), 'mine');
    for (const create of [false, true]) expect((await openError({ create })).code).toBe('NOT_A_STORE');
    expect(await readdir(path)).toEqual(['thesis.txt']);
    path = join(path, 'thesis.txt');
    expect((await openError({ create: true })).code).toBe('NOT_A_STORE');
  });
});

describe('damage', () => {
  it('a missing marker: the directory is left alone', async () => {
    await createStore();
    await rm(join(path, 'quadrille.json'));
    for (const create of [false, true]) expect((await openError({ create })).code).toBe('NOT_A_STORE');
    expect(existsSync(join(path, 'level/CURRENT'))).toBe(true);
    expect(existsSync(join(path, 'quadrille.pid'))).toBe(false);
  });

  it('a newer format is refused, naming both', async () => {
    await createStore();
    const marker = JSON.parse(await readFile(join(path, 'quadrille.json'), 'utf8')) as object;
    await writeFile(join(path, 'quadrille.json'), JSON.stringify({ ...marker, format: 7 }));
    const error = await openError({ format: 3 });
    expect(error.code).toBe('FORMAT_VERSION');
    expect(error.message).toMatch(/format 7.*format 3/);
    expect(await readStore({ format: 7 })).toEqual(value);
  });

  it('a damaged marker is refused', async () => {
    await createStore();
    await writeFile(join(path, 'quadrille.json'), '{"format":');
    expect((await openError({ create: true })).code).toBe('FORMAT_VERSION');
  });

  it.each([
    ['missing', (file: string) => rm(file)],
    ['empty', (file: string) => writeFile(file, '')],
  ])('CURRENT %s: refused, and the tables stay', async (_, damage) => {
    await withEngine({ create: true }, async (engine) => {
      await engine.write([{ type: 'put', key, value }], { durable: true });
      await engine.compact();
    });
    const current = join(path, 'level/CURRENT');
    await copyFile(current, join(base, 'CURRENT'));
    await damage(current);
    for (const create of [false, true]) expect((await openError({ create })).code).toBe('LOG_BROKEN');
    expect((await readdir(join(path, 'level'))).some((name) => name.endsWith('.ldb'))).toBe(true);
    await copyFile(join(base, 'CURRENT'), current);
    expect(await readStore()).toEqual(value);
  });

  it('a damaged manifest: refused', async () => {
    await createStore();
    const manifest = (await readdir(join(path, 'level'))).find((name) => name.startsWith('MANIFEST'))!;
    await rm(join(path, 'level', manifest));
    expect((await openError()).code).toMatch(/LOG_BROKEN|STORAGE_IO/);
    expect(existsSync(join(path, 'quadrille.pid'))).toBe(false);
  });

  it('a flipped bit in a table is found, wherever it is', async () => {
    const count = 200;
    const numbered = (i: number) => Uint8Array.of(i);
    const random = (i: number) =>
      Uint8Array.from({ length: 300 }, (_, j) => (i * 31 + j * j * 17 + (i ^ j) * 101) & 255);
    await withEngine({ create: true }, async (engine) => {
      const ops = Array.from({ length: count }, (_, i) => ({
        type: 'put' as const,
        key: numbered(i),
        value: random(i),
      }));
      await engine.write(ops, { durable: true });
      await engine.compact();
    });
    const table = (await readdir(join(path, 'level'))).find((name) => name.endsWith('.ldb'))!;
    const file = join(path, 'level', table);
    const intact = await readFile(file);
    let found = 0;
    for (let at = 100; at < intact.length - 2500; at += Math.floor(intact.length / 12)) {
      const damaged = Buffer.from(intact);
      damaged[at]! ^= 16;
      await writeFile(file, damaged);
      found += await withEngine({}, async (engine) => {
        let errors = 0;
        for (let i = 0; i < count; i++) {
          try {
            const read = await engine.get(numbered(i));
            // A damaged key hides its value. A missing value is detected by core; a wrong one must never be returned.
            if (read !== undefined) expect(read).toEqual(random(i));
          } catch (error) {
            expect(error).toMatchObject({ code: 'CHECKSUM' });
            errors++;
          }
        }
        return Math.min(errors, 1);
      });
    }
    expect(found).toBeGreaterThan(8);
  });

  it('dropped log records are reported as warnings', async () => {
    await withEngine({ create: true }, async (engine) => {
      for (let i = 0; i < 50; i++) {
        await engine.write([{ type: 'put', key: Uint8Array.of(i), value: new Uint8Array(4000).fill(i) }], {
          durable: true,
        });
      }
    });
    const log = (await readdir(join(path, 'level'))).find((name) => name.endsWith('.log'))!;
    const handle = await open(join(path, 'level', log), 'r+');
    await handle.write(new Uint8Array(4096), 0, 4096, 60_000);
    await handle.close();
    const directory = await openLevelDirectory(path);
    expect(directory.warnings.length).toBeGreaterThan(0);
    expect(directory.warnings.join()).toMatch(/dropping/);
    await directory.close();
  });

  it('an undamaged store has no warnings', async () => {
    await createStore();
    const directory = await openLevelDirectory(path);
    expect(directory.warnings).toEqual([]);
    expect(directory.marker.format).toBe(5);
    await directory.close();
  });
});

describe('blob files', () => {
  const large = (first: number) => ({
    type: 'put' as const,
    key: Uint8Array.of(first),
    value: new Uint8Array(60_000).fill(first),
  });

  it('are made with the first large batch, and the store is of format 3 from then on', async () => {
    await createStore();
    const marker = join(path, 'quadrille.json');
    const before = JSON.parse(await readFile(marker, 'utf8')) as object;
    await writeFile(marker, JSON.stringify({ ...before, format: 1 }));
    await withEngine({}, async (engine) => {
      await engine.write([large(1)], { durable: true });
      expect(await readdir(path)).not.toContain('blobs');
      await engine.write([large(2), large(3)], { durable: true });
      expect(await readdir(join(path, 'blobs'))).toEqual(['00000001.blob']);
      // The journal, which is created later, must not lower the format in the marker.
      await engine.write([{ type: 'put', key, value }], { durable: true });
      expect(JSON.parse(await readFile(marker, 'utf8'))).toEqual({ ...before, format: 3 });
    });
    await withEngine({}, async (engine) => {
      expect(engine.getSync(Uint8Array.of(3))).toEqual(large(3).value);
      await engine.write([{ type: 'deleteRange', gte: Uint8Array.of(2), lt: Uint8Array.of(4) }], { durable: true });
      await engine.compact();
      expect(await readdir(join(path, 'blobs'))).toEqual([]);
    });
  });

  it('that are gone are named, and nothing is changed', async () => {
    await createStore();
    await withEngine({}, (engine) => engine.write([large(2), large(3)], { durable: true }));
    await rm(join(path, 'blobs'), { recursive: true });
    const error = await openError();
    expect(error.code).toBe('LOG_BROKEN');
    expect(error.message).toMatch(/Blob file 1 of .*blobs is missing/);
  });
});

describe('journal', () => {
  const marker = async (): Promise<object> =>
    JSON.parse(await readFile(join(path, 'quadrille.json'), 'utf8')) as object;
  const putOp = (name: string, what = name) => ({
    type: 'put' as const,
    key: new TextEncoder().encode(name),
    value: new TextEncoder().encode(what),
  });

  it('a store of format 1 opens, and is of format 2 from its first journal on', async () => {
    await createStore();
    await writeFile(join(path, 'quadrille.json'), JSON.stringify({ ...(await marker()), format: 1 }));
    expect(await readStore()).toEqual(value);
    expect(await marker()).toMatchObject({ format: 1 });
    await withEngine({}, async (engine) => {
      await engine.write([putOp('a')], { durable: true });
      expect(await marker()).toMatchObject({ format: 1 });
      await engine.write([putOp('b')], { durable: true });
      expect(await marker()).toMatchObject({ format: 2 });
      expect((await readdir(path)).filter((name) => name.startsWith('quadrille.journal'))).toHaveLength(2);
    });
    expect((await readdir(path)).sort()).toEqual(['level', 'quadrille.json']);
    expect(await readStore()).toEqual(value);
  });

  it('damaged in the middle: refused with the record and the store left as it is', async () => {
    const files = ['quadrille.journal.0', 'quadrille.journal.1'];
    await withEngine({ create: true }, async (engine) => {
      for (const name of ['a', 'b', 'c', 'd']) await engine.write([putOp(name)], { durable: true });
      for (const file of files) await copyFile(join(path, file), join(base, file));
      await cp(join(path, 'level'), join(base, 'level'), { recursive: true });
    });
    await rm(join(path, 'level'), { recursive: true });
    await rename(join(base, 'level'), join(path, 'level'));
    for (const file of files) await copyFile(join(base, file), join(path, file));
    const handle = await open(join(path, files[0]!), 'r+');
    await handle.write(Uint8Array.of(0xee), 0, 1, 30);
    await handle.close();
    const error = await openError();
    expect(error).toMatchObject({ code: 'LOG_BROKEN', details: { record: 2, later: 2 } });
    expect(error.message).toMatch(/quadrille.journal.0 and .1: record 2 is missing or damaged/);
    expect(existsSync(join(path, 'quadrille.pid'))).toBe(false);
    // With the original files everything can be read again.
    for (const file of files) await copyFile(join(base, file), join(path, file));
    await withEngine({}, async (engine) => {
      for (const name of ['a', 'b', 'c', 'd']) expect(await engine.get(putOp(name).key)).toEqual(putOp(name).value);
    });
  });
});

describe('lock within a process', () => {
  it('a second open is refused, by a link too, and the first goes on', async () => {
    await withEngine({ create: true }, async (engine) => {
      const first = await openError();
      expect(first.code).toBe('STORE_LOCKED');
      expect(first.message).toContain(`${path} is held by this process (${process.pid}`);
      expect(first.message).toMatch(/started 20.*close it/);
      await symlink(path, join(base, 'link'));
      path = join(base, 'link');
      expect((await openError({ create: true })).code).toBe('STORE_LOCKED');
      expect(await engine.write([{ type: 'put', key, value }], { durable: true })).toBe('ok');
    });
    expect(await readStore()).toEqual(value);
  });

  it('of many that create and open at once one wins', async () => {
    const results = await Promise.allSettled(
      Array.from({ length: 8 }, () => openLevelDirectory(path, { create: true })),
    );
    const opened = results.filter((result) => result.status === 'fulfilled');
    expect(opened.length).toBe(1);
    for (const result of results) {
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'STORE_LOCKED' });
    }
    await opened[0]!.value.close();
  });

  it('lockTimeoutMs waits for it', async () => {
    const first = await openLevelDirectory(path, { create: true });
    setTimeout(() => void first.close(), 100);
    const second = await openLevelDirectory(path, { lockTimeoutMs: 5000 });
    await second.close();
    expect((await readdir(path)).sort()).toEqual(['level', 'quadrille.json']);
  });

  it('a driver can be closed twice and opened again', async () => {
    const directory = await openLevelDirectory(path, { create: true });
    await directory.open();
    await directory.close();
    await directory.close();
    await directory.open();
    await directory.close();
  });
});

describe('stale lock files', () => {
  const holder = (fields: object) =>
    writeFile(
      join(path, 'quadrille.pid'),
      JSON.stringify({
        pid: process.pid,
        started: '2020-01-01T00:00:00.000Z',
        host: hostname(),
        token: 't',
        ...fields,
      }),
    );
  const deadPid = 2 ** 22 + 1;

  it.each([
    ['a dead process', { pid: deadPid }],
    ['a process whose pid was reused', { startTicks: '1' }],
    ['an earlier boot of this machine', { boot: 'another' }],
    ['another container of this machine', { host: 'elsewhere', pid: deadPid, boot: 'OWN' }],
  ])('of %s is taken over', async (_, fields) => {
    await createStore();
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => undefined);
    if (boot === undefined) return;
    await holder('boot' in fields && fields.boot === 'OWN' ? { ...fields, boot: boot.trim() } : fields);
    expect(await readStore()).toEqual(value);
    expect((await readdir(path)).sort()).toEqual(['level', 'quadrille.json']);
  });

  it.each([
    ['a living process', {}],
    ['another machine', { host: 'elsewhere', pid: deadPid }],
    ['another machine, also Linux', { host: 'elsewhere', pid: deadPid, boot: 'another' }],
  ])('of %s is respected', async (_, fields) => {
    await createStore();
    await holder(fields);
    const error = await openError();
    expect(error.code).toBe('STORE_LOCKED');
    expect(error.message).toContain('started 2020-01-01');
    expect(existsSync(join(path, 'quadrille.pid'))).toBe(true);
  });

  it('is taken over by one of many', async () => {
    await createStore();
    await holder({ pid: deadPid });
    // The claim of a process that died while it took over the lock.
    await copyFile(join(path, 'quadrille.pid'), join(path, 'quadrille.pid.t'));
    await writeFile(
      join(path, 'quadrille.pid.t'),
      JSON.stringify({ pid: deadPid, started: '', host: hostname(), token: 'u' }),
    );
    expect(await readStore()).toEqual(value);
    expect((await readdir(path)).sort()).toEqual(['level', 'quadrille.json']);
  });

  it('without content counts as held for a moment only', async () => {
    await createStore();
    await writeFile(join(path, 'quadrille.pid'), '');
    expect((await openError()).message).toContain('is being opened by another process');
    expect(await withEngine({ lockTimeoutMs: 10_000 }, (engine) => engine.get(key))).toEqual(value);
  });
});
