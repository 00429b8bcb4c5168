/** Tests that need a second process or a full disk. They run the build output. */

import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { equalBytes, StorageEngine } from '@quadrille/storage';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openLmdbDirectory } from './lmdb-directory.js';

const packageDir = resolve(import.meta.dirname, '..');
const entry = pathToFileURL(join(packageDir, 'dist/index.js')).href;

let base: string;
let path: string;
beforeAll(() => {
  execFileSync(process.execPath, [resolve(packageDir, '../../node_modules/typescript/bin/tsc'), '-b', packageDir]);
});
beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'quadrille-process-'));
  path = join(base, 'store');
});
afterEach(() => rm(base, { recursive: true }));

/** Spawns a process that opens the store, prints `open` or the error, then runs `then`. */
function opener(options: object, then: string): ChildProcess {
  const program = `
    import { openLmdbDirectory } from ${JSON.stringify(entry)};
    try {
      const directory = await openLmdbDirectory(${JSON.stringify(path)}, ${JSON.stringify(options)});
      const show = (text) => directory.getSync(new TextEncoder().encode(text))?.at(-1) ?? 'nothing';
      console.log('open');
      ${then}
    } catch (error) {
      console.log(error.code + ' ' + error.message);
    }`;
  return spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['pipe', 'pipe', 'inherit'] });
}

async function said(child: ChildProcess): Promise<string> {
  return String((await once(child.stdout!, 'data'))[0]).trim();
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

const key = (text: string) => new TextEncoder().encode(text);
const put = (text: string, value: number) => ({
  type: 'put' as const,
  key: key(text),
  value: new Uint8Array(3000).fill(value),
});

describe('processes', () => {
  it('a reader that is opened during batches of all sizes sees one of the states', async () => {
    const child = opener(
      { create: true, noSync: true },
      `
      const put = (key, n, bytes) => ({ type: 'put', key: new TextEncoder().encode(key), value: new Uint8Array(bytes).fill(n) });
      let ended = false;
      process.stdin.once('data', () => (ended = true));
      for (let n = 1; !ended; n = (n % 250) + 1) {
        const large = n % 4 === 0 ? [put('root', n, 50), put('x' + (n % 8), n, 60000), put('y', n, 60000)] : [];
        await directory.write([put('head', n, 50), ...large, put('tail', n, 50)], { durable: n % 3 === 0 });
        await new Promise((next) => setImmediate(next));
      }
      await directory.close();`,
    );
    expect(await said(child)).toBe('open');
    for (let n = 0; n < 60; n++) {
      const reader = await openLmdbDirectory(path, { readOnly: true });
      const seen = new Map<string, number>();
      for await (const chunk of reader.range({}, { read: 'entries' }))
        for (const { key: name, value } of chunk) seen.set(new TextDecoder().decode(name), value[0]!);
      await reader.close();
      const head = seen.get('head');
      expect(seen.get('tail')).toBe(head);
      // The last number that is a multiple of four, also behind the end of a round.
      if (head !== undefined && head >= 4) expect(seen.get('root')).toBe(head - (head % 4));
      expect(seen.get('y')).toBe(seen.get('root'));
    }
    child.stdin!.end('end');
    await ended(child);
    expect(child.exitCode).toBe(0);
  });

  it('one writes, others read: each sees the state of when it was opened', async () => {
    const engine = await StorageEngine.open(await openLmdbDirectory(path, { create: true }));
    await engine.write([put('a', 1)], { durable: true });
    const writer = opener({}, '');
    expect(await said(writer)).toMatch(new RegExp(`^STORE_LOCKED .*is held by process ${process.pid} `));
    await ended(writer);
    const onLine = `process.stdin.on('data', () => console.log(show('a'), show('b299')));`;
    const reader = opener({ readOnly: true }, onLine);
    expect(await said(reader)).toBe('open');
    // Enough data for the map to grow several times while the reader is open.
    for (let i = 0; i < 300; i++) await engine.write([put('a', 2), put(`b${i}`, i)], { durable: false });
    reader.stdin!.write('\n');
    expect(await said(reader)).toBe('1 nothing');
    const later = opener({ readOnly: true }, onLine);
    expect(await said(later)).toBe('open');
    later.stdin!.write('\n');
    expect(await said(later)).toBe('2 43');
    for (const child of [reader, later]) child.stdin!.end();
    await Promise.all([ended(reader), ended(later)]);
    await engine.close();
  });

  it('a reader that was killed does not keep pages for ever', async () => {
    const engine = await StorageEngine.open(await openLmdbDirectory(path, { create: true, noSync: true }));
    await engine.write([put('a', 1)], { durable: false });
    const reader = opener({ readOnly: true }, 'setInterval(() => {}, 1000);');
    expect(await said(reader)).toBe('open');
    reader.kill('SIGKILL');
    await ended(reader);
    await engine.close();
    const again = await StorageEngine.open(await openLmdbDirectory(path, { noSync: true }));
    for (let i = 0; i < 2000; i++) await again.write([put('a', i)], { durable: false });
    await again.close();
    const { size } = await import('node:fs/promises').then(({ stat }) => stat(join(path, 'lmdb/data.mdb')));
    expect(size).toBeLessThan(1_000_000);
  });

  it('a lock is taken over after kill -9', async () => {
    const child = opener({ create: true }, 'setInterval(() => {}, 1000);');
    expect(await said(child)).toBe('open');
    await expect(openLmdbDirectory(path)).rejects.toMatchObject({
      code: 'STORE_LOCKED',
      message: expect.stringContaining(`is held by process ${child.pid}`),
    });
    child.kill('SIGKILL');
    await ended(child);
    const directory = await openLmdbDirectory(path);
    await directory.close();
    expect((await readdir(path)).sort()).toEqual(['lmdb', 'quadrille.json']);
  });
});

const mountPoint = join(tmpdir(), `quadrille-full-lmdb-${process.pid}`);
const mounted = process.platform === 'linux' && mountSmallDisk();

function mountSmallDisk(): boolean {
  spawnSync('mkdir', ['-p', mountPoint]);
  return spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=16m', 'tmpfs', mountPoint]).status === 0;
}

describe('disk full', () => {
  afterAll(() => {
    if (mounted) spawnSync('umount', ['-l', mountPoint]);
    spawnSync('rmdir', [mountPoint]);
  });

  it.skipIf(!mounted)(
    `stops writes, not reads; recovers when there is space${mounted ? '' : ' (skipped: may not mount a tmpfs)'}`,
    async () => {
      const ballast = join(mountPoint, 'ballast');
      await mkdir(join(mountPoint, 'store'));
      await writeFile(ballast, new Uint8Array(10 * 1024 * 1024).fill(1));
      const engine = await StorageEngine.open(await openLmdbDirectory(join(mountPoint, 'store'), { create: true }));
      const block = (i: number) => Uint8Array.from({ length: 60_000 }, (_, j) => (i + j * j) & 255);
      const write = (i: number) =>
        engine.write([{ type: 'put', key: Uint8Array.of(i), value: block(i) }], { durable: true });
      let acknowledged = 0;
      const failure = await (async () => {
        for (;;) {
          await write(acknowledged);
          acknowledged++;
        }
      })().catch((error: unknown) => error);
      expect(failure).toMatchObject({ code: 'STORAGE_FULL' });
      expect(acknowledged).toBeGreaterThan(10);
      await expect(write(200)).rejects.toMatchObject({ code: 'STORAGE_FULL' });
      await expect(engine.recover()).rejects.toMatchObject({ code: 'STORAGE_FULL' });
      for (let i = 0; i < acknowledged; i++) expect(equalBytes(engine.getSync(Uint8Array.of(i)), block(i))).toBe(true);
      await rm(ballast);
      await engine.recover();
      expect(await write(200)).toBe('ok');
      for (let i = 0; i < acknowledged; i++)
        expect(equalBytes(await engine.get(Uint8Array.of(i)), block(i))).toBe(true);
      await engine.close();
    },
  );
});
