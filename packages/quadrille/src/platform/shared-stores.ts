/** Stores that several servers share, by their URLs: `postgres://user@host:5432/database`, `s3://bucket/prefix`. */
import { InvalidArgumentError } from '@quadrille/model';
import type { StorageDriver } from '@quadrille/storage';
import type { DiskCache } from '@quadrille/storage-directory';
import type { DiskCacheOptions, GarbageReport, JoinOptions, OpenOptions, StoreMember } from '../api/index.js';
import { loadOptional } from './load-optional.js';

const SCHEME = /^(?:postgres(?:ql)?|s3):\/\//i;
const S3 = /^s3:/i;
/** User information of a URL, up to the last `@` before the path. */
const PASSWORD = /^([a-z\d]+:\/\/[^/?#]*?):[^/?#]*@(?=[^@/?#]*(?:[/?#]|$))/i;
/** The same in the endpoint of a URL of S3, encoded or not. */
const ENDPOINT_PASSWORD = /([?&]endpoint=[a-z]+(?::|%3a)(?:\/|%2f){2}[^&#]*?)(?::|%3a)[^&#]*(?:@|%40)/gi;
const PASSWORD_PARAMETER = /([?&](?:password|sslpassword|[^=&#]*(?:secret|token|signature)[^=&#]*)=)[^&#]*/gi;

export const isSharedStore = (location: unknown): location is string =>
  typeof location === 'string' && SCHEME.test(location);

/** The URL for messages and reports. It never has a password. */
export const withoutPassword = (location: string): string =>
  location.replace(PASSWORD, '$1@').replace(ENDPOINT_PASSWORD, '$1@').replace(PASSWORD_PARAMETER, '$1***');

/** @throws InvalidArgumentError `INVALID_OPTION` */
export function checkSharedStore({ backend, durability, workers, readOnly, follow, create }: OpenOptions): void {
  const wrong = (what: string): InvalidArgumentError => new InvalidArgumentError('INVALID_OPTION', `open: ${what}`);
  if (backend !== undefined) throw wrong('backend is for stores in a directory');
  if (durability === 'process')
    throw wrong("durability 'process' is for stores in a directory: a shared store syncs every commit");
  if (workers !== undefined && workers > 0) throw wrong('workers are for stores in a directory');
  if (readOnly !== undefined && typeof readOnly !== 'boolean') throw wrong('readOnly is true or false');
  if (follow === true && readOnly === false) throw wrong('a database that follows is readOnly');
  if (follow === true && create === true) throw wrong('a store that is made cannot follow another one');
  if (readOnly === true && create === true) throw wrong('a store that is made cannot be readOnly');
}

/** @throws InvalidArgumentError `INVALID_OPTION` for another URL; StateError `STORE_LOCKED` for the folder of the cache */
export async function joinSharedStore(url: string, { advertise, diskCache }: JoinOptions): Promise<StoreMember> {
  if (!isSharedStore(url))
    throw new InvalidArgumentError('INVALID_OPTION', 'Several servers need a shared store: postgres://… or s3://…');
  const join = await joinerOf(url);
  const cache = diskCache === undefined ? undefined : await openCache(diskCache);
  try {
    return join(url, { advertise, cache });
  } catch (error) {
    await cache?.close();
    throw error;
  }
}

type Joiner = (
  url: string,
  options: { readonly advertise: string | undefined; readonly cache: DiskCache | undefined },
) => StoreMember;

async function joinerOf(url: string): Promise<Joiner> {
  if (S3.test(url)) {
    return (await loadOptional('S3', '@quadrille/s3', () => import('@quadrille/s3'))).joinS3;
  }
  const name = '@quadrille/postgres';
  return (await loadOptional('PostgreSQL', name, () => import('@quadrille/postgres'))).joinPostgres;
}

export async function openSharedStore(url: string, options: OpenOptions): Promise<StorageDriver> {
  const { follow = false, readOnly = follow, create = !readOnly, lockTimeoutMs = 0 } = options;
  const { diskCache } = options;
  const cache = diskCache === undefined ? undefined : await openCache(diskCache);
  try {
    return await storageOf(url, { readOnly, follow, create, lockTimeoutMs, cache });
  } catch (error) {
    await cache?.close();
    throw error;
  }
}

/** @throws InvalidArgumentError `INVALID_OPTION` for another location */
export async function collectInSharedStore(url: string, olderThanMs: number): Promise<GarbageReport> {
  if (!isSharedStore(url))
    throw new InvalidArgumentError('INVALID_OPTION', 'collectGarbage: the store is not in a database or a bucket');
  const opened = { readOnly: false, follow: false, create: false, lockTimeoutMs: 0, cache: undefined };
  const storage = await storageOf(url, opened);
  await storage.open();
  try {
    return await storage.collectGarbage(olderThanMs / 1000);
  } finally {
    await storage.close();
  }
}

const GIB = 1024 ** 3;

async function openCache({ directory, bytes = GIB }: DiskCacheOptions): Promise<DiskCache> {
  const { openSliceCache } = await import('@quadrille/storage-directory');
  return openSliceCache(directory, bytes);
}

type SharedStore = StorageDriver & { collectGarbage(ageSeconds: number): Promise<GarbageReport> };

async function storageOf(
  url: string,
  opened: { readOnly: boolean; follow: boolean; create: boolean; lockTimeoutMs: number; cache: DiskCache | undefined },
): Promise<SharedStore> {
  if (S3.test(url)) {
    const { openS3 } = await loadOptional('S3', '@quadrille/s3', () => import('@quadrille/s3'));
    return openS3(url, opened);
  }
  const name = '@quadrille/postgres';
  const { openPostgres } = await loadOptional('PostgreSQL', name, () => import('@quadrille/postgres'));
  return openPostgres(url, opened);
}
