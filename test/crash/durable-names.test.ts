/** When a commit is acknowledged as durable, the names of all directories and files that lead to it are on the disk. */
import { mkdtempSync, readdirSync, readlinkSync, realpathSync, rmSync, statSync } from 'node:fs';
import { open as openFile, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { iri, literal, open, quad, type Backend } from 'quadrille';
import { expect, it, onTestFinished, vi } from 'vitest';

/** By directory: the names in it at its last sync. */
async function recordSyncs(): Promise<ReadonlyMap<string, readonly string[]>> {
  const any = await openFile(tmpdir(), 'r');
  const handles = Object.getPrototypeOf(any) as FileHandle;
  await any.close();
  const names = new Map<string, readonly string[]>();
  const spy = vi.spyOn(handles, 'sync').mockImplementation(async function (this: FileHandle) {
    const path = readlinkSync(`/proc/self/fd/${this.fd}`);
    if (statSync(path).isDirectory()) names.set(path, readdirSync(path));
  });
  onTestFinished(() => spy.mockRestore());
  return names;
}

// The path of an open directory is known on Linux alone.
it.skipIf(process.platform !== 'linux').each<[Backend, string]>([
  ['leveldb', 'level'],
  ['lmdb', 'lmdb'],
])('%s', async (backend, data) => {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'quadrille-names-')));
  onTestFinished(() => rmSync(base, { recursive: true }));
  const synced = await recordSyncs();
  const path = join(base, 'a/b/store');
  const isSynced = (file: string): boolean =>
    synced.get(dirname(file))?.includes(file.slice(dirname(file).length + 1)) === true;
  await using db = await open(path, { backend });
  const repository = await db.repository('a/r', { create: true });
  const inStore = [data, 'quadrille.json'].map((name) => join(path, name));
  expect([join(base, 'a'), join(base, 'a/b'), path, ...inStore].filter((file) => !isSynced(file))).toEqual([]);
  await repository.add(quad(iri('a:a'), iri('a:b'), literal('one')));
  await repository.add(quad(iri('a:a'), iri('a:b'), literal('two')));
  const journal = [0, 1].map((n) => join(path, `quadrille.journal.${n}`));
  expect(journal.filter((file) => !isSynced(file))).toEqual([]);
  await repository.add(Array.from({ length: 20_000 }, (_, n) => quad(iri(`a:${n}`), iri('a:b'), literal(`${n}`))));
  if (backend === 'lmdb') return;
  const blobs = join(path, 'blobs');
  const files = readdirSync(blobs).map((name) => join(blobs, name));
  expect(files.length).toBeGreaterThan(0);
  expect([blobs, ...files].filter((file) => !isSynced(file))).toEqual([]);
});
