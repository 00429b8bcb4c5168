/** Formats figures for the reports. */
import { readable } from '../../report/report.js';
import type { ComparisonReport, MeasuredStore } from '../comparison-report.js';
import type { Measurement } from '../measurements.js';
import { inWords } from '../estimate.js';
import { times } from '../verdict.js';

export const valueText = ({ median, atLeast, unit }: Measurement): string =>
  `${atLeast === true ? '> ' : ''}${compact(median)} ${unit}`;

export const spreadText = ({ min, max }: Measurement): string => `${compact(min)} – ${compact(max)}`;

/** A short form for narrow places: 44.9k, 1.09M. */
export function shortValue({ median, atLeast }: Measurement): string {
  const [divided, sign] = median >= 1e6 ? [median / 1e6, 'M'] : median >= 1e4 ? [median / 1e3, 'k'] : [median, ''];
  return `${atLeast === true ? '> ' : ''}${compact(divided)}${sign}`;
}

/** A number with three significant digits. */
function compact(value: number): string {
  return Math.abs(value) >= 100
    ? Math.round(value).toLocaleString('en-US')
    : readable(Number(value.toPrecision(3)))
        .replace(/(\.\d*?)0+$/, '$1')
        .replace(/\.$/, '');
}

/** What the ratios of all tables mean. They read one way: above 1, Quadrille is better. */
export const ratioTitle = (baseline: string): string =>
  `how many times faster (or smaller) Quadrille with ${baseline} is; below 1× the other is better`;

/** The ratio; empty if there is none. If the value was given up, Quadrille is better still. */
export function ratioText({ ratio, atLeast }: Measurement): string {
  if (ratio === undefined) return '';
  return `${atLeast === true ? '> ' : ''}${times(ratio)}`;
}

/** Why the report is not whole. */
export function endedNote({ ended, seconds }: ComparisonReport): string | undefined {
  if (ended === undefined) return undefined;
  const why = ended === 'interrupted' ? 'It was interrupted' : 'Its time was up';
  return `${why} after ${inWords(seconds * 1000)}: measurements are missing, or were made less often than the others.`;
}

const often = ({ least, most }: ComparisonReport['runs']): string =>
  least === most ? String(least) : `${least} to ${most}`;

export function megabytes(bytes: number): string {
  return bytes >= 1e9 ? `${(bytes / 1e9).toFixed(1)} GB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

export const count = (value: number): string => value.toLocaleString('en-US');

export const workloadsOf = (measurements: readonly Measurement[]): string[] => [
  ...new Set(measurements.map(({ workload }) => workload)),
];

/** Facts about the run, with their names. */
export function factsOf({ data, machine, runs, seconds, time, quadrille }: ComparisonReport): [string, string][] {
  const { source, quads, subjects, predicates, namedGraphs, bytes } = data;
  return [
    [
      'Data',
      `${source}: ${count(quads)} quads, ${count(subjects)} subjects, ${count(predicates)} predicates, ${count(namedGraphs)} named graphs, ${megabytes(bytes)} as N-Quads`,
    ],
    [
      'Machine',
      `${machine.processor}, ${machine.cores} cores, ${megabytes(machine.memoryBytes)} memory, ${machine.system}, Node.js ${machine.node}`,
    ],
    [
      'Load of the machine',
      `${machine.load[0].toFixed(1)} before, ${machine.load[1].toFixed(1)} after; more than about 1.5 means that other programs were running`,
    ],
    [
      'Runs',
      `${often(runs)} of each measurement, in ${Math.round(seconds / 6) / 10} minutes; ${time.slice(0, 16).replace('T', ' ')} UTC; Quadrille ${quadrille}`,
    ],
  ];
}

/** The description of a store. */
export function storeText({ title, versions, read, note }: MeasuredStore): string {
  const named = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  const reading = read === undefined ? undefined : `Scans and lookups: ${read}`;
  return [title, named.join(', '), reading, note?.replace(/\.$/, '')].filter(Boolean).join('. ');
}

export const METHOD = [
  'Every measurement is a process of its own. All stores are measured once, then all again, so that disturbances of the machine affect all of them.',
  'A figure is the median of the runs, with the least and the greatest of them. A ratio is taken run by run; 2× means that Quadrille is twice as good, whether more or less is better.',
  'A measurement is repeated until the standard errors of its figures are small, or its runs or its share of the time are used up.',
  'All stores load the same file, look up the same subjects and are asked the same queries. The first pass over an answer counts its rows and sums up a hash of their values. A store whose answer differs from that of the first store is not compared: its figure has no ratio and a reason.',
  'A verdict names differences of at least 10 % that appeared in every run.',
  'Quadrille keeps a revision for every commit; the others overwrite.',
] as const;

/** A note for runs during which other programs used the machine. Their figures mean little. */
export function busyNote({ machine: { load, cores } }: ComparisonReport): string | undefined {
  if (Math.max(...load) <= cores) return undefined;
  return 'The machine was busy with other work: measure again when it is idle, before you decide.';
}

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
