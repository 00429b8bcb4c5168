/** The table of an answer: only the rows in view are drawn, and only they are decoded. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { text } from '../../messages/en.js';
import type { Answer } from '../../rows/answer.js';
import { ROW_HEIGHT, scrollTopOf, useWindow, type Window } from '../../ui/virtual-rows.js';
import { TermView } from '../../terms/term-view.js';

type Cells = readonly (readonly string[])[];

export function ResultTable({ answer }: { readonly answer: Answer }) {
  const columns = answer.columns.value;
  if (columns !== undefined) return <Grid answer={answer} columns={columns} />;
  return <p class="loading">{answer.state.value === 'running' ? text.loading : text.query.empty}</p>;
}

function Grid({ answer, columns }: { readonly answer: Answer; readonly columns: readonly string[] }) {
  const box = useRef<HTMLDivElement>(null);
  const { shown, rows } = answer.progress.value;
  const view = useWindow(box, shown);
  const cells = useCells(answer, view);
  const [place, setPlace] = useState({ row: 0, column: 0 });
  const running = answer.state.value === 'running';
  const move = (event: KeyboardEvent): void => {
    if ((event.ctrlKey || event.metaKey) && event.key === 'c') return copy(cells, view, place);
    const next = movedPlace(event.key, place, shown, columns.length);
    if (next === undefined) return;
    event.preventDefault();
    setPlace(next);
    reveal(box.current!, next.row, shown);
  };
  return (
    <div
      ref={box}
      class="grid"
      role="grid"
      aria-label={text.query.results}
      aria-rowcount={running ? -1 : shown + 1}
      aria-colcount={columns.length}
      aria-busy={running}
      tabIndex={shown === 0 ? 0 : undefined}
      style={{ '--columns': templateOf(columns, cells.cells) }}
      onKeyDown={move}
    >
      <Head answer={answer} columns={columns} />
      {shown === 0 && !running && <p class="empty-note">{rows === 0 ? text.query.empty : text.query.emptyFilter}</p>}
      <div role="presentation" class="grid-space" style={{ height: `${String(view.height)}px` }}>
        <div role="rowgroup" class="grid-rows" style={{ transform: `translateY(${String(view.offset)}px)` }}>
          {Array.from({ length: Math.max(view.to - view.from, 0) }, (_, index) => (
            <Row
              key={view.from + index}
              row={view.from + index}
              cells={cells.cells[view.from + index - cells.from]}
              columns={columns.length}
              focused={place.row === view.from + index ? place.column : -1}
              onFocus={(column) => setPlace({ row: view.from + index, column })}
            />
          ))}
        </div>
      </div>
    </div>
  );
}

/** The cells in view. Rows that were there stay until others came, so that nothing flickers. */
function useCells(answer: Answer, { from, to }: Window): { readonly from: number; readonly cells: Cells } {
  const [held, setHeld] = useState<{ readonly from: number; readonly cells: Cells }>({ from: 0, cells: [] });
  const arranged = answer.arranged.value;
  useEffect(() => {
    let gone = false;
    void answer.rows(from, to).then((cells) => {
      if (!gone) setHeld({ from, cells });
    });
    return () => {
      gone = true;
    };
  }, [answer, from, to, arranged]);
  return held;
}

/** Columns are as wide as their first rows need, within limits. */
function templateOf(columns: readonly string[], cells: Cells): string {
  const widths = columns.map((name, column) => {
    const longest = Math.max(name.length + 4, ...cells.slice(0, 40).map((row) => lengthOf(row[column] ?? '')));
    return `minmax(${String(Math.min(Math.max(longest, 8), 40))}ch, ${String(Math.min(Math.max(longest, 8), 90))}fr)`;
  });
  return widths.join(' ');
}

/** About the length of the text that is shown. */
const lengthOf = (cell: string): number => (cell.startsWith('<') ? Math.min(cell.length, 28) : cell.length + 2);

function Head({ answer, columns }: { readonly answer: Answer; readonly columns: readonly string[] }) {
  const { column: sorted, descending } = answer.sort.value;
  const sort = (column: number): void => {
    const again = column === sorted;
    // The third click gives the order of the answer back.
    answer.arrange(answer.filter.value, again && descending ? -1 : column, again && !descending);
  };
  return (
    <div role="rowgroup" class="grid-head">
      <div role="row" aria-rowindex={1} class="grid-row">
        {columns.map((name, column) => (
          <div
            key={name}
            role="columnheader"
            aria-colindex={column + 1}
            aria-sort={column === sorted ? (descending ? 'descending' : 'ascending') : 'none'}
          >
            <button type="button" title={text.query.sortBy(name)} onClick={() => sort(column)}>
              {name}
              <span aria-hidden="true" class="sort-mark">
                {column === sorted ? (descending ? '▼' : '▲') : ''}
              </span>
            </button>
          </div>
        ))}
      </div>
    </div>
  );
}

interface RowProperties {
  readonly row: number;
  readonly cells: readonly string[] | undefined;
  readonly columns: number;
  readonly focused: number;
  readonly onFocus: (column: number) => void;
}

function Row({ row, cells, columns, focused, onFocus }: RowProperties) {
  const element = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const grid = element.current?.closest('[role=grid]');
    const inside = grid?.contains(document.activeElement) === true && document.activeElement?.role === 'gridcell';
    if (focused >= 0 && inside) (element.current!.children[focused] as HTMLElement).focus({ preventScroll: true });
  }, [focused]);
  return (
    <div ref={element} role="row" aria-rowindex={row + 2} class={row % 2 === 1 ? 'grid-row odd' : 'grid-row'}>
      {Array.from({ length: columns }, (_, column) => (
        <div
          key={column}
          role="gridcell"
          aria-colindex={column + 1}
          tabIndex={column === focused ? 0 : -1}
          onFocus={() => column !== focused && onFocus(column)}
        >
          {cells !== undefined && <TermView cell={cells[column] ?? ''} />}
        </div>
      ))}
    </div>
  );
}

interface Place {
  readonly row: number;
  readonly column: number;
}

const PAGE_ROWS = 15;

function movedPlace(key: string, { row, column }: Place, rows: number, columns: number): Place | undefined {
  const places: Readonly<Record<string, Place>> = {
    ArrowDown: { row: row + 1, column },
    ArrowUp: { row: row - 1, column },
    ArrowRight: { row, column: column + 1 },
    ArrowLeft: { row, column: column - 1 },
    PageDown: { row: row + PAGE_ROWS, column },
    PageUp: { row: row - PAGE_ROWS, column },
    Home: { row, column: 0 },
    End: { row, column: columns - 1 },
  };
  const next = places[key];
  if (next === undefined) return undefined;
  const within = (value: number, most: number): number => Math.min(Math.max(value, 0), most - 1);
  return { row: within(next.row, rows), column: within(next.column, columns) };
}

/** Scrolls only where the row is out of view. The heading covers the first line. */
function reveal(box: HTMLElement, row: number, rows: number): void {
  const top = scrollTopOf(row, rows, box.clientHeight);
  const bottom = top + 2 * ROW_HEIGHT;
  if (top < box.scrollTop) box.scrollTop = top;
  else if (bottom > box.scrollTop + box.clientHeight) box.scrollTop = bottom - box.clientHeight + 8;
}

/** What the user has selected, else the cell that has the focus. */
function copy(
  { from, cells }: { readonly from: number; readonly cells: Cells },
  _: Window,
  { row, column }: Place,
): void {
  if (getSelection()?.isCollapsed === false) return;
  const cell = cells[row - from]?.[column];
  if (cell !== undefined) void navigator.clipboard.writeText(cell).catch(() => undefined);
}
