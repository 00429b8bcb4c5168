/**
 * Bytes that several threads of a process hold, in shared memory. Each thread writes a count of its own and reads those of the others.
 * Two threads that look at the same moment may both take the last bytes. That is tolerated, because each takes 64 KB at a time.
 */

/** Counts are in units of this size, so that they fit into 32 bits. */
const UNIT_BYTES = 1024;

/** A number of bytes that several threads count together. */
export class SharedBytes {
  /** `own` is the index of this thread's count. */
  constructor(
    private readonly counts: Int32Array,
    private readonly own: number,
  ) {}

  /** Bytes of all other threads. */
  get others(): number {
    let units = 0;
    for (let i = 0; i < this.counts.length; i++) if (i !== this.own) units += Atomics.load(this.counts, i);
    return units * UNIT_BYTES;
  }

  /** Bytes of this thread. */
  get held(): number {
    return Atomics.load(this.counts, this.own) * UNIT_BYTES;
  }

  /** Bytes of this thread, rounded up. */
  set held(bytes: number) {
    Atomics.store(this.counts, this.own, Math.ceil(bytes / UNIT_BYTES));
  }
}
