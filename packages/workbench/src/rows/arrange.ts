/** Which rows a filter shows, in which order. */
import type { RowStore } from './row-store.js';
import { isNumeric, parseTerm } from './term.js';

export interface Arrangement {
  /** Rows that contain this text, in any case; empty for all. */
  readonly filter: string;
  /** The column to sort by; -1 for the order of the answer. */
  readonly column: number;
  readonly descending: boolean;
}

/** @returns numbers of rows; undefined for all of them as they came */
export function arranged(store: RowStore, { filter, column, descending }: Arrangement): Uint32Array | undefined {
  if (filter === '' && column < 0) return undefined;
  store.arrange(undefined);
  const found = matching(store, filter.toLowerCase());
  if (column < 0) return found;
  const keys = new Map<number, Key>();
  for (const row of found) keys.set(row, keyOf(store.cells(row)[column] ?? ''));
  const sign = descending ? -1 : 1;
  return found.sort((a, b) => sign * compare(keys.get(a)!, keys.get(b)!) || a - b);
}

function matching(store: RowStore, filter: string): Uint32Array {
  const rows = new Uint32Array(store.rows);
  let count = 0;
  for (let row = 0; row < store.rows; row++) {
    if (
      filter === '' ||
      store
        .line(row + 1)
        .toLowerCase()
        .includes(filter)
    )
      rows[count++] = row;
  }
  return rows.slice(0, count);
}

interface Key {
  /** Unbound, blank nodes, IRIs, literals: the order of SPARQL. */
  readonly rank: number;
  readonly number: number | undefined;
  readonly text: string;
}

const RANKS = { unbound: 0, blank: 1, iri: 2, literal: 3, triple: 4 } as const;

function keyOf(cell: string): Key {
  const term = parseTerm(cell);
  return { rank: RANKS[term.kind], number: isNumeric(term) ? Number(term.value) : undefined, text: term.value };
}

const collator = new Intl.Collator(undefined, { numeric: true });

function compare(a: Key, b: Key): number {
  if (a.rank !== b.rank) return a.rank - b.rank;
  if (a.number !== undefined && b.number !== undefined) return a.number - b.number;
  return collator.compare(a.text, b.text);
}
