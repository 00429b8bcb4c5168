/** A driver that fails on purpose: at the n-th call of a kind, once or always. For tests of all code above storage. */

import type { JobFailure } from '../background-failures.js';
import type {
  Bytes,
  DriverSnapshot,
  Entry,
  KeyRange,
  PurgePauses,
  RangeOptions,
  StorageCapabilities,
  StorageDriver,
  StoreMark,
  WriteOp,
  WriteOptions,
  WriteOutcome,
} from '../contract.js';
import { snapshotOf } from '../snapshot.js';

/** `get` also counts `getSync`, `range` counts every requested chunk, `open` also `reopen`, and `write` also `raiseFormat` and `purge`. */
export type FaultOperation = 'open' | 'close' | 'get' | 'getMany' | 'range' | 'write' | 'compact' | 'probe';

/**
 * - `fail`: rejects without doing the work.
 * - `delay`: answers late.
 * - `late`: does the work, then answers late.
 * - `throwAfterApply`: does the work, then rejects.
 * - `short`: ends a range early.
 * - `unknown`: does a write, then answers `unknown`.
 * - `full`: answers `full` to a write that does not free space, without doing it.
 */
export type FaultEffect = 'fail' | 'delay' | 'late' | 'throwAfterApply' | 'short' | 'unknown' | 'full';

/** A fault that the driver injects. */
export interface Fault {
  /** What happens to the call. */
  readonly effect: FaultEffect;
  /** Kinds of calls that count and can be hit. Default: all kinds. */
  readonly operations?: readonly FaultOperation[];
  /** The first of these calls that is hit, counted from 1 since the fault was set. Default 1. */
  readonly at?: number;
  /** Default `once`. */
  readonly repeat?: 'once' | 'forever';
  /** The error that is thrown. Default: an Error with the code `EIO`. */
  readonly error?: Error;
  /** Delay of the effects `delay` and `late`, in milliseconds. Default 5. */
  readonly delayMs?: number;
}

type Counts = Record<FaultOperation, number>;

export class FaultDriver implements StorageDriver {
  readonly #inner: StorageDriver;
  readonly #calls: Counts = { open: 0, close: 0, get: 0, getMany: 0, range: 0, write: 0, compact: 0, probe: 0 };
  #fault: Fault | undefined;
  #matching = 0;
  #fired = 0;
  #openIterators = 0;
  #writing = false;

  constructor(inner: StorageDriver) {
    this.#inner = inner;
  }

  get name(): string {
    return `faulty ${this.#inner.name}`;
  }

  get capabilities(): StorageCapabilities {
    return this.#inner.capabilities;
  }

  get failure(): Error | undefined {
    return this.#inner.failure;
  }

  get marker(): StoreMark | undefined {
    return this.#inner.marker;
  }

  backgroundFailures(): readonly JobFailure[] {
    return this.#inner.backgroundFailures?.() ?? [];
  }

  raiseFormat(format: number): Promise<void> {
    return this.#call('write', async () => this.#inner.raiseFormat?.(format));
  }

  /** Number of calls of each kind since the driver was made. */
  get calls(): Readonly<Counts> {
    return this.#calls;
  }

  /** Number of times that the present fault has hit. */
  get fired(): number {
    return this.#fired;
  }

  /** The number of ranges that are being read. */
  get openIterators(): number {
    return this.#openIterators;
  }

  /** Sets a fault and restarts its count. Without a fault, calls succeed. */
  setFault(fault?: Fault): void {
    this.#fault = fault;
    this.#matching = 0;
    this.#fired = 0;
  }

  open(): Promise<void> {
    return this.#call('open', () => this.#inner.open());
  }

  close(): Promise<void> {
    return this.#call('close', () => this.#inner.close());
  }

  reopen(): Promise<void> {
    return this.#call('open', async () => {
      if (this.#inner.reopen !== undefined) return this.#inner.reopen();
      await this.#inner.close();
      await this.#inner.open();
    });
  }

  probe(): Promise<void> {
    return this.#call('probe', async () => this.#inner.probe?.());
  }

  get(key: Bytes): Promise<Bytes | undefined> {
    return this.#call('get', () => this.#inner.get(key));
  }

  /** Like {@link get}. Ignores delays, which a synchronous call cannot have. */
  getSync(key: Bytes): Bytes | undefined {
    const fault = this.#hit('get');
    if (fault?.effect === 'fail' || fault?.effect === 'throwAfterApply') throw errorOf(fault, 'get');
    return this.#inner.getSync!(key);
  }

  getMany(keys: readonly Bytes[]): Promise<(Bytes | undefined)[]> {
    return this.#call('getMany', () => this.#inner.getMany(keys));
  }

  range(range: KeyRange, options: Required<RangeOptions>): AsyncIterable<readonly Entry[]> {
    return this.#range(this.#inner, range, options);
  }

  /** Its reads count and can be hit like others. */
  snapshot(): DriverSnapshot {
    const state = snapshotOf(this.#inner);
    return {
      get: (key) => this.#call('get', () => state.get(key)),
      getMany: (keys) => this.#call('getMany', () => state.getMany(keys)),
      range: (range, options) => this.#range(state, range, options),
      close: () => state.close(),
    };
  }

  async *#range(
    state: Pick<StorageDriver, 'range'>,
    range: KeyRange,
    options: Required<RangeOptions>,
  ): AsyncGenerator<readonly Entry[], void, undefined> {
    const iterator = state.range(range, options)[Symbol.asyncIterator]();
    this.#openIterators++;
    try {
      for (;;) {
        const fault = this.#hit('range');
        if (fault?.effect === 'short') return;
        const step = await this.#apply(fault, 'range', () => iterator.next());
        if (step.done === true) return;
        yield step.value;
      }
    } finally {
      this.#openIterators--;
      await iterator.return?.();
    }
  }

  async write(ops: readonly WriteOp[], options: WriteOptions): Promise<WriteOutcome> {
    if (this.#writing) throw new Error('Two writes at once: the engine broke its promise');
    this.#writing = true;
    try {
      const fault = this.#hit('write');
      if (fault?.effect === 'full' && options.frees !== true) return 'full';
      const outcome = await this.#apply(fault, 'write', () => this.#inner.write(ops, options));
      return fault?.effect === 'unknown' ? 'unknown' : outcome;
    } finally {
      this.#writing = false;
    }
  }

  approximateSize(range: KeyRange): Promise<number> {
    return this.#inner.approximateSize(range);
  }

  compact(range: KeyRange): Promise<void> {
    return this.#call('compact', async () => this.#inner.compact?.(range));
  }

  purge(pauses: PurgePauses): Promise<number> {
    return this.#call('write', async () => (await this.#inner.purge?.(pauses)) ?? 0);
  }

  async #call<T>(operation: FaultOperation, action: () => Promise<T>): Promise<T> {
    return this.#apply(this.#hit(operation), operation, action);
  }

  async #apply<T>(fault: Fault | undefined, operation: FaultOperation, action: () => Promise<T>): Promise<T> {
    if (fault?.effect === 'fail') throw errorOf(fault, operation);
    if (fault?.effect === 'delay') await new Promise((resolve) => setTimeout(resolve, fault.delayMs ?? 5));
    const result = await action();
    if (fault?.effect === 'late') await new Promise((resolve) => setTimeout(resolve, fault.delayMs ?? 5));
    if (fault?.effect === 'throwAfterApply') throw errorOf(fault, operation);
    return result;
  }

  /** Counts the call. Returns the fault if it hits this call. */
  #hit(operation: FaultOperation): Fault | undefined {
    this.#calls[operation]++;
    const fault = this.#fault;
    if (fault === undefined || fault.operations?.includes(operation) === false) return undefined;
    this.#matching++;
    const at = fault.at ?? 1;
    const hits = fault.repeat === 'forever' ? this.#matching >= at : this.#matching === at;
    if (!hits) return undefined;
    this.#fired++;
    return fault;
  }
}

function errorOf(fault: Fault, operation: FaultOperation): Error {
  return fault.error ?? Object.assign(new Error(`injected fault in ${operation}`), { code: 'EIO' });
}
