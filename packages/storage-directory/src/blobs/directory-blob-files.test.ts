import { mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { DirectoryBlobFiles } from './directory-blob-files.js';

const FILES = 150;
const MOST = 64;

it('of many files few are open; those that were removed can be read until nobody does', async () => {
  const base = mkdtempSync(join(tmpdir(), 'quadrille-blobs-'));
  const files = new DirectoryBlobFiles(join(base, 'blobs'), () => Promise.resolve());
  onTestFinished(() => files.close().then(() => rmSync(base, { recursive: true })));
  const read = async (file: number): Promise<number> => {
    const into = new Uint8Array(1);
    expect(await files.read(file, into, 0)).toBe(true);
    const again = new Uint8Array(1);
    expect(files.readSync(file, again, 0)).toBe(true);
    expect(again).toEqual(into);
    return into[0]!;
  };
  const numbers = Array.from({ length: FILES }, (_, i) => i + 1);
  for (const file of numbers) {
    await files.create(file);
    await files.write(file, Uint8Array.of(file), 0);
    await files.sync(file);
  }
  await files.remove(1);
  await files.remove(2);
  for (const file of numbers) expect(await read(file)).toBe(file);
  // At once: each call keeps its file open, and some wait for others. Two are open because they were removed.
  let most = 0;
  const counted = async (file: number): Promise<number> => {
    const into = new Uint8Array(1);
    await files.read(file, into, 0);
    if (process.platform === 'linux') most = Math.max(most, openIn(base));
    return into[0]!;
  };
  expect(await Promise.all(numbers.map(counted))).toEqual(numbers);
  expect(most).toBeLessThanOrEqual(MOST + 2);
  for (const file of numbers.slice(10)) expect(await read(file)).toBe(file);
  if (process.platform === 'linux') expect(openIn(base)).toBeLessThanOrEqual(MOST);
  expect(await read(1)).toBe(1);
  files.forget(1);
  await expect(read(1)).rejects.toThrow('ENOENT');
  expect(await read(2)).toBe(2);
});

const openIn = (base: string): number =>
  readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).startsWith(base);
    } catch {
      return false;
    }
  }).length;
