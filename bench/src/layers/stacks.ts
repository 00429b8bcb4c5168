/** The layers between the engine and a backend, switched on and off. */
import type { StorageDriver } from '@quadrille/storage';
import { type Database, type Durability, open } from 'quadrille';
import { installed } from '../stores/installed.js';

interface Options {
  readonly create: true;
  readonly format: number;
  readonly journal?: false;
  readonly blobs?: false;
}
type OpenStack = (path: string, options: Options) => Promise<StorageDriver>;

const level: OpenStack = async (path, options) =>
  (await import('@quadrille/storage-level')).openLevelDirectory(path, options);
const lmdb: OpenStack = async (path, options) =>
  (await installed<{ openLmdbDirectory: OpenStack }>('@quadrille/lmdb')).openLmdbDirectory(path, options);

interface Stack {
  readonly open: OpenStack;
  readonly without: Pick<Options, 'journal' | 'blobs'>;
}

/** The measured stacks by name. */
export const STACKS = {
  LevelDB: { open: level, without: { journal: false, blobs: false } },
  'LevelDB + journal': { open: level, without: { blobs: false } },
  'LevelDB + blobs': { open: level, without: { journal: false } },
  'LevelDB + both': { open: level, without: {} },
  LMDB: { open: lmdb, without: { journal: false } },
  'LMDB + journal': { open: lmdb, without: {} },
} satisfies Readonly<Record<string, Stack>> as Readonly<Record<string, Stack>>;

/** By layer: stacks without it, each with the stack that has it in addition. */
export const LAYERS: Readonly<Record<string, readonly (readonly [without: string, having: string])[]>> = {
  journal: [
    ['LevelDB', 'LevelDB + journal'],
    ['LevelDB + blobs', 'LevelDB + both'],
    ['LMDB', 'LMDB + journal'],
  ],
  'blob files': [
    ['LevelDB', 'LevelDB + blobs'],
    ['LevelDB + journal', 'LevelDB + both'],
  ],
};

/** Opens a store that was made with the same stack, or makes one. */
export async function openStack(name: string, path: string, durability: Durability): Promise<Database> {
  const { FORMAT_VERSION } = await import('@quadrille/core');
  const stack = STACKS[name]!;
  const storage = await stack.open(path, { create: true, format: FORMAT_VERSION, ...stack.without });
  return open({ storage }, { durability });
}
