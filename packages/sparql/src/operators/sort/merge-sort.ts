/** A stable merge sort that can pause: comparing terms is slow, and the event loop must run in between. */
import type { EvaluationControl } from '../../control/control.js';
import { pauseOf, type Waiting } from '../../execute/core/waiting.js';

const RUN = 8;
const STEPS_PER_CHECKPOINT = 4096;

/** The numbers 0 … count - 1 in the order that `compare` says. */
export function* mergeSort(
  count: number,
  compare: (left: number, right: number) => number,
  control: EvaluationControl,
): Waiting<Uint32Array> {
  const sort = new MergeSort(count, compare);
  while (!sort.advance(STEPS_PER_CHECKPOINT)) yield* pauseOf(control);
  return sort.sorted;
}

/** Merges runs of growing width from one array to another; the state says where it stopped. */
class MergeSort {
  sorted: Uint32Array;
  #target: Uint32Array;
  /** Up to here, runs of {@link RUN} numbers are sorted. */
  #prepared = 0;
  #width = RUN;
  // The current merge: two runs, the next number of each, and the place for the smaller one.
  #left = 0;
  #leftEnd = 0;
  #right = 0;
  #rightEnd = 0;
  #to = 0;

  constructor(
    private readonly count: number,
    private readonly compare: (left: number, right: number) => number,
  ) {
    this.sorted = new Uint32Array(count);
    this.#target = new Uint32Array(count);
    for (let i = 0; i < count; i++) this.sorted[i] = i;
  }

  /** Goes on for about so many comparisons; true at the end. */
  advance(steps: number): boolean {
    for (let left = steps; this.#prepared < this.count; left -= RUN * 2) {
      if (left <= 0) return false;
      this.#sortRun(this.#prepared, Math.min(this.#prepared + RUN, this.count));
      this.#prepared += RUN;
    }
    for (let left = steps; this.#width < this.count;) {
      if (left <= 0) return false;
      if (this.#to === this.#rightEnd && !this.#nextPair()) continue;
      left -= this.#merge(left);
    }
    return true;
  }

  #sortRun(start: number, end: number): void {
    const { sorted, compare } = this;
    for (let i = start + 1; i < end; i++) {
      const moving = sorted[i]!;
      let to = i;
      while (to > start && compare(sorted[to - 1]!, moving) > 0) sorted[to] = sorted[--to]!;
      sorted[to] = moving;
    }
  }

  // False at the end of a pass: the next pass merges wider runs.
  #nextPair(): boolean {
    if (this.#to === this.count) {
      [this.sorted, this.#target] = [this.#target, this.sorted];
      this.#width *= 2;
      this.#to = this.#rightEnd = 0;
      return false;
    }
    this.#left = this.#to;
    this.#leftEnd = this.#right = Math.min(this.#left + this.#width, this.count);
    this.#rightEnd = Math.min(this.#right + this.#width, this.count);
    return true;
  }

  #merge(steps: number): number {
    const { sorted, compare } = this;
    const target = this.#target;
    const start = this.#to;
    const end = Math.min(this.#rightEnd, start + steps);
    let left = this.#left;
    let right = this.#right;
    for (let to = start; to < end; to++) {
      const takesLeft =
        right === this.#rightEnd || (left < this.#leftEnd && compare(sorted[left]!, sorted[right]!) <= 0);
      target[to] = sorted[takesLeft ? left++ : right++]!;
    }
    this.#left = left;
    this.#right = right;
    this.#to = end;
    return end - start;
  }
}
