/** One group of rows of a run, decoded as far as the keys of a seeker need it. It stays decoded for the next key. */
import { GROUP_ROWS } from '../../format/layout.js';
import { MISS } from '../../keyspace/block-cache.js';
import type { FoundRows, RowColumns } from '../block/block-codec.js';
import { constantValue, decodeColumn, decodeRows, findEqual, FROM, newRowColumns, TO } from '../block/block-codec.js';
import type { Run } from '../run/run.js';
import type { BlockFinder } from './block-finder.js';

const NO_ROWS = newRowColumns(0);
const UNKNOWN = -1;
const ALL_COLUMNS = 6;
/** From this number of rows on, `fill` costs less than a loop. */
const MANY_ROWS = 32;
const REVISIONS = [FROM, TO] as const;

export class GroupWindow {
  columns: RowColumns = NO_ROWS;
  block = UNKNOWN;
  /** Row number of the first row of the group, in the run. */
  base = 0;
  /** Number of rows of the group. */
  count = 0;
  /** The first place of the key that is not constant in the group. Searches start with it. */
  lead = 0;
  /**
   * The window has just moved to another group. Only the rows of the present key are decoded, because the next key
   * may be in yet another group.
   */
  jumped = false;
  #group = 0;
  /** Whether the places of the key are decoded. */
  #isLoaded = false;
  /** The range of decoded rows, for each column. */
  readonly #from = [0, 0, 0, 0, 0, 0];
  readonly #to = [0, 0, 0, 0, 0, 0];
  /** The constant value of each place; -1 if the place is not constant. */
  readonly #constants = [UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN];

  constructor(
    private readonly run: Run,
    private readonly blocks: BlockFinder,
  ) {}

  /** Makes the window empty. */
  clear(): void {
    this.base = this.count = 0;
  }

  /**
   * Moves to a group of a block that begins at word `at` of the cache. Decodes the first `prefix` places until one is
   * not constant.
   */
  load(block: number, group: number, at: number, prefix: number): void {
    if (this.#isLoaded && this.isAt(block, group)) return;
    this.#move(block, group);
    this.#isLoaded = true;
    for (let place = 0; place < prefix; place++) {
      this.#decode(at, place, 0, this.count, true);
      this.lead = place;
      const column = this.columns[place]!;
      if (column[0] !== column[this.count - 1]) return;
    }
    this.lead = prefix;
  }

  /** Whether the window has this group, decoded or not. */
  isAt(block: number, group: number): boolean {
    return block === this.block && group === this.#group;
  }

  /**
   * Moves to a group, in which it finds the rows with these first ids, perhaps none: where they would stand. Decodes nothing but these
   * rows, since the next key may be in yet another group.
   */
  find(block: number, group: number, at: number, ids: readonly number[], prefix: number, found: FoundRows): void {
    const { words } = this.run.cache;
    this.#move(block, group);
    this.#isLoaded = false;
    // Nothing is known of other keys.
    this.lead = prefix;
    found.start = 0;
    found.end = this.count;
    for (let place = 0; place < prefix && found.start < found.end; place++)
      findEqual(words, at, place, group, ids[place]!, found);
    for (let place = 0; place < prefix; place++) {
      fillRows(this.columns[place]!, ids[place]!, found.start, found.end);
      this.#from[place] = found.start;
      this.#to[place] = found.end;
      this.#constants[place] = UNKNOWN;
    }
  }

  #move(block: number, group: number): void {
    if (this.columns === NO_ROWS) this.columns = newRowColumns(GROUP_ROWS);
    const { starts } = this.run.table;
    this.block = block;
    this.#group = group;
    this.base = starts[block]! + group * GROUP_ROWS;
    this.count = Math.min(GROUP_ROWS, starts[block + 1]! - this.base);
    for (let column = 0; column < ALL_COLUMNS; column++) this.#from[column] = this.#to[column] = 0;
    this.jumped = true;
  }

  /** Decodes rows of a place if necessary. Returns false if the block is missing. */
  ensure(place: number, from: number, to: number): boolean {
    if (from >= this.#from[place]! && to <= this.#to[place]!) return true;
    const at = this.blocks.find(this.block);
    if (at === MISS) return false;
    this.#decode(at, place, from, to, !this.jumped);
    return true;
  }

  /** Decodes `from` and `to` of rows if necessary. Returns false if the block is missing. */
  ensureRevisions(from: number, to: number): boolean {
    for (const column of REVISIONS) {
      if (from >= this.#from[column]! && to <= this.#to[column]!) continue;
      const at = this.blocks.find(this.block);
      if (at === MISS) return false;
      this.#decodeRevisions(at, column, from, to);
    }
    return true;
  }

  #decode(at: number, place: number, from: number, to: number, whole: boolean): void {
    const { words } = this.run.cache;
    const column = this.columns[place]!;
    const constant = constantValue(words, at, place);
    this.#from[place] = 0;
    this.#to[place] = this.count;
    if (constant !== UNKNOWN) {
      if (constant !== this.#constants[place]) column.fill(constant);
    } else if (whole) decodeColumn(words, at, place, this.#group, this.#group + 1, column);
    else {
      this.#from[place] = decodeRows(words, at, place, this.#group, from, to, column);
      this.#to[place] = to;
    }
    this.#constants[place] = constant;
  }

  // After a jump only the few rows of the key are decoded, because the next key is in another group.
  #decodeRevisions(at: number, column: typeof FROM | typeof TO, from: number, to: number): void {
    const { run } = this;
    const { words } = run.cache;
    const out = this.columns[column];
    const few = this.jumped && run.holdsRevisions(column) && constantValue(words, at, column) === UNKNOWN;
    this.#from[column] = few ? decodeRows(words, at, column, this.#group, from, to, out) : 0;
    this.#to[column] = few ? to : this.count;
    if (!few) run.revisionColumn(at, column, this.#group, this.#group + 1, out);
  }
}

function fillRows(column: Uint32Array, id: number, from: number, to: number): void {
  if (to - from >= MANY_ROWS) column.fill(id, from, to);
  else for (let row = from; row < to; row++) column[row] = id;
}
