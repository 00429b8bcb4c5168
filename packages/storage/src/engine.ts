/**
 * The storage engine, through which all other code uses a storage. It adds to a driver: checks of state and limits,
 * the checksum envelope, one write at a time, and fail-stop. Fail-stop means: after a failed write it refuses writes
 * until `recover()` succeeds.
 */

import { Mutex, StateError, StorageError } from '@quadrille/model';
import type { JobFailure } from './background-failures.js';
import type {
  Bytes,
  DriverSnapshot,
  Entry,
  KeyRange,
  PurgePauses,
  RangeOptions,
  Refresh,
  SharedFigures,
  StorageCapabilities,
  StorageDriver,
  StoreMark,
  WriteOp,
  WriteOptions,
  WriteOutcome,
} from './contract.js';
import { Envelope } from './envelope.js';
import { toQuadrilleError, toStorageError, withoutDoubt } from './failure.js';
import { checkKey, checkRange, isEmpty } from './limits.js';
import { DriverLife } from './driver-life.js';
import { type Cursor, ReadsUnderWay } from './reads-under-way.js';
import { ShownStates } from './shown-states.js';
import { SealMemory } from './seal-memory.js';
import { type ReadOptions, snapshotOf, StorageSnapshot } from './snapshot.js';
import { openEntries, sealedBytes, sealOps, sealOptions } from './sealing.js';

/** `failed`: reads work, writes are refused until {@link StorageEngine.recover} succeeds. */
export type EngineState = 'open' | 'failed' | 'closed';

/** What other processes have written, and the engine does not show yet. */
export interface RefreshedEngine extends Omit<Refresh, 'view'> {
  /** An engine that shows the new state and never another one. */
  view(): StorageEngine;
}

/** How long an exchange of files waits for ranges that are being read, in milliseconds. */
const PATIENCE_MS = 5000;

/**
 * A store of values with checksums under binary keys. Arrays passed to a call must not change until it has resolved.
 * Returned arrays may be views of the backend's memory: do not write to them.
 *
 * Every call on a closed engine fails with StateError `STORE_NOT_OPEN`. Reads fail with StorageError `STORAGE_IO`. If
 * stored bytes differ from what was written, they fail with CorruptionError `CHECKSUM`.
 */
export class StorageEngine {
  #driver: StorageDriver;
  readonly #envelope: Envelope;
  readonly #sealMemory = new SealMemory();
  readonly #reads = new ReadsUnderWay();
  /** The error because of which writes are refused. */
  #failure: StorageError | undefined;
  /** Whether the last batch found no room. The driver is unchanged, so it need not be reopened. */
  #full = false;
  #closing: Promise<void> | undefined;
  #recovering: Promise<void> | undefined;
  readonly #life = new DriverLife();
  /** Held during each write. */
  readonly #writes = new Mutex();
  /** Held while the files are written anew. */
  readonly #purges = new Mutex();
  #purging: AbortController | undefined;
  #canGetSync: boolean;
  /** The states that {@link refresh} has shown. */
  readonly shown = new ShownStates();
  /** Of a view: the engine that has opened its driver. */
  readonly #parent: StorageEngine | undefined;

  private constructor(driver: StorageDriver, envelope: Envelope, parent?: StorageEngine) {
    this.#parent = parent;
    this.#driver = driver;
    this.#envelope = envelope;
    this.#canGetSync = driver.capabilities.getSync;
    this.#failure = failureOf(driver);
  }

  /** Opens the driver. The engine owns the driver and closes it, even if this call fails. */
  static async open(driver: StorageDriver): Promise<StorageEngine> {
    try {
      await driver.open();
    } catch (error) {
      throw toQuadrilleError(`open the ${driver.name} storage`, error);
    }
    try {
      return new StorageEngine(driver, await Envelope.create());
    } catch (error) {
      await driver.close();
      throw error;
    }
  }

  /** Whether it takes calls: `failed` after a failed write, until the driver recovers. */
  get state(): EngineState {
    if (this.#closing !== undefined) return 'closed';
    return this.#failure === undefined ? 'open' : 'failed';
  }

  /** The error because of which the engine is `failed`; otherwise `undefined`. */
  get failure(): StorageError | undefined {
    return this.#failure;
  }

  /** The name of the driver. */
  get name(): string {
    return this.#driver.name;
  }

  /** The optional abilities of the driver. */
  get capabilities(): StorageCapabilities {
    return this.#driver.capabilities;
  }

  /** Whether {@link refresh} may find something, as far as the driver has heard; `undefined` if it hears nothing by itself. */
  get mayHaveNews(): boolean | undefined {
    return this.#driver.mayHaveNews?.();
  }

  /** Figures of the use of a store that several processes share; `undefined` for other stores. */
  get figures(): SharedFigures | undefined {
    return this.#driver.figures?.();
  }

  /** Work of the storage in the background that failed and is tried again. */
  get backgroundFailures(): readonly JobFailure[] {
    return (this.#parent ?? this).#driver.backgroundFailures?.() ?? [];
  }

  /**
   * Whether {@link getSync} can be called now. False without the capability, and while the storage is being reopened.
   */
  get canGetSync(): boolean {
    return this.#canGetSync;
  }

  /** The mark of the store outside of the keys; `undefined` if the driver keeps none. */
  get marker(): StoreMark | undefined {
    return this.#driver.marker;
  }

  /** Whether other processes write, and {@link refresh} shows it. */
  get follows(): boolean {
    return this.#driver.view !== undefined;
  }

  /**
   * Reads what other processes have written. `undefined`: nothing. The engine shows it after `show()`. Calls must not
   * overlap. @throws StorageError `LEASE_LOST` if another process writes in place of this one
   */
  async refresh(): Promise<RefreshedEngine | undefined> {
    const found = await this.#read(async () => this.#driver.refresh?.());
    if (found === undefined) return undefined;
    const { changed } = found;
    const show = (): void => {
      this.shown.count++;
      found.show();
    };
    return { changed, show, view: () => this.#viewOf(found.view()) };
  }

  /** Lets a view show the state of another view of the same engine. The other one is not used any more. */
  moveTo(view: StorageEngine): void {
    this.#driver = view.#driver;
  }

  /** An engine that shows the present state and never another one. It ends with this one. Only if this one {@link follows}. */
  view(): StorageEngine {
    this.#assertNotClosed();
    return this.#viewOf(this.#driver.view!());
  }

  #viewOf(driver: StorageDriver): StorageEngine {
    return new StorageEngine(driver, this.#envelope, this);
  }

  /**
   * Raises the format in {@link marker} after the writes under way. Does nothing without a mark. A failure leaves the
   * store unchanged, and later writes work. @throws StorageError `STORAGE_IO`, `STORAGE_FULL`; StateError `READ_ONLY`
   */
  async raiseFormat(format: number): Promise<void> {
    this.#assertNotClosed();
    this.assertWritable();
    try {
      await this.#writes.run(async () => this.#driver.raiseFormat?.(format));
    } catch (error) {
      throw toQuadrilleError('raise the format of the store', error);
    }
  }

  /** @throws StateError `READ_ONLY` if the storage is open for reading only */
  assertWritable(): void {
    if (this.#driver.capabilities.readOnly !== true) return;
    throw new StateError('READ_ONLY', `The ${this.name} storage is open for reading only.`);
  }

  /** Number of ranges that were begun and neither read to their end nor closed, and of open snapshots. */
  get openIterators(): number {
    return this.#reads.ranges;
  }

  /** The present state, for reads that belong together: `get(key, { snapshot })`. Close it. If the storage is reopened, it ends. */
  snapshot(): Promise<StorageSnapshot> {
    const reads = (this.#parent ?? this).#reads;
    return this.#read(async () => new StorageSnapshot(snapshotOf(this.#driver), reads));
  }

  /** The value of a key; `undefined` if there is none. */
  async get(key: Bytes, options: ReadOptions = {}): Promise<Bytes | undefined> {
    checkKey(key);
    const sealed = await this.#readFrom(options, (state) => state.get(key));
    return sealed === undefined ? undefined : this.#envelope.open(key, sealed);
  }

  /** Like {@link get}. Call it only while {@link canGetSync} is true. */
  getSync(key: Bytes): Bytes | undefined {
    if (!this.#canGetSync) throw this.#cannotGetSync();
    checkKey(key);
    let sealed: Bytes | undefined;
    try {
      sealed = this.#driver.getSync!(key);
    } catch (error) {
      throw toQuadrilleError('read', error);
    }
    return sealed === undefined ? undefined : this.#envelope.open(key, sealed);
  }

  /** The values of the keys, in the order of `keys`. */
  async getMany(keys: readonly Bytes[], options: ReadOptions = {}): Promise<(Bytes | undefined)[]> {
    for (const key of keys) checkKey(key);
    const values = await this.#readFrom(options, (state) => state.getMany(keys));
    return keys.map((key, i) => {
      const sealed = values[i];
      return sealed === undefined ? undefined : this.#envelope.open(key, sealed);
    });
  }

  /**
   * Entries in key order, in chunks. All chunks show the state at the time of the first one. Leaving a `for await`
   * loop closes the range. If the storage is reopened meanwhile, the range ends with StorageError `STORAGE_IO`: read
   * it again; or `LEASE_LOST` where another process writes by now.
   */
  async *range(
    range: KeyRange = {},
    options: RangeOptions & ReadOptions = {},
  ): AsyncGenerator<readonly Entry[], void, undefined> {
    checkRange(range);
    this.#assertNotClosed();
    if (isEmpty(range)) return;
    const read = options.read ?? 'entries';
    const cursor = new RangeCursor(options);
    // A reopening would end this range too.
    const again = (this.#parent ?? this).#reopenAgain();
    if (again !== undefined) await again;
    const reads = (this.#parent ?? this).#reads;
    reads.begin(cursor);
    try {
      for (;;) {
        // The checksum covers the key, so a value cannot be verified without its key.
        const step = await this.#read(() => cursor.next(this.#driver, range, read === 'keys' ? 'keys' : 'entries'));
        if (step.done === true) return;
        yield openEntries(this.#envelope, step.value, read, range.wants);
      }
    } finally {
      reads.end(cursor);
      await cursor.close();
    }
  }

  /**
   * Applies the whole batch or nothing of it. Batches are applied one at a time, in the order of the calls.
   *
   * If it fails with `STORAGE_IO` or `STORAGE_FULL`, or returns `unknown`, the batch may still appear after
   * `recover()`: read to find out. Until then the engine refuses writes. If the medium is full, it accepts batches
   * that free space.
   *
   * @throws StorageError `STORAGE_LIMIT` for a key or value that is too long; nothing is applied, and later writes
   * work. StateError `READ_ONLY` if the storage is open for reading only, or its service takes no writes any more.
   */
  async write(ops: readonly WriteOp[], options: WriteOptions): Promise<WriteOutcome> {
    this.#assertNotClosed();
    this.assertWritable();
    const memory = this.capabilities.partsOfArrays === true ? this.#sealMemory.take(sealedBytes(ops)) : undefined;
    const sealed = sealOps(this.#envelope, ops, memory);
    const sealedOptions = sealOptions(this.#envelope, options, ops);
    const outcome = await this.#writes.run(() => this.#writeNow(sealed, sealedOptions));
    // Not reached after a failure: then the driver may still use the memory.
    if (memory !== undefined) this.#sealMemory.giveBack(memory);
    return outcome;
  }

  /** Bytes that the range occupies: on disk or, without `capabilities.sizeOnDisk`, the bytes of its keys and values. */
  async approximateSize(range: KeyRange = {}): Promise<number> {
    checkRange(range);
    return isEmpty(range) ? 0 : this.#read(() => this.#driver.approximateSize(range));
  }

  /** Frees the space of deleted keys. Does nothing without `capabilities.compact`. */
  async compact(range: KeyRange = {}): Promise<void> {
    checkRange(range);
    await this.#read(async () => this.#driver.compact?.(range));
  }

  /**
   * Writes the files of the storage anew, so that no byte is left in them of values that were deleted or replaced before. Reads and
   * writes go on, with short pauses. Ranges that are read for another 5 s when the files are exchanged end with StorageError
   * `STORAGE_IO`. Returns the number of written bytes; 0 if the driver cannot do it or need not. @throws StorageError; nothing is lost
   * then
   */
  async purge(): Promise<number> {
    this.#assertNotClosed();
    this.assertWritable();
    try {
      return await this.#purges.run(async () => {
        this.#assertNotClosed();
        const { signal } = (this.#purging = new AbortController());
        const pauses: PurgePauses = {
          withoutWrites: (work) => this.#withoutWrites(work),
          alone: (work) => this.#alone(work),
          signal,
        };
        return (await this.#driver.purge?.(pauses)) ?? 0;
      });
    } catch (error) {
      throw toQuadrilleError('purge the storage', error);
    }
  }

  #withoutWrites<T>(work: () => Promise<T>): Promise<T> {
    return this.#writes.run(() => {
      if (this.#failure !== undefined) throw refusal(this.#failure);
      return work();
    });
  }

  // Writes do not wait for the ranges: these are awaited before, and again if others have begun meanwhile.
  async #alone(work: () => Promise<void>): Promise<void> {
    const end = performance.now() + PATIENCE_MS;
    for (let isDone = false; !isDone;) {
      await this.#reads.rangesEnded(end - performance.now());
      isDone = await this.#withoutWrites(async () => {
        if (this.#reads.ranges > 0 && performance.now() < end) return false;
        await this.#exchanging(readAgain('The files of the storage were exchanged'), work);
        return true;
      });
    }
  }

  /** Ends a purge that is under way, and waits for its end. */
  async #endPurge(why: string): Promise<void> {
    this.#purging?.abort(new StorageError('STORAGE_IO', why));
    await this.#purges.run(() => Promise.resolve());
  }

  async #exchanging(reason: StorageError, work: () => Promise<void>): Promise<void> {
    this.#canGetSync = false;
    try {
      await this.#reads.alone(reason, work);
    } finally {
      this.#canGetSync = this.#life.isOpen && this.#driver.capabilities.getSync && this.#closing === undefined;
    }
  }

  /**
   * Reopens the driver after a failed write, so that writes can succeed again. Reads wait meanwhile. If the medium
   * still accepts no writes, it rejects with the StorageError, and reads go on. Does nothing if the engine is `open`.
   */
  async recover(): Promise<void> {
    this.#assertNotClosed();
    if (this.#failure === undefined) return;
    this.#recovering ??= this.#reopen().finally(() => {
      this.#recovering = undefined;
    });
    return this.#recovering;
  }

  /** Waits for the calls under way, ends open ranges and closes the driver. Later calls return the same promise. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#canGetSync = false;
    await this.#recovering?.catch(() => undefined);
    await this.#endPurge('The storage was closed while its files were written anew.');
    await this.#writes.run(() => Promise.resolve());
    await this.#reads.stop(undefined);
    await this.#life.close(this.#driver);
  }

  async #writeNow(ops: readonly WriteOp[], options: WriteOptions): Promise<WriteOutcome> {
    if (this.#failure !== undefined && !(this.#full && options.frees === true)) throw refusal(this.#failure);
    let outcome: WriteOutcome;
    try {
      outcome = await this.#driver.write(ops, options);
    } catch (error) {
      if (error instanceof StorageError && error.code === 'STORAGE_LIMIT') throw error;
      const failure = this.#fail(toStorageError('write', error), false);
      throw isReadOnly(error) ? error : failure;
    }
    if (outcome === 'full') throw this.#fail(noSpace(), true);
    if (outcome === 'unknown') {
      this.#fail(new StorageError('STORAGE_IO', 'It is unknown whether the last batch was written'), false);
    }
    return outcome;
  }

  #fail(failure: StorageError, full: boolean): StorageError {
    this.#failure = failure;
    this.#full = full;
    return failure;
  }

  async #reopen(): Promise<void> {
    const driver = this.#driver;
    await this.#endPurge('The storage was reopened while its files were written anew.');
    await this.#writes.run(() => Promise.resolve());
    try {
      // Asks before anything is closed, so that reads go on undisturbed while the medium is still full.
      if (this.#life.isOpen) await driver.probe?.();
      if (this.#full) {
        this.#failure = undefined;
        return;
      }
      // Whoever reads where another process writes by now is to read elsewhere.
      const code = this.#failure?.code === 'LEASE_LOST' ? 'LEASE_LOST' : 'STORAGE_IO';
      await this.#exchanging(readAgain('The storage was reopened', code), () => this.#life.reopen(driver));
      this.#failure = failureOf(driver);
      if (this.#failure !== undefined) throw this.#failure;
    } catch (error) {
      this.#failure = toStorageError('reopen the storage', error);
      throw isReadOnly(error) ? error : withoutDoubt(this.#failure);
    }
  }

  /** Runs a read of the driver. Waits while it is being reopened, and counts the read so that closing waits for it. */
  async #read<T>(call: () => Promise<T>): Promise<T> {
    if (this.#parent !== undefined) return this.#parent.#read(call);
    const again = this.#reopenAgain();
    if (again !== undefined) await again;
    try {
      return await this.#reads.run(() => this.#assertReadable(), call);
    } catch (error) {
      throw toQuadrilleError('read', error);
    }
  }

  // After a reopening that has failed, the next reader tries it again, as a writer does.
  #reopenAgain(): Promise<void> | undefined {
    return this.#life.isOpen ? undefined : this.recover().catch(() => undefined);
  }

  #assertReadable(): void {
    this.#assertNotClosed();
    if (this.#life.isOpen) return;
    const { code = 'STORAGE_IO', message = '' } = (this.#failure && withoutDoubt(this.#failure)) ?? {};
    throw new StorageError(code, `The storage could not be reopened: ${message}`, { cause: this.#failure });
  }

  #readFrom<T>({ snapshot }: ReadOptions, call: (state: DriverSnapshot | StorageDriver) => Promise<T>): Promise<T> {
    if (snapshot === undefined) return this.#read(() => call(this.#driver));
    return this.#read(async () => {
      const state = snapshot.acquire();
      return call(state).finally(() => snapshot.release());
    });
  }

  #assertNotClosed(): void {
    if (this.#parent !== undefined) this.#parent.#assertNotClosed();
    if (this.#closing !== undefined) throw notOpen();
  }

  #cannotGetSync(): Error {
    if (this.#closing !== undefined) return notOpen();
    return new StateError('STORE_NOT_OPEN', 'getSync cannot be called now: check canGetSync first.');
  }
}

const readAgain = (what: string, code: 'STORAGE_IO' | 'LEASE_LOST' = 'STORAGE_IO'): StorageError =>
  new StorageError(code, `${what} while this state of the storage was being read. Read it again.`);

/** A range of a driver, or of a snapshot. */
class RangeCursor implements Cursor {
  ended: StorageError | undefined;
  #snapshot: StorageSnapshot | undefined;
  #inner: AsyncIterator<readonly Entry[]> | undefined;

  constructor({ snapshot }: ReadOptions) {
    this.#snapshot = snapshot;
  }

  next(driver: StorageDriver, range: KeyRange, read: 'keys' | 'entries'): Promise<IteratorResult<readonly Entry[]>> {
    if (this.ended !== undefined) throw this.ended;
    if (this.#inner === undefined) {
      const state = this.#snapshot === undefined ? driver : this.#snapshot.acquire();
      this.#inner = state.range(range, { read })[Symbol.asyncIterator]();
    }
    return this.#inner.next();
  }

  async close(): Promise<void> {
    const [inner, snapshot] = [this.#inner, this.#snapshot];
    this.#inner = this.#snapshot = undefined;
    await inner?.return?.();
    if (inner !== undefined) await snapshot?.release();
  }
}

/** The service of the storage takes no writes any more. */
const isReadOnly = (error: unknown): boolean => error instanceof StateError && error.code === 'READ_ONLY';

function failureOf(driver: StorageDriver): StorageError | undefined {
  return driver.failure === undefined ? undefined : toStorageError('write', driver.failure);
}

const noSpace = (): StorageError => new StorageError('STORAGE_FULL', 'Cannot write: there is no space left');

function notOpen(): StateError {
  return new StateError('STORE_NOT_OPEN', 'The storage is closed.');
}

function refusal(failure: StorageError): StorageError {
  return new StorageError(
    withoutDoubt(failure).code,
    `The storage refuses writes until recover() succeeds. An earlier write failed: ${failure.message}`,
    { cause: failure },
  );
}
