/**
 * Seekers of the newest state that are free, so that a lookup by itself need not open sources and windows: that costs more
 * than the lookup. A seeker also keeps the group of rows that it decoded last.
 */
import type { IndexVersion } from '../index-version.js';
import type { IdPattern } from '../orders.js';
import type { BoundPositions, QuadSeeker } from './quad-seeker.js';

/** Seekers kept for patterns that bind the same positions: as many readers as are at work at once. */
const KEPT_SEEKERS = 8;

export class SeekerPool {
  #state: IndexVersion | undefined;
  #revision = 0;
  /** By {@link shapeOf}. */
  #free: QuadSeeker[][] = [];

  /** A seeker over this state at this revision that is at the pattern; `open` makes one where none is free. */
  take(
    state: IndexVersion,
    revision: number,
    pattern: IdPattern,
    open: (bound: BoundPositions) => QuadSeeker,
  ): QuadSeeker {
    if (state !== this.#state || revision !== this.#revision) {
      this.#free = [];
      this.#state = state;
      this.#revision = revision;
    }
    const { s, p, o, g } = pattern;
    const seeker = this.#free[shapeOf(pattern)]?.pop() ?? open({ s: s !== 0, p: p !== 0, o: o !== 0, g: g !== 0 });
    seeker.seek(s, p, o, g);
    return seeker;
  }

  /** Takes a seeker back, closed, if it is still good. */
  give(state: IndexVersion, revision: number, pattern: IdPattern, seeker: QuadSeeker): void {
    seeker.close();
    if (state !== this.#state || revision !== this.#revision) return;
    const free = (this.#free[shapeOf(pattern)] ??= []);
    if (free.length < KEPT_SEEKERS) free.push(seeker);
  }
}

const shapeOf = ({ s, p, o, g }: IdPattern): number => (s ? 1 : 0) | (p ? 2 : 0) | (o ? 4 : 0) | (g ? 8 : 0);
