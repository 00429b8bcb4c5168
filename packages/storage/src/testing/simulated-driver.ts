/**
 * A store in memory that loses the data that LevelDB can lose at a power failure. Batches go to a log. A durable
 * batch syncs the log up to and including itself. When a log is full, a new log begins; the full one is *not* synced.
 * It is safe only when the next log is full, because its table has been written by then. So a durable batch in the
 * new log can survive a power failure that takes earlier, not durable batches at the end of the old log.
 */

import { equalBytes } from '../bytes.js';
import type {
  Bytes,
  DriverSnapshot,
  Entry,
  KeyRange,
  RangeOptions,
  StorageCapabilities,
  StorageDriver,
  WriteOp,
  WriteOptions,
  WriteOutcome,
} from '../contract.js';
import { MemoryDriver } from '../memory-driver.js';

type PlainOp = Exclude<WriteOp, { type: 'deleteRange' }>;
type Batch = readonly PlainOp[];

interface Log {
  readonly batches: Batch[];
  /** Number of its batches that are on the disk for certain. */
  synced: number;
  bytes: number;
}

/** Options of a simulated driver. */
export interface SimulatedDriverOptions {
  /** Size at which a new log begins, in bytes. Default 64 KB. */
  readonly logBytes?: number;
}

/** Options of a simulated power failure. */
export interface CrashOptions {
  /** Whether any of the unsynced batches may survive, instead of the first few of each log. Default false. */
  readonly hostile?: boolean;
}

const EVERYTHING: KeyRange = {};

export class SimulatedDriver implements StorageDriver {
  readonly name = 'simulated';
  readonly capabilities: StorageCapabilities = { getSync: true, durable: true, sizeOnDisk: false, compact: false };
  readonly #logBytes: number;
  /** The content of tables, which survives every crash. */
  readonly #tables = new MemoryDriver();
  readonly #present = new MemoryDriver();
  #previousLog: Log = emptyLog();
  #log: Log = emptyLog();
  #crashed = false;

  constructor(options: SimulatedDriverOptions = {}) {
    this.#logBytes = options.logBytes ?? 64 * 1024;
  }

  /** Number of batches that a crash now could lose. */
  get unsyncedBatches(): number {
    return unsynced(this.#previousLog).length + unsynced(this.#log).length;
  }

  /**
   * Simulates a power failure. This driver answers no further call; the returned one holds the data that survived.
   * @param random returns numbers from 0 up to, but not including, 1; the same numbers give the same survivors
   */
  async crash(random: () => number, options: CrashOptions = {}): Promise<SimulatedDriver> {
    this.#crashed = true;
    return this.survivor(random, options);
  }

  /**
   * Returns what would survive a power failure now, like {@link crash}. This driver goes on. No call of it may be under
   * way meanwhile.
   */
  async survivor(random: () => number, options: CrashOptions = {}): Promise<SimulatedDriver> {
    const survivor = new SimulatedDriver({ logBytes: this.#logBytes });
    // With the tables as they are now: what comes later may move from the one to the other.
    const kept = [...survivors(this.#previousLog, random, options), ...survivors(this.#log, random, options)];
    const base: WriteOp[] = [];
    for await (const chunk of this.#tables.range(EVERYTHING, { read: 'entries' })) {
      for (const entry of chunk) base.push({ type: 'put', ...entry });
    }
    for (const ops of [base, ...kept]) {
      await survivor.#tables.write(ops, { durable: true });
      await survivor.#present.write(ops, { durable: true });
    }
    return survivor;
  }

  async open(): Promise<void> {
    this.#assertPowered();
  }

  async close(): Promise<void> {}

  async get(key: Bytes): Promise<Bytes | undefined> {
    return this.getSync(key);
  }

  getSync(key: Bytes): Bytes | undefined {
    this.#assertPowered();
    return this.#present.getSync(key);
  }

  async getMany(keys: readonly Bytes[]): Promise<(Bytes | undefined)[]> {
    return keys.map((key) => this.getSync(key));
  }

  range(range: KeyRange, options: Required<RangeOptions>): AsyncIterable<readonly Entry[]> {
    this.#assertPowered();
    return this.#present.range(range, options);
  }

  snapshot(): DriverSnapshot {
    this.#assertPowered();
    return this.#present.snapshot();
  }

  async write(ops: readonly WriteOp[], { durable, precondition }: WriteOptions): Promise<WriteOutcome> {
    this.#assertPowered();
    if (precondition !== undefined && !equalBytes(this.getSync(precondition.key), precondition.value))
      return 'conflict';
    if (this.#log.bytes >= this.#logBytes) await this.#switchLog();
    const batch = await this.#toPlainOps(ops);
    await this.#present.write(batch, { durable: false });
    this.#log.batches.push(batch);
    this.#log.bytes += batch.reduce((sum, op) => sum + op.key.length + (op.type === 'put' ? op.value.length : 0), 0);
    if (durable) this.#log.synced = this.#log.batches.length;
    return 'ok';
  }

  /** Brings everything to the disk. As in LevelDB, only the content of tables is safe in every crash. */
  async settle(): Promise<void> {
    this.#assertPowered();
    await this.#switchLog();
    await this.#switchLog();
  }

  async approximateSize(range: KeyRange): Promise<number> {
    return this.#present.approximateSize(range);
  }

  /**
   * Starts a new log. The log before the last one becomes a table now, because LevelDB keeps no more than two
   * memtables.
   */
  async #switchLog(): Promise<void> {
    for (const batch of this.#previousLog.batches) await this.#tables.write(batch, { durable: true });
    this.#previousLog = this.#log;
    this.#log = emptyLog();
  }

  /**
   * Copies operations. A range deletion becomes deletions of its keys, because after a crash the range may hold other
   * keys.
   */
  async #toPlainOps(ops: readonly WriteOp[]): Promise<Batch> {
    const plain: PlainOp[] = [];
    for (const op of ops) {
      if (op.type === 'put') plain.push({ type: 'put', key: op.key.slice(), value: op.value.slice() });
      else if (op.type === 'delete') plain.push({ type: 'delete', key: op.key.slice() });
      else {
        const shadow = new MemoryDriver();
        await shadow.write(plain, { durable: false });
        for (const source of [this.#present, shadow]) {
          for await (const chunk of source.range(op, { read: 'keys' })) {
            for (const { key } of chunk) plain.push({ type: 'delete', key });
          }
        }
      }
    }
    return plain;
  }

  #assertPowered(): void {
    if (this.#crashed) throw new Error('The power has failed');
  }
}

function emptyLog(): Log {
  return { batches: [], synced: 0, bytes: 0 };
}

function unsynced(log: Log): readonly Batch[] {
  return log.batches.slice(log.synced);
}

function survivors(log: Log, random: () => number, { hostile = false }: CrashOptions): Batch[] {
  const certain = log.batches.slice(0, log.synced);
  const rest = unsynced(log);
  const kept = hostile ? rest.filter(() => random() < 0.5) : rest.slice(0, Math.floor(random() * (rest.length + 1)));
  return [...certain, ...kept];
}
