/** Rows of nodes that a query of the shapes is asked for. */

export type Rows = readonly (readonly number[])[];

/** Equal rows have equal keys. */
export const keyOf = (row: readonly number[]): string | number => (row.length === 1 ? row[0]! : row.join(' '));

/** Rows without those that have come before. */
export function eachOnce(rows: Rows): Rows {
  if (isAscending(rows)) return rows;
  return [...new Map(rows.map((row) => [keyOf(row), row])).values()];
}

/** Whether rows have one node each, in ascending order. */
function isAscending(rows: Rows): boolean {
  let last = 0;
  return rows.every((row) => {
    const isNext = row.length === 1 && row[0]! > last;
    last = row[0]!;
    return isNext;
  });
}

/** The places of each row, by its key. */
export function placesOfRows(rows: Rows): Map<string | number, number[]> {
  const places = new Map<string | number, number[]>();
  for (const [place, row] of rows.entries()) {
    const known = places.get(keyOf(row));
    if (known === undefined) places.set(keyOf(row), [place]);
    else known.push(place);
  }
  return places;
}
