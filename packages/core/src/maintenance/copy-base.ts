/**
 * Gives a long line copies of the quads of its base where it begins. Readers of the line then read neither the base nor the lines
 * below that. The base is still read for its own revisions. Rebuilding the line drops the copies.
 */
import { FOREVER } from '../format/layout.js';
import { RunOutput } from '../index/merge/merge-runs.js';
import type { IndexVersion } from '../index/index-version.js';
import type { Order } from '../index/orders.js';
import { ANY, ORDERS } from '../index/orders.js';
import { batches } from '../index/read/batches.js';
import type { RowBatch } from '../index/read/merge-scan.js';
import type { Run } from '../index/run/run.js';
import type { RunSession } from '../index/run/run-session.js';
import { writeAndSwitch } from './switch-runs.js';
import type { Timeline } from '../timeline/timeline.js';
import type { Pacer } from '../runtime/env.js';

/** Lines whose base has no quads, although its runs have rows. */
const nothingBelow = new WeakSet<Timeline>();

/** Whether a line should get copies, and has none. */
export const isCopyDue = (timeline: Timeline): boolean => timeline.index.isLong && !nothingBelow.has(timeline);

/** Writes the copies and switches to them. */
export async function copyBase(timeline: Timeline, pacer: Pacer): Promise<void> {
  const { index, base } = timeline;
  if (base === undefined) return;
  index.retain();
  try {
    await writeAndSwitch(timeline, async (session) => {
      const add: Run[] = [];
      for (const order of ORDERS) add.push(...(await copyOf(timeline, session, order, pacer)));
      if (add.length === 0) nothingBelow.add(timeline);
      return { add, drop: [] };
    });
  } finally {
    index.release();
  }
}

async function copyOf(timeline: Timeline, session: RunSession, order: Order, pacer: Pacer): Promise<Run[]> {
  const output = new RunOutput(session, order, 'base');
  for await (const { columns, start, end } of presentRows(timeline, order)) {
    for (let row = start; row < end; row++) {
      output.push(columns, row, FOREVER);
      if (output.full) await output.flush();
    }
    if (pacer.due()) await pacer.pause();
  }
  return output.finish();
}

/** The quads of the base where a line begins, in an order, with the `from` of each. */
export function presentRows({ base, index }: Timeline, order: Order): AsyncGenerator<RowBatch> {
  const below = (index as IndexVersion & { readonly base: IndexVersion }).base;
  return batches(below.scan(ANY, base!.fork, { order, prefix: 0, residual: [] }, true));
}
