/** Bytes of memory that several holders share. */
export class ByteBudget {
  #held = 0;

  constructor(
    /** Bytes that all holders may have together. */
    readonly limit: number,
  ) {}

  /** Counts bytes that are held already: a holder looks at {@link exceeded} before it takes more, or gives them up. */
  hold(bytes: number): void {
    this.#held += bytes;
  }

  /** Gives bytes back. */
  release(bytes: number): void {
    this.#held -= bytes;
  }

  /** Whether more is held than the limit. */
  get exceeded(): boolean {
    return this.#held > this.limit;
  }
}
