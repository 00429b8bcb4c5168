/** The reads of a storage that are under way. What exchanges or closes the files below them waits for them, and ends ranges. */

import type { StorageError } from '@quadrille/model';

/** A range that is being read, or a snapshot. `ended` is the error with which it ends early. */
export interface Cursor {
  ended: StorageError | undefined;
  /** Releases what it has below. */
  close(): Promise<unknown>;
}

export class ReadsUnderWay {
  readonly #cursors = new Set<Cursor>();
  /** Set while the files are exchanged. Reads wait for it. */
  #gate: Promise<void> | undefined;
  #running = 0;
  #wakeIdle: (() => void) | undefined;

  /** Number of ranges that were begun and neither read to their end nor closed, and of snapshots. */
  get ranges(): number {
    return this.#cursors.size;
  }

  /** Notes that a range is begun. */
  begin(cursor: Cursor): void {
    this.#cursors.add(cursor);
  }

  /** Notes that a range was read to its end, or closed. */
  end(cursor: Cursor): void {
    this.#cursors.delete(cursor);
  }

  /** Waits for {@link alone}, checks, and runs a read. */
  async run<T>(check: () => void, call: () => Promise<T>): Promise<T> {
    while (this.#gate !== undefined) await this.#gate;
    check();
    this.#running++;
    try {
      return await call();
    } finally {
      if (--this.#running === 0) this.#wakeIdle?.();
    }
  }

  /** Waits until no range is being read, for at most so many milliseconds. */
  async rangesEnded(patienceMs: number): Promise<void> {
    const end = performance.now() + patienceMs;
    while (this.#cursors.size > 0 && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, 10));
  }

  /** Runs a function while no read is under way. New reads wait, and ranges end with the error. */
  async alone<T>(reason: StorageError, work: () => Promise<T>): Promise<T> {
    let open!: () => void;
    this.#gate = new Promise((resolve) => (open = resolve));
    try {
      await this.stop(reason);
      return await work();
    } finally {
      this.#gate = undefined;
      open();
    }
  }

  /** Ends all ranges, and waits for the other reads under way. */
  async stop(reason: StorageError | undefined): Promise<void> {
    const cursors = [...this.#cursors];
    this.#cursors.clear();
    for (const cursor of cursors) cursor.ended = reason;
    await Promise.all(cursors.map((cursor) => cursor.close()));
    while (this.#running > 0) await new Promise<void>((resolve) => (this.#wakeIdle = resolve));
    this.#wakeIdle = undefined;
  }
}
