/** Counts the writers of a repository that hold ids. Terms are deleted only while there are none. */
export class TermDropGuard {
  #writers = 0;
  /** Set while terms are being deleted. Resolves when writers may enter again. */
  closed: Promise<void> | undefined;

  /** Counts as a writer until the returned function is called. Call it only while the guard is not {@link closed}. */
  enter(): () => void {
    this.#writers++;
    let left = false;
    return () => {
      if (!left) this.#writers--;
      left = true;
    };
  }

  /** Runs a function if there is no writer, and keeps writers out meanwhile. Returns false if there are writers. */
  tryAlone(run: () => Promise<void>): Promise<boolean> {
    return this.alone(run, () => false);
  }

  /**
   * Like {@link tryAlone}, but keeps new writers out and waits for those that there are. `more` waits a little; it returns false if
   * there was enough of it.
   */
  async alone(run: () => Promise<void>, more: () => Promise<boolean> | false): Promise<boolean> {
    if (this.closed !== undefined) return false;
    if (this.#writers > 0 && more() === false) return false;
    let open!: () => void;
    this.closed = new Promise((resolve) => (open = resolve));
    try {
      while (this.#writers > 0) if ((await more()) === false) return false;
      await run();
      return true;
    } finally {
      this.closed = undefined;
      open();
    }
  }
}
