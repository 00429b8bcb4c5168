/** Counts the occurrences of ids in columns where a few ids make up most rows: predicates and graphs. */
import { Counts } from './counts.js';

/** Number of slots of the counting table; a power of two. */
const PLACES = 256;
// A direct-mapped cache of counts: a new id moves the count of the slot's old id to the totals. Counting is
// synchronous, so one table is enough.
const ids = new Uint32Array(PLACES);
const counts = new Uint32Array(PLACES);

/**
 * Adds `sign` times the occurrences of each id in rows `start` to `end` of the column. Deletes ids whose count
 * becomes 0.
 */
export function countIds(
  totals: Map<number, number> | Counts,
  column: Uint32Array,
  start: number,
  end: number,
  sign: 1 | -1 = 1,
): void {
  for (let i = start; i < end; i++) {
    const id = column[i]!;
    const place = id & (PLACES - 1);
    if (ids[place] !== id) {
      if (counts[place] !== 0) addCount(totals, ids[place]!, sign * counts[place]!);
      ids[place] = id;
      counts[place] = 0;
    }
    counts[place]!++;
  }
  for (let place = 0; place < PLACES; place++) {
    if (counts[place] !== 0) addCount(totals, ids[place]!, sign * counts[place]!);
    counts[place] = 0;
  }
}

/** Adds `by` to the count of an id. Deletes the id if its count becomes 0. */
export function addCount(totals: Map<number, number> | Counts, id: number, by: number): void {
  if (totals instanceof Counts) return totals.add(id, by);
  const count = (totals.get(id) ?? 0) + by;
  if (count === 0) totals.delete(id);
  else totals.set(id, count);
}
