/** Counts how often ids occur in columns where few of them make up most: predicates and graphs. */

/** A power of two. */
const PLACES = 256;
// Counts under way: each id has one place, which another one may take. Counting is synchronous, so one set is enough.
const ids = new Uint32Array(PLACES);
const counts = new Uint32Array(PLACES);

/** Adds `sign` times how often each id occurs in `start … end`; an id whose count becomes 0 is dropped. */
export function countIds(
  totals: Map<number, number>,
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

/** Adds to the count of an id, which is dropped when it becomes 0. */
export function addCount(totals: Map<number, number>, id: number, by: number): void {
  const count = (totals.get(id) ?? 0) + by;
  if (count === 0) totals.delete(id);
  else totals.set(id, count);
}
