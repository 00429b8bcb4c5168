/** Finds the interval of one quad, and fetches missing blocks. */
import { MISS } from '../../keyspace/block-cache.js';
import type { IndexVersion } from '../index-version.js';
import { accessPath } from '../orders.js';

/** An index version and the revision at which it is read. */
export interface IndexAt {
  readonly index: IndexVersion;
  readonly number: number;
}

/** Like {@link IndexVersion.findInterval}, but at a given revision, and fetches missing blocks. */
export async function findInterval(
  { index, number }: IndexAt,
  s: number,
  p: number,
  o: number,
  g: number,
): Promise<number> {
  const pattern = { s, p, o, g };
  const scan = index.scan(pattern, number, accessPath(pattern), true);
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
