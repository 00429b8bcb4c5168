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
type ByKind = Readonly<Record<(typeof KINDS)[number], number>>;
/** The time of the other engine divided by that of Quadrille. */
export interface Ratios extends ByKind {
  /** Quadrille's own times, in milliseconds. */
  readonly ms: ByKind;
}

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

/** Other names of variables make a text that no engine has parsed or planned: a comment alone would not. */
export const withOtherNames = (text: string, i: number): string => text.replace(/[?$]([A-Za-z]\w*)/g, `?$1_${i}`);

/** The ratios of one query. */
export async function ratiosOf(
  texts: readonly string[],
  engines: TimedEngines,
  budget: RatioBudget = SHORT_BUDGET,
): Promise<Ratios> {
  const fresh = await timesOfNew(texts.slice(1), engines, budget.newMs);
  const again = await timesOfRepeated(texts[0]!, engines, budget.repeatMs);
  return {
    new: fresh[1] / fresh[0],
    repeated: again[1] / again[0],
    ms: { new: fresh[0], repeated: again[0] },
  };
}

/** Milliseconds of both engines. */
type Times = readonly [ours: number, theirs: number];

async function timesOfNew(texts: readonly string[], engines: TimedEngines, newMs: number): Promise<Times> {
  const times: number[][] = [[], []];
  const end = performance.now() + newMs;
  for (const text of texts) {
    for (const [i, run] of engines.entries()) times[i]!.push(await run(text));
    if (Math.max(...times.flat()) > LONG_MS || (times[0]!.length >= LEAST_NEW && performance.now() > end)) break;
  }
  return [secondHalf(times[0]!), secondHalf(times[1]!)];
}

/** The median of the runs after the first half of them, which is the warm-up. */
const secondHalf = (times: readonly number[]): number => spreadOf(times.slice(times.length >> 1)).median;

async function timesOfRepeated(text: string, engines: TimedEngines, repeatMs: number): Promise<Times> {
  const medians: number[] = [];
  for (const run of engines) {
    const times: number[] = [];
    const end = performance.now() + repeatMs;
    do times.push(await run(text));
    while (isToRepeat(times, end));
    medians.push(secondHalf(times));
  }
  return [medians[0]!, medians[1]!];
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

/**
 * The figures of one query, which it also prints: a set takes many minutes, and what is known must not be lost when it is interrupted.
 * @param note why the ratios are only lower bounds, if they are
 */
export function figuresOf(query: string, ratios: Ratios, note?: string): Figures {
  const { ms } = ratios;
  const shown = KINDS.map((kind) => `${kind} ${ratios[kind].toFixed(2)} (${ms[kind].toPrecision(3)} ms)`);
  console.error([`${query}: ${shown.join(', ')}`, ...(note === undefined ? [] : [note])].join(', '));
  const figures: Record<string, Figure> = {};
  for (const kind of KINDS) {
    figures[`${query}, ${kind}`] = { ...figure(ratios[kind], 'x'), ...(note === undefined ? {} : { atLeast: true }) };
  }
  const slowest = Math.max(ms.new, ms.repeated);
  if (slowest > LONG_MS) figures[`${query}, over ${LONG_MS / 1000} s`] = figure(slowest, 'ms');
  return figures;
}

/** The figure of a query without ratios, and the reason in a line. */
export function figureWithout(query: string, type: 'failed' | 'differs', why: string, text: string): Figures {
  console.error(`${query}: ${why}: ${text}`);
  return { [`${query}, ${type === 'failed' ? 'failed' : 'answer differs'}`]: figure(1, 'query') };
}
