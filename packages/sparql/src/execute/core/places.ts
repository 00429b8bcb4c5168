/** Where columns stand in others. */

const FEW_COLUMNS = 32;

/**
 * The place of each name among the columns, -1 where it is none of them. Most names stand in the same order on both sides, of which
 * there may be thousands.
 */
export function placesOf(names: readonly string[], columns: readonly string[]): number[] {
  let next = 0;
  let known: Map<string, number> | undefined;
  const search = (name: string): number => {
    if (columns.length <= FEW_COLUMNS) return columns.indexOf(name);
    known ??= new Map(columns.map((column, at) => [column, at]));
    return known.get(name) ?? -1;
  };
  return names.map((name) => {
    // The next one, or the one behind it where one column is left out.
    const place = columns[next] === name ? next : columns[next + 1] === name ? next + 1 : search(name);
    if (place !== -1) next = place + 1;
    return place;
  });
}

/** Whether the first rows of a selection are all rows of a batch, in order. */
export function isWhole(selection: Uint32Array, count: number, length: number): boolean {
  if (count !== length) return false;
  for (let row = 0; row < count; row++) if (selection[row] !== row) return false;
  return true;
}
