/** The source of a seeker that reads a run. The group of rows of the last key stays decoded. */
import { MISS } from '../../keyspace/block-cache.js';
import { GROUP_ROWS } from '../../format/layout.js';
import type { FoundRows, RowColumns } from '../block/block-codec.js';
import { groupStart, newRowColumns } from '../block/block-codec.js';
import { BlockFinder } from './block-finder.js';
import { GroupWindow } from './group-window.js';
import type { RevisionRange, ColumnFilter, Missing } from './row-source.js';
import { blockFit, INSIDE, OUTSIDE, passesFilters, RunSource } from './row-source.js';
import type { Run } from '../run/run.js';
import { lastGroupBelow, lowerBound, upperBound } from '../run/run.js';
import type { SeekKey, SeekSource } from './seek-source.js';

const ALL_PLACES = 4;
const NO_ROWS = newRowColumns(0);
const found: FoundRows = { start: 0, end: 0 };

export class RunSeekSource implements SeekSource {
  columns: RowColumns = NO_ROWS;
  position = 0;
  length = 0;
  readonly #blocks: BlockFinder;
  /** The group of rows of the last key. */
  readonly #window: GroupWindow;
  /** Copies of the rows that pass the range and the filters, if not all rows do. */
  #passed: RowColumns | undefined;
  /** The rows of the present key in the window that are not handed out yet. */
  #start = 0;
  #end = 0;
  #continues = false;
  #needsRevisions = false;
  /** The rows after the window, if the key has more. */
  #rest: RunSource | undefined;
  #inRest = false;
  readonly #restOptions: { range: RevisionRange; filters: readonly ColumnFilter[]; revisions: boolean };

  constructor(
    private readonly run: Run,
    private readonly key: SeekKey,
    private readonly range: RevisionRange,
  ) {
    this.#blocks = new BlockFinder(run);
    this.#window = new GroupWindow(run, this.#blocks);
    this.#restOptions = { range, filters: key.filters, revisions: false };
  }

  seek(): number {
    this.#inRest = false;
    this.position = this.length = 0;
    if (this.key.prefix === 0) return this.#seekAll();
    this.#blocks.forget();
    this.#window.jumped = false;
    if (this.#coversKey()) {
      if (this.#narrow()) return this.#start < this.#end ? 1 : 0;
    } else if (this.#goToKey()) return 1;
    return this.#blocks.isMissing ? MISS : 0;
  }

  #seekAll(): number {
    this.#start = this.#end = 0;
    this.#window.clear();
    this.#continues = this.run.entry.rows > 0;
    return this.#continues ? 1 : 0;
  }

  // Whether the window contains all rows that the key can have.
  #coversKey(): boolean {
    const { ids, prefix } = this.key;
    const { columns, count, lead } = this.#window;
    if (count === 0 || lead >= prefix) return false;
    for (let place = 0; place < lead; place++) if (columns[place]![0] !== ids[place]) return false;
    const column = columns[lead]!;
    const id = ids[lead]!;
    return column[0]! < id && column[count - 1]! > id;
  }

  // Finds the rows of the key in the window, possibly none. Returns false if a block is missing.
  #narrow(): boolean {
    const { ids, prefix } = this.key;
    const window = this.#window;
    let low = 0;
    let high = window.count;
    for (let place = 0; place < prefix && low < high; place++) {
      if (!window.ensure(place, low, high)) return false;
      const column = window.columns[place]!;
      if (place < window.lead && column[0] === ids[place]) continue;
      low = lowerBound(column, low, high, ids[place]!);
      high = endOfEqual(column, low, high, ids[place]!);
    }
    this.#choose(low, high);
    return true;
  }

  // The rows of the key in the window.
  #choose(start: number, end: number): void {
    const { count, base } = this.#window;
    this.#start = start;
    this.#end = end;
    this.#continues = start < end && end === count && base + end < this.run.entry.rows;
  }

  // Decodes the group in which the rows of the key begin. Returns false if there are none or a block is missing.
  #goToKey(): boolean {
    const { run, key } = this;
    const { ids, prefix } = key;
    let block = run.boundaryBlock(ids, prefix, false);
    if (block < 0) {
      if (!run.startsWith(0, ids, prefix)) return false;
      block = 0;
    }
    const at = this.#blocks.find(block);
    if (at === MISS) return false;
    const groups = run.groupsOf(block);
    const group = Math.max(0, lastGroupBelow(run.cache.words, at, groups, ids, prefix, false));
    if (this.#window.isAt(block, group)) {
      this.#window.load(block, group, at, prefix);
      if (!this.#narrow()) return false;
    } else {
      this.#window.find(block, group, at, ids, prefix, found);
      this.#choose(found.start, found.end);
    }
    if (this.#start < this.#end) return true;
    if (this.#start < this.#window.count) return false;
    // All rows of the group are below the key: its rows begin with the next group, or there are none.
    if (group + 1 < groups) {
      if (!startsGroup(run.cache.words, at, group + 1, ids, prefix)) return false;
      this.#window.load(block, group + 1, at, prefix);
      return this.#narrow();
    }
    if (block + 1 === run.blocks || !run.startsWith(block + 1, ids, prefix)) return false;
    const next = this.#blocks.find(block + 1);
    if (next === MISS) return false;
    this.#window.load(block + 1, 0, next, prefix);
    return this.#narrow();
  }

  withRevisions(needed: boolean): void {
    this.#needsRevisions = needed;
  }

  fill(): number {
    if (this.#start < this.#end) {
      const rows = this.#fillFromWindow();
      if (rows !== 0) return rows;
    }
    return this.#continues ? this.#fillFromRest() : 0;
  }

  #fillFromWindow(): number {
    const { run, range, key } = this;
    const window = this.#window;
    const fit = blockFit(run, window.block, range);
    if (fit !== OUTSIDE) {
      for (let place = 0; place < ALL_PLACES; place++) if (!window.ensure(place, this.#start, this.#end)) return MISS;
      const revisions = fit !== INSIDE || this.#needsRevisions;
      if (revisions && !window.ensureRevisions(this.#start, this.#end)) return MISS;
      if (fit === INSIDE && key.filters.length === 0) {
        this.columns = window.columns;
        this.position = this.#start;
        this.length = this.#end;
      } else this.#pass(fit === INSIDE ? undefined : range);
    }
    this.#start = this.#end;
    return this.length - this.position;
  }

  // Copies the rows that pass the range and the filters. The window must stay unchanged for the next key.
  #pass(range: RevisionRange | undefined): void {
    const passed = (this.#passed ??= newRowColumns(GROUP_ROWS));
    const { columns } = this.#window;
    const [, , , , from, to] = columns;
    let count = 0;
    for (let row = this.#start; row < this.#end; row++) {
      if (
        range !== undefined &&
        (from[row]! < range.minFrom || from[row]! > range.maxFrom || to[row]! < range.minTo || to[row]! > range.maxTo)
      )
        continue;
      if (!passesFilters(columns, row, this.key.filters)) continue;
      for (let column = 0; column < 6; column++) passed[column]![count] = columns[column]![row]!;
      count++;
    }
    this.columns = passed;
    this.position = 0;
    this.length = count;
  }

  #fillFromRest(): number {
    if (!this.#inRest) {
      this.#restOptions.revisions = this.#needsRevisions;
      this.#rest ??= new RunSource(this.run, this.key.ids, this.key.prefix, this.#restOptions);
      this.#rest.restart(this.#window.base + this.#window.count);
      this.#inRest = true;
    }
    const rest = this.#rest!;
    const rows = rest.fill();
    if (rows === MISS) {
      this.#blocks.missing = rest.missing().block;
      return MISS;
    }
    this.columns = rest.columns;
    this.position = rest.position;
    this.length = rest.length;
    if (rows === 0) this.#continues = false;
    return rows;
  }

  missing(): Missing {
    return { run: this.run, block: this.#blocks.missing };
  }

  close(): void {
    if (this.#inRest) this.#rest!.close();
    this.#inRest = false;
    this.#continues = false;
  }
}

// The end of the rows that equal `id`, if their first row is at `from`. Most keys have few rows, so the steps start
// small and grow.
function endOfEqual(column: Uint32Array, from: number, to: number, id: number): number {
  let low = from;
  let step = 1;
  while (low + step <= to && column[low + step - 1] === id) {
    low += step;
    step *= 2;
  }
  return upperBound(column, low, Math.min(low + step, to), id);
}

// Whether the first row of a group has the key.
function startsGroup(words: Uint32Array, at: number, group: number, ids: readonly number[], prefix: number): boolean {
  for (let place = 0; place < prefix; place++) if (groupStart(words, at, place, group) !== ids[place]) return false;
  return true;
}
