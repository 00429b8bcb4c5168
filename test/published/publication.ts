/** A repository of a store as it is read from a web host of this machine. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebHost } from '@quadrille/storage-published/testing';
import { open, publish } from 'quadrille';
import type { Database, PublishOptions, Repository } from 'quadrille';

/** Where a store is published, and the host that serves it. */
export interface Publication {
  readonly folder: string;
  readonly host: WebHost;
  close(): Promise<void>;
}

/** Publishes a store, and serves it. */
export async function publication(
  store: Database | string,
  options: PublishOptions & { readonly latencyMs?: number } = {},
): Promise<Publication> {
  const { latencyMs = 0, ...how } = options;
  const folder = await mkdtemp(join(tmpdir(), 'quadrille-publication-'));
  await publish(store, folder, how);
  const files = new Map<string, Promise<Uint8Array>>();
  const read = (name: string): Promise<Uint8Array> => {
    if (name === 'quadrille.json') return readFile(join(folder, name));
    if (!files.has(name)) files.set(name, readFile(join(folder, name)));
    return files.get(name)!;
  };
  const host = await WebHost.open({ file: (name) => read(name).catch(() => undefined), latencyMs });
  return {
    folder,
    host,
    close: async () => {
      await host.close();
      await rm(folder, { recursive: true });
    },
  };
}

/** Runs a function with a repository as it is published. */
export async function asPublished<T>(
  database: Database,
  name: string,
  use: (repository: Repository) => Promise<T>,
): Promise<T> {
  // The whole history takes least to publish.
  const { host, close } = await publication(database, { repositories: [name], history: 'all' });
  try {
    const published = await open(host.url);
    try {
      return await use(await published.repository(name));
    } finally {
      await published.close();
    }
  } finally {
    await close();
  }
}
