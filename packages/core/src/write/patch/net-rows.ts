/** What the rows of a patch do together. Of several rows with one quad the last one counts, and each must have an effect. */
import { newRowColumns } from '../../index/block/block-codec.js';
import { QuadColumns } from '../../index/quad-columns.js';
import type { IndexAt } from '../../index/read/find-interval.js';
import { markIntervals } from '../../index/read/mark-intervals.js';
import type { SortedRows } from '../../index/run/write-orders.js';
import type { Pacer } from '../../runtime/env.js';
import { identityRows, sortedRows } from '../../runtime/radix-sort.js';
import type { RowBuffer } from './row-buffer.js';

const PRESENT = 1;

export interface NetRows {
  /** Quads that must be absent before, and are there afterwards. Sorted. */
  readonly added: QuadColumns;
  /** Quads that must be there before, and are absent afterwards. Sorted. */
  readonly removed: QuadColumns;
  /** Quads that are afterwards what they were before: absent, and there. Sorted. */
  readonly undone: { readonly absent: QuadColumns; readonly present: QuadColumns };
  /** Whether the rows contradict each other. */
  readonly contradict: boolean;
}

/** Visits the rows with one quad together: the first and the last one, and the first one that repeats the row before it, or -1. */
type Visit = (first: number, last: number, repeated: number) => void;

async function eachQuad({ s, p, o, g, added }: RowBuffer, end: number, visit: Visit, pacer: Pacer): Promise<void> {
  // The sort is stable, so rows with one quad keep their order.
  const sequence = await sortedRows(end, [s, p, o, g], pacer);
  let first = 0;
  let repeated = -1;
  await pacer.rows(end, (from, to) => {
    for (let i = from; i < to; i++) {
      const row = sequence[i]!;
      if (i === 0) first = row;
      const next = sequence[i + 1];
      if (next !== undefined && s[next] === s[row] && p[next] === p[row] && o[next] === o[row] && g[next] === g[row]) {
        if (repeated === -1 && added[next] === added[row]) repeated = next;
        continue;
      }
      visit(first, row, repeated);
      first = next ?? 0;
      repeated = -1;
    }
  });
}

/** Adds up the rows before `end`, which have ids. */
export async function netRows(rows: RowBuffer, end: number, pacer: Pacer): Promise<NetRows> {
  const adds = rows.countAdded(0, end);
  const [added, removed] = [new QuadColumns(adds), new QuadColumns(end - adds)];
  const undone = { absent: new QuadColumns(), present: new QuadColumns() };
  let contradict = false;
  await eachQuad(
    rows,
    end,
    (first, last, repeated) => {
      if (repeated !== -1) contradict = true;
      const isAdded = rows.added[last] === 1;
      const wasAbsent = rows.added[first] === 1;
      const into = isAdded === wasAbsent ? (isAdded ? added : removed) : wasAbsent ? undone.absent : undone.present;
      into.push(rows.s[last]!, rows.p[last]!, rows.o[last]!, rows.g[last]!);
    },
    pacer,
  );
  return { added, removed, undone, contradict };
}

/** The first of the rows before `end` that has no effect behind those before it; -1 if each has one. */
export async function firstWithoutEffect(rows: RowBuffer, end: number, at: IndexAt, pacer: Pacer): Promise<number> {
  const columns = newRowColumns(end);
  const firsts = new Uint32Array(end);
  let length = 0;
  let least = end;
  await eachQuad(
    rows,
    end,
    (first, _, repeated) => {
      if (repeated !== -1) least = Math.min(least, repeated);
      for (const [place, column] of [rows.s, rows.p, rows.o, rows.g].entries())
        columns[place]![length] = column[first]!;
      firsts[length++] = first;
    },
    pacer,
  );
  const present = await presenceOf({ columns, length }, at, pacer);
  await pacer.rows(length, (from, to) => {
    for (let i = from; i < to; i++) if (present[i] === rows.added[firsts[i]!]) least = Math.min(least, firsts[i]!);
  });
  return least === end ? -1 : least;
}

/** Whether all quads are there at a revision (`isPresent`), or none of them is. They are sorted. */
export async function areAll(isPresent: boolean, quads: QuadColumns, at: IndexAt, pacer: Pacer): Promise<boolean> {
  const { s, p, o, g, length } = quads;
  const [, , , , from, to] = newRowColumns(length);
  const present = await presenceOf({ columns: [s, p, o, g, from, to], length }, at, pacer);
  return !present.includes(isPresent ? 0 : PRESENT);
}

async function presenceOf(rows: SortedRows, at: IndexAt, pacer: Pacer): Promise<Uint8Array> {
  const marks = new Uint8Array(rows.length);
  await markIntervals(rows, identityRows(rows.length), marks, PRESENT, at, pacer);
  return marks;
}
