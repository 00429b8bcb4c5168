/** The storage contract over a shared store: packs are written first, and one entry of the log makes a batch visible. */

import { StorageError } from '@quadrille/model';
import {
  equalBytes,
  scanSnapshot,
  type Bytes,
  type Entry,
  type KeyRange,
  type RangeOptions,
  type StorageCapabilities,
  type StorageDriver,
  type WriteOp,
  type WriteOptions,
  type WriteOutcome,
} from '@quadrille/storage';
import type { SharedDriver } from '../contract.js';
import { type Fold, LogReader } from '../log/log-reader.js';
import { LogWriter, type WriterOptions } from '../log/log-writer.js';
import { Presence, type PresenceOptions } from './presence.js';
import { CallsUnderWay } from './calls-under-way.js';
import { Collector, type CollectorOptions } from './collector.js';
import { SharedTable } from './shared-table.js';
import type { Slot } from './slot.js';
import { SliceReader } from './slice-reader.js';
import { spill } from './spill.js';

/** Options of {@link SharedStorage}. */
export interface SharedStorageOptions extends Partial<WriterOptions>, CollectorOptions, PresenceOptions {
  /** Whether it reads only. Then it never takes over. Default false. */
  readonly readOnly?: boolean;
}

/** The log of a store. Others are for later versions. */
const LOG = 0;
/** Number of entries in a chunk of a range. Their values are read in one round trip. */
const RANGE_CHUNK = 64;
/** Packs that are stored at once. */
const PACKS_AT_ONCE = 8;
const NOTHING: Bytes = new Uint8Array(0);

/**
 * A {@link StorageDriver} over a {@link SharedDriver}. One process writes at a time: a driver that may write takes the
 * store over when it is opened, if the process that wrote before is silent. If another process takes over although this
 * one lives, every later write fails with `LEASE_LOST`: what is in memory here is an old state. Reads go on.
 */
export class SharedStorage implements StorageDriver {
  readonly capabilities: StorageCapabilities;
  readonly #driver: SharedDriver;
  readonly #options: WriterOptions & SharedStorageOptions;
  readonly #newId: () => string;
  readonly #slices: SliceReader;
  #table!: SharedTable;
  #reader!: LogReader;
  #writer: LogWriter | undefined;
  #collector!: Collector;
  readonly #presence: Presence;
  readonly #calls = new CallsUnderWay();
  /** Whether entries of another process were read since this one began to write. */
  #foreign = false;

  constructor(driver: SharedDriver, options: SharedStorageOptions = {}) {
    this.#driver = driver;
    this.#newId = options.newId ?? ((): string => crypto.randomUUID());
    this.#options = { server: this.#newId(), ...options };
    this.#slices = new SliceReader(driver, LOG);
    this.#presence = new Presence(driver, this.#options.server, options);
    const readOnly = options.readOnly === true;
    this.capabilities = { getSync: false, durable: true, sizeOnDisk: false, compact: true, readOnly };
    this.#forget();
  }

  /** The name of the shared driver. */
  get name(): string {
    return this.#driver.name;
  }

  /**
   * @throws StateError `STORE_LOCKED` if another process writes to the store
   * @throws StorageError `LEASE_LOST` if another process takes over at the same time
   */
  async open(): Promise<void> {
    await this.#driver.open();
    try {
      await this.#reader.catchUp();
      if (this.capabilities.readOnly === true) return;
      await this.#presence.waitFor(this.#reader.root.holder);
      await this.#takeOver();
      await this.#presence.begin();
    } catch (error) {
      await this.#driver.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#collector.end();
    if (this.#writer !== undefined) await this.#presence.end();
    this.#forget();
    await this.#driver.close();
  }

  /**
   * Takes the store over again after a failed write, if nobody else has written to it.
   * @throws StorageError `LEASE_LOST` if another process has. `HISTORY_LOST`
   */
  async reopen(): Promise<void> {
    await this.#collector.end();
    await this.#reader.catchUp();
    if (!this.#foreign) await this.#takeOver();
    if (this.#foreign) throw replaced();
  }

  async get(key: Bytes): Promise<Bytes | undefined> {
    const slot = this.#table.get(key);
    if (slot === undefined || 'value' in slot) return slot?.value;
    const read = this.#calls.begin();
    try {
      return await this.#value(slot);
    } finally {
      this.#calls.end(read);
    }
  }

  getMany(keys: readonly Bytes[]): Promise<(Bytes | undefined)[]> {
    return Promise.all(keys.map((key) => this.get(key)));
  }

  async *range(range: KeyRange, { read }: Required<RangeOptions>): AsyncGenerator<readonly Entry[], void, undefined> {
    const { wants } = range;
    let chunk: { readonly key: Bytes; readonly slot: Slot }[] = [];
    const entries = (): Promise<Entry[]> =>
      Promise.all(
        chunk.map(async ({ key, slot }) => ({
          key: read === 'values' ? NOTHING : key,
          value: read === 'keys' || wants?.(key) === false ? NOTHING : await this.#value(slot),
        })),
      );
    const table = this.#table;
    const reading = this.#calls.begin();
    try {
      for (const [key, held] of scanSnapshot(table.snapshot(), range)) {
        chunk.push({ key, slot: table.slot(held) });
        if (chunk.length < RANGE_CHUNK) continue;
        yield await entries();
        chunk = [];
      }
      if (chunk.length > 0) yield await entries();
    } finally {
      this.#calls.end(reading);
    }
  }

  /**
   * @throws StorageError `LEASE_LOST`: nothing was applied, and the store must be opened again. `COMMIT_UNKNOWN`: read after
   * `reopen` to find out
   */
  async write(ops: readonly WriteOp[], { precondition }: WriteOptions): Promise<WriteOutcome> {
    if (precondition !== undefined && !equalBytes(await this.get(precondition.key), precondition.value)) {
      return 'conflict';
    }
    if (ops.length === 0) return 'ok';
    const { body, packs } = spill(ops, this.#newId);
    const writing = this.#calls.begin();
    try {
      for (let at = 0; at < packs.length; at += PACKS_AT_ONCE) {
        await this.#driver.putPacks(LOG, packs.slice(at, at + PACKS_AT_ONCE));
      }
      await this.#writer!.append(body);
    } catch (error) {
      if (error instanceof StorageError && error.code === 'STORAGE_FULL') return 'full';
      throw error;
    } finally {
      this.#calls.end(writing);
    }
    this.#collector.written(body.length);
    return 'ok';
  }

  approximateSize(range: KeyRange): Promise<number> {
    return this.#table.size(range);
  }

  /** Writes a checkpoint, and deletes packs that nobody needs. Packs with little in use are written anew. */
  async compact(): Promise<void> {
    await this.#collector.collect();
  }

  async #takeOver(): Promise<void> {
    const first = this.#writer === undefined;
    this.#writer = await LogWriter.takeOver(this.#reader, this.#options);
    if (first) this.#foreign = false;
  }

  /** Begins with nothing. */
  #forget(): void {
    this.#writer = undefined;
    this.#table = new SharedTable(this.#driver, LOG);
    this.#reader = new LogReader(this.#driver, LOG, this.#fold(this.#table));
    this.#collector = new Collector(this.#reader, this.#table, this.#calls, { newId: this.#newId, ...this.#options });
  }

  /** Notes entries that this process has not written. */
  #fold(table: SharedTable): Fold {
    return {
      reset: (parts) => {
        this.#foreign = true;
        return table.reset(parts);
      },
      apply: (entry) => {
        if (entry.epoch !== this.#writer?.epoch) this.#foreign = true;
        return table.apply(entry);
      },
    };
  }

  #value(slot: Slot): Promise<Bytes> | Bytes {
    if ('value' in slot) return slot.value;
    return this.#slices.read({ pack: slot.pack.id, from: slot.from, length: slot.length });
  }
}

function replaced(): StorageError {
  return new StorageError(
    'LEASE_LOST',
    'Another process has written to this store, because this one seemed to be away. Nothing more is written here: open the store again.',
  );
}
