/** The writes of a repository that are under way. Closing the database waits for them. */
import { Gate } from '@quadrille/core';
import type { HeldTransaction } from '../host/host-types.js';
import { checkSignal } from '../options/check-options.js';

/** What closing waits for. */
export interface Settling {
  /** Drops held transactions and waits for running commits. The database is closing, so no new ones start. */
  settle(): Promise<void>;
}

export class RunningWrites implements Settling {
  readonly #check: () => void;
  /** Everything in the database that has something to wait for. */
  readonly #busy: Set<Settling>;
  readonly #commits = new Gate();
  readonly #held = new Set<HeldTransaction>();

  constructor(check: () => void, busy: Set<Settling>) {
    this.#check = check;
    this.#busy = busy;
  }

  /** Does work that ends without further calls. */
  async run<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    checkSignal(signal);
    this.#check();
    this.#commits.enter();
    this.#busy.add(this);
    try {
      return await work();
    } finally {
      this.#commits.leave();
      this.#rest();
    }
  }

  hold(transaction: HeldTransaction): void {
    this.#held.add(transaction);
    this.#busy.add(this);
  }

  release(transaction: HeldTransaction): void {
    this.#held.delete(transaction);
    this.#rest();
  }

  #rest(): void {
    if (this.#commits.inside === 0 && this.#held.size === 0) this.#busy.delete(this);
  }

  async settle(): Promise<void> {
    for (const transaction of this.#held) await transaction.rollback();
    await this.#commits.quiet();
  }
}
