/** What a change really changes: additions that are not there yet, removals that are, each once. */
import { EndedColumns, QuadColumns, QuadSet, sortQuads } from '../index/quad-columns.js';
import { MISS } from '../keyspace/block-cache.js';
import type { IndexVersion } from '../index/index-version.js';
import { accessPath } from '../index/orders.js';
import type { EndedQuads, IdQuads } from '../revision/record.js';

const NONE_ENDED = new EndedColumns();

export interface NetChange {
  readonly added: IdQuads;
  readonly removed: EndedQuads;
}

/**
 * Compares a change with the newest state, all that is staged (up to `revision`) included. A quad that is both removed
 * and added stays, or comes.
 */
export async function netChange(
  state: IndexVersion,
  revision: number,
  added: IdQuads,
  removed: IdQuads,
): Promise<NetChange> {
  const net = { added: new QuadColumns(), removed: removed.length === 0 ? NONE_ENDED : new EndedColumns() };
  // A single quad, as most commits are, needs no sets.
  const single = added.length + removed.length === 1;
  const addedOnce = single ? undefined : new QuadSet();
  for (let i = 0; i < added.length; i++) {
    const [s, p, o, g] = [added.s[i]!, added.p[i]!, added.o[i]!, added.g[i]!];
    if (addedOnce?.add(s, p, o, g) === false) continue;
    const interval = state.findInterval(s, p, o, g);
    if ((interval === MISS ? await findInterval(state, revision, s, p, o, g) : interval) === 0)
      net.added.push(s, p, o, g);
  }
  const removedOnce = single ? undefined : new QuadSet();
  for (let i = 0; i < removed.length; i++) {
    const [s, p, o, g] = [removed.s[i]!, removed.p[i]!, removed.o[i]!, removed.g[i]!];
    if (addedOnce?.has(s, p, o, g) || removedOnce?.add(s, p, o, g) === false) continue;
    const known = state.findInterval(s, p, o, g);
    const interval = known === MISS ? await findInterval(state, revision, s, p, o, g) : known;
    if (interval !== 0) net.removed.pushEnded(s, p, o, g, interval);
  }
  return { added: sortQuads(net.added), removed: sortQuads(net.removed) };
}

/** As {@link IndexVersion.findInterval}, fetching what it lacks. */
export async function findInterval(
  state: IndexVersion,
  revision: number,
  s: number,
  p: number,
  o: number,
  g: number,
): Promise<number> {
  const pattern = { s, p, o, g };
  const scan = state.scan(pattern, revision, accessPath(pattern), true);
  try {
    for (;;) {
      const rows = scan.next();
      if (rows !== MISS) return rows === 0 ? 0 : scan.batch.columns[4][scan.batch.start]!;
      await scan.fetch();
    }
  } finally {
    scan.close();
  }
}
