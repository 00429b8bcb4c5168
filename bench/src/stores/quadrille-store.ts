/**
 * Storage backends of Quadrille. The engine is loaded when one is opened, so that processes that measure other stores
 * do not load it.
 */
import { basename, extname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { StorageDriver } from '@quadrille/storage';
import { installed } from './installed.js';
import type { StoreKind } from './store.js';

type OpenDriver = (directory: string) => Promise<StorageDriver>;

const LMDB = '@quadrille/lmdb';
interface LmdbModule {
  openLmdbDirectory(
    path: string,
    options: { readonly create: boolean; readonly format: number },
  ): Promise<StorageDriver>;
}

const format = async (): Promise<number> => (await import('@quadrille/core')).FORMAT_VERSION;

const backend = (name: string, title: string, openDriver: OpenDriver, more: Partial<StoreKind> = {}): StoreKind => ({
  name,
  title,
  role: 'backend',
  persistent: true,
  phases: ['load', 'read', 'write', 'queries'],
  packages: [],
  read: 'quads(), asynchronous: for await',
  open: async (directory, durability = 'disk') => {
    const { openQuadrille } = await import('./open-quadrille.js');
    return openQuadrille(await openDriver(directory), durability);
  },
  ...more,
});

/** Drivers by the backend names of the library's `open`. */
export const DRIVERS = {
  leveldb: async (directory) => {
    const { openLevelDirectory } = await import('@quadrille/storage-level');
    return openLevelDirectory(directory, { create: true, format: await format() });
  },
  lmdb: async (directory) =>
    (await installed<LmdbModule>(LMDB)).openLmdbDirectory(directory, { create: true, format: await format() }),
  memory: async () => new (await import('@quadrille/storage')).MemoryDriver(),
} as const satisfies Readonly<Record<string, OpenDriver>>;

export const LEVEL_STORE = backend('leveldb', 'Quadrille over LevelDB', DRIVERS.leveldb, {
  use: "open('./data') or quadrille load ./data FILE: it is the default of both.",
});
export const LMDB_STORE = backend('lmdb', 'Quadrille over LMDB', DRIVERS.lmdb, {
  packages: [LMDB],
  use: `npm install ${LMDB}, then open('./data', { backend: 'lmdb' }) or quadrille load ./data FILE --backend lmdb.`,
});
export const MEMORY_STORE = backend('memory', 'Quadrille in memory', DRIVERS.memory, { persistent: false });

/** A backend of the user: a module that exports `openStorage(directory)`, which returns a StorageDriver. */
export function moduleStore(path: string): StoreKind {
  const openModule: OpenDriver = async (directory) => {
    const { openStorage } = (await import(pathToFileURL(resolve(path)).href)) as { openStorage?: OpenDriver };
    if (openStorage === undefined) throw new Error(`${path} exports no openStorage(directory)`);
    return openStorage(directory);
  };
  return backend(basename(path, extname(path)), `Quadrille over ${path}`, openModule, { module: path });
}
