/** Reads the intervals of the quads that an erasure removes. */
import type { IndexVersion } from '../index/index-version.js';
import type { IdPattern } from '../index/orders.js';
import { ANY, SPOG } from '../index/orders.js';
import type { Interval } from '../index/read/intervals.js';
import { intervals, intervalsOf } from '../index/read/intervals.js';
import type { Pacer } from '../runtime/env.js';
import type { Selection } from './selection.js';
import { matcherOf, matchPattern } from './selection.js';

/** Beyond it all rows are read once. A lookup takes as long as some hundred rows. */
const MOST_LOOKUPS = 1000;

/** The intervals that began at or before a revision, quad by quad. Reuses the yielded object. */
export async function* selectedIntervals(
  index: IndexVersion,
  selection: Selection,
  revision: number,
  pacer: Pacer,
): AsyncGenerator<Interval> {
  const patterns = patternsOf(selection);
  if (patterns === undefined) {
    const matches = matcherOf(selection);
    for await (const interval of intervals(index, SPOG, revision, pacer)) if (matches(...interval.ids)) yield interval;
    return;
  }
  const before: ReturnType<typeof matchPattern>[] = [];
  for (const pattern of patterns) {
    for await (const interval of intervalsOf(index, pattern, revision, pacer))
      if (!before.some((matches) => matches(...interval.ids))) yield interval;
    before.push(matchPattern(pattern));
  }
}

/** `undefined` if there are more than {@link MOST_LOOKUPS}. */
function patternsOf(selection: Selection): IdPattern[] | undefined {
  if ('pattern' in selection) return [selection.pattern];
  const patterns: IdPattern[] = [];
  if ('terms' in selection) {
    if (selection.terms.length * 4 > MOST_LOOKUPS) return undefined;
    for (const id of selection.terms)
      patterns.push({ ...ANY, s: id }, { ...ANY, p: id }, { ...ANY, o: id }, { ...ANY, g: id });
    return patterns;
  }
  if (selection.quads.length / 4 > MOST_LOOKUPS) return undefined;
  for (let at = 0; at < selection.quads.length; at += 4) {
    const [s, p, o, g] = selection.quads.slice(at, at + 4) as [number, number, number, number];
    patterns.push({ s, p, o, g });
  }
  return patterns;
}
