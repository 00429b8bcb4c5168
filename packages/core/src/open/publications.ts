/** Wakes those who wait until a repository has published more revisions, was deleted, or is closed. */
export class Publications {
  readonly #waiting = new Set<() => void>();
  /** Called with `true` when the first one waits, and with `false` when nobody waits any more. */
  onWaiting: ((waited: boolean) => void) | undefined;

  /** Calls `wake` once, at the next announcement. */
  add(wake: () => void): void {
    this.#waiting.add(wake);
    if (this.#waiting.size === 1) this.onWaiting?.(true);
  }

  /** Forgets one who does not wait any more. */
  delete(wake: () => void): void {
    if (this.#waiting.delete(wake) && this.#waiting.size === 0) this.onWaiting?.(false);
  }

  /** Wakes all who wait. Costs nothing if nobody does. */
  announce(): void {
    if (this.#waiting.size === 0) return;
    const woken = [...this.#waiting];
    this.#waiting.clear();
    this.onWaiting?.(false);
    for (const wake of woken) wake();
  }
}
