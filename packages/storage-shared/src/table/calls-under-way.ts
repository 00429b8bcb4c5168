/** The calls under way. Nothing is deleted that one of them may still read, or has written and not told of yet. */

export class CallsUnderWay {
  /** When each one began, by `performance.now()`. The oldest one comes first. */
  readonly #begun = new Map<number, number>();
  #next = 0;

  /** When the oldest call under way began; infinity if there is none. */
  get oldest(): number {
    for (const begun of this.#begun.values()) return begun;
    return Infinity;
  }

  /** Returns the number of the call, for {@link end}. */
  begin(): number {
    this.#begun.set(this.#next, performance.now());
    return this.#next++;
  }

  end(call: number): void {
    this.#begun.delete(call);
  }
}
