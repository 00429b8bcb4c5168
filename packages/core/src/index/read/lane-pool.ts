/**
 * Unused lanes of the newest index version. A query opens several seekers, each for some rows: their sources and windows would cost
 * more than its lookups. Lanes that read revisions are not kept.
 */
import type { IndexVersion } from '../index-version.js';
import type { AccessPath } from '../orders.js';
import type { Lanes } from './quad-seeker.js';
import { SeekLane, type OpenSources } from './seek-lane.js';

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
