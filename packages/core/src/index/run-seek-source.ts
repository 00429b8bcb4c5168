/** The rows of a run as a seeker reads them: the group of rows that the last key was in stays decoded. */
import { MISS } from '../cache.js';
import { GROUP_ROWS } from '../format.js';
import type { RowColumns } from './block-codec.js';
import { constantValue, decodeColumn, FROM, groupStart, newRowColumns, TO } from './block-codec.js';
import type { Box, ColumnFilter, Missing } from './row-source.js';
import { blockFit, INSIDE, OUTSIDE, passesFilters, RunSource } from './row-source.js';
import { lastGroupBelow, type Run } from './run.js';
import type { SeekKey, SeekSource } from './seek-source.js';

const ALL_PLACES = 4;
const NO_ROWS = newRowColumns(0);
const UNKNOWN = -1;

export class RunSeekSource implements SeekSource {
  columns: RowColumns = NO_ROWS;
  position = 0;
  length = 0;
  /** The group of rows that was decoded last: its first `#decoded` places, revisions where `#revisions`. */
  #window: RowColumns = NO_ROWS;
  #passed: RowColumns | undefined;
  #block = UNKNOWN;
  #group = 0;
  #base = 0;
  #count = 0;
  #decoded = 0;
  #hasRevisions = false;
  /** Per place the value that fills the window, where it is constant. */
  readonly #constants = [UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN];
  /** The rows of the present key in the window, until they are handed out. */
  #start = 0;
  #end = 0;
  #continues = false;
  #needsRevisions = false;
  #missingBlock = UNKNOWN;
  /** Rows behind the window, where a key has more. */
  #rest: RunSource | undefined;
  #inRest = false;
  readonly #restOptions: { box: Box; filters: readonly ColumnFilter[]; revisions: boolean };

  constructor(
    private readonly run: Run,
    private readonly key: SeekKey,
    private readonly box: Box,
  ) {
    this.#restOptions = { box, filters: key.filters, revisions: false };
  }

  seek(): number {
    this.#inRest = false;
    this.position = this.length = 0;
    if (this.key.prefix === 0) return this.#seekAll();
    if (!this.#coversKey() && !this.#goToKey()) return this.#missingBlock === UNKNOWN ? 0 : MISS;
    return this.#findRange() ? 1 : 0;
  }

  #seekAll(): number {
    this.#start = this.#end = 0;
    this.#base = this.#count = 0;
    this.#continues = this.run.entry.rows > 0;
    return this.#continues ? 1 : 0;
  }

  // Whether the window has the first row that is not below the key.
  #coversKey(): boolean {
    return this.#count > 0 && this.#compareKey(0) < 0 && this.#compareKey(this.#count - 1) >= 0;
  }

  #compareKey(row: number): number {
    const { ids, prefix } = this.key;
    const [a, b, c, d] = this.#window;
    let difference = a[row]! - ids[0]!;
    if (difference !== 0 || prefix === 1) return difference;
    difference = b[row]! - ids[1]!;
    if (difference !== 0 || prefix === 2) return difference;
    difference = c[row]! - ids[2]!;
    if (difference !== 0 || prefix === 3) return difference;
    return d[row]! - ids[3]!;
  }

  // Decodes the group in which the rows of the key begin; false if there are none or a block is missing.
  #goToKey(): boolean {
    const { run, key } = this;
    const { ids, prefix } = key;
    this.#missingBlock = UNKNOWN;
    let block = run.boundaryBlock(ids, prefix, false);
    let group = 0;
    if (block < 0) {
      if (!run.startsWith(0, ids, prefix)) return false;
      block = 0;
    }
    const at = this.#find(block);
    if (at === MISS) return false;
    const groups = run.groupsOf(block);
    group = Math.max(0, lastGroupBelow(run.cache.words, at, groups, ids, prefix, false));
    this.#load(block, group, at);
    if (this.#compareKey(this.#count - 1) >= 0) return true;
    // All rows of the group are below the key: it begins with the next group, or is not there.
    if (group + 1 < groups) {
      if (!startsGroup(run.cache.words, at, group + 1, ids, prefix)) return false;
      this.#load(block, group + 1, at);
      return true;
    }
    if (block + 1 === run.blocks || !run.startsWith(block + 1, ids, prefix)) return false;
    const next = this.#find(block + 1);
    if (next === MISS) return false;
    this.#load(block + 1, 0, next);
    return true;
  }

  #find(block: number): number {
    const at = this.run.find(block);
    if (at === MISS) this.#missingBlock = block;
    return at;
  }

  #load(block: number, group: number, at: number): void {
    if (this.#window === NO_ROWS) this.#window = newRowColumns(GROUP_ROWS);
    const { starts } = this.run.table;
    const first = group * GROUP_ROWS;
    this.#block = block;
    this.#group = group;
    this.#base = starts[block]! + first;
    this.#count = Math.min(GROUP_ROWS, starts[block + 1]! - this.#base);
    this.#decoded = 0;
    this.#hasRevisions = false;
    this.#decode(at, this.key.prefix);
  }

  #decode(at: number, places: number): void {
    const { words } = this.run.cache;
    for (; this.#decoded < places; this.#decoded++) {
      const place = this.#decoded;
      const constant = constantValue(words, at, place);
      const column = this.#window[place]!;
      if (constant === UNKNOWN) decodeColumn(words, at, place, this.#group, this.#group + 1, column);
      else if (constant !== this.#constants[place]) column.fill(constant);
      this.#constants[place] = constant;
    }
  }

  // Where the rows of the key begin and end in the window.
  #findRange(): boolean {
    let low = 0;
    let high = this.#count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#compareKey(middle) < 0) low = middle + 1;
      else high = middle;
    }
    if (low === this.#count || this.#compareKey(low) !== 0) return false;
    this.#start = low;
    this.#end = this.#endFrom(low);
    this.#continues = this.#end === this.#count && this.#base + this.#count < this.run.entry.rows;
    return true;
  }

  // Most keys have few rows: the steps grow.
  #endFrom(start: number): number {
    let low = start;
    let step = 1;
    while (low + step < this.#count && this.#compareKey(low + step) === 0) {
      low += step;
      step *= 2;
    }
    let high = Math.min(low + step, this.#count);
    low++;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#compareKey(middle) === 0) low = middle + 1;
      else high = middle;
    }
    return low;
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
    const { run, box, key } = this;
    const fit = blockFit(run, this.#block, box);
    if (fit !== OUTSIDE) {
      const revisions = fit !== INSIDE || this.#needsRevisions;
      if (this.#decoded < ALL_PLACES || (revisions && !this.#hasRevisions)) {
        const at = this.#find(this.#block);
        if (at === MISS) return MISS;
        this.#decode(at, ALL_PLACES);
        if (revisions) this.#decodeRevisions(at);
      }
      if (fit === INSIDE && key.filters.length === 0) {
        this.columns = this.#window;
        this.position = this.#start;
        this.length = this.#end;
      } else this.#pass(fit === INSIDE ? undefined : box);
    }
    this.#start = this.#end;
    return this.length - this.position;
  }

  #decodeRevisions(at: number): void {
    this.run.revisionColumn(at, FROM, this.#group, this.#group + 1, this.#window[FROM]);
    this.run.revisionColumn(at, TO, this.#group, this.#group + 1, this.#window[TO]);
    this.#hasRevisions = true;
  }

  // Copies the rows that are in the box and pass the filters: the window itself serves the next key.
  #pass(box: Box | undefined): void {
    const passed = (this.#passed ??= newRowColumns(GROUP_ROWS));
    const [, , , , from, to] = this.#window;
    let count = 0;
    for (let row = this.#start; row < this.#end; row++) {
      if (
        box !== undefined &&
        (from[row]! < box.minFrom || from[row]! > box.maxFrom || to[row]! < box.minTo || to[row]! > box.maxTo)
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

// Whether the first row of a group has the key.
function startsGroup(words: Uint32Array, at: number, group: number, ids: readonly number[], prefix: number): boolean {
  for (let place = 0; place < prefix; place++) if (groupStart(words, at, place, group) !== ids[place]) return false;
  return true;
}
