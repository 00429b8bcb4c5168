/** The table of an answer: only the rows in view are drawn, and only they are decoded. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { text } from '../../messages/en.js';
import type { Answer } from '../../rows/answer.js';
import { ROW_HEIGHT, scrollTopOf, useWindow, type Window } from '../../ui/virtual-rows.js';
import { status } from '../../state/notices.js';
import { namespaces } from '../../state/repository.js';
import { TermView } from '../../terms/term-view.js';
import { type Columns, columnsOf } from './grid-columns.js';
import { FIRST, isOne, moved, rectangleOf, type Selection, selectedText } from './grid-selection.js';

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
  const { template, numeric } = useColumns(columns, cells);
  const [selection, setSelection] = useState(FIRST);
  const { place } = selection;
  const running = answer.state.value === 'running';
  const pressed = (event: KeyboardEvent): void => {
    if ((event.ctrlKey || event.metaKey) && event.key === 'c') return copy(answer, selection);
    if (event.key === 'Enter') return document.activeElement?.querySelector<HTMLElement>(':scope > a')?.click();
    const next = moved(event, selection, shown, columns.length);
    if (next === undefined) return;
    event.preventDefault();
    setSelection(next);
    reveal(box.current!, next.place.row, shown);
  };
  const range = isOne(selection) ? undefined : rectangleOf(selection);
  return (
    <div
      ref={box}
      class="grid"
      role="grid"
      aria-label={text.query.results}
      aria-multiselectable
      aria-rowcount={running ? -1 : shown + 1}
      aria-colcount={columns.length}
      aria-busy={running}
      tabIndex={shown === 0 || place.row < view.from || place.row >= view.to ? 0 : -1}
      style={{ '--columns': template }}
      onKeyDown={pressed}
    >
      <Head answer={answer} columns={columns} numeric={numeric} />
      {shown === 0 && !running && <p class="empty-note">{rows === 0 ? text.query.empty : text.query.emptyFilter}</p>}
      <div role="presentation" class="grid-space" style={{ height: `${String(view.height)}px` }}>
        <div role="rowgroup" class="grid-rows" style={{ transform: `translateY(${String(view.offset)}px)` }}>
          {Array.from({ length: Math.max(view.to - view.from, 0) }, (_, index) => {
            const row = view.from + index;
            const inside = range !== undefined && row >= range.top && row <= range.bottom;
            return (
              <Row
                key={row}
                row={row}
                cells={cells.cells[row - cells.from]}
                numeric={numeric}
                focused={place.row === row ? place.column : -1}
                from={inside ? range.left : -1}
                to={inside ? range.right : -1}
                onSelect={(column, extend) =>
                  setSelection({ place: { row, column }, anchor: extend ? selection.anchor : { row, column } })
                }
              />
            );
          })}
        </div>
      </div>
    </div>
  );
}

interface Held {
  readonly from: number;
  readonly cells: Cells;
}

/** Widths are those of the first rows that came, until there are other columns. */
function useColumns(names: readonly string[], { from, cells }: Held): Columns {
  const [kept, setKept] = useState(columnsOf(names, [], namespaces.value));
  const isFirst = from === 0;
  useEffect(() => {
    if (isFirst) setKept(columnsOf(names, cells, namespaces.value));
  }, [names, isFirst, isFirst ? cells : undefined, namespaces.value]);
  return kept;
}

/** The cells in view. Rows that were there stay until others came, so that nothing flickers. */
function useCells(answer: Answer, { from, to }: Window): Held {
  const [held, setHeld] = useState<Held>({ from: 0, cells: [] });
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

interface HeadProperties {
  readonly answer: Answer;
  readonly columns: readonly string[];
  readonly numeric: readonly boolean[];
}

function Head({ answer, columns, numeric }: HeadProperties) {
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
            class={numeric[column] === true ? 'numeric' : undefined}
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
  readonly numeric: readonly boolean[];
  /** The column that has the focus; -1 where none has. */
  readonly focused: number;
  /** The columns of the row that are selected with others; -1 where none are. */
  readonly from: number;
  readonly to: number;
  readonly onSelect: (column: number, extend: boolean) => void;
}

function Row({ row, cells, numeric, focused, from, to, onSelect }: RowProperties) {
  const element = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const grid = element.current?.closest('[role=grid]');
    const { activeElement: active } = document;
    const inside = active === grid || (grid?.contains(active) === true && active?.role === 'gridcell');
    if (focused >= 0 && inside) (element.current!.children[focused] as HTMLElement).focus({ preventScroll: true });
  }, [focused]);
  useLayoutEffect(() => {
    const own = element.current!;
    // A row that is scrolled out of view hands its focus to the table.
    return () => {
      if (own.contains(document.activeElement)) own.closest<HTMLElement>('[role=grid]')?.focus({ preventScroll: true });
    };
  }, []);
  // Enter follows the link of a cell: Tab leaves the table.
  useLayoutEffect(() => {
    for (const link of element.current!.querySelectorAll('a')) link.tabIndex = -1;
  });
  return (
    <div ref={element} role="row" aria-rowindex={row + 2} class={row % 2 === 1 ? 'grid-row odd' : 'grid-row'}>
      {numeric.map((isNumber, column) => (
        <div
          key={column}
          role="gridcell"
          class={isNumber ? 'numeric' : undefined}
          aria-colindex={column + 1}
          aria-selected={column >= from && column <= to ? true : undefined}
          tabIndex={column === focused ? 0 : -1}
          onFocus={() => column !== focused && onSelect(column, false)}
          onMouseDown={(event) => {
            if (!event.shiftKey) return;
            event.preventDefault();
            onSelect(column, true);
          }}
        >
          {cells !== undefined && <TermView cell={cells[column] ?? ''} />}
        </div>
      ))}
    </div>
  );
}

/** Scrolls only where the row is out of view. The heading covers the first line. */
function reveal(box: HTMLElement, row: number, rows: number): void {
  const top = scrollTopOf(row, rows, box.clientHeight);
  const bottom = top + 2 * ROW_HEIGHT;
  if (top < box.scrollTop) box.scrollTop = top;
  else if (bottom > box.scrollTop + box.clientHeight) box.scrollTop = bottom - box.clientHeight + 8;
}

/** What the user has selected as text, else the selected cells. */
function copy(answer: Answer, selection: Selection): void {
  if (isOne(selection) && getSelection()?.isCollapsed === false) return;
  const written = selectedText(selection, (from, to) => answer.rows(from, to));
  void written
    .then((cells) => navigator.clipboard.writeText(cells))
    .then(
      () => (status.value = text.query.cellsCopied),
      () => undefined,
    );
}
