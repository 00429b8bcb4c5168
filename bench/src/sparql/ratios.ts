/** How many times faster Quadrille runs a query than another engine: for texts never seen, and for a repeated one. */
import { geometricMean, spreadOf } from '../report/statistics.js';
import { figure, type Figure, type Figures } from '../workload.js';

export interface QueryCase {
  readonly name: string;
  /** Texts that no engine has seen: the first is repeated, the others are run once each. */
  readonly texts: readonly string[];
}

/** Runs a query and reads its answer. Returns milliseconds. */
export type TimedRun = (text: string) => Promise<number>;
export type TimedEngines = readonly [ours: TimedRun, theirs: TimedRun];

export const KINDS = ['new', 'repeated'] as const;
/** The time of the other engine divided by that of Quadrille. */
export type Ratios = Readonly<Record<(typeof KINDS)[number], number>>;

export interface RatioBudget {
  /** Time for repeated runs of one query by each engine, in milliseconds. */
  readonly repeatMs: number;
  /** Time for runs of texts that are new, by both engines. */
  readonly newMs: number;
}
export const SHORT_BUDGET: RatioBudget = { repeatMs: 60, newMs: 120 };
const MOST_REPEATS = 200;
/** A collection of garbage takes as long as all runs of a short query: it must not be the median. */
const LEAST_REPEATS = 15;
/** Number of new texts that are run at least. */
const LEAST_NEW = 6;
/** A query that takes longer is run once for each kind of ratio, in milliseconds. */
const LONG_MS = 2000;

/** The ratios of one query. */
export async function ratiosOf(
  texts: readonly string[],
  engines: TimedEngines,
  budget: RatioBudget = SHORT_BUDGET,
): Promise<Ratios> {
  return {
    new: await ratioOfNew(texts.slice(1), engines, budget.newMs),
    repeated: await ratioOfRepeated(texts[0]!, engines, budget.repeatMs),
  };
}

async function ratioOfNew(texts: readonly string[], engines: TimedEngines, newMs: number): Promise<number> {
  const times: number[][] = [[], []];
  const end = performance.now() + newMs;
  for (const text of texts) {
    for (const [i, run] of engines.entries()) times[i]!.push(await run(text));
    if (Math.max(...times.flat()) > LONG_MS || (times[0]!.length >= LEAST_NEW && performance.now() > end)) break;
  }
  return secondHalf(times[1]!) / secondHalf(times[0]!);
}

/** The median of the runs after the first half of them, which is the warm-up. */
const secondHalf = (times: readonly number[]): number => spreadOf(times.slice(times.length >> 1)).median;

async function ratioOfRepeated(text: string, engines: TimedEngines, repeatMs: number): Promise<number> {
  const medians: number[] = [];
  for (const run of engines) {
    const times: number[] = [];
    const end = performance.now() + repeatMs;
    do times.push(await run(text));
    while (isToRepeat(times, end));
    medians.push(secondHalf(times));
  }
  return medians[1]! / medians[0]!;
}

function isToRepeat(times: readonly number[], end: number): boolean {
  const now = performance.now();
  if (now < end) return times.length < MOST_REPEATS;
  return times.length < (now < end + LONG_MS ? LEAST_REPEATS : 3) && times[0]! < LONG_MS;
}

/** For each kind of ratio: the geometric mean, the least, and how many are below a value. */
export function summaryOf(set: string, all: readonly Ratios[], below: { name: string; value: number }): Figures {
  const figures: Record<string, Figure> = {};
  for (const kind of KINDS) {
    const ratios = all.map((each) => each[kind]);
    figures[`${set}: geometric mean, ${kind}`] = figure(geometricMean(ratios), 'x');
    figures[`${set}: least, ${kind}`] = figure(Math.min(...ratios), 'x');
    const fewer = ratios.filter((ratio) => ratio < below.value).length;
    figures[`${set}: ${below.name}, ${kind}`] = figure(fewer, `of ${ratios.length}`);
  }
  return figures;
}

/** Prints the ratios of a query. A set takes many minutes: what is known must not be lost when it is interrupted. */
export function printRatios(name: string, ratios: Ratios, note = ''): void {
  console.error(`${name}: new ${ratios.new.toFixed(2)}, repeated ${ratios.repeated.toFixed(2)}${note}`);
}
