/** How far a load is, as its caller is told. */
import type { BulkLoader } from '@quadrille/core';
import type { LoadOptions, LoadPhase } from '../api/index.js';

const PROGRESS_MS = 200;
/** Share of the work that reading is; the rest is indexing and the commit. */
const READING_SHARE = 0.6;
const INDEXING_SHARE = 0.39;

/** Tells the caller how far the load is; on a timer, so that long steps show too. */
export class Progress {
  #counted = 0;
  #phase: LoadPhase = 'reading';
  #fraction = 0;
  #load: BulkLoader | undefined;
  #timer: ReturnType<typeof setInterval> | undefined;
  #failure: unknown;

  constructor(
    private readonly options: LoadOptions,
    readonly bytesTotal: number | undefined,
  ) {}

  /** Bytes of a chunk that has been dealt with. */
  count(bytes: number): void {
    this.#counted += bytes;
  }

  get bytesRead(): number {
    return this.options.bytesRead?.() ?? this.#counted;
  }

  start(load: BulkLoader): void {
    this.#load = load;
    if (this.options.onProgress === undefined) return;
    this.#emit();
    this.#timer = setInterval(() => this.#emit(), PROGRESS_MS);
  }

  enter(phase: LoadPhase): void {
    this.#phase = phase;
    this.#emit();
  }

  finish(): void {
    this.#phase = 'done';
    this.#fraction = 1;
    this.#emit();
    if (this.#failure !== undefined) throw this.#failure;
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #emit(): void {
    const { onProgress } = this.options;
    if (onProgress === undefined || this.#failure !== undefined) return;
    const { bytesRead, bytesTotal } = this;
    const fraction = this.#phase === 'done' ? 1 : this.#estimate();
    try {
      const { quads, indexedShare } = this.#load ?? { quads: 0, indexedShare: 0 };
      onProgress({ phase: this.#phase, bytesRead, bytesTotal, quads, indexedShare, fraction });
    } catch (error) {
      // The caller's own mistake: it is told when the load is done, and not called again.
      this.#failure = error;
    }
  }

  // Bytes read, and of what was read the part that is indexed. Never falls.
  #estimate(): number | undefined {
    if (this.bytesTotal === undefined) return undefined;
    const read = this.bytesTotal === 0 ? 1 : Math.min(1, this.bytesRead / this.bytesTotal);
    const indexed = read * (this.#load?.indexedShare ?? 0);
    this.#fraction = Math.max(this.#fraction, READING_SHARE * read + INDEXING_SHARE * indexed);
    return this.#fraction;
  }
}
