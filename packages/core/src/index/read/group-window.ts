/** One group of rows of a run, decoded as far as the keys of a seeker need it. It stays decoded for the next key. */
import { GROUP_ROWS } from '../../format/layout.js';
import { MISS } from '../../keyspace/block-cache.js';
import type { RowColumns } from '../block/block-codec.js';
import { constantValue, decodeColumn, decodeRows, FROM, newRowColumns, TO } from '../block/block-codec.js';
import type { Run } from '../run/run.js';
import type { BlockFinder } from './block-finder.js';

const NO_ROWS = newRowColumns(0);
const UNKNOWN = -1;
const REVISIONS = [FROM, TO] as const;

export class GroupWindow {
  columns: RowColumns = NO_ROWS;
  block = UNKNOWN;
  /** Row of the run at which the group begins. */
  base = 0;
  /** Rows of the group. */
  count = 0;
  /** The first place of the key that is not the same in the whole group: the group is searched by it. */
  lead = 0;
  /** The next key may well be in another group, so only the rows of the present key are decoded. */
  jumped = false;
  #group = 0;
  /** For each place the rows that are decoded. */
  readonly #from = [0, 0, 0, 0, 0, 0];
  readonly #to = [0, 0, 0, 0, 0, 0];
  /** For each place the value that fills the column, where it is constant. */
  readonly #constants = [UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN];

  constructor(
    private readonly run: Run,
    private readonly blocks: BlockFinder,
  ) {}

  /** Holds no group. */
  clear(): void {
    this.base = this.count = 0;
  }

  /** Goes to a group of a block that stands at `at` of the cache. Decodes the first `prefix` places as far as they are constant. */
  load(block: number, group: number, at: number, prefix: number): void {
    if (block === this.block && group === this.#group) return;
    if (this.columns === NO_ROWS) this.columns = newRowColumns(GROUP_ROWS);
    const { starts } = this.run.table;
    this.block = block;
    this.#group = group;
    this.base = starts[block]! + group * GROUP_ROWS;
    this.count = Math.min(GROUP_ROWS, starts[block + 1]! - this.base);
    this.#from.fill(0);
    this.#to.fill(0);
    this.jumped = true;
    for (let place = 0; place < prefix; place++) {
      this.#decode(at, place, 0, this.count, true);
      this.lead = place;
      const column = this.columns[place]!;
      if (column[0] !== column[this.count - 1]) return;
    }
    this.lead = prefix;
  }

  /** Decodes these rows of a place unless they are decoded; false if the block is missing. */
  ensure(place: number, from: number, to: number): boolean {
    if (from >= this.#from[place]! && to <= this.#to[place]!) return true;
    const at = this.blocks.find(this.block);
    if (at === MISS) return false;
    this.#decode(at, place, from, to, !this.jumped);
    return true;
  }

  /** Decodes the revisions of these rows; false if the block is missing. */
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

  // A single key has few rows, and the next key is in another group: only its rows are decoded.
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
