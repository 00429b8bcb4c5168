/**
 * Keeps the runs that one change writes aside few: `tierRuns` chunks of one size are merged to one of the next size. So their number, and
 * the cost of a look at all of them, grow with the logarithm of the change.
 */
import { RunOutput, mergeAlike } from './merge-runs.js';
import { ORDERS, SPOG } from '../orders.js';
import type { PayloadRun, Run, RunKind } from '../run/run.js';
import { deleteStrays } from '../run/run-session.js';
import type { RunSession } from '../run/run-session.js';
import { MOST_ROWS } from '../run/run-writer.js';
import type { WrittenOrders } from '../run/write-orders.js';
import type { Pacer } from '../../runtime/env.js';

/** The runs of one chunk, or of chunks that were merged. */
export interface Tier extends WrittenOrders {
  /** How often its rows were merged. */
  readonly level: number;
}

/** What a merge needs. */
export interface TierJob {
  readonly session: RunSession;
  readonly pacer: Pacer;
}

/** The tiers with one more chunk; the oldest come first, and no tier has a lower level than a later one. */
export async function withChunk(
  job: TierJob,
  tiers: readonly Tier[],
  chunk: WrittenOrders,
  kind: RunKind,
): Promise<readonly Tier[]> {
  let all: readonly Tier[] = [...tiers, { ...chunk, level: 0 }];
  for (;;) {
    const due = dueTiers(all, job.session.keyspace.tuning.tierRuns);
    if (due.length === 0) return all;
    all = [...all.slice(0, -due.length), await merged(job, due, kind)];
  }
}

function dueTiers(tiers: readonly Tier[], tierRuns: number): readonly Tier[] {
  const due = tiers.slice(-tierRuns);
  const isDue = due.length >= Math.max(2, tierRuns) && due.every(({ level }) => level === due[0]!.level);
  return isDue && due.reduce((sum, { payload }) => sum + payload.rows, 0) <= MOST_ROWS ? due : [];
}

// Nobody but this change reads the runs that are merged. So they are deleted at once, and not with the change.
async function merged({ session, pacer }: TierJob, tiers: readonly Tier[], kind: RunKind): Promise<Tier> {
  const replaced = tiers.flatMap((tier) => tier.runs);
  const runs: Run[] = [];
  let payload: PayloadRun | undefined;
  for (const order of ORDERS) {
    const own = replaced.filter(({ entry }) => entry.order === order);
    if (own.length === 0) continue;
    const output = new RunOutput(session, order, kind);
    await mergeAlike(output, own, pacer);
    const { run, digest } = (await output.end(own[0]!.entry.logOwned))!;
    runs.push(run);
    if (order === SPOG) payload = { run: run.entry.id, rows: run.entry.rows, digest };
  }
  await deleteStrays(
    session.keyspace,
    replaced.map(({ entry }) => entry.id),
  );
  return { runs, payload: payload!, level: tiers[0]!.level + 1 };
}
