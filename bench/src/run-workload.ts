/** Runs the parts of a workload in turn, several times, and sums them up. */
import type { Data } from './data.js';
import type { Line } from './report.js';
import { runPart } from './run-part.js';
import { spreadOf } from './statistics.js';
import type { Outcome } from './worker.js';
import type { Comparison, Context, Need, Part, Workload } from './workload.js';

export interface RunOptions {
  readonly runs: number;
  readonly scratch: string;
  /** Told what is left out, and why. */
  readonly skipped: (what: string) => void;
}

/** What one figure of one backend was, run by run. */
interface Series {
  readonly backend: string;
  readonly figure: string;
  readonly unit: string;
  readonly values: number[];
  readonly outcomes: Outcome[];
}

export async function runWorkload(workload: Workload, data: Data, options: RunOptions): Promise<Line[]> {
  const parts = Object.entries(workload.parts);
  const paths = new Map<string, Context['paths']>();
  for (const [name, part] of parts) {
    const { found, missing } = await pathsFor(part, data);
    if (missing.length === 0) paths.set(name, found);
    else options.skipped(`${workload.name}, ${name}: no data for ${missing.join(', ')}`);
  }
  const series = new Map<string, Series>();
  // All parts once, then all again: what disturbs the machine for a while disturbs all of them.
  for (let run = 0; run < options.runs; run++) {
    for (const [name, { backend }] of parts) {
      const found = paths.get(name);
      if (found === undefined) continue;
      note(series, backend, await runPart(workload.name, name, found, options.scratch));
    }
  }
  const comparisons = (workload.comparisons ?? []).flatMap((comparison) => compare(workload, series, comparison));
  return [...[...series.values()].map((one) => lineOf(workload, one)), ...comparisons];
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

const keyOf = (backend: string, figure: string): string => `${backend}\n${figure}`;

function note(all: Map<string, Series>, backend: string, outcome: Outcome): void {
  for (const [figure, { value, unit }] of Object.entries(outcome.figures)) {
    const key = keyOf(backend, figure);
    const series = all.get(key) ?? { backend, figure, unit, values: [], outcomes: [] };
    series.values.push(value);
    series.outcomes.push(outcome);
    all.set(key, series);
  }
}

function lineOf(workload: Workload, { backend, figure, unit, values, outcomes }: Series): Line {
  return {
    backend,
    workload: `${workload.name} ${figure}`,
    unit,
    ...spreadOf(values),
    cpuSeconds: spreadOf(outcomes.map((outcome) => outcome.cpuSeconds)).median,
    peakBytes: spreadOf(outcomes.map((outcome) => outcome.peakBytes)).median,
  };
}

// Run by run, so that both sides had the same machine.
function compare(
  workload: Workload,
  series: ReadonlyMap<string, Series>,
  { figure, backend, how }: Comparison,
): Line[] {
  const ours = series.get(keyOf('quadrille', figure));
  const theirs = series.get(keyOf(backend, figure));
  if (ours === undefined || theirs === undefined) return [];
  const values = ours.values.map((value, run) =>
    how === 'ratio' ? value / theirs.values[run]! : value - theirs.values[run]!,
  );
  const between = how === 'ratio' ? `quadrille/${backend}` : `quadrille-${backend}`;
  const unit = how === 'ratio' ? 'ratio' : ours.unit;
  return [
    {
      backend: between,
      workload: `${workload.name} ${figure}`,
      unit,
      ...spreadOf(values),
      cpuSeconds: 0,
      peakBytes: 0,
    },
  ];
}
