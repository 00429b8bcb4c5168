/** Iterates over a scan asynchronously. */
import { MISS } from '../../keyspace/block-cache.js';
import type { Pacer } from '../../runtime/env.js';
import type { Run } from '../run/run.js';
import { MergeScan, type RowBatch } from './merge-scan.js';
import { EVERYTHING, RunSource } from './row-source.js';

/** Yields the batches of a scan. Fetches missing blocks, and pauses when due if there is a pacer: otherwise the reader does. */
export async function* batches(scan: MergeScan, pacer?: Pacer): AsyncGenerator<RowBatch> {
  try {
    for (;;) {
      const rows = scan.next();
      if (rows === 0) return;
      if (rows === MISS) {
        await scan.fetch();
        pacer?.check();
      } else yield scan.batch;
      if (pacer?.due()) await pacer.pause();
    }
  } finally {
    scan.close();
  }
}

/** All rows of a run, with the revisions of their intervals. */
export const wholeRun = (run: Run): RunSource =>
  new RunSource(run, [], 0, { range: EVERYTHING, filters: [], revisions: true });

/** All rows of runs of one order, merged. */
export const wholeRuns = (runs: readonly Run[]): MergeScan => new MergeScan(runs.map(wholeRun), []);

/** Counts the rows of a scan. */
export async function countRows(scan: MergeScan, pacer: Pacer): Promise<number> {
  let count = 0;
  for await (const { start, end } of batches(scan, pacer)) count += end - start;
  return count;
}
