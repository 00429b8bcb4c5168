/**
 * The indexes of a line that begins on another one: its own runs and memtables over those of its base. Its tombstones
 * also end intervals of the base. When the base has another index version, the line gets one too.
 */
import { MISS } from '../keyspace/block-cache.js';
import { IndexVersion } from './index-version.js';
import type { Layer, Memtable } from './index-version.js';
import type { AccessPath, Bounds, IdPattern } from './orders.js';
import { SPOG } from './orders.js';
import type { RowSource } from './read/row-source.js';
import type { Run, RunKind } from './run/run.js';

interface Sources {
  readonly plus: RowSource[];
  readonly minus: RowSource[];
}

export class LayeredIndex extends IndexVersion {
  /** Whether its own runs have copies of the quads of the base. Then the base is read only for revisions before the line. */
  readonly #copied: boolean;
  /** Whether the base has no run with changes after {@link fork}, so that positions in it give exact counts. */
  readonly #exact: boolean;

  constructor(
    runs: readonly Run[],
    memtables: readonly Memtable[],
    readonly base: IndexVersion,
    /** The revision at which the base is read. */
    readonly fork: number,
  ) {
    super(runs, memtables);
    base.retain();
    this.#copied = runs.some(({ entry }) => entry.kind === 'base');
    this.#exact = base.runs.every((run) => endsBy(run, fork));
  }

  override with(runs: readonly Run[], memtables: readonly Memtable[]): LayeredIndex {
    return new LayeredIndex(runs, memtables, this.base, this.fork);
  }

  override beside(runs: readonly Run[], number: number): ReturnType<IndexVersion['beside']> {
    if (number > this.fork) return super.beside(runs, number);
    // The line has no revision yet, so all that it holds is of later ones. A reader of the fork does not look at runs of the line.
    return { index: new LayeredIndex(runs, [], this.base, this.fork), number: this.fork + 1 };
  }

  /** The same over another version of the base. */
  over(base: IndexVersion): LayeredIndex {
    return new LayeredIndex(this.runs, this.memtables, base, this.fork);
  }

  protected override dropRuns(): void {
    super.dropRuns();
    this.base.release();
  }

  override layers(number: number): readonly Layer[] {
    const below = this.base.layers(Math.min(number, this.fork));
    return number > this.fork ? [...below, { index: this, number }] : below;
  }

  override present(number: number): readonly Layer[] {
    const own = { index: this, number };
    if (number > this.fork && this.#copied) return [own];
    const below = this.base.present(Math.min(number, this.fork));
    return number > this.fork ? [...below, own] : below;
  }

  override get depth(): number {
    return this.#copied ? 0 : this.base.depth + 1;
  }

  override get isLong(): boolean {
    if (this.#copied) return false;
    const own = rowsOf(this.runsOf(SPOG), 'live') + rowsOf(this.runsOf(SPOG), 'tombstone');
    const below = this.base
      .present(this.fork)
      .reduce((sum, { index }) => sum + rowsOf(index.runsOf(SPOG), 'live') + rowsOf(index.runsOf(SPOG), 'base'), 0);
    return own > 0 && below > 0 && (own * LONG_SHARE > below || this.depth > MOST_DEPTH);
  }

  override sources(
    pattern: IdPattern,
    revision: number,
    path: AccessPath,
    revisions: boolean,
    bounds?: Bounds,
  ): Sources {
    if (revision > this.fork && this.#copied) return super.sources(pattern, revision, path, revisions, bounds);
    const below = this.#below(pattern, revision, path, revisions, bounds);
    if (revision <= this.fork) return below;
    const own = super.sources(pattern, revision, path, revisions, bounds);
    if (revisions || (below.minus.length === 0 && own.minus.length === 0)) return joined(below, own);
    // Tombstones of one layer end rows of the other, and are compared with them by their revisions.
    for (const source of [...below.plus, ...below.minus, ...own.plus, ...own.minus]) source.close();
    return joined(
      this.#below(pattern, revision, path, true, bounds),
      super.sources(pattern, revision, path, true, bounds),
    );
  }

  #below(pattern: IdPattern, revision: number, path: AccessPath, revisions: boolean, bounds?: Bounds): Sources {
    return this.base.sources(pattern, Math.min(revision, this.fork), path, revisions, bounds);
  }

  override hasNamedGraphs(): boolean {
    return super.hasNamedGraphs() || this.base.hasNamedGraphs();
  }

  override countNewest(pattern: IdPattern, revision: number): number | Run | undefined {
    if (this.#copied && revision > this.fork) return super.countNewest(pattern, revision);
    if (!this.#exact) return undefined;
    const below = this.base.countNewest(pattern, this.fork);
    if (typeof below !== 'number') return below;
    const own = super.countNewest(pattern, revision);
    return typeof own === 'number' ? below + own : own;
  }

  /** Finds intervals that the line itself has begun. For any other quad the caller scans: the base may have gone on since. */
  override findInterval(s: number, p: number, o: number, g: number): number {
    const own = super.findInterval(s, p, o, g);
    return own === 0 ? MISS : own;
  }
}

/** A line of more than a quarter of its base gets copies of it, and so does one with more than three lines below it. */
const LONG_SHARE = 4;
const MOST_DEPTH = 3;

const rowsOf = (runs: readonly Run[], kind: RunKind): number =>
  runs.reduce((sum, { entry }) => (entry.kind === kind ? sum + entry.rows : sum), 0);

const joined = (below: Sources, own: Sources): Sources => ({
  plus: [...below.plus, ...own.plus],
  minus: [...below.minus, ...own.minus],
});

function endsBy({ entry, bounds: [, maxFrom, , maxTo] }: Run, fork: number): boolean {
  if (entry.kind === 'live' || entry.kind === 'base') return maxFrom <= fork;
  return maxTo <= fork;
}
