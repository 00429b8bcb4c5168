/** What searches have found before, as far as there is room for it. */
import type { Memory } from '../../control/memory.js';

/** What all results together may take, at most this share of what is left of the budget. */
const MAX_BYTES = 32 * 1024 * 1024;
const BUDGET_SHARE = 8;
/** What a result costs besides its ids. */
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
