/** Checks the copies of the base that a long line has. */
import type { Order } from '../index/orders.js';
import { MergeScan } from '../index/read/merge-scan.js';
import { EVERYTHING, RunSource } from '../index/read/row-source.js';
import type { Timeline } from '../timeline/timeline.js';
import type { Pacer } from '../runtime/env.js';
import { batchesOf, presentRows } from '../maintenance/copy-base.js';
import { IntervalSums } from './interval-sums.js';

/** The checksums of the copies of a line in an order, and of what they are copies of; `undefined` if it has none. */
export async function sumsOfCopies(
  timeline: Timeline,
  order: Order,
  pacer: Pacer,
): Promise<{ readonly copies: string; readonly base: string } | undefined> {
  const runs = timeline.index.runs.filter(({ entry }) => entry.kind === 'base');
  if (runs.length === 0) return undefined;
  const sums = [new IntervalSums(), new IntervalSums()] as const;
  const sources = runs
    .filter(({ entry }) => entry.order === order)
    .map((run) => new RunSource(run, [], 0, { range: EVERYTHING, filters: [], revisions: true }));
  for (const [i, batches] of [batchesOf(new MergeScan(sources, [])), presentRows(timeline, order)].entries()) {
    for await (const { columns, start, end } of batches) {
      const [s, p, o, g] = order.places.map((place) => columns[place]!);
      for (let row = start; row < end; row++)
        sums[i]!.begun.add(s![row]!, p![row]!, o![row]!, g![row]!, columns[4][row]!, 0);
      if (pacer.due()) await pacer.pause();
    }
  }
  return { copies: `${sums[0].begun}`, base: `${sums[1].begun}` };
}
