/** Writes the history runs of a line again, without the intervals that no revision sees any more. */
import { MISS } from '../keyspace/block-cache.js';
import { RunOutput } from '../index/merge/merge-runs.js';
import { EVERYTHING, RunSource } from '../index/read/row-source.js';
import type { Run } from '../index/run/run.js';
import type { RunSession } from '../index/run/run-session.js';
import type { Timeline } from '../timeline/timeline.js';
import type { Pacer } from '../runtime/env.js';
import type { Stretches } from './trim-plan.js';

/** The runs that are replaced, and those in their place. */
export interface FilteredRuns {
  readonly drop: readonly Run[];
  readonly add: readonly Run[];
}

/** The caller holds the maintenance lock. */
export async function withoutUnseen(
  { index, keyspace }: Timeline,
  session: RunSession,
  stretches: Stretches,
  pacer: Pacer,
): Promise<FilteredRuns> {
  const drop = index.runs.filter(({ entry }) => entry.kind === 'history');
  const add: Run[] = [];
  for (const run of drop) {
    const output = new RunOutput(keyspace, session, run.entry.order, 'history');
    const source = new RunSource(run, [], 0, { range: EVERYTHING, filters: [], revisions: true });
    try {
      for (;;) {
        const rows = source.fill();
        if (rows === 0) break;
        if (rows === MISS) {
          const missing = source.missing();
          await missing.run.cache.fetch(missing.run.source, [missing.block]);
          continue;
        }
        for (let row = source.position; row < source.length; row++) {
          const to = source.columns[5][row]!;
          if (!stretches.sees(source.columns[4][row]!, to)) continue;
          output.push(source.columns, row, to);
          if (output.full) await output.flush();
        }
        source.position = source.length;
        if (pacer.due()) await pacer.pause();
      }
    } finally {
      source.close();
    }
    add.push(...(await output.finish()));
  }
  return { drop, add };
}
