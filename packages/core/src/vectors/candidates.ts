/** Candidates by what their scores are at most, as far as they are asked for. */

/** Bounds of scores are compared in steps: what stands in the same one comes in the order of places. */
const STEPS = 2 ** 20;
const GREATEST = 2.1;
const LEAST = -1.1;
/** The greatest difference of two bounds in the same step. */
export const STEP = (GREATEST - LEAST) / STEPS;
/** Candidates are put in order in parts, which grow. */
const FIRST_PART = 64;
const GROWTH = 4;
const LARGEST_PART = 8192;
/** So many parts are collected until only the best ones are kept. */
const SPARE = 4;
const PLACES = 2 ** 32;

/** The step of a bound, the best one first. */
const stepOf = (bound: number): number =>
  bound >= GREATEST ? 0 : Math.min(STEPS - 1, Math.floor((GREATEST - bound) / STEP));

export class Candidates {
  /** Steps and places of a part, as one number each, ascending, and the next of them. */
  #part = new Float64Array(0);
  #at = 0;
  #size = FIRST_PART;
  #hasEnded = false;

  constructor(private readonly bounds: Float32Array) {}

  /** The next place; -1 at the end. */
  peek(): number {
    if (this.#at === this.#part.length && (this.#hasEnded || !this.#nextPart())) return -1;
    return this.#part[this.#at]! % PLACES;
  }

  skip(): void {
    this.#at++;
  }

  #nextPart(): boolean {
    const { bounds } = this;
    const last = this.#part.at(-1) ?? -1;
    const size = this.#size;
    const keys = new Float64Array(size * SPARE);
    let filled = 0;
    // What is worse is not among the best ones.
    let worst = Number.POSITIVE_INFINITY;
    let least = Number.NEGATIVE_INFINITY;
    for (let place = 0; place < bounds.length; place++) {
      const bound = bounds[place]!;
      if (bound < least) continue;
      const key = stepOf(bound) * PLACES + place;
      if (key <= last || key >= worst) continue;
      keys[filled++] = key;
      if (filled < keys.length) continue;
      keys.sort();
      filled = size;
      worst = keys[size - 1]!;
      least = GREATEST - (Math.floor(worst / PLACES) + 2) * STEP;
    }
    this.#part = keys.subarray(0, filled).sort().subarray(0, size);
    this.#at = 0;
    this.#size = Math.min(size * GROWTH, LARGEST_PART);
    this.#hasEnded = this.#part.length === 0;
    return !this.#hasEnded;
  }
}
