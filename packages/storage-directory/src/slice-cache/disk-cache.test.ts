import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DiskCache, type CachedSlice } from './disk-cache.js';

const MIB = 1024 * 1024;
const slice = (n: number, length = 1000): CachedSlice => ({ pack: `pack-${n}`, from: n, length });
const value = (n: number, length = 1000): Uint8Array => new Uint8Array(length).fill(n % 251);
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quadrille-cache-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test('slices are there after an orderly end, and others are not', async () => {
  const cache = await DiskCache.open(folder, MIB);
  for (let n = 0; n < 20; n++) cache.set(slice(n), value(n));
  await cache.flush();
  expect(await cache.get(slice(7))).toEqual(value(7));
  expect(await cache.get({ ...slice(7), from: 8 })).toBe(undefined);
  await cache.close();
  const again = await DiskCache.open(folder, MIB);
  for (let n = 0; n < 20; n++) expect(await again.get(slice(n))).toEqual(value(n));
  again.set(slice(99), value(99));
  await again.close();
  await rm(join(folder, 'index'));
  const crashed = await DiskCache.open(folder, MIB);
  expect(await crashed.get(slice(7))).toBe(undefined);
  await crashed.close();
});

test('it never has more bytes than it may, and keeps what is used', async () => {
  const cache = await DiskCache.open(folder, MIB);
  for (let n = 0; n < 3000; n++) {
    cache.set(slice(n), value(n));
    if (n % 20 === 0) {
      await cache.flush();
      await cache.get(slice(0));
    }
  }
  await cache.flush();
  let bytes = 0;
  for (const name of await readdir(folder)) bytes += (await stat(join(folder, name))).size;
  expect(bytes).toBeLessThanOrEqual(MIB + 1000);
  expect(await cache.get(slice(0))).toEqual(value(0));
  expect(await cache.get(slice(1))).toBe(undefined);
  expect(await cache.get(slice(2999))).toEqual(value(2999));
  await cache.close();
});

test('a flipped bit is a miss', async () => {
  const cache = await DiskCache.open(folder, MIB);
  cache.set(slice(1), value(1));
  cache.set(slice(2), value(2));
  await cache.flush();
  const file = join(folder, 'segment-1');
  const bytes = await readFile(file);
  bytes[100]! ^= 1;
  await writeFile(file, bytes);
  expect(await cache.get(slice(1))).toBe(undefined);
  expect(await cache.get(slice(2))).toEqual(value(2));
  cache.set(slice(1), value(1));
  await cache.flush();
  expect(await cache.get(slice(1))).toEqual(value(1));
  await cache.close();
});

test('a folder that is in use is refused, and files of others stay', async () => {
  await writeFile(join(folder, 'photo.jpeg'), 'x');
  const cache = await DiskCache.open(folder, MIB);
  await expect(DiskCache.open(folder, MIB)).rejects.toMatchObject({
    code: 'STORE_LOCKED',
    message: expect.stringContaining(String(process.pid)) as string,
  });
  await cache.close();
  expect(await readFile(join(folder, 'photo.jpeg'), 'utf8')).toBe('x');
});

test('slices that are longer than a segment are not kept', async () => {
  const cache = await DiskCache.open(folder, MIB);
  cache.set(slice(1, MIB / 2), value(1, MIB / 2));
  await cache.flush();
  expect(await cache.get(slice(1, MIB / 2))).toBe(undefined);
  await cache.close();
});
