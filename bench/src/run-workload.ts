/** Runs the parts of a workload in turn, several times, and sums up the results. */
import { compareAll, compareStorages, missingOurs } from './report/compare.js';
import type { Data } from './data.js';
import type { Line } from './report/report.js';
import { runPart } from './run-part.js';
import { checkAnswers, leaveOutDiffering, noteOutcome } from './series.js';
import type { Series } from './series.js';
import { spreadOf } from './report/statistics.js';
import { type Context, type Demand, type Need, type Part, type Storage, STORAGES, type Workload } from './workload.js';

export interface RunOptions extends Demand {
  readonly runs: number;
  readonly scratch: string;
  /** Names of the measured backends; empty for all. */
  readonly backends: readonly string[];
  /** Names of native stores that are measured besides. */
  readonly peers: readonly string[];
  /** Called with a description of each part that is left out. */
  readonly skipped: (what: string) => void;
  /** Called with errors of parts. The other parts continue. */
  readonly failed: (error: unknown) => void;
}

export async function runWorkload(workload: Workload, data: Data, options: RunOptions): Promise<Line[]> {
  const { backends, runs, scratch } = options;
  const parts = measured(workload, options);
  const paths = new Map<Measured, Context['paths']>();
  for (const each of parts) {
    const lacking = each.part.lacks?.();
    if (lacking !== undefined) {
      options.skipped(`${workload.name}, ${each.name}: not installed (${lacking})`);
      continue;
    }
    const { found, missing } = await pathsFor(each, data);
    if (missing.length === 0) paths.set(each, found);
    else options.skipped(`${workload.name}, ${each.name}: no data for ${missing.join(', ')} in ${data.source}`);
  }
  const series = new Map<string, Series>();
  // Runs all parts once, then all again, so that a disturbance of the machine affects all parts.
  for (let run = 0; run < runs; run++) {
    for (const each of parts) {
      const { name, backend, storage } = each;
      const found = paths.get(each);
      if (found === undefined || (each.part.once === true && run > 0)) continue;
      const outcome = await runPart(workload.name, name, found, storage, scratch, options).catch(options.failed);
      if (outcome === undefined) continue;
      noteOutcome(
        series,
        backend,
        outcome,
        each.part.peer === undefined ? checkAnswers : leaveOutDiffering(options.skipped),
      );
    }
  }
  if (parts.some((each) => each.backend === 'quadrille' && paths.has(each))) {
    for (const figure of missingOurs(workload, series)) {
      options.failed(new Error(`${workload.name} ${figure}: quadrille has no figure`));
    }
  }
  return [
    ...[...series.values()].map((one) => lineOf(workload, one)),
    ...compareAll(workload, series),
    ...compareStorages(workload, series, backends.filter(isStorage)),
  ];
}

/** A part, and the storage over which it is measured. */
interface Measured {
  readonly name: string;
  readonly part: Part;
  /** Name in the report. Quadrille has the name of its storage if storages were requested. */
  readonly backend: string;
  readonly storage: Storage;
}

const isStorage = (name: string): name is Storage => (STORAGES as readonly string[]).includes(name);

function measured({ parts }: Workload, { backends, peers }: RunOptions): Measured[] {
  const asked = backends.filter(isStorage);
  return Object.entries(parts).flatMap(([name, part]): Measured[] => {
    const { backend, storages = ['leveldb'], peer } = part;
    const own = { name, part, backend, storage: 'leveldb' as const };
    if (backend !== 'quadrille') {
      const isNamed = [...peers, ...backends].includes(backend);
      return isNamed || (peer === undefined && backends.length === 0) ? [own] : [];
    }
    if (asked.length === 0) return backends.length === 0 || backends.includes(backend) ? [own] : [];
    return asked
      .filter((storage) => storages.includes(storage))
      .map((storage) => ({ ...own, backend: storage, storage }));
  });
}

async function pathsFor(
  { part, storage }: Measured,
  data: Data,
): Promise<{ found: Context['paths']; missing: Need[] }> {
  const found: Partial<Record<Need, string>> = {};
  const missing: Need[] = [];
  for (const need of part.needs) {
    const path = await data.path(need, storage);
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
    ...(values[0]!.bound === undefined ? {} : { bound: values[0]!.bound }),
  };
}
