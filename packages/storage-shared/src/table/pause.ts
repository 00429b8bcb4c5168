/** Gives the event loop its turn during long work in memory. */

/** How long work may go on, in milliseconds. */
const WORK_MS = 8;

export class Pause {
  #since = performance.now();

  /** Waits for other work if this one has gone on for long enough. */
  async turn(): Promise<void> {
    if (performance.now() - this.#since < WORK_MS) return;
    await new Promise((resolve) => setTimeout(resolve));
    this.#since = performance.now();
  }
}
