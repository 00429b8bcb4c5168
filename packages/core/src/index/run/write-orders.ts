/** Writes a set of rows, sorted as (s, p, o, g), as one run in each order. */
import type { PayloadRun } from './run.js';
import type { Pacer } from '../../runtime/env.js';
import { BLOCK_ROWS, DEFAULT_GRAPH } from '../../format/layout.js';
import { identityRows, sortRows } from '../../runtime/radix-sort.js';
import type { RunSession } from './run-session.js';
import { BatchWriter } from '../../keyspace/batch-writer.js';
import type { RowColumns } from '../block/block-codec.js';
import { newRowColumns } from '../block/block-codec.js';
import type { Order } from '../orders.js';
import { G, ORDERS, SPOG } from '../orders.js';
import type { Run, RunKind } from './run.js';
import { RunWriter } from './run-writer.js';

/** Rows by quad position: s, p, o, g, from, to. */
export interface SortedRows {
  readonly columns: RowColumns;
  readonly length: number;
}

export interface WrittenOrders {
  readonly runs: readonly Run[];
  /** The SPOG run, as the log names it. */
  readonly payload: PayloadRun;
}

export interface WriteOrdersOptions {
  readonly kind: RunKind;
  /** Makes the SPOG run a part of the log. */
  readonly logOwned?: boolean;
  /** Default: all. */
  readonly orders?: readonly Order[];
  /** Told of rows as they are written, once an order. */
  readonly onRows?: (rows: number) => void;
}

/** Writes rows that are sorted as (s, p, o, g) in some orders, SPOG among them. */
export async function writeOrders(
  session: RunSession,
  rows: SortedRows,
  { kind, logOwned = false, orders = ORDERS, onRows }: WriteOrdersOptions,
  pacer: Pacer,
): Promise<WrittenOrders> {
  const batch = new BatchWriter(session);
  const runs: Run[] = [];
  let payload: PayloadRun | undefined;
  const constants = await constantColumns(rows, pacer);
  for (const order of orders) {
    const sorted = await rowsInOrder(rows, order, pacer);
    if (sorted.length === 0) continue;
    const writer = new RunWriter(session.keyspace, batch, await session.take(), order, kind);
    await appendRows(writer, batch, rows.columns, order, sorted, pacer, { constants, onRows });
    const { run, digest } = await writer.finish({ revision: 0, logOwned: logOwned && order === SPOG });
    runs.push(run);
    if (order === SPOG) payload = { run: run.entry.id, rows: rows.length, digest };
  }
  return { runs, payload: payload! };
}

interface AppendOptions {
  /** By quad position (and `from`, `to`), the columns that are known to hold one value. */
  readonly constants?: readonly boolean[];
  readonly onRows?: ((rows: number) => void) | undefined;
}

/** Gathers rows in the sequence of `sorted` and appends them in the places of an order. */
export async function appendRows(
  writer: RunWriter,
  batch: BatchWriter,
  columns: RowColumns,
  order: Order,
  sorted: Uint32Array,
  pacer: Pacer,
  { constants = [], onRows }: AppendOptions = {},
): Promise<void> {
  const window = newRowColumns(BLOCK_ROWS);
  const positions = [...order.columns, 4, 5];
  const places = positions.map((position) => columns[position]!);
  const constant = positions.map((position) => constants[position] === true);
  for (let at = 0; at < sorted.length; at += BLOCK_ROWS) {
    const count = Math.min(BLOCK_ROWS, sorted.length - at);
    for (let place = 0; place < places.length; place++) {
      if (constant[place]) {
        if (at === 0) window[place]!.fill(places[place]![sorted[0]!]!);
      } else gather(places[place]!, sorted, at, count, window[place]!);
    }
    if (writer.append(window, 0, count)) await batch.send();
    onRows?.(count);
    if (pacer.due()) await pacer.pause();
  }
}

function gather(values: Uint32Array, rows: Uint32Array, at: number, count: number, out: Uint32Array): void {
  for (let i = 0; i < count; i++) out[i] = values[rows[at + i]!]!;
}

// Graph and revisions are mostly the same for all rows: such columns are not gathered row by row.
async function constantColumns(rows: SortedRows, pacer: Pacer): Promise<boolean[]> {
  const constant: boolean[] = [];
  for (const values of rows.columns) {
    constant.push(isConstant(values, rows.length));
    if (pacer.due()) await pacer.pause();
  }
  return constant;
}

function isConstant(values: Uint32Array, length: number): boolean {
  for (let i = 1; i < length; i++) if (values[i] !== values[0]) return false;
  return true;
}

// A stable sort by the first places is enough: the rows come sorted as (s, p, o, g).
async function rowsInOrder(rows: SortedRows, order: Order, pacer: Pacer): Promise<Uint32Array> {
  const all = order.namedOnly ? namedRows(rows) : identityRows(rows.length);
  if (pacer.due()) await pacer.pause();
  if (order === SPOG) return all;
  const leading = order.name === 'posg' ? order.columns.slice(0, 2) : order.columns.slice(0, 1);
  return sortRows(
    all,
    leading.map((position) => rows.columns[position]!),
    pacer,
  );
}

function namedRows(rows: SortedRows): Uint32Array<ArrayBuffer> {
  const graphs = rows.columns[G]!;
  const named = new Uint32Array(rows.length);
  let count = 0;
  for (let i = 0; i < rows.length; i++) if (graphs[i] !== DEFAULT_GRAPH) named[count++] = i;
  return named.slice(0, count);
}
