/**
 * A disk that is really full: what a failed write took is given back at once, and a store can be opened, read, dumped and
 * verified without a byte of room. Asks for the right to mount a tmpfs.
 */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { open, recover } from 'quadrille';
import type { Database, OpenOptions, Repository } from 'quadrille';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SmallDisk } from './small-disk.js';

const MB = 1024 * 1024;
const possible = SmallDisk.possible;
const why = possible ? '' : ' (skipped: this machine does not let us mount a tmpfs)';

let disk: SmallDisk;
let db: Database | undefined;
beforeEach(() => {
  disk = new SmallDisk('full', 12);
  if (possible) disk.mount();
});
afterEach(async () => {
  await db?.close();
  db = undefined;
  if (possible) disk.unmount();
});

const store = () => join(disk.path, 'store');
async function reopen(options: OpenOptions = {}): Promise<Repository> {
  await db?.close();
  db = await open(store(), options);
  return db.repository('a/full', { create: options.readOnly !== true });
}

function lines(from: number, to: number): string {
  let text = '';
  for (let i = from; i < to; i++)
    text += `<http://e/s${i}> <http://e/p${i % 7}> "value ${i} ${(i * 7919) % 1000003}" .\n`;
  return text;
}

async function* endless(): AsyncGenerator<Uint8Array> {
  for (let from = 1_000_000; ; from += 2000) yield Buffer.from(lines(from, from + 2000));
}

const insert = (repository: Repository, n: number) =>
  repository.update(`INSERT DATA { <http://e/new${n}> <http://e/p> ${n} }`);

async function dumped(repository: Repository): Promise<string[]> {
  let text = '';
  for await (const chunk of await repository.dump('nquads'))
    text += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
  return text.trim().split('\n').sort();
}

describe.each(['leveldb', 'lmdb'] as const)('%s on a full disk', (backend) => {
  it.skipIf(!possible)(`opens, is read, dumped and verified, and written again once there is room${why}`, async () => {
    let repository = await reopen({ backend });
    await repository.load({ text: lines(0, 2000) }, { format: 'nt' });
    for (let n = 0; n < 20; n++) await insert(repository, n);
    const content = await dumped(repository);
    // As a process leaves it that was killed.
    const killed = join(disk.path, 'killed');
    cpSync(store(), killed, { recursive: true });
    const lock = JSON.parse(readFileSync(join(killed, 'quadrille.pid'), 'utf8')) as object;
    writeFileSync(join(killed, 'quadrille.pid'), JSON.stringify({ ...lock, pid: 2 ** 22 + 1 }));
    disk.fill('ballast');
    await db!.close();
    disk.fill('more');
    for (const directory of ['store', 'killed']) {
      for (const readOnly of [true, false, false]) {
        await db?.close();
        db = await open(join(disk.path, directory), { readOnly });
        repository = await db.repository('a/full');
        expect(await dumped(repository)).toEqual(content);
        expect((await db.verify()).problems).toEqual([]);
        expect(await repository.size()).toBe(content.length);
        if (readOnly) await expect(insert(repository, 99)).rejects.toMatchObject({ code: 'READ_ONLY' });
      }
    }
    // LMDB may find room among its own pages.
    if (backend === 'leveldb') await expect(insert(repository, 99)).rejects.toMatchObject({ code: 'STORAGE_FULL' });
    expect((await db!.verify()).problems).toEqual([]);
    disk.remove('ballast');
    await insert(repository, 100);
    expect((await dumped(repository)).length).toBeGreaterThan(content.length);
    expect((await db!.verify()).problems).toEqual([]);
  });

  it.skipIf(!possible)(`gives back what a load took that found no room, before the load has failed${why}`, async () => {
    const repository = await reopen({ backend });
    await repository.load({ text: lines(0, 2000) }, { format: 'nt' });
    const content = await dumped(repository);
    const free = disk.freeBytes;
    await expect(repository.load(endless(), { format: 'nt' })).rejects.toMatchObject({ code: 'STORAGE_FULL' });
    // The file of LMDB never shrinks: there the room is inside.
    if (backend === 'leveldb') expect(free - disk.freeBytes).toBeLessThan(2 * MB);
    expect(await dumped(repository)).toEqual(content);
    await insert(repository, 1);
    const { added } = await repository.load({ text: lines(2000, 12_000) }, { format: 'nt' });
    expect(added).toBe(10_000);
    expect((await db!.verify()).problems).toEqual([]);
    expect(await repository.size()).toBe(12_001);
  });
});

it.skipIf(!possible)(`recovery that finds no room leaves nothing behind, and works to another disk${why}`, async () => {
  const free = disk.freeBytes;
  const repository = await reopen();
  await repository.load({ text: lines(0, 40_000) }, { format: 'nt' });
  for (let n = 0; n < 5; n++) await insert(repository, n);
  const content = await dumped(repository);
  await db!.close();
  // A recovery takes about as much room as the store.
  const taken = free - disk.freeBytes;
  for (const share of [0.7, 0.4, 0.2, 0]) {
    disk.fill('ballast', share * taken);
    await expect(recover(store()), `${share} of ${taken} bytes free`).rejects.toMatchObject({ code: 'STORAGE_FULL' });
    expect(readdirSync(disk.path).sort()).toEqual(['ballast', 'store']);
  }
  const elsewhere = mkdtempSync(join(tmpdir(), 'quadrille-elsewhere-'));
  try {
    const { location, lost } = await recover(store(), { to: join(elsewhere, 'store') });
    expect(lost).toBe(false);
    db = await open(location);
    expect(await dumped(await db.repository('a/full'))).toEqual(content);
    await db.close();
  } finally {
    rmSync(elsewhere, { recursive: true });
  }
  expect(await dumped(await reopen({ readOnly: true }))).toEqual(content);
});

it.skipIf(!possible)(`a directory without room for a store is left as it was${why}`, async () => {
  disk.fill('ballast');
  await expect(open(store())).rejects.toMatchObject({ code: 'STORAGE_FULL' });
  disk.remove('ballast');
  const repository = await reopen();
  await insert(repository, 1);
  expect(await repository.size()).toBe(1);
});
