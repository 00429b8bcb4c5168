/** Keeps a database up to date with what other processes write, and says how old it may be. */
import type { Store } from '@quadrille/core';
import { NotFoundError, StorageError } from '@quadrille/model';
import type { Repository } from '../api/index.js';
import type { RefreshOptions } from '../host/host-types.js';
import { REFRESH_OPTIONS } from '../options/calls.js';
import { checkOptions } from '../options/check-options.js';

/** Time between two looks at the store while nobody asks, in milliseconds. */
const POLL_MS = 1000;
/** The same where the signs of life of this process tell whether it is worth while. */
const HEARD_MS = 100;

export class Following {
  #timer: ReturnType<typeof setInterval> | undefined;
  /** When the last look that has succeeded began, by `performance.now()`. */
  #seen = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly store: Store,
    private readonly repository: (name: string) => Promise<Repository>,
  ) {}

  /** Looks at the store once a second, or when a sign of life tells of news. A look that fails is made up for by a later one. */
  start(): void {
    let last = performance.now();
    this.#timer = setInterval(() => {
      const now = performance.now();
      if (!(this.store.engine.mayHaveNews ?? now - last >= POLL_MS)) return;
      last = now;
      this.refresh().catch(() => undefined);
    }, HEARD_MS);
    (this.#timer as { unref?: () => void }).unref?.();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async refresh(options: RefreshOptions = {}): Promise<void> {
    checkOptions(options, REFRESH_OPTIONS, 'refresh');
    const { maxAgeMs, atLeast } = options;
    if (atLeast !== undefined) return this.#untilKnown(atLeast);
    const begun = performance.now();
    if (maxAgeMs !== undefined && begun - this.#seen <= maxAgeMs) return;
    await this.store.refresh();
    this.#seen = Math.max(this.#seen, begun);
  }

  // Every commit that was acknowledged is there after one look. So nobody has to wait.
  async #untilKnown({ repository, revision }: NonNullable<RefreshOptions['atLeast']>): Promise<void> {
    const known = async (): Promise<boolean> => {
      try {
        await (await this.repository(repository)).at(revision).revision();
        return true;
      } catch (error) {
        if (error instanceof NotFoundError) return false;
        throw error;
      }
    };
    if (await known()) return;
    await this.refresh();
    if (await known()) return;
    throw new StorageError(
      'STALE_READ',
      `Revision ${String(typeof revision === 'object' && 'id' in revision ? revision.id : revision).slice(0, 100)} of ${repository} is not there. Check the id, or try again later.`,
    );
  }
}
