/** Runs the parts of a workload in turn, several times, and sums them up. */
import { compareAll, missingOurs } from './compare.js';
import type { Data } from './data.js';
import type { Line } from './report.js';
import { runPart } from './run-part.js';
import { noteOutcome } from './series.js';
import type { Series } from './series.js';
import { spreadOf } from './statistics.js';
import type { Context, Demand, Need, Part, Workload } from './workload.js';

export interface RunOptions extends Demand {
  readonly runs: number;
  readonly scratch: string;
  /** Who is measured; empty for all. */
  readonly backends: readonly string[];
  /** Told what is left out, and why. */
  readonly skipped: (what: string) => void;
  /** Told what did not end well; the others go on. */
  readonly failed: (error: unknown) => void;
}

export async function runWorkload(workload: Workload, data: Data, options: RunOptions): Promise<Line[]> {
  const { backends, runs, scratch } = options;
  const parts = Object.entries(workload.parts).filter(
    ([, { backend }]) => backends.length === 0 || backends.includes(backend),
  );
  const paths = new Map<string, Context['paths']>();
  for (const [name, part] of parts) {
    const { found, missing } = await pathsFor(part, data);
    if (missing.length === 0) paths.set(name, found);
    else options.skipped(`${workload.name}, ${name}: no data for ${missing.join(', ')}`);
  }
  const series = new Map<string, Series>();
  // All parts once, then all again: what disturbs the machine for a while disturbs all of them.
  for (let run = 0; run < runs; run++) {
    for (const [name, { backend, once }] of parts) {
      const found = paths.get(name);
      if (found === undefined || (once === true && run > 0)) continue;
      const outcome = await runPart(workload.name, name, found, scratch, options).catch(options.failed);
      if (outcome !== undefined) noteOutcome(series, backend, outcome);
    }
  }
  if (parts.some(([name, { backend }]) => backend === 'quadrille' && paths.has(name))) {
    for (const figure of missingOurs(workload, series)) {
      options.failed(new Error(`${workload.name} ${figure}: quadrille has no figure`));
    }
  }
  return [...[...series.values()].map((one) => lineOf(workload, one)), ...compareAll(workload, series)];
}

async function pathsFor(part: Part, data: Data): Promise<{ found: Context['paths']; missing: Need[] }> {
  const found: Partial<Record<Need, string>> = {};
  const missing: Need[] = [];
  for (const need of part.needs) {
    const path = await data.path(need);
    if (path === undefined) missing.push(need);
    else found[need] = path;
  }
  return { found, missing };
}

function lineOf(workload: Workload, { backend, figure, values, meters, atLeast }: Series): Line {
  return {
    backend,
    workload: `${workload.name} ${figure}`,
    unit: values[0]!.unit,
    ...spreadOf(values.map(({ value }) => value)),
    cpuSeconds: spreadOf(meters.map((meter) => meter.cpuSeconds)).median,
    peakBytes: spreadOf(meters.map((meter) => meter.peakBytes)).median,
    ...(atLeast ? { atLeast } : {}),
  };
}
