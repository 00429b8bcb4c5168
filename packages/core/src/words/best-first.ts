/** The order in which literals that were found are given. */
import type { ScoredIds } from './scored-ids.js';

/** The share of all ids that the first part looks at, and how many times the ids of all before it each other part does. */
const FIRST_PART = 64;
const PART_GROWTH = 8;
/** How many are put in order first: a page of hits needs no more. */
const FIRST = 256;

/** Literals in the order of their scores, as far as they are asked for: those with equal scores by their ids. */
export class BestFirst {
  /** How many there are. */
  readonly count: number;
  /** Places of the best ones, in order. */
  readonly #best: Uint32Array;
  #given = 0;
  /** A heap of the places of all others: no one is better than that above it. */
  #heap: Uint32Array | undefined;
  #length = 0;

  constructor(
    private readonly ids: Uint32Array,
    private readonly scores: Float64Array,
  ) {
    this.count = ids.length;
    this.#best = this.#selectBest();
  }

  next(): { readonly id: number; readonly score: number } | undefined {
    if (this.#given === this.count) return undefined;
    const place = this.#given < this.#best.length ? this.#best[this.#given]! : this.#take();
    this.#given++;
    return { id: this.ids[place]!, score: this.scores[place]! };
  }

  /** The ids of all that `next` has not given yet, ascending; it gives none any more. */
  rest(): Uint32Array {
    const { count } = this;
    const isGiven = new Uint8Array(count);
    if (this.#heap === undefined) for (const place of this.#best.subarray(0, this.#given)) isGiven[place] = 1;
    else {
      isGiven.fill(1);
      for (const place of this.#heap.subarray(0, this.#length)) isGiven[place] = 0;
    }
    this.#given = count;
    return this.ids.filter((_, place) => isGiven[place] === 0);
  }

  // The worst one of those chosen so far is above all others, until a better one takes its place.
  #selectBest(): Uint32Array {
    const { scores, count } = this;
    const size = Math.min(FIRST, count);
    const worstFirst = new Uint32Array(size);
    for (let place = 0; place < size; place++) worstFirst[place] = place;
    for (let at = (size >>> 1) - 1; at >= 0; at--) this.#sink(worstFirst, size, at, false);
    let least = scores[worstFirst[0]!]!;
    for (let place = size; place < count; place++) {
      // Of equal scores the first ones are the best.
      if (scores[place]! <= least) continue;
      worstFirst[0] = place;
      this.#sink(worstFirst, size, 0, false);
      least = scores[worstFirst[0]!]!;
    }
    return worstFirst.sort((x, y) => scores[y]! - scores[x]! || x - y);
  }

  #take(): number {
    const heap = (this.#heap ??= this.#heapOfOthers());
    const place = heap[0]!;
    heap[0] = heap[--this.#length]!;
    this.#sink(heap, this.#length, 0, true);
    return place;
  }

  #heapOfOthers(): Uint32Array {
    const isBest = new Uint8Array(this.count);
    for (const place of this.#best) isBest[place] = 1;
    const heap = new Uint32Array(this.count - this.#best.length);
    for (let place = 0; place < this.count; place++) if (isBest[place] === 0) heap[this.#length++] = place;
    for (let at = (this.#length >>> 1) - 1; at >= 0; at--) this.#sink(heap, this.#length, at, true);
    return heap;
  }

  #isBetter(x: number, y: number): boolean {
    const difference = this.scores[x]! - this.scores[y]!;
    return difference > 0 || (difference === 0 && x < y);
  }

  /** Moves a place down until no one below it has to stand above it: a better one, or a worse one. */
  #sink(heap: Uint32Array, length: number, from: number, isBestAbove: boolean): void {
    const place = heap[from]!;
    let at = from;
    for (let child = at * 2 + 1; child < length; child = at * 2 + 1) {
      if (child + 1 < length && this.#isBetter(heap[child + 1]!, heap[child]!) === isBestAbove) child++;
      if (this.#isBetter(heap[child]!, place) !== isBestAbove) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = place;
  }
}

/** Literals that are all as good, in the order of their ids. They are found part by part, since most searches want few. */
export class InParts {
  #ids: Uint32Array = new Uint32Array(0);
  #given = 0;
  #before = 0;
  #isWhole = false;

  /** `find`: finds those before an id. `mark`: so many ids are known. */
  constructor(
    private readonly find: (before: number) => Promise<ScoredIds>,
    private readonly score: number,
    private readonly mark: number,
  ) {}

  /** How many were found by now. */
  get count(): number {
    return this.#ids.length;
  }

  next(): { readonly id: number; readonly score: number } | undefined {
    if (this.#given === this.#ids.length) return undefined;
    return { id: this.#ids[this.#given++]!, score: this.score };
  }

  rest(): Uint32Array {
    const rest = this.#ids.subarray(this.#given);
    this.#given = this.#ids.length;
    return rest;
  }

  /** Finds the next part. Returns false if there is none. */
  async more(): Promise<boolean> {
    if (this.#isWhole) return false;
    this.#before = Math.max(this.#before * PART_GROWTH, Math.ceil(this.mark / FIRST_PART));
    this.#isWhole = this.#before >= this.mark;
    this.#ids = (await this.find(this.#isWhole ? Infinity : this.#before)).ids;
    return true;
  }
}
