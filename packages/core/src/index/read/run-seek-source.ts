/** The rows of a run as a seeker reads them: the group of rows that the last key was in stays decoded. */
import { MISS } from '../../keyspace/block-cache.js';
import { GROUP_ROWS } from '../../format/layout.js';
import type { RowColumns } from '../block/block-codec.js';
import { constantValue, decodeColumn, decodeRows, FROM, groupStart, newRowColumns, TO } from '../block/block-codec.js';
import type { RevisionRange, ColumnFilter, Missing } from './row-source.js';
import { blockFit, INSIDE, OUTSIDE, passesFilters, RunSource } from './row-source.js';
import type { Run } from '../run/run.js';
import { lastGroupBelow, lowerBound, upperBound } from '../run/run.js';
import type { SeekKey, SeekSource } from './seek-source.js';

const ALL_PLACES = 4;
const NO_ROWS = newRowColumns(0);
const UNKNOWN = -1;
const REVISIONS = [FROM, TO] as const;

export class RunSeekSource implements SeekSource {
  columns: RowColumns = NO_ROWS;
  position = 0;
  length = 0;
  /** The group of rows that the last key was in. */
  #window: RowColumns = NO_ROWS;
  #passed: RowColumns | undefined;
  #block = UNKNOWN;
  #group = 0;
  #base = 0;
  #count = 0;
  /** The first place of the key that is not the same in the whole window: the window is searched by it. */
  #lead = 0;
  /** Per place the rows of the window that are decoded. */
  readonly #from = [0, 0, 0, 0, 0, 0];
  readonly #to = [0, 0, 0, 0, 0, 0];
  /** Per place the value that fills the window, where it is constant. */
  readonly #constants = [UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN];
  /** Whether the window is new with this key: the next one may well be elsewhere, so only its rows are decoded. */
  #jumped = false;
  /** The rows of the present key in the window, until they are handed out. */
  #start = 0;
  #end = 0;
  #continues = false;
  #needsRevisions = false;
  #missingBlock = UNKNOWN;
  #foundBlock = UNKNOWN;
  #foundAfter = 0;
  #foundAt = 0;
  /** Rows behind the window, where a key has more. */
  #rest: RunSource | undefined;
  #inRest = false;
  readonly #restOptions: { range: RevisionRange; filters: readonly ColumnFilter[]; revisions: boolean };

  constructor(
    private readonly run: Run,
    private readonly key: SeekKey,
    private readonly range: RevisionRange,
  ) {
    this.#restOptions = { range, filters: key.filters, revisions: false };
  }

  seek(): number {
    this.#inRest = false;
    this.position = this.length = 0;
    if (this.key.prefix === 0) return this.#seekAll();
    this.#missingBlock = UNKNOWN;
    this.#jumped = false;
    if (this.#coversKey()) {
      if (this.#narrow()) return this.#start < this.#end ? 1 : 0;
    } else if (this.#goToKey()) return 1;
    return this.#missingBlock === UNKNOWN ? 0 : MISS;
  }

  #seekAll(): number {
    this.#start = this.#end = 0;
    this.#base = this.#count = 0;
    this.#continues = this.run.entry.rows > 0;
    return this.#continues ? 1 : 0;
  }

  // Whether all rows that the key may have are in the window.
  #coversKey(): boolean {
    const { ids, prefix } = this.key;
    const lead = this.#lead;
    if (this.#count === 0 || lead >= prefix) return false;
    for (let place = 0; place < lead; place++) if (this.#window[place]![0] !== ids[place]) return false;
    const column = this.#window[lead]!;
    const id = ids[lead]!;
    return column[0]! < id && column[this.#count - 1]! > id;
  }

  // Finds the rows of the key, which may be none; false if a block is missing.
  #narrow(): boolean {
    const { ids, prefix } = this.key;
    let low = 0;
    let high = this.#count;
    for (let place = 0; place < prefix && low < high; place++) {
      if (!this.#ensure(place, low, high)) return false;
      const column = this.#window[place]!;
      if (place < this.#lead && column[0] === ids[place]) continue;
      low = lowerBound(column, low, high, ids[place]!);
      high = endOfEqual(column, low, high, ids[place]!);
    }
    this.#start = low;
    this.#end = high;
    this.#continues = low < high && high === this.#count && this.#base + high < this.run.entry.rows;
    return true;
  }

  // Decodes the group in which the rows of the key begin; false if there are none or a block is missing.
  #goToKey(): boolean {
    const { run, key } = this;
    const { ids, prefix } = key;
    let block = run.boundaryBlock(ids, prefix, false);
    if (block < 0) {
      if (!run.startsWith(0, ids, prefix)) return false;
      block = 0;
    }
    const at = this.#find(block);
    if (at === MISS) return false;
    const groups = run.groupsOf(block);
    const group = Math.max(0, lastGroupBelow(run.cache.words, at, groups, ids, prefix, false));
    this.#load(block, group, at);
    if (!this.#narrow()) return false;
    if (this.#start < this.#end) return true;
    if (this.#start < this.#count) return false;
    // All rows of the group are below the key: it begins with the next group, or is not there.
    if (group + 1 < groups) {
      if (!startsGroup(run.cache.words, at, group + 1, ids, prefix)) return false;
      this.#load(block, group + 1, at);
      return this.#narrow();
    }
    if (block + 1 === run.blocks || !run.startsWith(block + 1, ids, prefix)) return false;
    const next = this.#find(block + 1);
    if (next === MISS) return false;
    this.#load(block + 1, 0, next);
    return this.#narrow();
  }

  // Where a block stands; while nothing comes into the cache, it stands where it was found last.
  #find(block: number): number {
    const { run } = this;
    if (block === this.#foundBlock && run.cache.arrivals === this.#foundAfter) return this.#foundAt;
    const at = run.find(block);
    if (at === MISS) {
      this.#missingBlock = block;
      return MISS;
    }
    this.#foundBlock = block;
    this.#foundAfter = run.cache.arrivals;
    this.#foundAt = at;
    return at;
  }

  #load(block: number, group: number, at: number): void {
    if (block === this.#block && group === this.#group) return;
    if (this.#window === NO_ROWS) this.#window = newRowColumns(GROUP_ROWS);
    const { starts } = this.run.table;
    this.#block = block;
    this.#group = group;
    this.#base = starts[block]! + group * GROUP_ROWS;
    this.#count = Math.min(GROUP_ROWS, starts[block + 1]! - this.#base);
    this.#from.fill(0);
    this.#to.fill(0);
    this.#jumped = true;
    for (let place = 0; place < this.key.prefix; place++) {
      this.#decode(at, place, 0, this.#count, true);
      this.#lead = place;
      const column = this.#window[place]!;
      if (column[0] !== column[this.#count - 1]) return;
    }
    this.#lead = this.key.prefix;
  }

  // Decodes these rows of a place unless they are; false if the block is missing.
  #ensure(place: number, from: number, to: number): boolean {
    if (from >= this.#from[place]! && to <= this.#to[place]!) return true;
    const at = this.#find(this.#block);
    if (at === MISS) return false;
    this.#decode(at, place, from, to, !this.#jumped);
    return true;
  }

  #decode(at: number, place: number, from: number, to: number, whole: boolean): void {
    const { words } = this.run.cache;
    const column = this.#window[place]!;
    const constant = constantValue(words, at, place);
    this.#from[place] = 0;
    this.#to[place] = this.#count;
    if (constant !== UNKNOWN) {
      if (constant !== this.#constants[place]) column.fill(constant);
    } else if (whole) decodeColumn(words, at, place, this.#group, this.#group + 1, column);
    else {
      this.#from[place] = decodeRows(words, at, place, this.#group, from, to, column);
      this.#to[place] = to;
    }
    this.#constants[place] = constant;
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
    const fit = blockFit(run, this.#block, range);
    if (fit !== OUTSIDE) {
      for (let place = 0; place < ALL_PLACES; place++) if (!this.#ensure(place, this.#start, this.#end)) return MISS;
      if ((fit !== INSIDE || this.#needsRevisions) && !this.#ensureRevisions()) return MISS;
      if (fit === INSIDE && key.filters.length === 0) {
        this.columns = this.#window;
        this.position = this.#start;
        this.length = this.#end;
      } else this.#pass(fit === INSIDE ? undefined : range);
    }
    this.#start = this.#end;
    return this.length - this.position;
  }

  #ensureRevisions(): boolean {
    for (const column of REVISIONS) {
      if (this.#start >= this.#from[column]! && this.#end <= this.#to[column]!) continue;
      const at = this.#find(this.#block);
      if (at === MISS) return false;
      this.#decodeRevisions(at, column);
    }
    return true;
  }

  // A key by itself is of a few rows, and the next one elsewhere: only its rows are decoded.
  #decodeRevisions(at: number, column: typeof FROM | typeof TO): void {
    const { run } = this;
    const { words } = run.cache;
    const out = this.#window[column];
    const few = this.#jumped && run.holdsRevisions(column) && constantValue(words, at, column) === UNKNOWN;
    this.#from[column] = few ? decodeRows(words, at, column, this.#group, this.#start, this.#end, out) : 0;
    this.#to[column] = few ? this.#end : this.#count;
    if (!few) run.revisionColumn(at, column, this.#group, this.#group + 1, out);
  }

  // Copies the rows that are in the range and pass the filters: the window itself serves the next key.
  #pass(range: RevisionRange | undefined): void {
    const passed = (this.#passed ??= newRowColumns(GROUP_ROWS));
    const [, , , , from, to] = this.#window;
    let count = 0;
    for (let row = this.#start; row < this.#end; row++) {
      if (
        range !== undefined &&
        (from[row]! < range.minFrom || from[row]! > range.maxFrom || to[row]! < range.minTo || to[row]! > range.maxTo)
      )
        continue;
      if (!passesFilters(this.#window, row, this.key.filters)) continue;
      for (let column = 0; column < 6; column++) passed[column]![count] = this.#window[column]![row]!;
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
      this.#rest.restart(this.#base + this.#count);
      this.#inRest = true;
    }
    const rest = this.#rest!;
    const rows = rest.fill();
    if (rows === MISS) {
      this.#missingBlock = rest.missing().block;
      return MISS;
    }
    this.columns = rest.columns;
    this.position = rest.position;
    this.length = rest.length;
    if (rows === 0) this.#continues = false;
    return rows;
  }

  missing(): Missing {
    return { run: this.run, block: this.#missingBlock };
  }

  close(): void {
    if (this.#inRest) this.#rest!.close();
    this.#inRest = false;
    this.#continues = false;
  }
}

// Where the rows that equal `id` end, of which the first would stand at `from`. Most keys have few rows: the steps grow.
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
