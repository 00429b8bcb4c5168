/** Stores of earlier formats: the entries of a store of format 1, laid into any storage. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MemoryDriver, StorageEngine } from '@quadrille/storage';
import type { StorageDriver } from '@quadrille/storage';
import { openLevelDirectory } from '@quadrille/storage-level';
import { openLmdbDirectory } from '@quadrille/lmdb';
import type { Backend } from '../index.js';

interface OldStore {
  /** The revisions of `acme/people`, newest first. `acme/empty` has only the first one. */
  readonly log: readonly { readonly id: string; readonly number: number; readonly message?: string }[];
  /** The quads of each revision by number. */
  readonly states: Readonly<Record<string, readonly string[]>>;
  /** Key → value, in hexadecimal digits. */
  readonly entries: Readonly<Record<string, string>>;
}

export const OLD_STORE = JSON.parse(await readFile(new URL('format-1.json', import.meta.url), 'utf8')) as OldStore;

const bytes = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, 'hex'));

/** @param id the id of a store of format 4, in hexadecimal digits; others have none */
async function fill(driver: StorageDriver, id?: string): Promise<void> {
  const engine = await StorageEngine.open(driver);
  const ops = Object.entries(OLD_STORE.entries).map(([key, value]) => ({
    type: 'put' as const,
    key: bytes(key),
    value: bytes(value),
  }));
  if (id !== undefined) {
    const next = bytes(OLD_STORE.entries['01']!.slice(2));
    ops.push({ type: 'put', key: bytes('01'), value: Uint8Array.of(4, ...next, ...bytes(id)) });
  }
  await engine.write(ops, { durable: true });
  await engine.close();
}

export const openDriver = (path: string, backend: Backend, create = false): Promise<StorageDriver> =>
  backend === 'lmdb' ? openLmdbDirectory(path, { create }) : openLevelDirectory(path, { create });

export interface Marker {
  readonly format: number;
  readonly id: string;
}

export const markerOf = async (path: string): Promise<Marker> =>
  JSON.parse(await readFile(join(path, 'quadrille.json'), 'utf8')) as Marker;

/** Makes a store in a directory, with a marker of this format. */
export async function oldDirectory(path: string, backend: Backend, format: number): Promise<void> {
  await (await openDriver(path, backend, true)).close();
  const { id } = await markerOf(path);
  await fill(await openDriver(path, backend), format < 4 ? undefined : id.replaceAll('-', ''));
  await writeFile(join(path, 'quadrille.json'), `${JSON.stringify({ ...(await markerOf(path)), format })}\n`);
}

/** A store in memory, which has no marker. */
export async function oldMemory(): Promise<MemoryDriver> {
  const driver = new MemoryDriver();
  await fill(driver);
  return driver;
}

/** The first byte of the store's entry, which is its format, and the versions of all revision records. */
export async function versionsIn(driver: StorageDriver): Promise<{ format: number; records: number[] }> {
  const engine = await StorageEngine.open(driver);
  try {
    const [entry] = (await engine.get(Uint8Array.of(1))) ?? [];
    const records: number[] = [];
    for await (const chunk of engine.range({ gte: Uint8Array.of(0x10), lt: Uint8Array.of(0x11) }))
      for (const { key, value } of chunk) if (key[5] === 0x03) records.push(value[0]!);
    return { format: entry ?? 0, records };
  } finally {
    await engine.close();
  }
}
