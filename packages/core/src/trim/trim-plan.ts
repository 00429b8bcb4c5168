/** What a trim of a line removes, and which revisions then stand for it. */
import type { Timeline } from '../timeline/timeline.js';
import type { PlannedRevision } from './kept-revisions.js';
import { Stretches } from './stretches.js';
import type { Stretch } from './stretches.js';

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
