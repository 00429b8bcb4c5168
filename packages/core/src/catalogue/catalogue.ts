/**
 * The catalogue of a store: accounts and repositories by name, and the marks of repositories whose data are being
 * deleted.
 */
import { CorruptionError, Mutex } from '@quadrille/model';
import type { StorageEngine, WriteOp } from '@quadrille/storage';
import { ByteReader, ByteWriter } from '../format/byte-codec.js';
import { Area, areaKey, FORMAT_VERSION, putU32, readU32, textKey } from '../format/layout.js';
import { writeAlone } from '../keyspace/write-alone.js';
import type { Env } from '../runtime/env.js';

const utf8 = new TextEncoder();
const fromUtf8 = new TextDecoder();

export const toJson = (value: unknown): Uint8Array => utf8.encode(JSON.stringify(value));
export const fromJson = (bytes: Uint8Array): unknown => JSON.parse(fromUtf8.decode(bytes));
/** Decodes the name in the key of an account or a repository. */
export const nameIn = (key: Uint8Array): string => fromUtf8.decode(key.subarray(1));

export const repositoryKey = (name: string): Uint8Array => textKey(areaKey(Area.repository), name);
export const accountKey = (name: string): Uint8Array => textKey(areaKey(Area.account), name);
export const accountNamespaceHead = (name: string): Uint8Array => textKey(areaKey(Area.accountNamespace), `${name}\0`);

/** The key of the mark of a deleted repository. */
export function droppedKey(id: number): Uint8Array {
  const key = new Uint8Array(5);
  key[0] = Area.dropped;
  putU32(key, 1, id);
  return key;
}

/** The number of the repository that a mark with this key names. */
export const droppedId = (key: Uint8Array): number => readU32(key, 1);

/** State that the parts of the catalogue share. */
export class Catalogue {
  /** Held by each change that reads before it writes. No other lock is taken while it is held. */
  readonly lock = new Mutex();

  constructor(
    readonly engine: StorageEngine,
    readonly env: Env,
    readonly durable: boolean,
    /** Throws if the store is closed. */
    readonly check: () => void,
  ) {}

  /**
   * Writes ops on which no state in memory depends. `frees` means that the write frees space, so that a full disk
   * accepts it.
   */
  async writeAlone(ops: readonly WriteOp[], frees = false): Promise<void> {
    this.check();
    const { durable } = this;
    await writeAlone(this.engine, ops, frees ? { durable, frees } : { durable });
  }

  /** The stored number for the next repository; `undefined` if the storage is empty. */
  async nextRepository(): Promise<number | undefined> {
    const stored = await this.engine.get(areaKey(Area.store));
    if (stored === undefined) return undefined;
    const reader = new ByteReader(stored);
    const version = reader.varint();
    if (version > FORMAT_VERSION) {
      throw new CorruptionError(
        'FORMAT_VERSION',
        `the store has format ${version}, this version of Quadrille reads formats up to ${FORMAT_VERSION}`,
      );
    }
    return reader.varint();
  }
}

export function nextRepositoryOp(next: number): WriteOp {
  const value = new ByteWriter(8).varint(FORMAT_VERSION).varint(next).finish().slice();
  return { type: 'put', key: areaKey(Area.store), value };
}
