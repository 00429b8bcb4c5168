/** What a trim of a line removes, and which revisions then stand for it. */
import type { Timeline } from '../timeline/timeline.js';
import type { PlannedRevision } from './kept-revisions.js';

export interface TrimPlan {
  /** The head for which the plan was made. Later revisions stay. */
  readonly head: number;
  readonly kept: number;
  readonly removed: readonly PlannedRevision[];
  /** All squashes of the line as they are then. */
  readonly stretches: Stretches;
  /** The places of those whose records are written. */
  readonly places: readonly number[];
}

/** `kept` are the numbers that stay, in ascending order. */
export function planOf(timeline: Timeline, revisions: readonly PlannedRevision[], kept: readonly number[]): TrimPlan {
  const stays = new Set(kept);
  const all: Stretch[] = [];
  const places: number[] = [];
  let since = timeline.base?.fork ?? 0;
  for (const { number, base } of revisions) {
    if (!stays.has(number)) continue;
    if (base !== since) places.push(all.length);
    // The first revision of all has no changes, so it is no squash.
    if (since !== number - 1) all.push({ number, since });
    since = number;
  }
  return {
    head: revisions.at(-1)?.number ?? timeline.published.number,
    kept: kept.length,
    removed: revisions.filter(({ number }) => !stays.has(number)),
    stretches: new Stretches(all),
    places,
  };
}

/** The squashes of a line: each revision that also has the changes of removed revisions before it. */

/** The changes of revision `number` begin after revision `since`. The revisions between them were removed. */
export interface Stretch {
  readonly number: number;
  readonly since: number;
}

export class Stretches {
  /** In ascending order, without overlap. */
  constructor(readonly all: readonly Stretch[]) {}

  /** The place of the stretch in whose changes those of a revision are; -1 if they are in its own record. */
  place(number: number): number {
    let low = 0;
    let high = this.all.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.all[middle]!.since < number) low = middle + 1;
      else high = middle;
    }
    return low > 0 && number <= this.all[low - 1]!.number ? low - 1 : -1;
  }

  /** Whether a revision that was kept sees an interval. */
  sees(from: number, to: number): boolean {
    const place = this.place(from);
    return (place === -1 ? from : this.all[place]!.number) < to;
  }
}
