/**
 * Positions that were found in a run, which never changes. A query counts its patterns before it reads them, and the next one often
 * counts the same predicates.
 */

const SLOTS = 64;
/** Of a slot: four ids, how they were looked for, the row, and the end of the range, both plus one. */
const WIDTH = 7;
const HOW = 4;
const ROW = 5;
const END = 6;

export class Positions {
  /** The result of the last {@link find}. */
  row = -1;
  end = -1;
  #slot = 0;
  readonly #kept = new Float64Array(SLOTS * WIDTH);

  /** Whether the position of these ids is known. */
  find(ids: readonly number[], prefix: number, after: boolean): boolean {
    const kept = this.#kept;
    const how = prefix * 2 + (after ? 1 : 0);
    let hash = how;
    for (let i = 0; i < prefix; i++) hash = Math.imul(hash ^ ids[i]!, 0x9e3779b1);
    const slot = (hash >>> 26) * WIDTH;
    this.#slot = slot;
    if (kept[slot + HOW] !== how) return false;
    for (let i = 0; i < prefix; i++) if (kept[slot + i] !== ids[i]) return false;
    this.row = kept[slot + ROW]! - 1;
    this.end = kept[slot + END]! - 1;
    return true;
  }

  /** Keeps what the last {@link find} did not find. */
  keep(ids: readonly number[], prefix: number, after: boolean, row: number, end: number): void {
    const kept = this.#kept;
    const slot = this.#slot;
    for (let i = 0; i < prefix; i++) kept[slot + i] = ids[i]!;
    kept[slot + HOW] = prefix * 2 + (after ? 1 : 0);
    kept[slot + ROW] = row + 1;
    kept[slot + END] = end + 1;
  }
}
