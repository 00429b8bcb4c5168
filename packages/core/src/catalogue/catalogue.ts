/** The catalogue of a store: what its parts share, and how it stands in the storage. */
import { CorruptionError } from '@quadrille/model';
import type { Mutex } from '@quadrille/model';
import type { StorageEngine } from '@quadrille/storage';
import { ByteReader, ByteWriter } from '../format/byte-codec.js';
import type { Env } from '../runtime/env.js';
import { Area, areaKey, FORMAT_VERSION, putU32, textKey } from '../format/layout.js';

export interface CatalogueAccess {
  readonly engine: StorageEngine;
  readonly env: Env;
  readonly durable: boolean;
  /** Its changes go one after the other. */
  readonly writeLock: Mutex;
  /** Throws where the store is closed. */
  readonly check: () => void;
}

const utf8 = new TextEncoder();
const fromUtf8 = new TextDecoder();

export const toJson = (value: unknown): Uint8Array => utf8.encode(JSON.stringify(value));
export const fromJson = (bytes: Uint8Array): unknown => JSON.parse(fromUtf8.decode(bytes));
/** The name in the key of an account or a repository. */
export const nameIn = (key: Uint8Array): string => fromUtf8.decode(key.subarray(1));

export const repositoryKey = (name: string): Uint8Array => textKey(areaKey(Area.repository), name);
export const accountKey = (name: string): Uint8Array => textKey(areaKey(Area.account), name);
export const accountNamespaceHead = (name: string): Uint8Array => textKey(areaKey(Area.accountNamespace), `${name}\0`);

/** The mark of a repository that is being deleted. */
export function droppedKey(id: number): Uint8Array {
  const key = new Uint8Array(5);
  key[0] = Area.dropped;
  putU32(key, 1, id);
  return key;
}

/** The number for the next repository, as it was stored; `undefined` where the storage is empty. */
export async function readNextRepository(engine: StorageEngine): Promise<number | undefined> {
  const stored = await engine.get(areaKey(Area.store));
  if (stored === undefined) return undefined;
  const reader = new ByteReader(stored);
  const version = reader.varint();
  if (version > FORMAT_VERSION) {
    throw new CorruptionError(
      'FORMAT_VERSION',
      `the store has format ${version}, this version reads up to ${FORMAT_VERSION}`,
    );
  }
  return reader.varint();
}

export function nextRepositoryOp(next: number): { type: 'put'; key: Uint8Array; value: Uint8Array } {
  const value = new ByteWriter(8).varint(FORMAT_VERSION).varint(next).finish().slice();
  return { type: 'put', key: areaKey(Area.store), value };
}
