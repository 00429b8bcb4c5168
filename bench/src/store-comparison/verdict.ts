/** What the figures say of each store, in a sentence or two. */
import { geometricMean } from '../statistics.js';
import type { Measurement } from './measurements.js';
import type { MeasuredStore } from './comparison-report.js';
import { WORK_KINDS } from './work-kinds.js';

/** Less of a difference is none that one should choose by. */
const CLEAR = 1.1;
const NAMED = 4;

export interface Verdict {
  readonly store: string;
  readonly text: string;
}

/** How many times as good as the baseline, by the name of a kind of work. */
type Scores = ReadonlyMap<string, number>;

export function scoresOf(store: string, measurements: readonly Measurement[]): Scores {
  const scores = new Map<string, number>();
  for (const { name, includes } of WORK_KINDS) {
    const ratios = measurements
      .filter(({ backend, workload, ratio }) => backend === store && ratio !== undefined && includes(workload))
      .map(({ ratio }) => ratio!);
    if (ratios.length > 0) scores.set(name, geometricMean(ratios));
  }
  return scores;
}

export function verdictsOf(stores: readonly MeasuredStore[], measurements: readonly Measurement[]): Verdict[] {
  const scores = new Map(stores.map(({ name }) => [name, scoresOf(name, measurements)]));
  const baseline = stores[0]!;
  const lasting = stores.filter(({ role, persistent }) => role === 'backend' && persistent);
  return stores
    .filter(({ name }) => scores.get(name)!.size > 0)
    .map((store) => ({
      store: store.name,
      text:
        store.role === 'backend' && store.persistent
          ? backendVerdict(store, lasting, scores)
          : otherVerdict(store, baseline, scores.get(store.name)!),
    }));
}

/** The backend to begin with, and why. */
export function overallVerdict(stores: readonly MeasuredStore[], measurements: readonly Measurement[]): string {
  const lasting = stores.filter(({ role, persistent }) => role === 'backend' && persistent);
  if (lasting.length === 0) return 'No backend that keeps its data was measured.';
  if (lasting.length === 1) {
    return `${lasting[0]!.name} is the only backend measured here that keeps its data: there was no choice to make between backends.`;
  }
  const overall = new Map(
    lasting.map(({ name }) => [name, geometricMean([...scoresOf(name, measurements).values()])] as const),
  );
  const [best, second] = [...overall].sort(([, a], [, b]) => b - a) as [[string, number], [string, number]];
  const lead = best[1] / second[1];
  if (lead < CLEAR) {
    return `Over all kinds of work ${best[0]} and ${second[0]} are even: choose by the kind of work that you have most of.`;
  }
  return `Begin with ${best[0]}: over all kinds of work together it is ${times(lead)} as good as ${second[0]} (geometric mean). Where one kind of work matters most, choose by that.`;
}

function backendVerdict(
  { name }: MeasuredStore,
  lasting: readonly MeasuredStore[],
  scores: ReadonlyMap<string, Scores>,
): string {
  const others = lasting.filter((other) => other.name !== name);
  if (others.length === 0) return 'Keeps its data on disk, with every revision. No other such backend was measured.';
  const ahead: Part[] = [];
  const behind: Part[] = [];
  for (const [kind, score] of scores.get(name)!) {
    const rivals = others.flatMap((other) => {
      const theirs = scores.get(other.name)!.get(kind);
      return theirs === undefined ? [] : [{ name: other.name, score: theirs }];
    });
    if (rivals.length === 0) continue;
    const rival = rivals.reduce((best, each) => (each.score > best.score ? each : best));
    if (score / rival.score >= CLEAR) ahead.push({ kind, factor: score / rival.score, than: rival.name });
    if (rival.score / score >= CLEAR) behind.push({ kind, factor: rival.score / score, than: rival.name });
  }
  const good =
    ahead.length === 0 ? 'Clearly ahead at nothing.' : `Best for ${listed(ahead)} as good as ${rivalsOf(ahead)}.`;
  return `${good} ${behind.length === 0 ? 'Clearly behind at nothing.' : `Pays with ${listed(behind)} worse.`}`;
}

function otherVerdict(store: MeasuredStore, baseline: MeasuredStore, scores: Scores): string {
  const parts = [...scores].map(([kind, score]): Part => ({ kind, factor: score, than: baseline.name }));
  const ahead = parts.filter(({ factor }) => factor >= CLEAR);
  const behind = parts
    .filter(({ factor }) => factor <= 1 / CLEAR)
    .map((part) => ({ ...part, factor: 1 / part.factor }));
  const keeps = store.persistent ? 'Keeps its data on disk' : 'Everything is gone when the process ends';
  const past = store.role === 'peer' ? ', and there are no revisions' : '';
  const good =
    ahead.length === 0 ? `Ahead of ${baseline.name} at nothing` : `Ahead of ${baseline.name} at ${listed(ahead)}`;
  return `${keeps}${past}. ${good}; ${behind.length === 0 ? 'behind at nothing' : `behind at ${listed(behind)}`}.`;
}

interface Part {
  readonly kind: string;
  readonly factor: number;
  readonly than: string;
}

/** The greatest differences first. */
function listed(parts: readonly Part[]): string {
  const sorted = [...parts].sort((a, b) => b.factor - a.factor);
  const texts = sorted.slice(0, NAMED).map(({ kind, factor }) => `${kind} (${times(factor)})`);
  if (sorted.length > NAMED) texts.push(`${sorted.length - NAMED} more`);
  return texts.length === 1 ? texts[0]! : `${texts.slice(0, -1).join(', ')} and ${texts.at(-1)!}`;
}

const rivalsOf = (parts: readonly Part[]): string => [...new Set(parts.map(({ than }) => than))].join(' or ');

export const times = (factor: number): string =>
  `${factor >= 10 ? Math.round(factor).toLocaleString('en-US') : factor.toFixed(factor >= 1 ? 1 : 2)}×`;
