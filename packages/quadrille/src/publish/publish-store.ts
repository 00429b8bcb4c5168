/** Publishes a store: a copy of what is published in a temporary store, then its entries as files. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { forkRepository, settleCopy } from '@quadrille/core/backup';
import { FORMAT_VERSION } from '@quadrille/core';
import { InvalidArgumentError, StateError, yieldTurn } from '@quadrille/model';
import { loadNameDigest, type StorageDriver } from '@quadrille/storage';
import { decodeManifest, MANIFEST, type Manifest, type PublishedRepository } from '@quadrille/storage-published';
import { writePublication } from '@quadrille/storage-published/write';
import type { Database, Repository } from '../api/index.js';
import { untilAborted } from '../backup/file-errors.js';
import { fullName, OpenDatabase, STORE } from '../database.js';
import { open } from '../open.js';
import { openPlace } from '../platform/backends.js';
import { restore } from '../backup/restore.js';
import { FolderTarget, notEmpty } from './folder-target.js';
import type { PublishOptions, PublishReport } from './publish-types.js';

export function publishStore(
  store: Database | string | URL,
  out: string | URL,
  options: PublishOptions,
): Promise<PublishReport> {
  return untilAborted(options.signal, 'publication', async () => {
    const isPlace = typeof store === 'string' || store instanceof URL;
    const database = isPlace ? await open(store, { create: false }) : store;
    try {
      return await withFolder('quadrille-publish-', (folder) => publishDatabase(database, out, options, folder));
    } finally {
      if (isPlace) await database.close();
    }
  });
}

async function withFolder<T>(name: string, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), name));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function publishDatabase(
  database: Database,
  out: string | URL,
  options: PublishOptions,
  folder: string,
): Promise<PublishReport> {
  // What another process holds is asked for a backup, which is a store of its own.
  if (!(database instanceof OpenDatabase)) {
    const place = join(folder, 'backup');
    await database.backup(place);
    const { store: id } = await restoredFrom(place, join(folder, 'held'));
    const held = (await open(join(folder, 'held'))) as OpenDatabase;
    try {
      return await publishFrom(held, id, out, options, folder);
    } finally {
      await held.close();
    }
  }
  return publishFrom(database, database[STORE].id ?? '', out, options, folder);
}

async function restoredFrom(place: string, location: string): Promise<{ readonly store: string }> {
  const { verifyBackup } = await import('../backup/verify-backup.js');
  const { store = '' } = await verifyBackup(place);
  await restore(place, location);
  return { store };
}

async function publishFrom(
  source: OpenDatabase,
  store: string,
  out: string | URL,
  options: PublishOptions,
  folder: string,
): Promise<PublishReport> {
  const names = await chosenNames(source, options);
  const target = await FolderTarget.open(out instanceof URL ? fileURLToPath(out) : out);
  try {
    const earlier = await earlierManifest(target);
    const copy = join(folder, 'copy');
    const repositories = await copyRepositories(source, copy, names, options);
    if (options.replace !== true) assertSame(earlier, store, repositories, target.place);
    return await write(target, copy, { store, repositories, earlier }, options);
  } finally {
    await target.close();
  }
}

async function chosenNames(source: Database, { repositories, all }: PublishOptions): Promise<string[]> {
  const known = (await source.repositories().toArray()).map(({ name }) => name).sort();
  if (repositories !== undefined && repositories.length > 0) {
    const names = [...new Set(repositories.map(fullName))].sort();
    for (const name of names) await source.repository(name);
    return names;
  }
  if (known.length === 0) throw new InvalidArgumentError('INVALID_OPTION', 'publish: the store has no repository');
  if (all === true || known.length === 1) return known;
  throw new InvalidArgumentError(
    'INVALID_OPTION',
    `publish: the store has ${known.length} repositories: name those that are published, or publish all: ${known.join(', ')}`,
  );
}

async function earlierManifest(target: FolderTarget): Promise<Manifest | undefined> {
  const text = await target.manifest();
  if (text === undefined) return undefined;
  try {
    return decodeManifest(text, await loadNameDigest(), join(target.place, MANIFEST));
  } catch (error) {
    if (error instanceof StateError) throw notEmpty(target.place, `its ${MANIFEST} is not that of a publication`);
    throw error;
  }
}

/** @throws StateError `PUBLISHED_OTHER` */
function assertSame(
  earlier: Manifest | undefined,
  store: string,
  repositories: readonly PublishedRepository[],
  place: string,
): void {
  if (earlier === undefined) return;
  const before = new Map(earlier.repositories.map((one) => [one.name, one.erasures]));
  const erased = repositories.find(({ name, erasures }) => (before.get(name) ?? erasures) !== erasures);
  if (earlier.store === store && erased === undefined) return;
  const why =
    erased === undefined
      ? 'has the publication of another store'
      : `was published before data of ${erased.name} were erased`;
  throw new StateError(
    'PUBLISHED_OTHER',
    `publish: ${place} ${why}: --replace (option replace) publishes anew, and removes its data files`,
    { details: { path: place } },
  );
}

/** Copies repositories into a new store, and takes out of them what is not published. */
async function copyRepositories(
  source: OpenDatabase,
  place: string,
  names: readonly string[],
  { history = 'none', signal }: PublishOptions,
): Promise<PublishedRepository[]> {
  const copy = (await open(place, { durability: 'process' })) as OpenDatabase;
  try {
    const published: PublishedRepository[] = [];
    for (const name of names) {
      const record = await source[STORE].record(name);
      const { before, times } = (await source[STORE].repository(name)).handle.keyspace.erasedAt;
      await forkRepository(source[STORE].parts, { name, record: record! }, name, { signal, into: copy[STORE].parts });
      const repository = await copy.repository(name);
      if (history !== 'all') await cutHistory(repository, history === 'none' ? 1 : history);
      const { number, id, time } = await repository.revision();
      const quads = await repository.size();
      const revision = { number, id, time: time.toISOString() };
      published.push({ name, revision, quads, history, erasures: before + times.length });
    }
    await settleCopy(source[STORE].parts, copy[STORE].parts, names);
    return published;
  } finally {
    await copy.close();
  }
}

/** Leaves the last revisions of `main`, with the tags that name them. */
async function cutHistory(repository: Repository, last: number): Promise<void> {
  const kept = new Set<string>();
  for await (const { id } of repository.log({ limit: last })) kept.add(id);
  for (const { name, revision } of await repository.tags.list().toArray())
    if (!kept.has(revision.id)) await repository.tags.delete(name);
  const others = (await repository.branches.list().toArray()).filter(({ name }) => name !== 'main');
  for (const { name } of others) await repository.branches.delete(name, { force: true });
  // A line keeps the revision where it begins until it is dropped.
  if (others.length > 0) await repository.maintenance.compact();
  await repository.maintenance.trim({ last });
  await repository.maintenance.compact();
}

async function write(
  target: FolderTarget,
  copy: string,
  {
    store,
    repositories,
    earlier,
  }: { store: string; repositories: readonly PublishedRepository[]; earlier: Manifest | undefined },
  { ranges = true, replace = false, history, signal }: PublishOptions,
): Promise<PublishReport> {
  const driver = await openPlace(copy, { readOnly: false, create: false });
  await driver.open();
  try {
    const { manifest, written, superfluous } = await writePublication(driver.range({}, { read: 'entries' }), {
      target,
      deflate: (bytes) => deflateRawSync(bytes, { level: 7 }),
      inflate: (bytes) => inflateRawSync(bytes),
      small: !ranges,
      about: { store, entries: FORMAT_VERSION, repositories },
      earlier: replace ? undefined : earlier,
      // Packs that are taken over have no other chunks than those of a whole history.
      leastUsed: history === 'all' ? HALF : 1,
      use: (published) => useOnce(published, repositories),
      check: async () => {
        signal?.throwIfAborted();
        await yieldTurn();
      },
    });
    if (replace) for (const name of superfluous) await target.remove(name);
    return {
      location: target.place,
      repositories,
      bytes: manifest.bytes,
      writtenFiles: written.files,
      writtenBytes: written.bytes,
      superfluous: replace ? [] : superfluous,
    };
  } finally {
    await driver.close();
  }
}

const HALF = 0.5;

/** What everybody reads who opens the store and asks something. */
async function useOnce(storage: StorageDriver, repositories: readonly PublishedRepository[]): Promise<void> {
  const database = await open({ storage });
  try {
    for (const { name } of repositories) {
      const repository = await database.repository(name);
      await repository.select('SELECT * { ?s ?p ?o } LIMIT 1').toArray();
    }
  } finally {
    await database.close();
  }
}
