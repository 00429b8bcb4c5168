/** Merges two sorted segments step by step: each call of `fill` merges up to a position of the output. */
export class SegmentMerge {
  readonly out: Uint32Array;
  #left = 0;
  #right = 0;

  constructor(
    private readonly left: Uint32Array,
    private readonly right: Uint32Array,
    private readonly compare: (x: number, y: number) => number,
  ) {
    this.out = new Uint32Array(left.length + right.length);
  }

  fill(end: number): void {
    const { left, right, compare, out } = this;
    let l = this.#left;
    let r = this.#right;
    for (let i = l + r; i < end; i++) {
      const takeLeft = r === right.length || (l < left.length && compare(left[l]!, right[r]!) <= 0);
      out[i] = takeLeft ? left[l++]! : right[r++]!;
    }
    this.#left = l;
    this.#right = r;
  }
}
