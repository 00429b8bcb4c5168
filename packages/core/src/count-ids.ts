/** Counts how often ids occur in columns where few of them make up most: predicates and graphs. */

/** A power of two. */
const PLACES = 256;
// Counts under way: each id has one place, which another one may take. Counting is synchronous, so one set is enough.
const ids = new Uint32Array(PLACES);
const counts = new Uint32Array(PLACES);

/** Tells how often each id occurs in `start … end`; of one id in several parts where others came between. */
export function countIds(
  column: Uint32Array,
  start: number,
  end: number,
  onCount: (id: number, count: number) => void,
): void {
  for (let i = start; i < end; i++) {
    const id = column[i]!;
    const place = id & (PLACES - 1);
    if (ids[place] !== id) {
      if (counts[place] !== 0) onCount(ids[place]!, counts[place]!);
      ids[place] = id;
      counts[place] = 0;
    }
    counts[place]!++;
  }
  for (let place = 0; place < PLACES; place++) {
    if (counts[place] !== 0) onCount(ids[place]!, counts[place]!);
    counts[place] = 0;
  }
}
