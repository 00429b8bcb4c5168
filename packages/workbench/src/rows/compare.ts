/** Two answers of one query, row by row: which rows came, and which went. */

export interface RowChanges {
  readonly columns: readonly string[];
  readonly added: readonly (readonly string[])[];
  readonly removed: readonly (readonly string[])[];
}

/** Rows may occur several times, and count as often. The order of the answers does not matter. */
export function compareAnswers(before: string, after: string): RowChanges {
  const [oldRows, newRows] = [linesOf(before), linesOf(after)];
  const head = newRows[0] ?? oldRows[0] ?? '';
  const counts = new Map<string, number>();
  for (const row of oldRows.slice(1)) counts.set(row, (counts.get(row) ?? 0) + 1);
  const added: string[] = [];
  for (const row of newRows.slice(1)) {
    const left = counts.get(row) ?? 0;
    if (left === 0) added.push(row);
    else counts.set(row, left - 1);
  }
  const removed = [...counts].flatMap(([row, left]) => Array.from({ length: left }, () => row));
  const cells = (row: string): string[] => row.split('\t');
  return {
    columns: head.split('\t').map((name) => name.replace(/^\?/, '')),
    added: added.map(cells),
    removed: removed.map(cells),
  };
}

/** Without the empty line after the last line end; rows of one unbound cell are empty lines themselves. */
function linesOf(text: string): string[] {
  const lines = text.split('\n').map((line) => line.replace(/\r$/, ''));
  if (lines.at(-1) === '') lines.pop();
  return lines;
}
