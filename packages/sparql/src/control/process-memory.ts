/**
 * The memory that all evaluations of a process share: columns of ids, which lie outside of the heap of JavaScript, and values, which
 * lie in it. Evaluations take bytes in steps, so that counting costs little.
 */
import { EvaluationError } from '@quadrille/model';
import type { SharedBytes } from './shared-bytes.js';

const MEGABYTE = 1024 ** 2;
/** What one query may take at most unless its call says otherwise, and which part of the memory of the process. */
const MOST_QUERY_BYTES = 256 * MEGABYTE;
const QUERY_SHARE = 4;
/** An evaluation with no more is small. All small ones together may have so much beyond the limit. */
const SMALL_BYTES = 256 * 1024;
const SMALL_SHARE = 1 / 8;
/** The use of the heap is checked each time this many bytes were reserved. */
const LOOK_BYTES = 16 * MEGABYTE;
/** With more of the heap in use, the largest evaluation ends. */
const MOST_OF_HEAP = 0.85;
/** An evaluation that holds less than this part of all values is not what fills the heap. */
const LEAST_SHARE = 1 / 16;

/** The memory that all queries of a process may use, in bytes. */
export interface MemoryLimits {
  /** Bytes of all columns. */
  readonly columnBytes: number;
  /** Bytes of all values. */
  readonly valueBytes: number;
  /** Which part of the heap is in use, from 0 to 1. */
  readonly heapInUse?: (() => number) | undefined;
}

/** What one evaluation has taken. */
export interface MemoryHolder {
  readonly usedBytes: number;
  /** Ends the evaluation, soon. */
  end(error: EvaluationError): void;
}

/** Where the platform says nothing about its memory. */
const DEFAULT_LIMITS: MemoryLimits = { columnBytes: 1024 * MEGABYTE, valueBytes: 1024 * MEGABYTE };

/** A part of the memory of the process. */
export class Pool {
  #taken = 0;
  #shared: SharedBytes | undefined;

  constructor(public limitBytes: number) {}

  /** Bytes that evaluations of this thread have taken. */
  get taken(): number {
    return this.#taken;
  }

  set taken(bytes: number) {
    this.#taken = bytes;
    if (this.#shared !== undefined) this.#shared.held = bytes;
  }

  /** Bytes that evaluations have taken, in other threads too if they share the pool. */
  get takenByAll(): number {
    return this.#shared === undefined ? this.#taken : this.#taken + this.#shared.others;
  }

  /** From now on other threads see what this one takes, and the other way round. */
  share(shared: SharedBytes): void {
    this.#shared = shared;
    shared.held = this.#taken;
  }
}

export class ProcessMemory {
  readonly columns: Pool;
  readonly values: Pool;
  readonly #holders = new Set<MemoryHolder>();
  #heapInUse: (() => number) | undefined;
  #untilLook = LOOK_BYTES;
  /** What caches do where the heap gets full. */
  readonly #shrinks = new Set<() => void>();
  /** Whether caches were dropped since the heap got full. */
  #shrunk = false;
  /** What was ended, until it has given its memory back. */
  #ending: MemoryHolder | undefined;

  constructor(limits: MemoryLimits = DEFAULT_LIMITS) {
    this.columns = new Pool(limits.columnBytes);
    this.values = new Pool(limits.valueBytes);
    this.#heapInUse = limits.heapInUse;
  }

  /** Sets other limits. What has been taken counts. */
  limit({ columnBytes, valueBytes, heapInUse }: MemoryLimits): void {
    this.columns.limitBytes = columnBytes;
    this.values.limitBytes = valueBytes;
    this.#heapInUse = heapInUse;
  }

  /** Bytes of both kinds that evaluations have taken. */
  get takenBytes(): number {
    return this.columns.taken + this.values.taken;
  }

  /** How many evaluations hold memory, or may. */
  get evaluations(): number {
    return this.#holders.size;
  }

  /** What one evaluation may use where its call does not say. */
  get queryBytes(): number {
    return Math.min(MOST_QUERY_BYTES, this.queryShare(this.columns) + this.queryShare(this.values));
  }

  /** What one evaluation may use of a pool where its call does not say. */
  queryShare(pool: Pool): number {
    return Math.floor(pool.limitBytes / QUERY_SHARE);
  }

  /** Calls `shrink` before an evaluation is ended because the heap is full: a cache can give up what it holds. */
  onPressure(shrink: () => void): void {
    this.#shrinks.add(shrink);
  }

  open(holder: MemoryHolder): void {
    this.#holders.add(holder);
  }

  close(holder: MemoryHolder): void {
    this.#holders.delete(holder);
    if (this.#ending === holder) this.#ending = undefined;
  }

  /**
   * Takes bytes for an evaluation that will have `taken` of the pool then. One that needs little gets it although large ones have
   * taken all the rest.
   * @throws EvaluationError `QUERY_MEMORY`; nothing is taken then
   */
  take(pool: Pool, bytes: number, holder: MemoryHolder, taken: number): void {
    const limit = taken <= SMALL_BYTES ? pool.limitBytes * (1 + SMALL_SHARE) : pool.limitBytes;
    if (pool.takenByAll + bytes > limit) throw tooMuchInAll(pool.limitBytes);
    if (this.#heapInUse !== undefined && (this.#untilLook -= bytes) <= 0) this.#look(this.#heapInUse, holder);
    pool.taken += bytes;
  }

  give(pool: Pool, bytes: number): void {
    pool.taken -= bytes;
  }

  // What is counted is an estimate, and not everything is: the heap itself has the last word.
  #look(heapInUse: () => number, asking: MemoryHolder): void {
    this.#untilLook = LOOK_BYTES;
    if (this.#ending !== undefined) return;
    if (heapInUse() <= MOST_OF_HEAP) {
      this.#shrunk = false;
      return;
    }
    // What only saves time goes first. Whether that was enough shows at the next look.
    if (!this.#shrunk) {
      this.#shrunk = true;
      for (const shrink of this.#shrinks) shrink();
      return;
    }
    let largest = asking;
    for (const holder of this.#holders) if (holder.usedBytes > largest.usedBytes) largest = holder;
    if (largest.usedBytes < this.values.limitBytes * LEAST_SHARE) return;
    const error = new EvaluationError('QUERY_MEMORY', 'the memory of the process is nearly used up');
    if (largest === asking) throw error;
    this.#ending = largest;
    largest.end(error);
  }
}

/** The memory of this process. */
export const processMemory = new ProcessMemory();

const tooMuchInAll = (limitBytes: number): EvaluationError =>
  new EvaluationError(
    'QUERY_MEMORY',
    `all queries together need more than the ${String(Math.round(limitBytes / MEGABYTE))} MB that they may have`,
    { details: { budgetBytes: limitBytes } },
  );
