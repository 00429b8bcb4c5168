/** Counts the writers of a repository that hold ids, so that terms are dropped only while there are none. */
export class TermDropGuard {
  #writers = 0;
  /** While terms are being dropped: resolves when writers may come again. */
  closed: Promise<void> | undefined;

  /** Counts as a writer until the answer is called. Only while the guard is not {@link closed}. */
  enter(): () => void {
    this.#writers++;
    let left = false;
    return () => {
      if (!left) this.#writers--;
      left = true;
    };
  }

  /** Runs while no writer is there and none can come. False, and nothing was run, if there are some. */
  async tryAlone(run: () => Promise<void>): Promise<boolean> {
    if (this.#writers > 0 || this.closed !== undefined) return false;
    let open!: () => void;
    this.closed = new Promise((resolve) => (open = resolve));
    try {
      await run();
      return true;
    } finally {
      this.closed = undefined;
      open();
    }
  }
}
