/**
 * The part of the storage that belongs to one repository. Every value of the repository is read and written through
 * its keyspace. So {@link Keyspace.end} stops all access once the repository is deleted or the store is closed.
 */
import { CorruptionError, StateError, StorageError } from '@quadrille/model';
import type { QuadrilleError } from '@quadrille/model';
import type { Bytes, Entry, KeyRange, RangeOptions, StorageEngine, WriteOp } from '@quadrille/storage';
import type { BlockCache, ValueSource } from './block-cache.js';
import { afterPrefix, dataKey, PART_BYTES, readU32, Tag } from '../format/layout.js';
import { DEFAULT_TUNING } from '../runtime/tuning.js';
import type { Tuning } from '../runtime/tuning.js';
import { Gate } from '../runtime/gate.js';
import { type ErasedAt, NEVER_ERASED } from './erased-at.js';
import type { FormatGate } from './format-gate.js';
import { NEWEST_FORMAT } from './format-gate.js';
import { writeAlone } from './write-alone.js';

interface Shared {
  ended: QuadrilleError | undefined;
  /** Why the repository takes no writes, although the storage does. */
  refusal: QuadrilleError | undefined;
  /** Number of erasures since the repository was opened. */
  erasures: number;
  /** The writes under way. */
  readonly writes: Gate;
}

export class Keyspace {
  /** Called with the error of each write that failed or may have failed. */
  onWriteFailure: ((error: unknown) => void) | undefined;
  /** State that all keyspaces of a repository share. */
  protected shared: Shared = { ended: undefined, refusal: undefined, erasures: 0, writes: new Gate() };
  #erasedAt: ErasedAt = NEVER_ERASED;
  /** Whether the writes of this keyspace free space, so that a full storage accepts them. */
  #frees = false;

  constructor(
    readonly engine: StorageEngine,
    readonly cache: BlockCache,
    /** The number of the repository, as it stands in keys. */
    readonly id: number,
    /** Name of the repository, for error messages. */
    readonly name: string,
    /** Whether a write resolves only when it is synced to the disk. */
    readonly durable: boolean,
    readonly tuning: Tuning = DEFAULT_TUNING,
    readonly format: FormatGate = NEWEST_FORMAT,
  ) {}

  /** The name as it stands in reports. */
  get title(): string {
    return this.name;
  }

  /** For the keyspaces of its lines. */
  get sharedState(): Shared {
    return this.shared;
  }

  /** The erasures that the state has in which records are read. */
  get erasedAt(): ErasedAt {
    return this.#erasedAt;
  }

  set erasedAt(erasedAt: ErasedAt) {
    this.#erasedAt = erasedAt;
  }

  /** Makes every later read and write fail with this error. Writes under way go on: {@link quiet} waits for them. */
  end(error: QuadrilleError): void {
    this.shared.ended ??= error;
  }

  /** @throws the error given to {@link end} */
  check(): void {
    if (this.shared.ended !== undefined) throw this.shared.ended;
  }

  /** Makes every later write fail with this error. Reads go on. */
  refuseWrites(error: QuadrilleError): void {
    this.shared.refusal = error;
  }

  /** Whether it takes no writes. */
  get readOnly(): boolean {
    return this.shared.refusal !== undefined || this.engine.capabilities.readOnly === true;
  }

  /** @throws StateError `READ_ONLY`, or the error given to {@link refuseWrites} */
  assertWritable(): void {
    this.engine.assertWritable();
    if (this.shared.refusal !== undefined) throw this.shared.refusal;
  }

  /** Resolves when no write is under way. After {@link end} no later write can begin. */
  async quiet(): Promise<void> {
    await this.shared.writes.quiet();
  }

  /** The same keyspace of another engine, which shows one state of the storage. */
  on(engine: StorageEngine): Keyspace {
    const other = new Keyspace(engine, this.cache, this.id, this.name, this.durable, this.tuning, this.format);
    other.shared = this.shared;
    return other;
  }

  /** Called before an erasure deletes what readers of older states may still read. */
  beginErasure(): void {
    this.shared.erasures++;
  }

  /** The same keyspace for work that frees space: a full storage accepts its writes. */
  freeing(): Keyspace {
    const freeing = new Keyspace(this.engine, this.cache, this.id, this.name, this.durable, this.tuning, this.format);
    freeing.shared = this.shared;
    freeing.#frees = true;
    freeing.onWriteFailure = this.onWriteFailure;
    return freeing;
  }

  key(tag: number, ...numbers: number[]): Bytes {
    return dataKey(this.id, tag, ...numbers);
  }

  /** The range of all keys of a tag. */
  tagRange(tag: number): { gte: Bytes; lt: Bytes } {
    const gte = this.key(tag);
    return { gte, lt: afterPrefix(gte) };
  }

  /** The length of a key without what follows the tag. */
  get tagEnd(): number {
    return 6;
  }

  /** The first number after the tag of a key. */
  numberIn(key: Bytes): number {
    return readU32(key, this.tagEnd);
  }

  /** The keyspace that has the log of a revision: that of another line if this one began later. */
  at(_revision: number): Keyspace {
    return this;
  }

  /** The last revision that has its log in the same keyspace as this one. */
  endAt(_revision: number): number {
    return Number.POSITIVE_INFINITY;
  }

  /** The writes that belong to the record of a revision. */
  recordOps({ number }: { readonly number: number; readonly id: Uint8Array }, encoded: Bytes): WriteOp[] {
    return [{ type: 'put', key: this.key(Tag.log, number), value: encoded }];
  }

  /** The range of all keys of the repository. */
  get everything(): { gte: Bytes; lt: Bytes } {
    const gte = dataKey(this.id, 0).subarray(0, 5);
    return { gte, lt: afterPrefix(gte) };
  }

  get(tag: number, ...numbers: number[]): Promise<Bytes | undefined> {
    return this.getKey(this.key(tag, ...numbers));
  }

  async getKey(key: Bytes): Promise<Bytes | undefined> {
    this.check();
    const { engine } = this;
    const value = engine.canGetSync ? engine.getSync(key) : await engine.get(key);
    // The value may be missing because the repository was deleted during the read.
    if (value === undefined) this.check();
    return value;
  }

  /** Like {@link getKey}, without waiting. Returns `undefined` also where only {@link getKey} can read. */
  tryGetKey(key: Bytes): Bytes | undefined {
    this.check();
    return this.engine.canGetSync ? this.engine.getSync(key) : undefined;
  }

  /** Like `engine.range`, for keys of this repository. */
  async *range(range: KeyRange, options?: RangeOptions): AsyncGenerator<readonly Entry[]> {
    this.check();
    for await (const chunk of this.engine.range(range, options)) {
      this.check();
      yield chunk;
    }
    this.check();
  }

  /** A cache source that reads value `index` at key `keyOf(index)`. `what` names a value in error messages. */
  source(what: string, keyOf: (index: number) => Bytes): ValueSource {
    const { engine } = this;
    const { erasures } = this.shared;
    const present = (value: Bytes | undefined, index: number): Bytes => {
      if (value !== undefined) return value;
      throw erasures === this.shared.erasures ? this.missing(`${what} ${index}`) : endedByErasure(this.name);
    };
    return {
      id: this.cache.newSource(),
      readSync: (index) => (engine.canGetSync ? present(engine.getSync(keyOf(index)), index) : undefined),
      read: async (indexes) => {
        const values = await engine.getMany(indexes.map(keyOf));
        return values.map((value, i) => present(value, indexes[i]!));
      },
    };
  }

  /** The error for a missing value: a CorruptionError, or the error given to {@link end}. */
  missing(what: string): QuadrilleError {
    if (this.shared.ended !== undefined) return this.shared.ended;
    return new CorruptionError('INDEX_DISAGREES', `repository ${this.name}: ${what} is missing from the storage`, {
      details: { repository: this.name },
    });
  }

  /** All entries of a tag, in the order of their keys. `rest` is the key without repository and tag. */
  async *entries(tag: number): AsyncGenerator<{ rest: Bytes; value: Bytes }> {
    for await (const chunk of this.range(this.tagRange(tag), { read: 'entries' })) {
      for (const { key, value } of chunk) yield { rest: key.subarray(this.tagEnd), value };
    }
  }

  /** Splits a value of any length into numbered parts. `keyOf` returns the key of a part. */
  putParts(value: Uint8Array, keyOf: (part: number) => Bytes): WriteOp[] {
    const ops: WriteOp[] = [];
    for (let part = 0; part === 0 || part * PART_BYTES < value.length; part++) {
      const bytes = value.subarray(part * PART_BYTES, (part + 1) * PART_BYTES);
      ops.push({ type: 'put', key: keyOf(part), value: bytes });
    }
    return ops;
  }

  /** Writes data on which the state in memory depends. If the write fails, that state must be read again. */
  async write(ops: readonly WriteOp[]): Promise<void> {
    if (ops.length === 0) return;
    this.check();
    this.assertWritable();
    try {
      const { durable } = this;
      const outcome = await this.#track(this.engine.write(ops, this.#frees ? { durable, frees: true } : { durable }));
      if (outcome !== 'ok')
        throw new StorageError('STORAGE_IO', `the storage answered "${outcome}" to a write of repository ${this.name}`);
    } catch (error) {
      this.onWriteFailure?.(error);
      throw error;
    }
  }

  /** Writes data on which no state in memory depends. Recovers the storage first if an earlier write failed. */
  async writeAlone(ops: readonly WriteOp[]): Promise<void> {
    this.check();
    this.assertWritable();
    await this.#track(writeAlone(this.engine, ops, { durable: this.durable }));
  }

  /** Deletes data that nothing refers to any more. If this fails, the next open finds the data again. */
  async discard(ops: readonly WriteOp[]): Promise<void> {
    this.check();
    this.assertWritable();
    await this.#track(this.engine.write(ops, { durable: false }));
  }

  async #track<T>(writing: Promise<T>): Promise<T> {
    this.shared.writes.enter();
    try {
      const result = await writing;
      // A write to a repository that was deleted meanwhile must not be acknowledged.
      if (this.shared.ended?.code === 'REPOSITORY_DELETED') throw this.shared.ended;
      return result;
    } finally {
      this.shared.writes.leave();
    }
  }
}

/** The error of readers that an erasure has ended. */
export const endedByErasure = (name: string): StateError =>
  new StateError(
    'SNAPSHOT_CLOSED',
    `repository ${name}: data were erased, which has ended this snapshot: take a new one`,
    {
      details: { repository: name },
    },
  );
