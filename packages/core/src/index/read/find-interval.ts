/** The interval of one quad, reading what is not in memory. */
import { MISS } from '../../keyspace/block-cache.js';
import type { IndexVersion } from '../index-version.js';
import { accessPath } from '../orders.js';

/** An index version, and the revision at which it is read. */
export interface IndexAt {
  readonly index: IndexVersion;
  readonly number: number;
}

/** As {@link IndexVersion.findInterval}, at a revision, fetching what it lacks. */
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
