/** The indexes of another thread as of one session: runs that are read from the storage, and copies of rows in memory. */
import { ByteReader } from '../format/byte-codec.js';
import type { Memtable } from '../index/index-version.js';
import type { Order } from '../index/orders.js';
import { RowTable } from '../index/memtable/row-table.js';
import type { RowColumns } from '../index/block/block-codec.js';
import type { Run } from '../index/run/run.js';
import { decodeBlockTable, readRunEntry } from '../index/run/run.js';
import { makeRun } from '../index/run/run-writer.js';
import type { Keyspace } from '../keyspace/keyspace.js';
import type { MemtableDescription, RowsDescription, RunDescription } from './session-description.js';

/** Rows that do not change, with their sorted segments. They can be scanned, but {@link RowTable.latest} finds none. */
class RowCopy extends RowTable {
  readonly #sorted: RowsDescription['segments'];

  constructor({ rows, hasNamedGraphs, columns, segments }: RowsDescription) {
    super();
    this.#sorted = segments;
    if (rows > 0) this.columns = columns as unknown as RowColumns;
    this.rows = rows;
    this.hasNamedGraphs = hasNamedGraphs;
  }

  override segments(order: Order): readonly Uint32Array[] {
    return this.#sorted[order.number] ?? [];
  }
}

export function memtableCopy(description: MemtableDescription): Memtable {
  const added = new RowCopy(description.added);
  const removed = new RowCopy(description.removed);
  return { added, removed, rows: added.rows + removed.rows };
}

/** The runs of a session. Runs of earlier sessions are used again with their cached blocks. */
export function replicaRuns(keyspace: Keyspace, earlier: readonly Run[], described: readonly RunDescription[]): Run[] {
  const had = new Map(earlier.map((run) => [run.entry.id, run]));
  return described.map(({ entry: bytes, table }) => {
    const entry = readRunEntry(new ByteReader(bytes));
    const run = had.get(entry.id);
    if (run !== undefined) return run;
    if (table === undefined) throw new Error(`the run ${entry.id} was never described`);
    return makeRun(keyspace, entry, decodeBlockTable(table));
  });
}
