/** Collects writes of a repository and sends them off in batches. */
import type { Bytes, WriteOp } from '@quadrille/storage';
import type { Keyspace } from './keyspace.js';

/**
 * Bytes of a batch written ahead of its record: each is synced, so they should not be small; sealing them and handing
 * them over is one stretch on the event loop, so they should not be large either.
 */
export const BATCH_BYTES = 512 * 1024;

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
