/**
 * The indexes of a line that begins on another one: its own runs and memtables over those of its base. Its tombstones
 * also end intervals of the base. When the base has another index version, the line gets one too.
 */
import { MISS } from '../keyspace/block-cache.js';
import { IndexVersion } from './index-version.js';
import type { Layer, Memtable } from './index-version.js';
import type { AccessPath, Bounds, IdPattern } from './orders.js';
import type { RowSource } from './read/row-source.js';
import type { Run } from './run/run.js';

interface Sources {
  readonly plus: RowSource[];
  readonly minus: RowSource[];
}

export class LayeredIndex extends IndexVersion {
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
    this.#exact = base.runs.every((run) => endsBy(run, fork));
  }

  override with(runs: readonly Run[], memtables: readonly Memtable[]): LayeredIndex {
    return new LayeredIndex(runs, memtables, this.base, this.fork);
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

  override sources(
    pattern: IdPattern,
    revision: number,
    path: AccessPath,
    revisions: boolean,
    bounds?: Bounds,
  ): Sources {
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

  override countNewest(pattern: IdPattern, revision: number): number | undefined {
    if (!this.#exact) return undefined;
    const below = this.base.countNewest(pattern, this.fork);
    if (below === undefined || below === MISS) {
      this.blocked = this.base.blocked;
      return below;
    }
    const own = super.countNewest(pattern, revision);
    return own === undefined || own === MISS ? own : below + own;
  }

  /** Finds intervals that the line itself has begun. For any other quad the caller scans: the base may have gone on since. */
  override findInterval(s: number, p: number, o: number, g: number): number {
    const own = super.findInterval(s, p, o, g);
    return own === 0 ? MISS : own;
  }
}

const joined = (below: Sources, own: Sources): Sources => ({
  plus: [...below.plus, ...own.plus],
  minus: [...below.minus, ...own.minus],
});

function endsBy({ entry, bounds: [, maxFrom, , maxTo] }: Run, fork: number): boolean {
  if (entry.kind === 'live') return maxFrom <= fork;
  return maxTo <= fork;
}
