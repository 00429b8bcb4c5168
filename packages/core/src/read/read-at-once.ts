/** Reads of a snapshot that wait for nothing: what is in memory, and what the storage gives at once. */
import type * as RDF from '@rdfjs/types';
import { MISS } from '../keyspace/block-cache.js';
import type { Snapshot, TermPattern } from './snapshot.js';

/** The matching quads, at most `most`. `MISS` (-1) if data must be fetched first. */
export function quadsAtOnce(snapshot: Snapshot, pattern: TermPattern, most: number): RDF.Quad[] | typeof MISS {
  const ids = snapshot.tryIds(pattern);
  if (ids === MISS) return MISS;
  if (ids === undefined || most === 0) return [];
  const reader = snapshot.read(ids);
  try {
    let quads: RDF.Quad[] | undefined;
    for (;;) {
      const more = reader.tryNext(most - (quads?.length ?? 0));
      if (more === MISS) return MISS;
      if (more === undefined) return quads ?? [];
      if (quads === undefined) quads = more;
      else for (const quad of more) quads.push(quad);
      if (quads.length >= most) return quads;
    }
  } finally {
    reader.close();
  }
}

/** Whether a quad matches. `MISS` (-1) if data must be fetched first. */
export function hasAtOnce(snapshot: Snapshot, pattern: TermPattern): boolean | typeof MISS {
  const ids = snapshot.tryIds(pattern);
  return ids === undefined ? false : ids === MISS ? MISS : snapshot.tryHas(ids);
}
