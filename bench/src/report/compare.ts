/**
 * Compares the figures of `quadrille` with those of other backends, run by run, so that both had the same conditions.
 */
import type { Line } from './report.js';
import { seriesOf } from '../series.js';
import type { Series } from '../series.js';
import { geometricMean, spreadOf } from './statistics.js';
import type { Comparison, MeanComparison, Workload } from '../workload.js';

type AllSeries = ReadonlyMap<string, Series>;

export function compareAll({ name, comparisons = [], means = [] }: Workload, series: AllSeries): Line[] {
  return [
    ...comparisons.flatMap((comparison) => compare(name, series, comparison)),
    ...means.flatMap((mean) => meanOf(name, series, mean)),
  ];
}

/** The figures of our other storage backends, divided by those of the first one. */
export function compareStorages({ name }: Workload, series: AllSeries, storages: readonly string[]): Line[] {
  const [first, ...others] = storages;
  return [...series.values()].flatMap(({ backend, figure, values }) => {
    const base = first === undefined ? undefined : seriesOf(series, first, figure);
    if (base === undefined || !others.includes(backend)) return [];
    const ratios = values.map(({ value }, run) => value / valueOf(base, run));
    return [lineOf(`${backend}/${base.backend}`, `${name} ${figure}`, ratios)];
  });
}

/** Figures to be compared that another backend has and `quadrille` lacks. */
export function missingOurs({ comparisons = [] }: Workload, series: AllSeries): string[] {
  const lacking = comparisons.filter(
    ({ figure, backend, beside = figure }) =>
      seriesOf(series, 'quadrille', figure) === undefined && seriesOf(series, backend, beside) !== undefined,
  );
  return [...new Set(lacking.map(({ figure }) => figure))];
}

const HOW: Record<Comparison['how'], { between: string; of: (ours: number, theirs: number) => number }> = {
  ratio: { between: 'quadrille/*', of: (ours, theirs) => ours / theirs },
  inverse: { between: '*/quadrille', of: (ours, theirs) => theirs / ours },
  difference: { between: 'quadrille-*', of: (ours, theirs) => ours - theirs },
};

function compare(workload: string, series: AllSeries, { figure, backend, how, beside }: Comparison): Line[] {
  const ours = seriesOf(series, 'quadrille', figure);
  const theirs = seriesOf(series, backend, beside ?? figure);
  if (ours === undefined || theirs === undefined) return [];
  const { between, of } = HOW[how];
  const values = ours.values.map(({ value }, run) => of(value, valueOf(theirs, run)));
  const name = beside === undefined ? figure : `${figure} beside ${beside}`;
  const line = lineOf(between.replace('*', backend), `${workload} ${name}`, values);
  // A figure that was given up is a lower bound. It bounds the ratio only if it is the dividend.
  const atLeast = how === 'inverse' && theirs.atLeast && !ours.atLeast;
  return [{ ...line, unit: how === 'difference' ? ours.values[0]!.unit : 'ratio', ...(atLeast ? { atLeast } : {}) }];
}

function meanOf(workload: string, series: AllSeries, { name, figures, backend }: MeanComparison): Line[] {
  const lines = figures.flatMap((figure) => {
    const ours = seriesOf(series, 'quadrille', figure);
    const theirs = seriesOf(series, backend, figure);
    return ours === undefined || theirs === undefined ? [] : [{ ours, theirs }];
  });
  if (lines.length === 0) return [];
  const values = lines[0]!.ours.values.map((_, run) =>
    geometricMean(lines.map(({ ours, theirs }) => valueOf(theirs, run) / valueOf(ours, run))),
  );
  const atLeast = lines.some(({ theirs }) => theirs.atLeast);
  // Leaves out queries that only one backend answered. The name says how many are included.
  const named = lines.length === figures.length ? name : `${name} (${lines.length} of ${figures.length})`;
  return [{ ...lineOf(`${backend}/quadrille`, `${workload} ${named}`, values), ...(atLeast ? { atLeast } : {}) }];
}

/** The value of a run. A part that is measured once is compared with each run. */
const valueOf = ({ values }: Series, run: number): number => (values[run] ?? values[0]!).value;

function lineOf(backend: string, workload: string, values: readonly number[]): Line {
  return { backend, workload, unit: 'ratio', ...spreadOf(values), cpuSeconds: 0, peakBytes: 0 };
}
