/** The storage contract over a shared store: packs are written first, and one entry of the log makes a batch visible. */

import { Mutex, StorageError } from '@quadrille/model';
import {
  BackgroundFailures,
  equalBytes,
  scanSnapshot,
  type Bytes,
  type DriverSnapshot,
  type Entry,
  type JobFailure,
  type KeyRange,
  type PurgePauses,
  type RangeOptions,
  type Refresh,
  type SharedFigures,
  type StorageCapabilities,
  type StorageDriver,
  type TableSnapshot,
  type WriteOp,
  type WriteOptions,
  type WriteOutcome,
} from '@quadrille/storage';
import type { Known, SharedDriver } from '../contract.js';
import { type Fold, LogReader } from '../log/log-reader.js';
import { LogWriter, type WriterOptions } from '../log/log-writer.js';
import { MeteredDriver, StoreFigures } from '../figures/metered-driver.js';
import { Presence, type PresenceOptions } from './presence.js';
import { CallsUnderWay } from './calls-under-way.js';
import { type Collected, Collector, type CollectorOptions, type Writing } from './collector.js';
import { SharedTable } from './shared-table.js';
import { SharedView } from './shared-view.js';
import { isSame, isValue, type HeldPlace, type Slot } from './slot.js';
import { SliceReader, type SliceCache } from './slice-reader.js';
import { PACK_BYTES, spill } from './spill.js';
import { TableReads, type TableState } from './table-reads.js';
import { TouchedKeys } from './touched-keys.js';

/** Options of {@link SharedStorage}. */
export interface SharedStorageOptions extends Partial<WriterOptions>, CollectorOptions, PresenceOptions {
  /** Whether it reads only. Then it never takes over. Default false. */
  readonly readOnly?: boolean;
  /** Keeps what was read from packs near, for example on a local disk. The storage closes it. Default: none. */
  readonly cache?: SliceCache | undefined;
  /** Whether `refresh` shows what other processes have written. Then it reads only. Default false. */
  readonly follow?: boolean;
  /**
   * Whether it leaves the store to a process that has taken over, even if that one has written nothing yet. Default
   * false: it takes the store back.
   */
  readonly yields?: boolean;
  /** Whether it takes the store over at once, although another process may live. Default false. */
  readonly takesOver?: boolean;
  /** The signs of life of the process, which somebody else begins and ends. Default: its own. */
  readonly presence?: Presence;
  /** Where its calls are counted. Default: figures of its own. */
  readonly figures?: StoreFigures;
}

/** The log of a store. Others are for later versions. */
const LOG = 0;
/** Packs that are stored at once. */
const PACKS_AT_ONCE = 8;

/**
 * A {@link StorageDriver} over a {@link SharedDriver}. One process writes at a time: a driver that may write takes the
 * store over when it is opened, if the process that wrote before is silent. If another process takes over although this
 * one lives, every later write fails with `LEASE_LOST`: what is in memory here is an old state. Reads go on.
 */
export class SharedStorage implements StorageDriver {
  readonly capabilities: StorageCapabilities;
  /** See {@link StorageDriver}. A storage that writes asks whether it is still the one that does. */
  readonly refresh?: () => Promise<Refresh | undefined>;
  /** See {@link StorageDriver}. Only with `follow`. */
  readonly view?: () => StorageDriver;
  /** The signs of life of this process and of others. */
  readonly presence: Presence;
  readonly #owned: Presence | undefined;
  readonly #driver: MeteredDriver;
  readonly #counted: StoreFigures;
  readonly #options: WriterOptions & SharedStorageOptions;
  readonly #newId: () => string;
  readonly #slices: SliceReader;
  readonly #reads: TableReads;
  readonly #calls = new CallsUnderWay();
  readonly #appends = new Mutex();
  readonly #failures = new BackgroundFailures();
  readonly #touched: TouchedKeys | undefined;
  #table!: SharedTable;
  #reader!: LogReader;
  #writer: LogWriter | undefined;
  #collector!: Collector;
  /** The state that reads see, if this storage follows. */
  #shown: TableSnapshot<Slot> | undefined;
  /** Whether entries of another process were read since this one began to write. */
  #foreign = false;

  constructor(driver: SharedDriver, options: SharedStorageOptions = {}) {
    this.#counted = options.figures ?? new StoreFigures();
    this.#driver = new MeteredDriver(driver, this.#counted);
    this.#newId = options.newId ?? ((): string => crypto.randomUUID());
    this.#options = { server: this.#newId(), ...options };
    this.#slices = new SliceReader(this.#driver, LOG, options.cache, this.#counted);
    this.#reads = this.#readsOf(() => ({ table: this.#table, state: this.#shown }));
    this.#owned =
      options.presence === undefined ? new Presence(this.#driver, this.#options.server, options) : undefined;
    this.presence = options.presence ?? this.#owned!;
    const follow = options.follow === true;
    const readOnly = follow || options.readOnly === true;
    this.capabilities = { getSync: false, durable: true, sizeOnDisk: false, compact: true, readOnly, remote: true };
    if (follow) {
      this.#touched = new TouchedKeys();
      this.refresh = () => this.#followLog();
      this.view = () => this.#viewOf(this.#shown!);
    } else if (!readOnly) {
      this.refresh = () => this.#assertHeld();
    }
    this.#forget();
  }

  /** The name of the shared driver. */
  get name(): string {
    return this.#driver.name;
  }

  /** UUID of this process. */
  get server(): string {
    return this.#options.server;
  }

  /** UUID of the process that has taken the store over last, as far as this one has read. */
  get holder(): string | undefined {
    return this.#reader.root.holder;
  }

  /** The last position of the log that this process has read. */
  get position(): number {
    return this.#reader.position;
  }

  /** Signs of life look for news. A process that gives none on behalf of this storage has to ask. */
  mayHaveNews(): boolean | undefined {
    return this.#owned === undefined && this.#driver.looks ? this.presence.news : undefined;
  }

  backgroundFailures(): readonly JobFailure[] {
    return this.#failures.list;
  }

  /** Figures of the calls of this process. */
  figures(): SharedFigures {
    return this.#counted.read(this.position, this.#options.cache?.bytes ?? 0);
  }

  /**
   * @throws StateError `STORE_LOCKED` if another process writes to the store
   * @throws StorageError `LEASE_LOST` if another process takes over at the same time
   */
  async open(): Promise<void> {
    try {
      await this.#driver.open();
      await this.#catchUp();
      if (this.#touched !== undefined) this.#show();
      if (this.capabilities.readOnly === true) return this.#tellPresence();
      if (this.#options.takesOver !== true) await this.presence.waitFor(this.#reader.root.holder);
      await this.#takeOver();
      await this.#owned?.begin();
      this.#tellPresence();
    } catch (error) {
      await this.#owned?.end();
      await this.#end();
      throw error;
    }
  }

  /** From now on the process's signs of life are about the log as this storage knows it. */
  #tellPresence(): void {
    const known = (): Known => {
      const { position: after, id, rootVersion } = this.#reader;
      return { log: LOG, after, id, rootVersion };
    };
    if (this.#owned === undefined) this.presence.known = known;
  }

  async close(): Promise<void> {
    await this.#collector.end();
    await this.#owned?.end();
    this.#forget();
    await this.#end();
  }

  async #end(): Promise<void> {
    await this.#driver.close();
    await this.#options.cache?.close();
  }

  /**
   * Takes the store over again after a failed write, if nobody else has written to it.
   * @throws StorageError `LEASE_LOST` if another process has. `HISTORY_LOST`
   */
  async reopen(): Promise<void> {
    if (this.#options.yields === true && this.#writer?.replaced === true) throw replaced();
    await this.#collector.end();
    await this.#resume();
  }

  /** Finds out what is in the log, and goes on behind it. */
  #resume(): Promise<void> {
    return this.#appends.run(async () => {
      await this.#catchUp();
      if (!this.#foreign) await this.#takeOver();
      if (this.#foreign) throw replaced();
    });
  }

  get(key: Bytes): Promise<Bytes | undefined> {
    return this.#reads.get(key);
  }

  getMany(keys: readonly Bytes[]): Promise<(Bytes | undefined)[]> {
    return this.#reads.getMany(keys);
  }

  range(range: KeyRange, options: Required<RangeOptions>): AsyncIterable<readonly Entry[]> {
    return this.#reads.range(range, options);
  }

  /** Like a call under way: nothing is deleted that it may read. */
  snapshot(): DriverSnapshot {
    const call = this.#calls.begin();
    const state = this.#viewOf(this.#shown ?? this.#table.snapshot());
    return {
      get: (key) => state.get(key),
      getMany: (keys) => state.getMany(keys),
      range: (range, options) => state.range(range, options),
      close: async () => this.#calls.end(call),
    };
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
      await this.#append(() => body);
    } catch (error) {
      if (error instanceof StorageError && error.code === 'STORAGE_FULL') return 'full';
      throw error;
    } finally {
      this.#calls.end(writing);
    }
    this.#collector.written(body.length);
    return 'ok';
  }

  /** The collector appends, too. */
  #append(body: () => Bytes | undefined): Promise<void> {
    return this.#appends.run(async () => {
      const bytes = body();
      if (bytes !== undefined) await this.#writer!.append(bytes);
    });
  }

  approximateSize(range: KeyRange): Promise<number> {
    return this.#table.size(range, this.#shown);
  }

  /**
   * Writes a checkpoint, and deletes packs that nobody needs. Packs with little in use are written anew.
   * @throws StorageError `LEASE_LOST` if another process writes to the store
   */
  async compact(): Promise<void> {
    if (this.#writer !== undefined) await this.#collector.collect();
  }

  /**
   * Writes living values of packs that also have dead ones again. Then it deletes everything that the present state does not need,
   * without grace: servers that read older states get `SNAPSHOT_EXPIRED`. Its own cache is emptied. Returns the written bytes.
   */
  async purge(pauses: PurgePauses): Promise<number> {
    // A pack that is being made may have values that were replaced meanwhile.
    await this.#collector.end();
    const moved = await this.#leaveMixedPacks(pauses);
    const bytes = moved + (await this.#collector.purge(pauses));
    await this.#slices.since(this.#reader.root.erasure);
    return bytes;
  }

  async #leaveMixedPacks({ withoutWrites, signal }: PurgePauses): Promise<number> {
    const mixed = new Set([...this.#table.packs].filter(([, { length, used }]) => used < length).map(([id]) => id));
    let places: { readonly key: Bytes; readonly slot: HeldPlace }[] = [];
    let [size, bytes] = [0, 0];
    const send = async (): Promise<void> => {
      signal.throwIfAborted();
      const values = await this.getMany(places.map(({ key }) => key));
      const outcome = await withoutWrites(() => {
        // Others may have written keys meanwhile. A place is never used twice.
        const left = [...places.keys()].filter((i) => isSame(this.#table.get(places[i]!.key), places[i]!.slot));
        const ops = left.map((i): WriteOp => ({ type: 'put', key: places[i]!.key, value: values[i]! }));
        return this.write(ops, { durable: true });
      });
      if (outcome === 'full') throw new StorageError('STORAGE_FULL', 'There is no room to write packs anew');
      bytes += size;
      [places, size] = [[], 0];
    };
    // The state of now: what is written here is not met again.
    for (const [key, slot] of mixed.size === 0 ? [] : scanSnapshot(this.#table.snapshot(), {})) {
      if (isValue(slot) || !mixed.has(slot.pack.id)) continue;
      places.push({ key, slot });
      size += slot.length;
      if (size >= PACK_BYTES) await send();
    }
    if (places.length > 0) await send();
    return bytes;
  }

  /**
   * Deletes packs that no state needs, if they are at least so old by the clock of the store. Such are those of writers that
   * have ended before their entry. Readers of states before the last checkpoint get `SNAPSHOT_EXPIRED`.
   */
  collectGarbage(ageSeconds: number): Promise<Collected> {
    return this.#collector.collectOlder(ageSeconds);
  }

  async #takeOver(): Promise<void> {
    const first = this.#writer === undefined;
    this.#writer = await LogWriter.takeOver(this.#reader, this.#options);
    this.#counted.takeOvers++;
    if (first) this.#foreign = false;
  }

  async #assertHeld(): Promise<undefined> {
    await this.#looking(() => this.#writer!.assertHeld());
  }

  /** What is new is known afterwards, unless the look fails. */
  async #looking(look: () => Promise<void>): Promise<void> {
    this.presence.news = false;
    try {
      await look();
    } catch (error) {
      this.presence.news = true;
      throw error;
    }
  }

  async #catchUp(): Promise<void> {
    await this.#reader.catchUp();
    await this.#slices.since(this.#reader.root.erasure);
  }

  async #followLog(): Promise<Refresh | undefined> {
    await this.#looking(() => this.#catchUp());
    const touched = this.#touched!;
    const state = this.#table.snapshot();
    if (!touched.any) {
      // The same values, of which some were moved from the memory into packs.
      this.#shown = state;
      return undefined;
    }
    return { changed: touched.ranges, view: () => this.#viewOf(state), show: () => this.#show(state) };
  }

  #show(state = this.#table.snapshot()): void {
    this.#touched!.clear();
    this.#shown = state;
  }

  #viewOf(state: TableSnapshot<Slot>): StorageDriver {
    const table = this.#table;
    return new SharedView(
      this.name,
      table,
      state,
      this.#readsOf(() => ({ table, state })),
    );
  }

  #readsOf(of: () => TableState): TableReads {
    return new TableReads(this.#slices, this.#calls, of);
  }

  /** Begins with nothing. */
  #forget(): void {
    this.#writer = undefined;
    this.#shown = undefined;
    this.#table = new SharedTable(this.#driver, LOG, this.#touched);
    this.#reader = new LogReader(this.#driver, LOG, this.#fold(this.#table));
    const writing: Writing = {
      assertHeld: () => this.#assertHeld(),
      append: (body) => this.#append(body),
      resume: () => this.#resume(),
    };
    const options = { newId: this.#newId, ...this.#options };
    this.#collector = new Collector(
      this.#reader,
      this.#table,
      this.#calls,
      this.#slices,
      writing,
      options,
      this.#failures,
    );
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
}

function replaced(): StorageError {
  return new StorageError(
    'LEASE_LOST',
    'Another process has written to this store, because this one seemed to be away. Nothing more is written here: open the store again.',
  );
}
