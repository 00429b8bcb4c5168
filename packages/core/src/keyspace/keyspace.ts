/**
 * The part of the storage that belongs to one repository. All of its values are read and written through here, so that
 * nothing is once the repository was deleted or its store closed.
 */
import { CorruptionError, StorageError } from '@quadrille/model';
import type { QuadrilleError } from '@quadrille/model';
import type { Bytes, Entry, KeyRange, RangeOptions, StorageEngine, WriteOp } from '@quadrille/storage';
import type { BlockCache, ValueSource } from './block-cache.js';
import { afterPrefix, dataKey, PART_BYTES, tagRange } from '../format/layout.js';
import { DEFAULT_TUNING } from '../runtime/tuning.js';
import type { Tuning } from '../runtime/tuning.js';
import { writeAlone } from './write-alone.js';

interface Shared {
  ended: QuadrilleError | undefined;
  readonly underway: Set<Promise<unknown>>;
}

export class Keyspace {
  /** Called with the error of every write that was not applied for certain. */
  onWriteFailure: ((error: unknown) => void) | undefined;
  /** Shared with {@link freeing}. */
  #shared: Shared = { ended: undefined, underway: new Set() };
  /** Its writes give space back. */
  #frees = false;

  constructor(
    readonly engine: StorageEngine,
    readonly cache: BlockCache,
    /** The repository's number in keys. */
    readonly id: number,
    /** For messages. */
    readonly name: string,
    /** Whether writes that are awaited reach the disk. */
    readonly durable: boolean,
    readonly tuning: Tuning = DEFAULT_TUNING,
  ) {}

  /** From here on every read and write fails with this error. Writes under way end by themselves: see {@link quiet}. */
  end(error: QuadrilleError): void {
    this.#shared.ended ??= error;
  }

  /** @throws the error that it was {@link end}ed with */
  check(): void {
    if (this.#shared.ended !== undefined) throw this.#shared.ended;
  }

  /** Resolves when no write is under way. Of a keyspace that was {@link end}ed: for good. */
  async quiet(): Promise<void> {
    const { underway } = this.#shared;
    while (underway.size > 0) await Promise.allSettled(underway);
  }

  /** The same keyspace, for work that gives space back: what it writes is taken where the storage is full. */
  freeing(): Keyspace {
    const freeing = new Keyspace(this.engine, this.cache, this.id, this.name, this.durable, this.tuning);
    freeing.#shared = this.#shared;
    freeing.#frees = true;
    freeing.onWriteFailure = this.onWriteFailure;
    return freeing;
  }

  key(tag: number, ...numbers: number[]): Bytes {
    return dataKey(this.id, tag, ...numbers);
  }

  /** All keys of the repository. */
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
    // What is not there may just have been deleted with its repository.
    if (value === undefined) this.check();
    return value;
  }

  /** As `engine.range`, of keys of this repository. */
  async *range(range: KeyRange, options?: RangeOptions): AsyncGenerator<readonly Entry[]> {
    this.check();
    for await (const chunk of this.engine.range(range, options)) {
      this.check();
      yield chunk;
    }
    this.check();
  }

  /** A cache source whose value `index` stands under `keyOf(index)`. */
  source(what: string, keyOf: (index: number) => Bytes): ValueSource {
    const { engine } = this;
    const present = (value: Bytes | undefined, index: number): Bytes => {
      if (value === undefined) throw this.missing(`${what} ${index}`);
      return value;
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

  /** The error for a value that is not there. */
  missing(what: string): QuadrilleError {
    if (this.#shared.ended !== undefined) return this.#shared.ended;
    return new CorruptionError('INDEX_DISAGREES', `repository ${this.name}: ${what} is missing from the storage`, {
      details: { repository: this.name },
    });
  }

  /** All entries of a tag, in order. The key is given without repository and tag. */
  async *entries(tag: number): AsyncGenerator<{ rest: Bytes; value: Bytes }> {
    for await (const chunk of this.range(tagRange(this.id, tag), { read: 'entries' })) {
      for (const { key, value } of chunk) yield { rest: key.subarray(6), value };
    }
  }

  /** A value of any length as numbered parts; `keyOf` gets the part's number. */
  putParts(value: Uint8Array, keyOf: (part: number) => Bytes): WriteOp[] {
    const ops: WriteOp[] = [];
    for (let part = 0; part === 0 || part * PART_BYTES < value.length; part++) {
      const bytes = value.subarray(part * PART_BYTES, (part + 1) * PART_BYTES);
      ops.push({ type: 'put', key: keyOf(part), value: bytes });
    }
    return ops;
  }

  /** Writes what the state in memory builds on: after a failure that state is read anew. */
  async write(ops: readonly WriteOp[]): Promise<void> {
    if (ops.length === 0) return;
    this.check();
    try {
      const { durable } = this;
      const outcome = await this.#track(this.engine.write(ops, this.#frees ? { durable, frees: true } : { durable }));
      if (outcome !== 'ok')
        throw new StorageError('STORAGE_IO', `a write to repository ${this.name} ended as ${outcome}`);
    } catch (error) {
      this.onWriteFailure?.(error);
      throw error;
    }
  }

  /** Writes what nothing in memory depends on, and recovers the storage where that has to be. */
  async writeAlone(ops: readonly WriteOp[]): Promise<void> {
    this.check();
    await this.#track(writeAlone(this.engine, ops, { durable: this.durable }));
  }

  /** Deletes what nothing names any more. What fails here is found again at the next open. */
  async discard(ops: readonly WriteOp[]): Promise<void> {
    this.check();
    await this.#track(this.engine.write(ops, { durable: false }));
  }

  async #track<T>(writing: Promise<T>): Promise<T> {
    this.#shared.underway.add(writing);
    try {
      const result = await writing;
      // What was written to a repository that has been deleted meanwhile is not acknowledged.
      if (this.#shared.ended?.code === 'REPOSITORY_DELETED') throw this.#shared.ended;
      return result;
    } finally {
      this.#shared.underway.delete(writing);
    }
  }
}
