/** Tests that need a second process, a worker thread or a full disk. They run the build output. */

import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { lstat, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { equalBytes, isFull, StorageEngine } from '@quadrille/storage';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { LevelData } from './level-data.js';
import { openLevelDirectory } from './level-directory.js';
import { readVersion } from './reader/version.js';

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

/** Returns a program that opens the store, prints `open` or the error's code and message, then runs `then`. */
const opener = (then: string) => `
  import { openLevelDirectory } from ${JSON.stringify(entry)};
  let directory;
  try {
    directory = await openLevelDirectory(${JSON.stringify(path)}, { create: true });
    console.log('open');
  } catch (error) {
    console.log(error.code + ' ' + error.message);
  }
  ${then}
`;

function openInProcess(): string {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '-e', opener('await directory?.close();')],
    {
      encoding: 'utf8',
    },
  );
  return stdout.trim() || stderr;
}

async function openInWorker(): Promise<string> {
  const script = join(base, 'worker.mjs');
  await writeFile(script, opener('await directory?.close();'));
  const worker = new Worker(script, { stdout: true });
  let output = '';
  worker.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await once(worker, 'exit');
  return output.trim();
}

describe('lock between processes', () => {
  it('a second process is refused, also after refused opens in this process and in a worker thread', async () => {
    const directory = await openLevelDirectory(path, { create: true });
    expect(openInProcess()).toMatch(new RegExp(`^STORE_LOCKED .*${path} is held by process ${process.pid} `));
    await expect(openLevelDirectory(path)).rejects.toMatchObject({ code: 'STORE_LOCKED' });
    expect(await openInWorker()).toMatch(new RegExp(`^STORE_LOCKED .*held by this process .${process.pid}, thread 0`));
    expect(openInProcess()).toMatch(/^STORE_LOCKED/);
    // Without the process lock file, LevelDB's own lock must still refuse the second process.
    await rm(join(path, 'quadrille.pid'));
    expect(openInProcess()).toMatch(/^STORE_LOCKED/);
    await directory.close();
    expect(openInProcess()).toBe('open');
    expect(await openInWorker()).toBe('open');
  });

  it('is respected while its process lives and taken over after kill -9', async () => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', opener('setInterval(() => {}, 1000);')]);
    try {
      await once(child.stdout, 'data');
      await expect(openLevelDirectory(path)).rejects.toMatchObject({
        code: 'STORE_LOCKED',
        message: expect.stringContaining(`is held by process ${child.pid}`),
      });
    } finally {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    expect(existsSync(join(path, 'quadrille.pid'))).toBe(true);
    const directory = await openLevelDirectory(path);
    await directory.close();
    expect((await readdir(path)).sort()).toEqual(['level', 'quadrille.json']);
  });

  it('after kill -9 one of many processes takes it over', async () => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', opener('setInterval(() => {}, 1000);')]);
    await once(child.stdout, 'data');
    child.kill('SIGKILL');
    await once(child, 'exit');
    const rivals = Array.from({ length: 4 }, () =>
      spawn(process.execPath, ['--input-type=module', '-e', opener('setInterval(() => {}, 1000);')]),
    );
    const answers = await Promise.all(
      rivals.map(async ({ stdout }) =>
        String((await once(stdout, 'data'))[0])
          .split(' ')[0]!
          .trim(),
      ),
    );
    for (const rival of rivals) rival.kill('SIGKILL');
    await Promise.all(rivals.map((rival) => once(rival, 'exit')));
    expect(answers.sort()).toEqual(['STORE_LOCKED', 'STORE_LOCKED', 'STORE_LOCKED', 'open']);
  });
});

const mountPoint = join(tmpdir(), `quadrille-full-${process.pid}`);
const mounted = process.platform === 'linux' && mountSmallDisk();

function mountSmallDisk(): boolean {
  spawnSync('mkdir', ['-p', mountPoint]);
  return spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=6m', 'tmpfs', mountPoint]).status === 0;
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
      await writeFile(ballast, new Uint8Array(3 * 1024 * 1024).fill(1));
      const engine = await StorageEngine.open(await openLevelDirectory(join(mountPoint, 'store'), { create: true }));
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
      await rm(join(mountPoint, 'store'), { recursive: true });
    },
  );

  it.skipIf(!mounted)(
    `that LevelDB meets in the middle of a batch: reopening gives back what it wrote, or reads its files${mounted ? '' : ' (skipped)'}`,
    async () => {
      const data = new LevelData(join(mountPoint, 'data'), { writeBufferBytes: 256 * 1024, maxFileBytes: 1024 * 1024 });
      await data.create();
      const value = (i: number) =>
        Uint8Array.from({ length: 900 }, (_, j) => (i * 7919 + j * j * 31 + (i ^ j) * 17) & 255);
      const key = (i: number) => Uint8Array.of(i >> 8, i & 255);
      let written = 0;
      let kinds = 0;
      for (let attempt = 0; attempt < 12; attempt++) {
        const failure = await (async () => {
          for (;;) {
            const ops = Array.from({ length: 50 }, (_, i) => ({
              type: 'put' as const,
              key: key(written + i),
              value: value(written + i),
            }));
            await data.write(ops, { durable: true });
            written += ops.length;
          }
        })().catch((error: unknown) => error);
        expect(isFull(failure)).toBe(true);
        expect(data.holdsLeftovers).toBe(true);
        await data.reopen();
        for (let i = 0; i < written; i++) if (!equalBytes(data.getSync(key(i)), value(i))) throw new Error(`key ${i}`);
        kinds |= data.failure === undefined ? 1 : 2;
        if (data.failure === undefined) continue;
        const tables = new Set((await readVersion(join(mountPoint, 'data'))).levels.flat().map(({ number }) => number));
        const names = (await readdir(join(mountPoint, 'data'))).filter((name) => name.endsWith('.ldb'));
        expect(names.filter((name) => !tables.has(Number.parseInt(name, 10)))).toEqual([]);
        await data.close();
        await data.open();
        expect(isFull(data.failure)).toBe(true);
        break;
      }
      expect(kinds & 2).toBe(2);
      await data.close();
      await rm(join(mountPoint, 'data'), { recursive: true });
    },
  );

  it.skipIf(!mounted)(
    `is opened for reading, and written again once there is room${mounted ? '' : ' (skipped)'}`,
    async () => {
      const store = join(mountPoint, 'store');
      const ballast = (name: string, megabytes: number): Promise<unknown> =>
        writeFile(join(mountPoint, name), new Uint8Array(megabytes * 1024 * 1024).fill(1)).catch(() => undefined);
      await ballast('ballast', 2);
      const open = async () =>
        StorageEngine.open(await openLevelDirectory(store, { create: true, writeBufferBytes: 512 * 1024 }));
      const engine = await open();
      // Incompressible values that are too small for blob files, so that all data go into LevelDB.
      const value = (i: number) =>
        Uint8Array.from({ length: 400 }, (_, j) => (i * 7919 + j * j * 31 + (i ^ j) * 17) & 255);
      const key = (i: number) => Uint8Array.of(i >> 8, i & 255);
      let written = 0;
      const fill = async (): Promise<string> => {
        for (;;) {
          const ops = Array.from({ length: 100 }, (_, i) => ({
            type: 'put' as const,
            key: key(written + i),
            value: value(written + i),
          }));
          try {
            await engine.write(ops, { durable: false });
          } catch (error) {
            return (error as { code: string }).code;
          }
          written += ops.length;
        }
      };
      for (let i = 0; i < 5; i++) {
        expect(await fill()).toBe('STORAGE_FULL');
        await engine.recover().catch(() => undefined);
      }
      await ballast('rest', 6);
      const check = async (opened: StorageEngine): Promise<void> => {
        for (let i = 0; i < written; i++)
          if (!equalBytes(opened.getSync(key(i)), value(i))) throw new Error(`key ${i}`);
        let entries = 0;
        for await (const chunk of opened.range()) entries += chunk.length;
        expect(entries).toBe(written);
      };
      await check(engine);
      await engine.close();
      await ballast('more', 6);
      const again = await open();
      expect([again.state, again.failure?.code]).toEqual(['failed', 'STORAGE_FULL']);
      expect((await lstat(join(store, 'quadrille.pid'))).isSymbolicLink()).toBe(true);
      path = store;
      expect(openInProcess()).toMatch(new RegExp(`^STORE_LOCKED .* is held by process ${process.pid} `));
      await check(again);
      await expect(
        again.write([{ type: 'put', key: key(0), value: value(0) }], { durable: true }),
      ).rejects.toMatchObject({
        code: 'STORAGE_FULL',
      });
      await expect(again.recover()).rejects.toMatchObject({ code: 'STORAGE_FULL' });
      for (const name of ['ballast', 'rest', 'more']) await rm(join(mountPoint, name));
      await again.recover();
      expect(await again.write([{ type: 'delete', key: key(0) }], { durable: true })).toBe('ok');
      await again.close();
      expect(await readdir(store)).not.toContain('quadrille.pid');
    },
  );
});
