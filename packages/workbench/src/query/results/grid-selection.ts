/** The cells of a table that are selected: a rectangle between two of them, one of which has the focus. */

export interface Place {
  readonly row: number;
  readonly column: number;
}

export interface Selection {
  /** Has the focus. */
  readonly place: Place;
  /** The other corner. */
  readonly anchor: Place;
}

export const FIRST: Selection = { place: { row: 0, column: 0 }, anchor: { row: 0, column: 0 } };

const PAGE_ROWS = 15;
/** So many cells are copied at most. */
const MOST_COPIED = 1_000_000;

/** @returns the selection after a key; undefined for a key that moves nothing */
export function moved(
  event: KeyboardEvent,
  { place, anchor }: Selection,
  rows: number,
  columns: number,
): Selection | undefined {
  const within = (value: number, most: number): number => Math.min(Math.max(value, 0), Math.max(most - 1, 0));
  const whole = event.ctrlKey || event.metaKey;
  if (whole && event.key === 'a')
    return { anchor: { row: 0, column: 0 }, place: { row: within(rows, rows), column: columns - 1 } };
  const next = targetOf(event.key, place, whole, rows, columns);
  if (next === undefined) return undefined;
  const target = { row: within(next.row, rows), column: within(next.column, columns) };
  return { place: target, anchor: event.shiftKey ? anchor : target };
}

function targetOf(
  key: string,
  { row, column }: Place,
  whole: boolean,
  rows: number,
  columns: number,
): Place | undefined {
  const places: Readonly<Record<string, Place>> = {
    ArrowDown: { row: row + 1, column },
    ArrowUp: { row: row - 1, column },
    ArrowRight: { row, column: column + 1 },
    ArrowLeft: { row, column: column - 1 },
    PageDown: { row: row + PAGE_ROWS, column },
    PageUp: { row: row - PAGE_ROWS, column },
    Home: { row: whole ? 0 : row, column: 0 },
    End: { row: whole ? rows - 1 : row, column: columns - 1 },
  };
  return places[key];
}

interface Rectangle {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

export const rectangleOf = ({ place, anchor }: Selection): Rectangle => ({
  top: Math.min(place.row, anchor.row),
  bottom: Math.max(place.row, anchor.row),
  left: Math.min(place.column, anchor.column),
  right: Math.max(place.column, anchor.column),
});

export const isOne = ({ place, anchor }: Selection): boolean =>
  place.row === anchor.row && place.column === anchor.column;

/** The selected cells as TSV, in the syntax of the answer. @param rows reads rows of the answer */
export async function selectedText(
  selection: Selection,
  rows: (from: number, to: number) => Promise<readonly (readonly string[])[]>,
): Promise<string> {
  const { top, bottom, left, right } = rectangleOf(selection);
  const most = Math.floor(MOST_COPIED / (right - left + 1));
  const cells = await rows(top, Math.min(bottom + 1, top + most));
  return cells.map((row) => row.slice(left, right + 1).join('\t')).join('\n');
}
