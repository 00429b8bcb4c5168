/** Going through a scan from outside its steps. */
import { MISS } from '../../keyspace/block-cache.js';
import type { Pacer } from '../../runtime/env.js';
import type { MergeScan, RowBatch } from './merge-scan.js';

/** The batches of a scan, fetching what it lacks and letting the event loop have its turns. */
export async function* batches(scan: MergeScan, pacer: Pacer): AsyncGenerator<RowBatch> {
  try {
    for (;;) {
      const rows = scan.next();
      if (rows === 0) return;
      if (rows === MISS) await scan.fetch();
      else yield scan.batch;
      if (pacer.due()) await pacer.pause();
    }
  } finally {
    scan.close();
  }
}

/** How many rows a scan has. */
export async function countRows(scan: MergeScan, pacer: Pacer): Promise<number> {
  let count = 0;
  for await (const { start, end } of batches(scan, pacer)) count += end - start;
  return count;
}
