/** Quadrille over a storage backend. */
import { FORMAT_VERSION } from '@quadrille/core';
import { MemoryDriver } from '@quadrille/storage';
import type { StorageDriver } from '@quadrille/storage';
import { open } from 'quadrille';
import type { Durability, ReadView } from 'quadrille';
import { REPOSITORY } from '../data-sets.js';
import { comparableText, quadRow } from '../sparql/answer.js';
import type { AnswerDigest } from '../sparql/answer.js';
import { installed } from './installed.js';
import type { OpenStore, StoreKind, Visit } from './store.js';

type OpenDriver = (directory: string) => Promise<StorageDriver>;

const LMDB = '@quadrille/storage-lmdb';
interface LmdbModule {
  openLmdbDirectory(
    path: string,
    options: { readonly create: boolean; readonly format: number },
  ): Promise<StorageDriver>;
}

const backend = (name: string, title: string, openDriver: OpenDriver, more: Partial<StoreKind> = {}): StoreKind => ({
  name,
  title,
  role: 'backend',
  persistent: true,
  phases: ['load', 'read', 'write', 'queries'],
  packages: [],
  open: async (directory, durability = 'disk') => openQuadrille(await openDriver(directory), durability),
  ...more,
});

export const LEVEL_STORE = backend('level', 'Quadrille over LevelDB', async (directory) => {
  const { openLevelDirectory } = await import('@quadrille/storage-level');
  return openLevelDirectory(directory, { create: true, format: FORMAT_VERSION });
});

export const LMDB_STORE = backend(
  'lmdb',
  'Quadrille over LMDB',
  async (directory) =>
    (await installed<LmdbModule>(LMDB)).openLmdbDirectory(directory, { create: true, format: FORMAT_VERSION }),
  { packages: [LMDB] },
);

export const MEMORY_STORE = backend('memory', 'Quadrille in memory', async () => new MemoryDriver(), {
  persistent: false,
});

/** A backend of the user's own: a module that exports `openStorage(directory)`, which gives a StorageDriver. */
export function moduleStore(path: string, url: string): StoreKind {
  return backend(path.replace(/^.*\/|\.[^.]*$/g, ''), `Quadrille over ${path}`, async (directory) => {
    const { openStorage } = (await import(url)) as { openStorage?: OpenDriver };
    if (openStorage === undefined) throw new Error(`${path} exports no openStorage(directory)`);
    return openStorage(directory);
  });
}

async function openQuadrille(storage: StorageDriver, durability: Durability): Promise<OpenStore> {
  const db = await open({ storage }, { durability });
  const repository = await db.repository(REPOSITORY, { create: true });
  return {
    load: async (file) => void (await repository.load(file)),
    size: () => repository.size(),
    scan: (visit) => visitAll(repository, undefined, visit),
    lookup: (subject, visit) => visitAll(repository, { subject }, visit),
    add: async (quads) => void (await repository.add(quads)),
    run: (text, digest) => runQuery(repository, text, digest),
    history: {
      revision: async () => (await repository.revision()).number,
      lookup: (revision, subject, visit) => visitAll(repository.at(revision), { subject }, visit),
    },
    close: () => db.close(),
  };
}

async function visitAll(view: ReadView, pattern: Parameters<ReadView['quads']>[0], visit: Visit): Promise<void> {
  for await (const quad of view.quads(pattern)) visit(quad);
}

/** Reads the answer to its last row; how many there were. */
export async function runQuery(view: ReadView, text: string, digest?: AnswerDigest): Promise<number> {
  const answer = await view.query(text);
  let rows = 0;
  if (answer.type === 'bindings') {
    for await (const row of answer.rows) {
      rows++;
      digest?.add(Object.entries(row).map(([name, term]) => [name, comparableText(term)]));
    }
  } else if (answer.type === 'quads') {
    for await (const quad of answer.quads) {
      rows++;
      digest?.add(quadRow(quad));
    }
  } else {
    rows = answer.value ? 1 : 0;
  }
  return rows;
}
