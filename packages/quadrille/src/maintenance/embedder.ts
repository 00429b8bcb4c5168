/** Has the embedder's function make vectors of texts, after they were committed. */
import type { EmbedTexts, Repository as CoreRepository } from '@quadrille/core';
import type { Logger } from '../api/index.js';

/** How long it waits after a failure, unless something is committed: twice as long after each further one. */
const FIRST_DELAY_MS = 1000;
const LONGEST_DELAY_MS = 5 * 60 * 1000;

/** Commits do not wait for it. What a process that ended has left is done when the repository is next used. */
export class Embedder {
  #ended = false;
  #failures = 0;
  #wake: (() => void) | undefined;
  #running: Promise<void> | undefined;

  constructor(
    private readonly core: CoreRepository,
    private readonly embed: EmbedTexts,
    private readonly logger: Logger | undefined,
  ) {}

  run(): Promise<void> {
    return (this.#running ??= this.#run());
  }

  async #run(): Promise<void> {
    const { publications } = this.core.handle;
    let isNew = false;
    const note = (): void => {
      isNew = true;
      this.#wake?.();
    };
    try {
      while (!this.#ended && this.#isThere()) {
        // What is published while it works has its turn afterwards.
        isNew = false;
        publications.add(note);
        const done = await this.#try();
        if (!isNew) await this.#wait(done);
      }
    } finally {
      publications.delete(note);
    }
  }

  /** Whether the repository and the store are still there. */
  #isThere(): boolean {
    try {
      this.core.handle.check();
      this.core.handle.checkBranch();
      return true;
    } catch {
      return false;
    }
  }

  async #try(): Promise<boolean> {
    try {
      await this.core.embedNew(this.embed, () => this.#ended);
      this.#failures = 0;
      return true;
    } catch (error) {
      this.#failures++;
      if (!this.#ended && this.#isThere()) this.#report(error);
      return false;
    }
  }

  #report(error: unknown): void {
    this.logger?.error('texts were not embedded, and will be tried again', {
      repository: this.core.name,
      error: error instanceof Error ? error.message : String(error),
      failures: this.#failures,
    });
  }

  /** Waits for a commit, or new settings; after a failure no longer than a delay. */
  #wait(done: boolean): Promise<void> {
    if (this.#ended) return Promise.resolve();
    return new Promise((resolve) => {
      const delay = Math.min(FIRST_DELAY_MS * 2 ** (this.#failures - 1), LONGEST_DELAY_MS);
      const timer = done ? undefined : setTimeout(() => this.#wake?.(), delay);
      (timer as { unref?: () => void } | undefined)?.unref?.();
      this.#wake = () => {
        this.#wake = undefined;
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Resolves when a call of the function that runs has ended. The database is closing. */
  async settle(): Promise<void> {
    this.#ended = true;
    this.#wake?.();
    await this.#running;
  }
}
