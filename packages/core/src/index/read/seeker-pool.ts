/**
 * Unused seekers of the newest index version. Opening the sources and windows of a seeker costs more than a single
 * lookup. A seeker also keeps the group of rows that it decoded last.
 */
import type { IndexVersion } from '../index-version.js';
import type { IdPattern, AccessPath } from '../orders.js';
import type { BoundPositions, QuadSeeker, Lanes } from './quad-seeker.js';
import { type OpenSources, SeekLane } from './seek-lane.js';

/** Number of seekers kept for each combination of bound positions: enough for as many concurrent readers. */
const KEPT_SEEKERS = 8;

export class SeekerPool {
  #index: IndexVersion | undefined;
  #revision = 0;
  /** Unused seekers by {@link shapeOf}. */
  #free: QuadSeeker[][] = [];

  /**
   * Takes a seeker over this index version and revision and moves it to the pattern. Calls `open` if there is no
   * unused one.
   */
  take(
    index: IndexVersion,
    revision: number,
    pattern: IdPattern,
    open: (bound: BoundPositions) => QuadSeeker,
  ): QuadSeeker {
    if (index !== this.#index || revision !== this.#revision) {
      this.#free = [];
      this.#index = index;
      this.#revision = revision;
    }
    const { s, p, o, g } = pattern;
    const seeker = this.#free[shapeOf(pattern)]?.pop() ?? open({ s: s !== 0, p: p !== 0, o: o !== 0, g: g !== 0 });
    seeker.seek(s, p, o, g);
    return seeker;
  }

  /** Ends the scan of a seeker and keeps it, if its index version and revision are still the newest. */
  give(index: IndexVersion, revision: number, pattern: IdPattern, seeker: QuadSeeker): void {
    seeker.reset();
    if (index !== this.#index || revision !== this.#revision) return;
    const free = (this.#free[shapeOf(pattern)] ??= []);
    if (free.length < KEPT_SEEKERS) free.push(seeker);
  }
}

const shapeOf = ({ s, p, o, g }: IdPattern): number => (s ? 1 : 0) | (p ? 2 : 0) | (o ? 4 : 0) | (g ? 8 : 0);

/** Number of lanes kept for each path: as many as one query or a few concurrent ones use at a time. */
const KEPT_LANES = 8;

export class LanePool {
  #index: IndexVersion | undefined;
  #revision = 0;
  /** Unused lanes by {@link keyOf}. */
  #free: SeekLane[][] = [];

  /** The lanes of an index version at a revision. `open` opens the sources of one that is not there. */
  at(index: IndexVersion, revision: number, open: OpenSources): Lanes {
    return {
      take: (path) => {
        if (index !== this.#index || revision !== this.#revision) {
          this.#free = [];
          this.#index = index;
          this.#revision = revision;
        }
        return this.#free[keyOf(path)]?.pop() ?? new SeekLane(path, open, false);
      },
      give: (path, lane) => {
        lane.close();
        if (index !== this.#index || revision !== this.#revision) return;
        const free = (this.#free[keyOf(path)] ??= []);
        if (free.length < KEPT_LANES) free.push(lane);
      },
    };
  }
}

function keyOf({ order, prefix, residual }: AccessPath): number {
  let checked = 0;
  for (const position of residual) checked |= 1 << position;
  return order.number | (prefix << 2) | (checked << 5);
}
