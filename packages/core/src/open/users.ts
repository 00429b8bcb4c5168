/** Counts the readers, writers and jobs of a repository: while there are any, it stays in memory. */
import type { Env } from '../runtime/env.js';

export class Users {
  /** When the last one left, by `env.ticks`. */
  lastUsed: number;
  /** Called when the last one has left. */
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
