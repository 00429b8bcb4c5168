import type { Bytes, WriteOp } from '@quadrille/storage';
import type { Keyspace } from './keyspace.js';

/**
 * Size at which a batch is sent, in bytes. Each batch costs a sync, so a small size is slow. A batch is sealed and
 * handed over in one step, so a large size holds the event loop.
 */
export const BATCH_BYTES = 512 * 1024;

/** What a range that is deleted counts. The storage looks for its entries while other writes wait, which takes about as long as to write this. */
const RANGE_BYTES = 4 * 1024;

/** Size of the buffer into which a batch copies its values: a full batch and the values that fill it. */
const SLAB_BYTES = BATCH_BYTES + 64 * 1024;
/** Number of slabs kept for later batches. New memory has to be cleared, and causes garbage collections. */
const KEPT_SLABS = 3;
const freeSlabs: Uint8Array[] = [];

/**
 * Collects the writes of a repository and sends them in batches, one after the other. Copies values, so the caller
 * may reuse their memory at once.
 */
export class BatchWriter {
  #ops: WriteOp[] = [];
  #slab: Uint8Array | undefined;
  #slabUsed = 0;
  #bytes = 0;
  #written = 0;
  #underway: Promise<void> = Promise.resolve();

  constructor(private readonly target: Pick<Keyspace, 'write'>) {}

  /** Bytes of all values put so far. */
  get writtenBytes(): number {
    return this.#written;
  }

  /** `lasting` means that this value stays when other values of its batch are deleted. */
  put(key: Bytes, value: Bytes, lasting = false): void {
    this.#ops.push({ type: 'put', key, value: this.#copy(value), lasting });
    this.#bytes += key.length + value.length;
    this.#written += value.length;
  }

  #copy(value: Bytes): Bytes {
    // The parts of a long text can exceed the size of a batch, and so the slab.
    if (this.#slabUsed + value.length > SLAB_BYTES) return value.slice();
    this.#slab ??= freeSlabs.pop() ?? new Uint8Array(SLAB_BYTES);
    const start = this.#slabUsed;
    this.#slabUsed += value.length;
    this.#slab.set(value, start);
    return this.#slab.subarray(start, this.#slabUsed);
  }

  add(ops: readonly WriteOp[]): void {
    for (const op of ops) {
      if (op.type === 'put') this.put(op.key, op.value, op.lasting);
      else {
        this.#ops.push(op);
        this.#bytes += op.type === 'deleteRange' ? RANGE_BYTES : op.key.length;
      }
    }
  }

  get full(): boolean {
    return this.#bytes >= BATCH_BYTES;
  }

  /** Sends the collected writes when the batch before them is written. More can be put while they are under way. */
  async send(): Promise<void> {
    await this.#underway;
    const ops = this.#ops;
    const slab = this.#slab;
    this.#ops = [];
    this.#bytes = 0;
    this.#slab = undefined;
    this.#slabUsed = 0;
    this.#underway = this.target.write(ops).then(() => {
      if (slab !== undefined && freeSlabs.length < KEPT_SLABS) freeSlabs.push(slab);
    });
    // The next call of send() or flush() awaits this promise and throws its error.
    this.#underway.catch(() => undefined);
  }

  /** Resolves when all writes are written. */
  async flush(): Promise<void> {
    await this.send();
    await this.#underway;
  }
}
