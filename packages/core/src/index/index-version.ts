/**
 * The indexes at one moment: the runs of every order and the memtables above them. An index version is immutable,
 * except that rows are appended to its newest memtable. Readers of an earlier revision do not see these rows.
 */
import { MISS } from '../keyspace/block-cache.js';
import { DEFAULT_GRAPH, FOREVER, UNPUBLISHED } from '../format/layout.js';
import type { AccessPath, Bounds, IdPattern, Order } from './orders.js';
import { accessPath, G, orderedIds, ORDERS, SPOG } from './orders.js';
import type { RevisionRange, ColumnFilter, RowSource, SourceOptions } from './read/row-source.js';
import { aliveAt, begunBy, endedBy, RunSource } from './read/row-source.js';
import { RowTable } from './memtable/row-table.js';
import { addSegments, countSegments } from './memtable/table-rows.js';
import type { Run } from './run/run.js';
import { MergeScan } from './read/merge-scan.js';

/**
 * Rows of recent commits: intervals that began while the memtable was active, and tombstones of rows in older
 * memtables and runs.
 */
export class Memtable {
  readonly added: RowTable;
  readonly removed: RowTable;

  /** @param sortedLater see {@link RowTable} */
  constructor(sortedLater = false) {
    this.added = new RowTable(sortedLater);
    this.removed = new RowTable(sortedLater);
  }

  get rows(): number {
    return this.added.rows + this.removed.rows;
  }
}

/** A part of what a reader of a revision reads: the runs and memtables of one line, and the revision at which it reads them. */
export interface Layer {
  readonly index: Pick<IndexVersion, 'runs' | 'memtables' | 'runsOf'>;
  readonly number: number;
}

export class IndexVersion {
  // A count of references: the last one frees the runs, and nobody waits for that.
  #readers = 0;
  #superseded = false;
  readonly #byOrder: readonly (readonly Run[])[];
  readonly #named: boolean;
  /** Number of blocks of all runs. */
  readonly blocks: number;

  constructor(
    readonly runs: readonly Run[],
    /** Oldest first. Only the last one takes rows. */
    readonly memtables: readonly Memtable[],
  ) {
    for (const run of runs) run.retain();
    this.#byOrder = ORDERS.map((order) => runs.filter((run) => run.entry.order === order));
    this.#named = runs.some((run) => run.entry.order.namedOnly);
    this.blocks = runs.reduce((sum, run) => sum + run.blocks, 0);
  }

  /** The same with other runs and memtables. */
  with(runs: readonly Run[], memtables: readonly Memtable[]): IndexVersion {
    return new IndexVersion(runs, memtables);
  }

  /**
   * The index as of a revision with runs beside it that are not published, and the number by which both are read. The caller ends it with
   * {@link supersede}.
   */
  beside(runs: readonly Run[], number: number): { readonly index: IndexVersion; readonly number: number } {
    return { index: this.with([...this.runs, ...runs], this.memtables), number };
  }

  /** The layers that a reader of a revision reads. On a line with a base, the layers of the base come first. */
  layers(number: number): readonly Layer[] {
    return [{ index: this, number }];
  }

  /** The layers in which the quads of a revision are, without the intervals that ended before. */
  present(number: number): readonly Layer[] {
    return this.layers(number);
  }

  /** Number of lines whose indexes a reader of the newest revision reads, without this one. */
  get depth(): number {
    return 0;
  }

  /** Of a line: whether it should have copies of the quads of its base. */
  get isLong(): boolean {
    return false;
  }

  get active(): Memtable {
    return this.memtables.at(-1)!;
  }

  retain(): void {
    this.#readers++;
  }

  release(): void {
    this.#readers--;
    this.#releaseRuns();
  }

  /** Call it when a newer index version replaces this one. The runs are released with the last reader. */
  supersede(): void {
    this.#superseded = true;
    this.#releaseRuns();
  }

  #releaseRuns(): void {
    if (this.#superseded && this.#readers === 0) this.dropRuns();
  }

  protected dropRuns(): void {
    for (const run of this.runs) run.release();
  }

  /**
   * Scans the quads of a revision that match the pattern, in the order that suits the pattern. Leaves out the
   * intervals that the sources in `without` have. `revisions` tells that the reader needs `from`.
   */
  scan(
    pattern: IdPattern,
    revision: number,
    path: AccessPath = accessPath(pattern),
    revisions = false,
    without: readonly RowSource[] = [],
  ): MergeScan {
    const { plus, minus } = this.sources(pattern, revision, path, revisions || without.length > 0);
    return new MergeScan(plus, [...minus, ...without]);
  }

  /** The sources that a scan merges: `plus` hands out quads, `minus` hands out tombstones. */
  sources(
    pattern: IdPattern,
    revision: number,
    path: AccessPath,
    revisions: boolean,
    bounds?: Bounds,
  ): { plus: RowSource[]; minus: RowSource[] } {
    const ids = orderedIds(path.order, pattern);
    const filters = this.#filters(path, pattern);
    const minus = this.#ended(path, ids, revision, filters, bounds);
    const withRevisions = revisions || minus.length > 0;
    const begun = { filters, revisions: withRevisions, range: begunBy(revision) };
    const alive = { filters, revisions: withRevisions, range: aliveAt(revision) };
    const plus: RowSource[] = [];
    for (const run of this.runsOf(path.order)) {
      if (run.entry.kind === 'tombstone') continue;
      const options = run.entry.kind === 'live' ? begun : alive;
      if (reaches(run, options.range)) plus.push(new RunSource(run, ids, path.prefix, options, bounds));
    }
    for (const memtable of this.memtables) {
      if (begunIn(memtable, revision)) addSegments(plus, memtable.added, path, ids, alive, bounds);
    }
    return { plus, minus };
  }

  /** The runs of an order, oldest first. */
  runsOf(order: Order): readonly Run[] {
    return this.#byOrder[order.number]!;
  }

  #filters(path: AccessPath, pattern: IdPattern): readonly ColumnFilter[] {
    const filters = residualFilters(path, pattern);
    if (pattern.g !== DEFAULT_GRAPH || this.hasNamedGraphs()) return filters;
    return filters.filter(({ column }) => column !== path.order.places[G]);
  }

  #ended(
    path: AccessPath,
    ids: readonly number[],
    revision: number,
    filters: readonly ColumnFilter[],
    bounds: Bounds | undefined,
  ): RowSource[] {
    const options: SourceOptions = { range: endedBy(revision), filters, revisions: true };
    const minus: RowSource[] = [];
    for (const run of this.runsOf(path.order)) {
      if (run.entry.kind === 'tombstone' && reaches(run, options.range))
        minus.push(new RunSource(run, ids, path.prefix, options, bounds));
    }
    for (const memtable of this.memtables) {
      if (endedIn(memtable, revision)) addSegments(minus, memtable.removed, path, ids, options, bounds);
    }
    return minus;
  }

  /** Whether any quad of any revision is in a named graph. */
  hasNamedGraphs(): boolean {
    return this.#named || this.memtables.some((memtable) => memtable.added.hasNamedGraphs);
  }

  /**
   * The number of matching quads at the newest revision, if the pattern is a prefix of an order. Returns `undefined`
   * if only a scan can count them. Returns a run if a block of it must be fetched. A layer over others counts its net change,
   * which may be any number, also a negative one.
   */
  countNewest(pattern: IdPattern, revision: number): number | Run | undefined {
    const path = accessPath(pattern);
    if (this.#filters(path, pattern).length > 0) return undefined;
    const ids = orderedIds(path.order, pattern);
    let count = 0;
    for (const run of this.runsOf(path.order)) {
      if (run.entry.kind === 'history') continue;
      const rows = countRange(run, ids, path.prefix);
      if (rows === MISS) return run;
      count += run.entry.kind === 'tombstone' ? -rows : rows;
    }
    for (const { added, removed } of this.memtables) {
      count +=
        countSegments(added, path, ids, aliveAt(revision)) - countSegments(removed, path, ids, endedBy(revision));
    }
    return count;
  }

  /**
   * The `from` of the present interval of a quad, including staged revisions. Returns 0 if the quad is not present.
   * Returns {@link MISS} if a block must be fetched: then use a scan.
   */
  findInterval(s: number, p: number, o: number, g: number): number {
    // The interval can be in a memtable and its tombstone in a run of a large change, or the other way round. Only
    // all of them together decide.
    let newest = 0;
    let ended = 0;
    for (const { added, removed } of this.memtables) {
      const row = added.latest(s, p, o, g);
      if (row !== -1) {
        const from = added.columns[4][row]!;
        newest = Math.max(newest, from);
        if (added.columns[5][row] !== FOREVER) ended = Math.max(ended, from);
      }
      const tombstone = removed.latest(s, p, o, g);
      if (tombstone !== -1) ended = Math.max(ended, removed.columns[4][tombstone]!);
    }
    return this.#findInRuns([s, p, o, g], newest, ended);
  }

  // Intervals of a quad follow one another. The quad is present if its newest interval has not ended.
  #findInRuns(ids: readonly number[], newestKnown: number, endedKnown: number): number {
    let newest = newestKnown;
    let ended = endedKnown;
    for (const run of this.runs) {
      const { order, kind } = run.entry;
      if (order !== SPOG || kind === 'history' || kind === 'base') continue;
      const live = kind === 'live';
      const greatestFrom = run.bounds[1];
      // Skips runs whose intervals are all older than the known ones. The runs of a large change under way count as
      // newest.
      if (
        live
          ? greatestFrom <= Math.max(newest, ended) && greatestFrom !== UNPUBLISHED
          : greatestFrom < newest || greatestFrom <= ended
      ) {
        continue;
      }
      // Skips runs whose subjects are all lower. Added quads often have new subjects, whose ids are higher.
      if (run.endsBelow(ids[0]!)) continue;
      const source = new RunSource(run, ids, 4, LIFE_OPTIONS);
      let from = 0;
      let rows = source.fill();
      for (; rows > 0; rows = source.fill()) from = source.columns[4][source.length - 1]!;
      source.close();
      if (rows === MISS) return MISS;
      if (from === UNPUBLISHED) return UNPUBLISHED;
      if (live) newest = Math.max(newest, from);
      else ended = Math.max(ended, from);
    }
    return newest > ended ? newest : 0;
  }
}

const LIFE_OPTIONS: SourceOptions = {
  range: { minFrom: 0, maxFrom: FOREVER, minTo: 0, maxTo: FOREVER },
  filters: [],
  revisions: true,
};

/** The columns of a path that are checked row by row. */
export function residualFilters(path: AccessPath, pattern: IdPattern): readonly ColumnFilter[] {
  if (path.residual.length === 0) return [];
  const ids = [pattern.s, pattern.p, pattern.o, pattern.g];
  return path.residual.map((position) => ({ column: path.order.places[position]!, id: ids[position]! }));
}

// Whether any row of the run can be in the range.
export function reaches(run: Run, range: RevisionRange): boolean {
  const [minFrom, maxFrom, minTo, maxTo] = run.bounds;
  return minFrom <= range.maxFrom && maxFrom >= range.minFrom && minTo <= range.maxTo && maxTo >= range.minTo;
}

/**
 * Whether the oldest row of a memtable began at or before a revision. Rows are in commit order, so the first row is
 * the oldest.
 */
export const begunIn = ({ added }: Memtable, revision: number): boolean =>
  added.rows > 0 && added.columns[4][0]! <= revision;
/** Whether the oldest tombstone of a memtable was set at or before a revision. */
export const endedIn = ({ removed }: Memtable, revision: number): boolean =>
  removed.rows > 0 && removed.columns[5][0]! <= revision;

/** The number of rows of a run with these first ids; {@link MISS} if a block must be fetched. */
export function countRange(run: Run, ids: readonly number[], prefix: number): number {
  if (prefix === 0) return run.entry.rows;
  const start = run.locate(ids, prefix, false);
  if (start === MISS) return MISS;
  if (run.endOfLast !== MISS) return run.endOfLast - start;
  const end = run.locate(ids, prefix, true);
  return end === MISS ? MISS : end - start;
}

/** The runs of one order and kind, oldest first. */
export function runsOf(runs: readonly Run[], order: Order, kind: Run['entry']['kind']): Run[] {
  return runs.filter((run) => run.entry.order === order && run.entry.kind === kind);
}
