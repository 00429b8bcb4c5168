/** Counts the states that an engine has shown, and the work that depends on the present one. */

export class ShownStates {
  /** How often the engine has shown what other processes have written. What was read before may have changed since. */
  count = 0;
  #openings = 0;
  #waiting: (() => void)[] = [];

  /** Does work whose result depends on the present state: until it ends, no other state is shown. */
  async opening<T>(work: () => Promise<T>): Promise<T> {
    this.#openings++;
    try {
      return await work();
    } finally {
      if (--this.#openings === 0) {
        const waiting = this.#waiting;
        this.#waiting = [];
        for (const wake of waiting) wake();
      }
    }
  }

  /** Whether an {@link opening} is under way. */
  get isOpening(): boolean {
    return this.#openings > 0;
  }

  /** Waits until no {@link opening} is under way. */
  async noneOpening(): Promise<void> {
    while (this.#openings > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }
}
