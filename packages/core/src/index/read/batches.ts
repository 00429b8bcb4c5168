/** Iterates over a scan asynchronously. */
import { MISS } from '../../keyspace/block-cache.js';
import type { Pacer } from '../../runtime/env.js';
import type { MergeScan, RowBatch } from './merge-scan.js';

/** Yields the batches of a scan. Fetches missing blocks and pauses when due. */
export async function* batches(scan: MergeScan, pacer: Pacer): AsyncGenerator<RowBatch> {
  try {
    for (;;) {
      const rows = scan.next();
      if (rows === 0) return;
      if (rows === MISS) {
        await scan.fetch();
        pacer.check();
      } else yield scan.batch;
      if (pacer.due()) await pacer.pause();
    }
  } finally {
    scan.close();
  }
}

/** Counts the rows of a scan. */
export async function countRows(scan: MergeScan, pacer: Pacer): Promise<number> {
  let count = 0;
  for await (const { start, end } of batches(scan, pacer)) count += end - start;
  return count;
}
