/** Keeps all lines of a repository in memory while work looks at each of them. */
import type { RepositoryHandle } from '../open/handle.js';
import type { Lines, OpenLine } from './lines.js';

export class HeldLines {
  readonly #held = new Map<number, RepositoryHandle>();

  constructor(private readonly lines: Lines<OpenLine>) {}

  /** The handles of all lines that there are now, `main` first, each after the one on which it begins. */
  async handles(): Promise<RepositoryHandle[]> {
    for (const line of await this.lines.numbers()) {
      if (!this.#held.has(line)) this.#held.set(line, await this.lines.hold(line));
    }
    return [this.lines.handle, ...this.#held.values()];
  }

  release(): void {
    for (const handle of this.#held.values()) handle.users.leave();
    this.#held.clear();
  }
}

/** Does work with all lines of a repository in memory. */
export async function withLines<T>(lines: Lines<OpenLine>, work: (held: HeldLines) => Promise<T>): Promise<T> {
  const held = new HeldLines(lines);
  try {
    return await work(held);
  } finally {
    held.release();
  }
}
