/**
 * The catalogue of a store: accounts and repositories by name, and the marks of repositories whose data are being
 * deleted.
 */
import { CorruptionError, Mutex, StateError } from '@quadrille/model';
import type { StorageEngine, WriteOp } from '@quadrille/storage';
import { ByteReader, ByteWriter } from '../format/byte-codec.js';
import {
  Area,
  areaKey,
  FORMAT_VERSION,
  putU32,
  readU32,
  textKey,
  UNFINISHED_FORMAT,
  UUID_FORMAT,
} from '../format/layout.js';
import { checkNumber } from '../format/numbers.js';
import { recovered, writeAlone } from '../keyspace/write-alone.js';
import { parseUuid, revisionUuid } from '../revision/uuid.js';
import type { Env } from '../runtime/env.js';

const fromUtf8 = new TextDecoder();

/** Decodes the name in the key of an account or a repository. */
export const nameIn = (key: Uint8Array): string => fromUtf8.decode(key.subarray(1));

export const repositoryKey = (name: string): Uint8Array => textKey(areaKey(Area.repository), name);
export const accountKey = (name: string): Uint8Array => textKey(areaKey(Area.account), name);
export const accountNamespaceHead = (name: string): Uint8Array => textKey(areaKey(Area.accountNamespace), `${name}\0`);

/** The value of the mark of data that are to be deleted. */
export const DROPPED = new Uint8Array(0);

/** Marks the data of a repository for deletion. */
export const droppedOp = (id: number): WriteOp => ({ type: 'put', key: droppedKey(id), value: DROPPED });

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
  readonly #lock = new Mutex();

  constructor(
    readonly engine: StorageEngine,
    readonly env: Env,
    readonly durable: boolean,
    /** Throws if the store is closed. */
    readonly check: () => void,
  ) {}

  /** Does work that reads the catalogue and writes what follows from that, alone. `frees`: as of {@link writeAlone}. */
  change<T>(work: () => Promise<T>, frees = false): Promise<T> {
    return this.#lock.run(async () => {
      await recovered(this.engine, frees);
      return work();
    });
  }

  /**
   * Writes ops on which no state in memory depends. `frees` means that the write frees space, so that a full disk
   * accepts it.
   */
  async writeAlone(ops: readonly WriteOp[], frees = false): Promise<void> {
    this.check();
    const { durable } = this;
    await writeAlone(this.engine, ops, frees ? { durable, frees } : { durable });
  }

  /** The entry of the store; `undefined` if the storage is empty. @throws CorruptionError `FORMAT_VERSION`; StateError `NOT_A_STORE` */
  async entry(): Promise<StoreEntry | undefined> {
    const stored = await this.engine.get(areaKey(Area.store));
    if (stored === undefined) return undefined;
    const reader = new ByteReader(stored);
    const format = reader.varint();
    if (format === UNFINISHED_FORMAT) {
      throw new StateError('NOT_A_STORE', 'a restore to this store was not completed: restore or copy to it again');
    }
    if (format > FORMAT_VERSION) {
      throw new CorruptionError(
        'FORMAT_VERSION',
        `the store has format ${format}, this version of Quadrille reads formats up to ${FORMAT_VERSION}`,
      );
    }
    const nextRepository = reader.varint();
    return { format, nextRepository, id: format < UUID_FORMAT ? undefined : reader.bytes(16).slice() };
  }

  /** The id of a store that has none yet: that of the marker, or a new one. */
  newStoreId(): Uint8Array {
    const { marker } = this.engine;
    return (marker && parseUuid(marker.id)) ?? revisionUuid(this.env, this.env.now(), undefined);
  }
}

/** The records of the store as a whole. */
export interface StoreEntry {
  readonly format: number;
  /** Number of the next repository. */
  readonly nextRepository: number;
  /** UUID of the store. Formats before 4 have none. */
  readonly id: Uint8Array | undefined;
}

/**
 * Writes the entry of the store in the newest format. Call it only for a store that has this format.
 * @throws StorageError `STORAGE_LIMIT` if there is no number for the repository before the next one
 */
export function storeEntryOp(nextRepository: number, id: Uint8Array): WriteOp {
  checkNumber(nextRepository - 1, 'repositories of the store', 'create the repository in another store');
  const value = new ByteWriter(32).varint(FORMAT_VERSION).varint(nextRepository).bytes(id).finish().slice();
  return { type: 'put', key: areaKey(Area.store), value };
}

/** Writes the entry of a store without repositories. */
export const newStoreEntryOp = (catalogue: Catalogue): WriteOp => storeEntryOp(1, catalogue.newStoreId());
