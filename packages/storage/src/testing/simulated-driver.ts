/**
 * A store in memory that loses what LevelDB can lose when the power fails. As in LevelDB, batches go to a log; a durable
 * batch brings its log, up to itself, to the disk; a log that is full is left behind *without* being brought to the disk,
 * and is safe only when the next one is full, because its table has been written by then. So a durable batch in the new
 * log can survive while earlier ones, not durable, at the end of the old log are gone.
 */

import { equalBytes } from '../bytes.js';
import type {
  Bytes,
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
  /** So many of its batches are on the disk for certain. */
  synced: number;
  bytes: number;
}

export interface SimulatedDriverOptions {
  /** A log is left behind when it has grown beyond this. Default 64 KB. */
  readonly logBytes?: number;
}

export interface CrashOptions {
  /** Of the batches that were not synced any may survive, instead of the first few of each log. Default false. */
  readonly hostile?: boolean;
}

const EVERYTHING: KeyRange = {};

export class SimulatedDriver implements StorageDriver {
  readonly name = 'simulated';
  readonly capabilities: StorageCapabilities = { getSync: true, durable: true, sizeOnDisk: false, compact: false };
  readonly #logBytes: number;
  /** What is in tables: survives every crash. */
  readonly #tables = new MemoryDriver();
  readonly #present = new MemoryDriver();
  #previousLog: Log = emptyLog();
  #log: Log = emptyLog();
  #crashed = false;

  constructor(options: SimulatedDriverOptions = {}) {
    this.#logBytes = options.logBytes ?? 64 * 1024;
  }

  /** Batches that a crash now could lose. */
  get unsyncedBatches(): number {
    return unsynced(this.#previousLog).length + unsynced(this.#log).length;
  }

  /**
   * The power fails: this driver answers nothing any more, and the new one holds what survived.
   * @param random numbers from 0 to below 1; the same ones give the same survivors
   */
  async crash(random: () => number, options: CrashOptions = {}): Promise<SimulatedDriver> {
    this.#crashed = true;
    const survivor = new SimulatedDriver({ logBytes: this.#logBytes });
    const base: WriteOp[] = [];
    for await (const chunk of this.#tables.range(EVERYTHING, { read: 'entries' })) {
      for (const entry of chunk) base.push({ type: 'put', ...entry });
    }
    for (const ops of [
      base,
      ...survivors(this.#previousLog, random, options),
      ...survivors(this.#log, random, options),
    ]) {
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

  /** Brings everything to the disk. As in LevelDB, only what is in tables is safe whatever becomes of the logs. */
  async settle(): Promise<void> {
    this.#assertPowered();
    await this.#switchLog();
    await this.#switchLog();
  }

  async approximateSize(range: KeyRange): Promise<number> {
    return this.#present.approximateSize(range);
  }

  /** The log before the last one has become a table by now: LevelDB keeps no more than two memtables. */
  async #switchLog(): Promise<void> {
    for (const batch of this.#previousLog.batches) await this.#tables.write(batch, { durable: true });
    this.#previousLog = this.#log;
    this.#log = emptyLog();
  }

  /** Copies; a range deletion names its keys, since after a crash others may be there. */
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
