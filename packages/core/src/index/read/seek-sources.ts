/** Opens the sources of a seeker over an index version or over rows in memory. */
import type { RowColumns } from '../block/block-codec.js';
import { newRowColumns } from '../block/block-codec.js';
import type { IndexVersion } from '../index-version.js';
import { begunIn, endedIn, reaches } from '../index-version.js';
import type { KeyFilter } from '../memtable/key-filter.js';
import type { AccessPath, Order } from '../orders.js';
import type { RevisionRange, Missing } from './row-source.js';
import { aliveAt, begunBy, endedBy } from './row-source.js';
import type { RowTable } from '../memtable/row-table.js';
import { SegmentSource } from '../memtable/segment-source.js';
import { RunSeekSource } from './run-seek-source.js';
import type { SeekKey, SeekSource, SeekSources } from './seek-source.js';

const NO_ROWS = newRowColumns(0);

/** The sources of an index version at a revision. */
export function indexSources(index: IndexVersion, path: AccessPath, revision: number, key: SeekKey): SeekSources {
  const plus: SeekSource[] = [];
  const minus: SeekSource[] = [];
  for (const { index: layer, number } of index.present(revision)) {
    for (const run of layer.runsOf(path.order)) {
      const { kind } = run.entry;
      const range = kind === 'live' ? begunBy(number) : kind === 'tombstone' ? endedBy(number) : aliveAt(number);
      if (reaches(run, range)) (kind === 'tombstone' ? minus : plus).push(new RunSeekSource(run, key, range));
    }
    for (const memtable of layer.memtables) {
      if (begunIn(memtable, number)) addTable(plus, memtable.added, path.order, key, aliveAt(number));
      if (endedIn(memtable, number)) addTable(minus, memtable.removed, path.order, key, endedBy(number));
    }
  }
  return { plus, minus };
}

/** Adds a source for each segment of the rows that a table has now. */
export function addTable(
  sources: SeekSource[],
  table: RowTable,
  order: Order,
  key: SeekKey,
  range: RevisionRange,
): void {
  if (table.rows === 0) return;
  const filter = table.filter(order);
  for (const segment of table.segments(order))
    sources.push(new SegmentSeekSource(table, order, segment, filter, key, range));
}

class SegmentSeekSource implements SeekSource {
  columns: RowColumns = NO_ROWS;
  position = 0;
  length = 0;
  #rows: SegmentSource | undefined;
  #start = 0;
  #end = 0;

  constructor(
    private readonly table: RowTable,
    private readonly order: Order,
    private readonly segment: Uint32Array,
    private readonly filter: KeyFilter,
    private readonly key: SeekKey,
    private readonly range: RevisionRange,
  ) {}

  seek(): number {
    const { table, order, segment, key } = this;
    if (key.hash !== -1 && !this.filter.mayHave(key.hash)) return 0;
    this.position = this.length = 0;
    this.#start = key.prefix === 0 ? 0 : table.locate(order, segment, key.ids, key.prefix, false);
    this.#end = key.prefix === 0 ? segment.length : table.endOf(order, segment, key.ids, key.prefix, this.#start);
    if (this.#start === this.#end) return 0;
    if (this.#rows === undefined) {
      const options = { range: this.range, filters: key.filters, revisions: true };
      this.#rows = new SegmentSource(table, order, segment, this.#start, this.#end, options);
    } else this.#rows.restart(this.#start, this.#end);
    return 1;
  }

  withRevisions(): void {
    // Rows in memory always have `from` and `to`.
  }

  fill(): number {
    if (this.#start === this.#end) return 0;
    const rows = this.#rows!.fill();
    this.columns = this.#rows!.columns;
    this.position = this.#rows!.position;
    this.length = this.#rows!.length;
    return rows;
  }

  missing(): Missing {
    throw new Error('rows in memory have no missing block');
  }

  close(): void {
    this.#start = this.#end = 0;
  }
}
