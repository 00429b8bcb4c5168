/** What a transaction staged, in the model. */
import type { State } from './operations.mjs';

/** The last word on each quad that it touched. */
export class Staged {
  /** What it reads. */
  state: Set<string>;
  readonly #words = new Map<string, boolean>();

  constructor(base: State) {
    this.state = new Set(base);
  }

  add(lines: readonly string[]): void {
    for (const line of lines) {
      this.state.add(line);
      this.#words.set(line, true);
    }
  }

  remove(lines: readonly string[]): void {
    for (const line of lines) {
      this.state.delete(line);
      this.#words.set(line, false);
    }
  }

  applyTo(state: State): State {
    const next = new Set(state);
    for (const [line, present] of this.#words) {
      if (present) next.add(line);
      else next.delete(line);
    }
    return next;
  }
}
