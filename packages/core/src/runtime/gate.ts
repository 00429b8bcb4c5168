/** Counts who is inside. Those who have to be alone wait until nobody is, and keep others out meanwhile. */
export class Gate {
  /** Called when the last one has left. */
  onQuiet: (() => void) | undefined;
  /** Set while somebody is {@link alone} or waits to be. Resolves when others may enter again. */
  closed: Promise<void> | undefined;
  #inside = 0;
  readonly #waiting = new Set<() => void>();

  /** Number of those who are inside. */
  get inside(): number {
    return this.#inside;
  }

  /** Each call needs a {@link leave}. Where somebody may be alone, call it only in a turn in which the gate is not {@link closed}. */
  enter(): void {
    this.#inside++;
  }

  /** Ends what {@link enter} began. */
  leave(): void {
    if (--this.#inside > 0) return;
    for (const wake of this.#waiting) wake();
    this.onQuiet?.();
  }

  /** Waits until nobody is inside, for at most so many milliseconds. Returns whether nobody is. Others may enter meanwhile. */
  async quiet(patienceMs = Number.POSITIVE_INFINITY): Promise<boolean> {
    if (this.#inside === 0 || patienceMs <= 0) return this.#inside === 0;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(done);
        resolve();
      };
      const timer = patienceMs < Number.POSITIVE_INFINITY ? setTimeout(done, patienceMs) : undefined;
      this.#waiting.add(done);
    });
    return this.#inside === 0;
  }

  /**
   * Runs a function while nobody is inside, and keeps others out meanwhile. Waits so many milliseconds for those who are inside; without
   * patience it keeps nobody out. Returns false if it did not run.
   */
  async alone(run: () => Promise<void>, patienceMs = 0): Promise<boolean> {
    if (this.closed !== undefined) return false;
    if (this.#inside > 0 && patienceMs <= 0) return false;
    let open!: () => void;
    this.closed = new Promise((resolve) => (open = resolve));
    try {
      if (!(await this.quiet(patienceMs))) return false;
      await run();
      return true;
    } finally {
      this.closed = undefined;
      open();
    }
  }
}
