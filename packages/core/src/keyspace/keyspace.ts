/**
 * The part of the storage that belongs to one repository: its keys, and its values as the block cache and the jobs that
 * write runs see them.
 */
import { CorruptionError, type QuadrilleError, StorageError } from '@quadrille/model';
import type { Bytes, StorageEngine, WriteOp } from '@quadrille/storage';
import type { BlockCache, ValueSource } from './block-cache.js';
import { dataKey, PART_BYTES, tagRange } from '../format/layout.js';
import { DEFAULT_TUNING } from '../runtime/tuning.js';
import type { Tuning } from '../runtime/tuning.js';

/**
 * Bytes of a batch written ahead of its record: each is synced, so they should not be small; sealing them and handing
 * them over is one stretch on the event loop, so they should not be large either.
 */
export const BATCH_BYTES = 512 * 1024;

export class Keyspace {
  #ended: QuadrilleError | undefined;
  /** Told of every write that was not applied for certain. */
  onWriteFailure: ((error: unknown) => void) | undefined;

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

  /** From here on nothing is read or written: the repository was deleted, or the store is closed. */
  end(error: QuadrilleError): void {
    this.#ended ??= error;
  }

  /** @throws the error that it was {@link end}ed with */
  check(): void {
    if (this.#ended !== undefined) throw this.#ended;
  }

  key(tag: number, ...numbers: number[]): Bytes {
    return dataKey(this.id, tag, ...numbers);
  }

  async get(tag: number, ...numbers: number[]): Promise<Bytes | undefined> {
    const { engine } = this;
    const key = this.key(tag, ...numbers);
    return engine.canGetSync ? engine.getSync(key) : engine.get(key);
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

  missing(what: string): CorruptionError {
    return new CorruptionError('INDEX_DISAGREES', `repository ${this.name}: ${what} is missing from the storage`, {
      details: { repository: this.name },
    });
  }

  /** All entries of a tag, in order. The key is given without repository and tag. */
  async *entries(tag: number): AsyncGenerator<{ rest: Bytes; value: Bytes }> {
    for await (const chunk of this.engine.range(tagRange(this.id, tag), { read: 'entries' })) {
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

  async write(ops: readonly WriteOp[]): Promise<void> {
    if (ops.length === 0) return;
    try {
      const outcome = await this.engine.write(ops, { durable: this.durable });
      if (outcome !== 'ok')
        throw new StorageError('STORAGE_IO', `a write to repository ${this.name} ended as ${outcome}`);
    } catch (error) {
      this.onWriteFailure?.(error);
      throw error;
    }
  }
}

/** What a batch copies its values into: room for those of a full batch and the one that makes it full. */
const SLAB_BYTES = BATCH_BYTES + 64 * 1024;
/** Slabs kept for the next batches: fresh memory is cleared by the system, and makes the garbage collector run. */
const KEPT_SLABS = 3;
const freeSlabs: Uint8Array[] = [];

/** Collects writes and sends them off in batches, one after the other. Values are copied: their memory may change at once. */
export class BatchWriter {
  #ops: WriteOp[] = [];
  #slab: Uint8Array | undefined;
  #slabUsed = 0;
  #bytes = 0;
  #written = 0;
  #underway: Promise<void> = Promise.resolve();

  constructor(private readonly keyspace: Keyspace) {}

  /** Bytes of values put so far. */
  get writtenBytes(): number {
    return this.#written;
  }

  /** `lasting`: it will stay when others of its batch are deleted. */
  put(key: Bytes, value: Bytes, lasting = false): void {
    this.#ops.push({ type: 'put', key, value: this.#copy(value), lasting });
    this.#bytes += key.length + value.length;
    this.#written += value.length;
  }

  #copy(value: Bytes): Bytes {
    // Of a long text there may be more parts than a batch should have.
    if (this.#slabUsed + value.length > SLAB_BYTES) return value.slice();
    this.#slab ??= freeSlabs.pop() ?? new Uint8Array(SLAB_BYTES);
    const start = this.#slabUsed;
    this.#slabUsed += value.length;
    this.#slab.set(value, start);
    return this.#slab.subarray(start, this.#slabUsed);
  }

  /** Any writes. */
  add(ops: readonly WriteOp[]): void {
    for (const op of ops) {
      if (op.type === 'put') this.put(op.key, op.value, op.lasting);
      else this.#ops.push(op);
    }
  }

  get full(): boolean {
    return this.#bytes >= BATCH_BYTES;
  }

  /** Sends off what was put, once the batch before it is written: more can be put while this one is under way. */
  async send(): Promise<void> {
    await this.#underway;
    const ops = this.#ops;
    const slab = this.#slab;
    this.#ops = [];
    this.#bytes = 0;
    this.#slab = undefined;
    this.#slabUsed = 0;
    this.#underway = this.keyspace.write(ops).then(() => {
      if (slab !== undefined && freeSlabs.length < KEPT_SLABS) freeSlabs.push(slab);
    });
    // Whoever sends or flushes next is told.
    this.#underway.catch(() => undefined);
  }

  /** Resolves when all that was put is written. */
  async flush(): Promise<void> {
    await this.send();
    await this.#underway;
  }
}
