/**
 * Storage in a browser. Each store is one IndexedDB database, from binary keys to sealed values, and is open in one
 * tab at a time. It uses IndexedDB directly, because browser-level has three faults: it cannot request a durable
 * write, its `getMany` reports failed reads as absent values, and it needs Node's `events`. (LevelDriver of
 * `@quadrille/storage-level` accepts browser-level all the same.)
 */

import { InvalidArgumentError, StateError } from '@quadrille/model';
import {
  equalBytes,
  type Bytes,
  type DriverSnapshot,
  type Entry,
  type KeyRange,
  type RangeOptions,
  type StorageCapabilities,
  type StorageDriver,
  type WriteOp,
  type WriteOptions,
  type WriteOutcome,
} from '@quadrille/storage';
import {
  answerOf,
  completionOf,
  databaseName,
  ENTRIES,
  openDatabase,
  ownBytes,
  toBytes,
  toIdbRange,
  toKey,
} from './indexeddb-database.js';
import { RangeView } from './range-view.js';
import { lockStore, type Release } from './store-lock.js';

/**
 * Approximate size of a chunk of a range in bytes; entries of the first chunk, when their size is unknown; most
 * entries of any chunk.
 */
const CHUNK_BYTES = 256 * 1024;
const FIRST_ENTRIES = 64;
const MAX_ENTRIES = 2000;
const NOTHING: Bytes = new Uint8Array(0);

/** Options of {@link openIndexedDb}. */
export interface IndexedDbOptions {
  /** Whether to create the store if there is none. Default false. */
  readonly create?: boolean;
  /** Whether to refuse writes. The store is locked all the same. Default false. */
  readonly readOnly?: boolean;
  /** How long to wait for another tab to release the store, in milliseconds. Default 0. */
  readonly lockTimeoutMs?: number;
}

/**
 * Opens a store of this origin; with `create`, creates it if necessary.
 *
 * The driver holds the store's lock until it is closed. A StorageEngine around it closes it.
 * @throws NotFoundError `STORE_NOT_FOUND`; StateError `STORE_LOCKED`; CorruptionError `FORMAT_VERSION`; DOMException
 * of IndexedDB
 */
export async function openIndexedDb(name: string, options: IndexedDbOptions = {}): Promise<IndexedDbDriver> {
  const driver = new IndexedDbDriver(name, options);
  await driver.open();
  return driver;
}

/**
 * Deletes a store and all its data. Does nothing if there is none.
 * @throws StateError `STORE_LOCKED`
 */
export async function deleteIndexedDb(name: string): Promise<void> {
  const release = await lockStore(name, 0);
  try {
    await answerOf(indexedDB.deleteDatabase(databaseName(name)));
  } finally {
    release();
  }
}

export class IndexedDbDriver implements StorageDriver {
  readonly name = 'indexeddb';
  readonly capabilities: StorageCapabilities;
  readonly #store: string;
  readonly #options: IndexedDbOptions;
  readonly #views = new Set<RangeView>();
  #database: IDBDatabase | undefined;
  #release: Release | undefined;

  constructor(name: string, options: IndexedDbOptions = {}) {
    if (name === '') throw new InvalidArgumentError('INVALID_OPTION', 'The name of a store must not be empty.');
    this.#store = name;
    this.#options = options;
    const readOnly = options.readOnly === true;
    this.capabilities = { getSync: false, durable: true, sizeOnDisk: false, compact: false, readOnly };
  }

  /** Does nothing if the store is open. */
  async open(): Promise<void> {
    if (this.#database !== undefined) return;
    this.#release = await lockStore(this.#store, this.#options.lockTimeoutMs ?? 0);
    try {
      this.#database = await openDatabase(this.#store, this.#options.create === true);
    } catch (error) {
      this.#letGo();
      throw error;
    }
  }

  /** Does nothing if the store is closed. */
  async close(): Promise<void> {
    this.#database?.close();
    this.#database = undefined;
    this.#letGo();
  }

  /**
   * The browser closes a database whose files are lost. Does not create it again, so that it does not come back
   * empty.
   */
  async reopen(): Promise<void> {
    this.#database?.close();
    this.#database = await openDatabase(this.#store, false);
  }

  async get(key: Bytes): Promise<Bytes | undefined> {
    return valueOf(this.#entries('readonly'), key);
  }

  async getMany(keys: readonly Bytes[]): Promise<(Bytes | undefined)[]> {
    const entries = this.#entries('readonly');
    return Promise.all(keys.map((key) => valueOf(entries, key)));
  }

  async *range(range: KeyRange, options: Required<RangeOptions>): AsyncGenerator<readonly Entry[], void, undefined> {
    const view = new RangeView(range);
    this.#views.add(view);
    try {
      yield* this.#read(view, options);
    } finally {
      this.#views.delete(view);
    }
  }

  /** While it is open, entries are kept in memory before they are changed. */
  snapshot(): DriverSnapshot {
    const all = new RangeView({});
    this.#views.add(all);
    // What is kept is looked at after the read: a write may have come before it.
    const then = (key: Bytes, now: Bytes | undefined): Bytes | undefined => {
      const kept = all.kept(key);
      return kept === undefined ? now : kept.value;
    };
    return {
      get: async (key) => then(key, await this.get(key)),
      getMany: async (keys) => (await this.getMany(keys)).map((value, i) => then(keys[i]!, value)),
      range: (range, options) => this.#read(new RangeView(range, all), options),
      close: async () => void this.#views.delete(all),
    };
  }

  async *#read(view: RangeView, { read }: Required<RangeOptions>): AsyncGenerator<readonly Entry[], void, undefined> {
    let left = view.range.limit ?? Infinity;
    let count = FIRST_ENTRIES;
    for (let last = false; !last && left > 0 && !view.atEnd;) {
      const asked = Math.min(count, left);
      const found = await readChunk(this.#entries('readonly'), view, asked, read);
      last = found.length < asked;
      const chunk = view.restore(found, last).slice(0, left);
      left -= chunk.length;
      count = nextCount(chunk);
      if (chunk.length > 0) yield chunk;
    }
  }

  async write(ops: readonly WriteOp[], { durable, precondition }: WriteOptions): Promise<WriteOutcome> {
    const entries = this.#entries('readwrite', durable ? 'strict' : 'relaxed');
    // Taken before anything is awaited: ranges that begin later are read after this transaction.
    const views = [...this.#views];
    const done = completionOf(entries.transaction);
    // Prevents an unhandled rejection until the promise is awaited below.
    done.catch(() => undefined);
    try {
      if (precondition !== undefined) {
        const present = await valueOf(entries, precondition.key);
        if (!equalBytes(present, precondition.value)) return 'conflict';
      }
      await keepForViews(entries, ops, views);
      for (const op of ops) apply(entries, op);
      entries.transaction.commit();
    } catch (error) {
      abort(entries.transaction);
      throw error;
    }
    await done;
    return 'ok';
  }

  async approximateSize(range: KeyRange): Promise<number> {
    let bytes = 0;
    for await (const chunk of this.range(range, { read: 'entries' })) bytes += bytesOf(chunk);
    return bytes;
  }

  #entries(mode: IDBTransactionMode, durability: IDBTransactionDurability = 'default'): IDBObjectStore {
    if (this.#database === undefined) throw new StateError('STORE_NOT_OPEN', `The store ${this.#store} is not open.`);
    return this.#database.transaction(ENTRIES, mode, { durability }).objectStore(ENTRIES);
  }

  #letGo(): void {
    this.#release?.();
    this.#release = undefined;
  }
}

async function valueOf(entries: IDBObjectStore, key: Bytes): Promise<Bytes | undefined> {
  const value = await answerOf<unknown>(entries.get(toKey(key)));
  return value === undefined ? undefined : toBytes(value);
}

function apply(entries: IDBObjectStore, op: WriteOp): void {
  if (op.type === 'put') entries.put(ownBytes(op.value), toKey(op.key));
  else if (op.type === 'delete') entries.delete(toKey(op.key));
  else entries.delete(toIdbRange(op)!);
}

/** Passes the entries that the batch will change to the open ranges. Costs nothing if there are none. */
async function keepForViews(
  entries: IDBObjectStore,
  ops: readonly WriteOp[],
  views: readonly RangeView[],
): Promise<void> {
  const keepOne = async (view: RangeView, key: Bytes): Promise<void> => view.keep(key, await valueOf(entries, key));
  const keepRange = async (view: RangeView, range: IDBKeyRange): Promise<void> => {
    const found = await readForwards(entries, range, undefined, 'entries');
    for (const { key, value } of found) if (view.awaits(key)) view.keep(key, value);
  };
  const reads: Promise<void>[] = [];
  for (const view of views) {
    for (const op of ops) {
      if (op.type === 'deleteRange') reads.push(keepRange(view, toIdbRange(op)!));
      else if (view.needs(op.key)) reads.push(keepOne(view, op.key));
    }
  }
  await Promise.all(reads);
}

function readChunk(
  entries: IDBObjectStore,
  view: RangeView,
  count: number,
  read: Required<RangeOptions>['read'],
): Promise<readonly Entry[]> {
  const { after, ...bounds } = view.rest;
  const range = toIdbRange(bounds, after);
  return view.range.reverse === true
    ? readBackwards(entries, range, count, read)
    : readForwards(entries, range, count, read);
}

async function readForwards(
  entries: IDBObjectStore,
  range: IDBKeyRange | undefined,
  count: number | undefined,
  read: Required<RangeOptions>['read'],
): Promise<readonly Entry[]> {
  // Always reads the keys, because they give the position of the range.
  const [keys, values] = await Promise.all([
    answerOf(entries.getAllKeys(range, count)),
    read === 'keys' ? [] : answerOf<unknown[]>(entries.getAll(range, count)),
  ]);
  return keys.map((key, i) => ({ key: toBytes(key), value: read === 'keys' ? NOTHING : toBytes(values[i]) }));
}

/** Reads entries one by one, because not every browser has a `getAll` in reverse order. */
function readBackwards(
  entries: IDBObjectStore,
  range: IDBKeyRange | undefined,
  count: number,
  read: Required<RangeOptions>['read'],
): Promise<readonly Entry[]> {
  const found: Entry[] = [];
  const cursorOf = (read === 'keys' ? entries.openKeyCursor : entries.openCursor).bind(entries);
  const walk = cursorOf(range, 'prev') as IDBRequest<IDBCursor | null>;
  return new Promise((resolve, reject) => {
    walk.addEventListener('error', () => reject(walk.error ?? new Error('IndexedDB gave no reason')));
    walk.addEventListener('success', () => {
      const cursor = walk.result;
      if (cursor === null) return resolve(found);
      const value = read === 'keys' ? NOTHING : toBytes((cursor as IDBCursorWithValue).value);
      found.push({ key: toBytes(cursor.key), value });
      if (found.length === count) return resolve(found);
      cursor.continue();
    });
  });
}

function bytesOf(entries: readonly Entry[]): number {
  let bytes = 0;
  for (const { key, value } of entries) bytes += key.length + value.length;
  return bytes;
}

/** The number of entries for the next chunk, estimated from the size of the last ones. */
function nextCount(chunk: readonly Entry[]): number {
  if (chunk.length === 0) return FIRST_ENTRIES;
  const average = Math.max(1, bytesOf(chunk) / chunk.length);
  return Math.min(MAX_ENTRIES, Math.max(1, Math.floor(CHUNK_BYTES / average)));
}

function abort(transaction: IDBTransaction): void {
  try {
    transaction.abort();
  } catch {
    // The failure has aborted the transaction already.
  }
}
