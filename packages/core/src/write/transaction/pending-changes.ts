/** What was said of quads and is not applied yet: additions and removals in their sequence, of which the last one counts. */
import { QuadColumns } from '../../index/quad-columns.js';
import type { Pacer } from '../../runtime/env.js';
import { sortedRows } from '../../runtime/radix-sort.js';

export const ADD = 1;
export const REMOVE = 0;
export type Change = typeof ADD | typeof REMOVE;

/** Four ids and what was said. */
const ROW_BYTES = 17;

/** Quads by what was said of them last, each once, sorted as (s, p, o, g). */
export interface LastChanges {
  readonly added: QuadColumns;
  readonly removed: QuadColumns;
}

export class PendingChanges {
  #quads = new QuadColumns();
  #changes = new Uint8Array(16);

  get length(): number {
    return this.#quads.length;
  }

  get bytes(): number {
    return this.#quads.s.length * ROW_BYTES;
  }

  push(s: number, p: number, o: number, g: number, change: Change): void {
    const at = this.#quads.length;
    this.#quads.push(s, p, o, g);
    if (at === this.#changes.length) {
      const grown = new Uint8Array(this.#quads.s.length);
      grown.set(this.#changes);
      this.#changes = grown;
    }
    this.#changes[at] = change;
  }

  /** Takes all of them out. What is pushed meanwhile stays. */
  async take(pacer: Pacer): Promise<LastChanges> {
    const quads = this.#quads;
    const changes = this.#changes;
    this.#quads = new QuadColumns();
    this.#changes = new Uint8Array(16);
    const { s, p, o, g, length } = quads;
    const sequence = await sortedRows(length, [s, p, o, g], pacer);
    const last = { added: new QuadColumns(), removed: new QuadColumns() };
    await pacer.rows(length, (start, end) => {
      for (let i = start; i < end; i++) {
        const row = sequence[i]!;
        const next = sequence[i + 1];
        // The sort is stable: of the same quad the last row is what was said last.
        if (next !== undefined && s[row] === s[next] && p[row] === p[next] && o[row] === o[next] && g[row] === g[next])
          continue;
        (changes[row] === ADD ? last.added : last.removed).push(s[row]!, p[row]!, o[row]!, g[row]!);
      }
    });
    return last;
  }
}
