/** Sums up the figures of each store in a sentence or two. */
import { geometricMean } from '../report/statistics.js';
import type { Spread } from '../report/statistics.js';
import type { Measurement } from './measurements.js';
import type { MeasuredStore } from './comparison-report.js';
import { WORK_KINDS } from './work-kinds.js';

/** Smallest ratio that counts as a difference. */
const CLEAR = 1.1;
const NAMED = 4;

export interface Verdict {
  readonly store: string;
  /** One sentence about the work for which it is best. */
  readonly summary: string;
  /** Kinds of work at which it is clearly better or worse than the compared stores, the greatest difference first. */
  readonly ahead: readonly Difference[];
  readonly behind: readonly Difference[];
}

export interface Difference {
  readonly kind: string;
  /** How many times as good the better of the two is. */
  readonly factor: number;
  readonly than: string;
}

/** By kind of work: how many times as good as the baseline, as the geometric mean of its figures. */
export type Scores = ReadonlyMap<string, Spread>;

export function scoresOf(store: string, measurements: readonly Measurement[]): Scores {
  const scores = new Map<string, Spread>();
  for (const { name, includes } of WORK_KINDS) {
    const found = measurements.filter(
      ({ backend, workload, ratio }) => backend === store && ratio !== undefined && includes(workload),
    );
    if (found.length === 0) continue;
    // A ratio of the report says how much better the first store is.
    const mean = (value: (one: Measurement) => number): number => 1 / geometricMean(found.map(value));
    scores.set(name, {
      median: mean(({ ratio }) => ratio!),
      min: mean(({ ratio, ratioMax }) => ratioMax ?? ratio!),
      max: mean(({ ratio, ratioMin }) => ratioMin ?? ratio!),
    });
  }
  return scores;
}

export function verdictsOf(stores: readonly MeasuredStore[], measurements: readonly Measurement[]): Verdict[] {
  const scores = allScores(stores, measurements);
  const measured = stores.filter(({ name }) => scores.has(name));
  return measured.map((store) => {
    const rivals = rivalsOf(store, measured);
    const { ahead, behind } = differences(store.name, rivals, scores);
    return { store: store.name, summary: summaryOf(store, rivals, ahead), ahead, behind };
  });
}

/** The scores of the stores that have any. */
function allScores(stores: readonly MeasuredStore[], measurements: readonly Measurement[]): Map<string, Scores> {
  const all = stores.map(({ name }) => [name, scoresOf(name, measurements)] as const);
  return new Map(all.filter(([, scores]) => scores.size > 0));
}

const isLasting = ({ role, persistent }: MeasuredStore): boolean => role === 'backend' && persistent;

/** The stores with which a store is compared: persistent backends with each other, all others with the first store. */
function rivalsOf(store: MeasuredStore, stores: readonly MeasuredStore[]): string[] {
  const rivals = isLasting(store) ? stores.filter(isLasting) : stores.slice(0, 1);
  return rivals.map(({ name }) => name).filter((name) => name !== store.name);
}

/** Recommends a backend, with the reason. Considers the kinds of work at which all backends were measured. */
export function overallVerdict(stores: readonly MeasuredStore[], measurements: readonly Measurement[]): string {
  const scores = allScores(stores.filter(isLasting), measurements);
  const [first, ...others] = [...scores];
  if (first === undefined) return 'No backend that keeps its data was measured.';
  if (others.length === 0) {
    return `${first[0]} is the only backend measured here that keeps its data: there was no choice to make between backends.`;
  }
  const kinds = [...first[1].keys()].filter((kind) => others.every(([, each]) => each.has(kind)));
  if (kinds.length === 0) return 'The backends have no kind of work in common that they could be compared by.';
  const overall = [...scores].map(([name, each]) => ({
    name,
    mean: geometricMean(kinds.map((kind) => each.get(kind)!.median)),
  }));
  const [best, second] = overall.sort((one, other) => other.mean - one.mean);
  const lead = best!.mean / second!.mean;
  if (lead < CLEAR) {
    return `Over all kinds of work ${best!.name} and ${second!.name} are even: choose by the kind of work that you have most of.`;
  }
  return `Begin with ${best!.name}: over all kinds of work together it is ${times(lead)} as good as ${second!.name} (geometric mean). Where one kind of work matters most, choose by that.`;
}

function differences(
  name: string,
  rivals: readonly string[],
  scores: ReadonlyMap<string, Scores>,
): Pick<Verdict, 'ahead' | 'behind'> {
  const ahead: Difference[] = [];
  const behind: Difference[] = [];
  for (const [kind, score] of scores.get(name)!) {
    const best = rivals
      .flatMap((than) => ({ than, score: scores.get(than)?.get(kind) }))
      .filter((one): one is { than: string; score: Spread } => one.score !== undefined)
      .sort((one, other) => other.score.median - one.score.median)[0];
    if (best === undefined) continue;
    const { than } = best;
    if (isClear(score, best.score)) ahead.push({ kind, factor: score.median / best.score.median, than });
    if (isClear(best.score, score)) behind.push({ kind, factor: best.score.median / score.median, than });
  }
  const greatest = (one: Difference, other: Difference): number => other.factor - one.factor;
  return { ahead: ahead.sort(greatest), behind: behind.sort(greatest) };
}

/**
 * Whether a difference is large enough and appeared in every run, so that disturbances of the machine do not explain
 * it.
 */
const isClear = (better: Spread, worse: Spread): boolean =>
  better.median / worse.median >= CLEAR && better.min >= worse.max;

function summaryOf(store: MeasuredStore, rivals: readonly string[], ahead: readonly Difference[]): string {
  const kinds = listed(ahead.slice(0, NAMED).map(({ kind }) => kind));
  if (isLasting(store)) {
    if (rivals.length === 0) return 'Keeps its data on disk, with every revision. No other such backend was measured.';
    return ahead.length === 0 ? 'At nothing clearly the best backend for data on disk.' : `Best for ${kinds}.`;
  }
  if (store.role === 'backend') return 'For data that may be gone when the process ends.';
  return store.persistent
    ? 'Keeps its data on disk, without revisions.'
    : 'In memory alone: gone when the process ends, without revisions.';
}

function listed(names: readonly string[]): string {
  return names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)!}`;
}

/** A verdict as text, with the greatest differences and a hint how to use the store. */
export function verdictText({ store, summary, ahead, behind }: Verdict, stores: readonly MeasuredStore[]): string {
  const use = stores.find(({ name }) => name === store)?.use;
  const taken = use === undefined ? [] : [`To use it: ${use}`];
  return [summary, ...differencesText('Better', ahead), ...differencesText('Worse', behind), ...taken].join(' ');
}

/** One sentence for each store with which it is compared. */
function differencesText(how: string, differences: readonly Difference[]): string[] {
  const named = differences.slice(0, NAMED);
  return [...new Set(named.map(({ than }) => than))].map((than) => {
    const parts = named.filter((one) => one.than === than).map(({ kind, factor }) => `${kind} ${times(factor)}`);
    return `${how} than ${than}: ${parts.join(', ')}.`;
  });
}

/** A factor in a readable form: 2.4×, 0.56×, 1/20×. */
export function times(factor: number): string {
  const [turned, sign] = factor < 0.095 ? [1 / factor, '1/'] : [factor, ''];
  const digits = turned >= 10 ? 0 : turned >= 0.995 ? 1 : 2;
  return `${sign}${Number(turned.toFixed(digits)).toLocaleString('en-US', { minimumFractionDigits: digits })}×`;
}
