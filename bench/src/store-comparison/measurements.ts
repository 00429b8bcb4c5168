/** Figures of all runs as lines of the report: medians, spread, and how each compares to the first backend in the same run. */
import type { Line } from '../report.js';
import type { Series } from '../series.js';
import { answersDiffer, seriesOf } from '../series.js';
import { spreadOf } from '../statistics.js';
import type { Spread } from '../statistics.js';
import { lessIsBetter, WORK_KINDS } from './work-kinds.js';

export interface Measurement extends Line {
  /** How often it was measured. */
  readonly runs: number;
  /** How many times as good as the baseline's, run by run; not there where the two cannot be compared. */
  readonly ratio?: number;
  readonly ratioMin?: number;
  readonly ratioMax?: number;
  /** Why it is not compared: it answered something else. */
  readonly problem?: string;
}

type AllSeries = ReadonlyMap<string, Series>;

/** In the order of the kinds of work; the stores of a workload in the order given, the first of which is the baseline. */
export function measurementsOf(all: AllSeries, stores: readonly string[]): Measurement[] {
  const workloads = [...new Set([...all.values()].map(({ figure }) => figure))];
  const kindOf = (workload: string): number => WORK_KINDS.findIndex(({ includes }) => includes(workload));
  const sorted = workloads.map((workload) => ({ workload, kind: kindOf(workload) })).sort((a, b) => a.kind - b.kind);
  return sorted.flatMap(({ workload }) =>
    stores.flatMap((store) => {
      const series = seriesOf(all, store, workload);
      return series === undefined ? [] : [measurementOf(all, stores, series)];
    }),
  );
}

function measurementOf(all: AllSeries, stores: readonly string[], series: Series): Measurement {
  const { backend, figure, values, meters, atLeast } = series;
  const problem = problemOf(all, stores, series);
  const baseline = seriesOf(all, stores[0]!, figure);
  const ratio = problem === undefined && baseline !== undefined ? ratioTo(baseline, series) : undefined;
  return {
    backend,
    workload: figure,
    unit: values[0]!.unit,
    ...spreadOf(values.map(({ value }) => value)),
    cpuSeconds: spreadOf(meters.map((meter) => meter.cpuSeconds)).median,
    peakBytes: spreadOf(meters.map((meter) => meter.peakBytes)).median,
    runs: values.length,
    ...(atLeast ? { atLeast } : {}),
    ...(ratio === undefined ? {} : { ratio: ratio.median, ratioMin: ratio.min, ratioMax: ratio.max }),
    ...(problem === undefined ? {} : { problem }),
  };
}

/** Both of the same run. What was given up bounds the ratio of the one that was, and tells nothing where the baseline was. */
function ratioTo(baseline: Series, { values }: Series): Spread | undefined {
  if (baseline.atLeast) return undefined;
  const ratios = values.map(({ value, unit }, run) => {
    const base = (baseline.values[run] ?? baseline.values[0]!).value;
    return lessIsBetter(unit) ? base / value : value / base;
  });
  return spreadOf(ratios);
}

/** The first store that answered says what is right. */
function problemOf(all: AllSeries, stores: readonly string[], series: Series): string | undefined {
  for (const store of stores) {
    if (store === series.backend) return undefined;
    const reference = seriesOf(all, store, series.figure)?.values[0]?.answers;
    const found = series.values[0]?.answers;
    if (reference === undefined || found === undefined) continue;
    const difference = answersDiffer(reference, found);
    return difference === undefined ? undefined : `answered ${difference.found}, ${store} ${difference.expected}`;
  }
  return undefined;
}
