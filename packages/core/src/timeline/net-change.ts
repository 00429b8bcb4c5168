/** The net change of a small commit: additions that are missing and removals that are present, each once. */
import type { IdQuads } from '../index/quad-columns.js';
import { EndedColumns, QuadColumns, QuadSet, sortQuads } from '../index/quad-columns.js';
import { MISS } from '../keyspace/block-cache.js';
import type { IndexAt } from '../index/read/find-interval.js';
import { findInterval } from '../index/read/find-interval.js';
import type { EndedQuads } from '../revision/record.js';
import type { Pacer } from '../runtime/env.js';

const NONE_ENDED = new EndedColumns();
/** Quads compared between two looks at the clock. */
const QUADS_AT_ONCE = 128;

export interface NetChange {
  readonly added: IdQuads;
  readonly removed: EndedQuads;
}

/**
 * Compares a change with the staged head. A quad that is both removed and added is present afterwards. The change
 * must be small enough for a revision record.
 */
export async function netChange(at: IndexAt, added: IdQuads, removed: IdQuads, pacer: Pacer): Promise<NetChange> {
  const net = { added: new QuadColumns(), removed: removed.length === 0 ? NONE_ENDED : new EndedColumns() };
  // Most commits change a single quad and need no sets.
  const single = added.length + removed.length === 1;
  const addedOnce = single ? undefined : new QuadSet();
  for (let i = 0; i < added.length; i++) {
    const [s, p, o, g] = [added.s[i]!, added.p[i]!, added.o[i]!, added.g[i]!];
    if (addedOnce?.add(s, p, o, g) === false) continue;
    const known = at.index.findInterval(s, p, o, g);
    if ((known === MISS ? await findInterval(at, s, p, o, g) : known) === 0) net.added.push(s, p, o, g);
    if (i % QUADS_AT_ONCE === QUADS_AT_ONCE - 1 && pacer.due()) await pacer.pause();
  }
  const removedOnce = single ? undefined : new QuadSet();
  for (let i = 0; i < removed.length; i++) {
    const [s, p, o, g] = [removed.s[i]!, removed.p[i]!, removed.o[i]!, removed.g[i]!];
    if (addedOnce?.has(s, p, o, g) || removedOnce?.add(s, p, o, g) === false) continue;
    const known = at.index.findInterval(s, p, o, g);
    const interval = known === MISS ? await findInterval(at, s, p, o, g) : known;
    if (interval !== 0) net.removed.pushEnded(s, p, o, g, interval);
    if (i % QUADS_AT_ONCE === QUADS_AT_ONCE - 1 && pacer.due()) await pacer.pause();
  }
  return { added: sortQuads(net.added), removed: sortQuads(net.removed) };
}
