/** Vectors in the order of their cosines, as far as they are asked for: those with equal cosines by their ids. */
import { Candidates, STEP } from './candidates.js';
import type { Query } from './vector-column.js';
import { cosine } from './vector-text.js';

/** Candidates whose vectors are read at once: few at first, of which most are better than the next ones can be. */
const FIRST_READ = 16;
const NEXT_READ = 8;
const MOST_READ = 64;

/** A vector that was found. */
export interface Near {
  /** Of its literal. */
  readonly id: number;
  /** The cosine. */
  readonly score: number;
}

/** Reads the vectors of literals. `undefined`: it is none. */
export type ReadVectors = (ids: readonly number[]) => Promise<readonly (Float32Array | undefined)[]>;

const isBetter = (x: Near, y: Near): boolean => x.score > y.score || (x.score === y.score && x.id < y.id);

export class NearestFirst {
  readonly #candidates: Candidates;
  /** Vectors that were read, as a heap: no one is better than that above it. */
  readonly #read: Near[] = [];
  #atOnce = FIRST_READ;
  #rounds = 0;

  /** Scores of `ids` are at most `bounds`, beside the slack of the query. */
  constructor(
    private readonly query: Query,
    private readonly ids: Uint32Array,
    private readonly bounds: Float32Array,
    private readonly readVectors: ReadVectors,
  ) {
    this.#candidates = new Candidates(bounds);
  }

  /** How many there may be. */
  get count(): number {
    return this.ids.length;
  }

  /** The next one; `undefined` at the end. */
  next(): Near | undefined | Promise<Near | undefined> {
    return this.#isReady() ? this.#take() : this.#nextLater();
  }

  async #nextLater(): Promise<Near | undefined> {
    while (!this.#isReady()) await this.#readMore();
    return this.#take();
  }

  /** Whether no candidate can be better than the best one that was read. */
  #isReady(): boolean {
    const place = this.#candidates.peek();
    if (place === -1) return true;
    const best = this.#read[0];
    return best !== undefined && best.score > this.bounds[place]! + this.query.slack + STEP;
  }

  async #readMore(): Promise<void> {
    const ids: number[] = [];
    for (let place = this.#candidates.peek(); place !== -1 && ids.length < this.#atOnce;) {
      ids.push(this.ids[place]!);
      this.#candidates.skip();
      place = this.#candidates.peek();
    }
    this.#atOnce = this.#rounds++ === 0 ? NEXT_READ : Math.min(this.#atOnce * 2, MOST_READ);
    const { vector, norm } = this.query;
    for (const [i, other] of (await this.readVectors(ids)).entries())
      if (other !== undefined) this.#push({ id: ids[i]!, score: cosine(vector, norm, other) });
  }

  #push(near: Near): void {
    const heap = this.#read;
    let at = heap.length;
    for (; at > 0; at = (at - 1) >>> 1) {
      const above = heap[(at - 1) >>> 1]!;
      if (!isBetter(near, above)) break;
      heap[at] = above;
    }
    heap[at] = near;
  }

  #take(): Near | undefined {
    const heap = this.#read;
    const best = heap[0];
    const last = heap.pop();
    if (last === undefined || last === best) return best;
    let at = 0;
    for (let child = 1; child < heap.length; child = at * 2 + 1) {
      if (child + 1 < heap.length && isBetter(heap[child + 1]!, heap[child]!)) child++;
      if (!isBetter(heap[child]!, last)) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = last;
    return best;
  }
}
