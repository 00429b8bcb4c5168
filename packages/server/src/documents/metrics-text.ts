/** Metrics in the text format of Prometheus, version 0.0.4. */
import { DURATION_BOUNDS, Durations } from '../host/index.js';

type Labels = Readonly<Record<string, string | number>>;
export interface Sample {
  readonly labels?: Labels;
  readonly value: number;
  /** After the name, as `_bucket`. */
  readonly suffix?: string;
}

/** A metric: its name, its type, what it means, and its samples; `undefined` where the server has none of it. */
export type Metric<T> = readonly [
  name: string,
  type: 'counter' | 'gauge' | 'histogram',
  help: string,
  read: (figures: T) => number | readonly Sample[] | undefined,
];

/** The durations summed by labels. The status is no label of them, since it would multiply the series. */
export function durationsBy<T extends { readonly durations: Durations }>(
  counts: Iterable<T>,
  labels: (each: T) => Labels,
): Sample[] {
  const sums = new Map<string, { readonly labels: Labels; readonly durations: Durations }>();
  for (const each of counts) {
    const key = Object.values(labels(each)).join(' ');
    let sum = sums.get(key);
    if (sum === undefined) sums.set(key, (sum = { labels: labels(each), durations: new Durations() }));
    sum.durations.addAll(each.durations);
  }
  return [...sums.values()].flatMap(histogram);
}

function histogram({ labels, durations }: { readonly labels: Labels; readonly durations: Durations }): Sample[] {
  const { count, seconds, buckets } = durations;
  const bucket = (le: string | number, value: number): Sample => ({
    suffix: '_bucket',
    labels: { ...labels, le },
    value,
  });
  return [
    ...DURATION_BOUNDS.map((bound, i) => bucket(bound, buckets[i]!)),
    bucket('+Inf', count),
    { suffix: '_sum', labels, value: seconds },
    { suffix: '_count', labels, value: count },
  ];
}

/** How often each set of labels occurs. */
export function countsOf(all: readonly Labels[]): Sample[] {
  const counts = new Map<string, { readonly labels: Labels; value: number }>();
  for (const labels of all) {
    const key = Object.values(labels).join(' ');
    const count = counts.get(key) ?? { labels, value: 0 };
    count.value++;
    counts.set(key, count);
  }
  return [...counts.values()];
}

/** The text of a metric; empty where there is none. */
export function metricText<T>([name, type, help, read]: Metric<T>, figures: T): string {
  const given = read(figures);
  if (given === undefined) return '';
  const samples: readonly Sample[] = typeof given === 'number' ? [{ value: given }] : given;
  const lines = samples.map(({ suffix = '', labels = {}, value }) => {
    const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escapeLabel(String(text))}"`);
    return `${name}${suffix}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${String(value)}\n`;
  });
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`;
}

const escapeLabel = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"');
