/**
 * Converts the figures of all runs to lines of the report: medians, spread, and ratios to the first backend in the
 * same run.
 */
import type { Line } from '../report/report.js';
import type { Series } from '../series.js';
import { answersDiffer, seriesOf } from '../series.js';
import { spreadOf } from '../report/statistics.js';
import type { Spread } from '../report/statistics.js';
import { lessIsBetter, WORK_KINDS } from './work-kinds.js';

/** One line of a comparison: a figure of one store, compared with the first store. */
export interface Measurement extends Line {
  /** Number of measurements. */
  readonly runs: number;
  /**
   * How many times as good the first store is, run by run: faster, or smaller. Missing if the two cannot be compared.
   */
  readonly ratio?: number;
  /** The smallest ratio of one run. */
  readonly ratioMin?: number;
  /** The greatest ratio of one run. */
  readonly ratioMax?: number;
  /** Why it is not compared: its answer differs. */
  readonly problem?: string;
}

type AllSeries = ReadonlyMap<string, Series>;

/** Sorted by kinds of work. The stores of a workload are in the given order; the first is the baseline. */
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

/**
 * Ratios of values of the same run, or to the median if the baseline was measured less often. If a value was given up,
 * the ratio is a bound; if the baseline was, there is no ratio.
 */
function ratioTo(baseline: Series, { values }: Series): Spread | undefined {
  if (baseline.atLeast) return undefined;
  const { median } = spreadOf(baseline.values.map(({ value }) => value));
  const ratios = values.map(({ value, unit }, run) => {
    const base = baseline.values[run]?.value ?? median;
    return lessIsBetter(unit) ? value / base : base / value;
  });
  return spreadOf(ratios);
}

/** Compares the answer with that of the first store, which counts as correct. */
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
