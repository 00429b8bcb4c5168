/**
 * Additions and removals that are not applied yet, in their sequence. Of several changes of a quad the last one
 * counts.
 */
import { QuadColumns } from '../../index/quad-columns.js';
import type { Pacer } from '../../runtime/env.js';
import { sortedRows } from '../../runtime/radix-sort.js';

export const ADD = 1;
export const REMOVE = 0;
export type Change = typeof ADD | typeof REMOVE;

/** Bytes of one change: four ids and its kind. */
const ROW_BYTES = 17;

/** The last change of each quad, sorted as (s, p, o, g). */
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

  copy(): PendingChanges {
    const copy = new PendingChanges();
    const { s, p, o, g, length } = this.#quads;
    for (let i = 0; i < length; i++) copy.push(s[i]!, p[i]!, o[i]!, g[i]!, this.#changes[i] as Change);
    return copy;
  }

  /** Takes all changes. Changes pushed meanwhile stay. */
  async take(pacer: Pacer): Promise<LastChanges> {
    const quads = this.#quads;
    const changes = this.#changes;
    this.#quads = new QuadColumns();
    this.#changes = new Uint8Array(16);
    const { s, p, o, g, length } = quads;
    if (length === 1) return single(quads, changes[0] === ADD);
    const sequence = await sortedRows(length, [s, p, o, g], pacer);
    const last = { added: new QuadColumns(), removed: new QuadColumns() };
    await pacer.rows(length, (start, end) => {
      for (let i = start; i < end; i++) {
        const row = sequence[i]!;
        const next = sequence[i + 1];
        // The sort is stable, so the last of several equal quads is the last change.
        if (next !== undefined && s[row] === s[next] && p[row] === p[next] && o[row] === o[next] && g[row] === g[next])
          continue;
        (changes[row] === ADD ? last.added : last.removed).push(s[row]!, p[row]!, o[row]!, g[row]!);
      }
    });
    return last;
  }
}

// Most transactions change one quad at a time.
const single = (quad: QuadColumns, added: boolean): LastChanges =>
  added ? { added: quad, removed: new QuadColumns() } : { added: new QuadColumns(), removed: quad };
