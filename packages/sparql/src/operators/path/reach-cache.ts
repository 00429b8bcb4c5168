/** Results of earlier searches, up to a size limit. */
import type { Memory } from '../../control/memory.js';

/** The size of all results together, in bytes, and the share of the budget that they may use. */
const MAX_BYTES = 32 * 1024 * 1024;
const BUDGET_SHARE = 8;
/** The size of a result beside its ids, in bytes. */
const ENTRY_BYTES = 128;

export class ReachCache {
  readonly #forward = new Map<number, Uint32Array>();
  readonly #backward = new Map<number, Uint32Array>();
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(private readonly memory: Memory) {
    this.#maxBytes = Math.min(MAX_BYTES, memory.budgetBytes / BUDGET_SHARE);
  }

  get(start: number, forward: boolean): Uint32Array | undefined {
    return (forward ? this.#forward : this.#backward).get(start);
  }

  /** Keeps a copy where there is room. */
  set(start: number, forward: boolean, ids: Uint32Array): void {
    const bytes = ids.byteLength + ENTRY_BYTES;
    if (this.#bytes + bytes > this.#maxBytes) return;
    this.memory.reserve(bytes);
    this.#bytes += bytes;
    (forward ? this.#forward : this.#backward).set(start, ids.slice());
  }

  free(): void {
    this.memory.release(this.#bytes);
    this.#bytes = 0;
    this.#forward.clear();
    this.#backward.clear();
  }
}
