/** Counts the readers, writers and jobs of a repository. It stays in memory while there are any. */
import type { Env } from '../runtime/env.js';

export class Users {
  /** Time at which the last user left, by `env.ticks`. */
  lastUsed: number;
  /** Called when the last user has left. */
  onIdle: (() => void) | undefined;
  #count = 0;

  constructor(private readonly env: Env) {
    this.lastUsed = env.ticks();
  }

  get count(): number {
    return this.#count;
  }

  enter(): void {
    this.#count++;
  }

  leave(): void {
    this.lastUsed = this.env.ticks();
    if (--this.#count === 0) this.onIdle?.();
  }
}
