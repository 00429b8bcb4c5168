/** The lines that a comparison shows while it measures. */
import type { Measurement } from '../measurements.js';
import { clock, inWords } from '../estimate.js';
import type { Schedule, Step } from '../schedule.js';
import { ratioText, ratioTitle, valueText } from './cells.js';

interface Announced {
  readonly stores: readonly unknown[];
  readonly limitMs?: number;
}

/** How long it will take. */
export function announcement(schedule: Schedule, { stores, limitMs }: Announced): string {
  const { least, most } = schedule.total();
  const { runs, steps } = schedule;
  const [from, to] = [inWords(least), inWords(most)];
  // `35 to 40 seconds`, but `80 seconds to 2 minutes`.
  const short = from.split(' ')[1] === to.split(' ')[1] ? from.split(' ')[0]! : from;
  const range = from === to ? from : `${short} to ${to}`;
  const often = runs.least === runs.most ? plural(runs.most, 'run') : `${runs.least} to ${runs.most} runs`;
  const limit =
    limitMs === undefined || limitMs >= least
      ? ''
      : ` --minutes ends it after ${inWords(limitMs)}, with what it has by then.`;
  return `This takes about ${range}: ${plural(stores.length, 'store')}, ${plural(steps.length, 'measurement')}, ${often} of each. Ctrl+C ends it with a report.${limit}`;
}

export const heading = (baseline: string): string => `In brackets: ${ratioTitle(baseline)}.`;

/** A figure of the first run. */
export function figureLine(measurement: Measurement, baseline: string): string {
  const { backend, workload, problem } = measurement;
  const ratio = backend === baseline ? '' : ratioText(measurement);
  const compared = problem !== undefined ? ` (${problem})` : ratio === '' ? '' : ` (${ratio})`;
  return `${backend}, ${workload}: ${valueText(measurement)}${compared}`;
}

/** A later run of a phase. The figures are in the report. */
export function repeatedLine({ store, phase }: Step, run: number, error: number, elapsed: number): string {
  return `${store.name}, ${phase}: run ${run + 1}, error ${(error * 100).toFixed(1)} % (${clock(elapsed)})`;
}

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
