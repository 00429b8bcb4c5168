/**
 * Samples rows of patterns to estimate the number of rows of their joins. Counts of patterns and terms do not show that some
 * terms have far more quads than others. They also do not show that two columns of the same kind have few values in common.
 */
import { DEFAULT_GRAPH } from '@quadrille/model';
import type { IdDataset, IdPattern, IdQuads } from '../../dataset/id-dataset.js';
import type { Figures } from '../figures.js';
import { variablesOf } from '../patterns.js';
import { Cost } from '../cost.js';
import type { PlanContext } from '../context.js';
import type { PlanPattern } from '../plan.js';
import type { JoinPart, JoinSample } from './join-part.js';

const MOST_PAIRS = 24;
/** In larger groups not even the pairs are looked for: their number grows with the square. */
const MOST_PATTERNS = 32;
const SAMPLED_ROWS = 64;

interface Pair {
  readonly from: number;
  readonly to: number;
  readonly shared: readonly string[];
  /** About how many rows of `to` a row of `from` meets, and the other way round: where both are many, the estimate is poor. */
  readonly matches: number;
}

/**
 * The parts with what is known of their joins. `patterns`: those of the first parts. `cost`: of the best order so far. `undefined`:
 * nothing was looked at.
 */
export async function sampleJoins(
  parts: readonly JoinPart[],
  patterns: readonly PlanPattern[],
  cost: number,
  { dataset, figures, steps, options: { control } }: PlanContext,
): Promise<readonly JoinPart[] | undefined> {
  if (cost < Cost.leastSampled || dataset.sample === undefined) return undefined;
  if (patterns.length < 2 || patterns.length > MOST_PATTERNS) return undefined;
  const most = Math.min(MOST_PAIRS, Math.floor((cost * Cost.sampleShare) / Cost.samplePair));
  const sampler = new Sampler(patterns, figures, dataset);
  const samples = parts.map((part) => new Map<number, JoinSample>(part.samples));
  for (const { from, to, shared } of pairsOf(parts, patterns).slice(0, most)) {
    const pause = control?.checkpoint();
    if (pause !== undefined) await pause;
    // Many groups in one another must not be sampled each.
    if (steps.used > steps.most / 2) break;
    steps.used += SAMPLED_ROWS;
    const sample = await sampler.sample(from, to, shared, parts[to]!.rows);
    if (sample === undefined) continue;
    samples[from]!.set(to, sample);
    samples[to]!.set(from, sample);
  }
  return parts.map((part, i) => ({ ...part, samples: samples[i]! }));
}

function pairsOf(parts: readonly JoinPart[], patterns: readonly PlanPattern[]): Pair[] {
  const usable = patterns
    .map((pattern, i) => ({ i, part: parts[i]!, pattern }))
    .filter(({ pattern }) => isPlain(pattern));
  const pairs = usable.flatMap(({ i, part }, at) =>
    usable.slice(at + 1).flatMap(({ i: j, part: other }): Pair[] => {
      const shared = part.variables.filter((name) => other.variables.includes(name));
      if (shared.length === 0 || part.rows === 0 || other.rows === 0) return [];
      const [from, to] = part.rows <= other.rows ? [i, j] : [j, i];
      return [{ from, to, shared, matches: rowsPerKey(part, shared) * rowsPerKey(other, shared) }];
    }),
  );
  return pairs.sort((a, b) => b.matches - a.matches);
}

const rowsPerKey = ({ rows, distinct }: JoinPart, shared: readonly string[]): number =>
  rows / Math.max(...shared.map((name) => distinct.get(name) ?? rows));

// Each variable stands in one place.
const isPlain = (pattern: PlanPattern): boolean => variablesOf(pattern).length === placesOf(pattern).length;

type Place = 's' | 'p' | 'o' | 'g';
const PLACES: readonly Place[] = ['s', 'p', 'o', 'g'];

function placesOf(pattern: PlanPattern): { readonly place: Place; readonly name: string }[] {
  return PLACES.flatMap((place) => {
    const term = pattern[place];
    return term.kind === 'variable' || term.kind === 'each' ? [{ place, name: term.name }] : [];
  });
}

class Sampler {
  readonly #rows = new Map<number, Promise<IdQuads | undefined>>();

  constructor(
    private readonly patterns: readonly PlanPattern[],
    private readonly figures: Figures,
    private readonly dataset: IdDataset,
  ) {}

  /** `rows`: of the pattern `to`. */
  async sample(from: number, to: number, shared: readonly string[], rows: number): Promise<JoinSample | undefined> {
    const quads = await this.#rowsOf(from);
    const pattern = await this.#idsOf(to);
    if (quads === undefined || quads.length === 0 || pattern === undefined) return undefined;
    const keys = shared.map((name) => ({
      from: placesOf(this.patterns[from]!).find((at) => at.name === name)!.place,
      to: placesOf(this.patterns[to]!).find((at) => at.name === name)!.place,
    }));
    const bound = { ...pattern };
    const isInGraphs = this.patterns[from]!.g.kind === 'each';
    let matches = 0;
    let sampled = 0;
    for (let row = 0; row < quads.length; row++) {
      // GRAPH ?g does not see the default graph.
      if (isInGraphs && quads.g[row] === DEFAULT_GRAPH) continue;
      sampled++;
      for (const key of keys) bound[key.to] = quads[key.from][row]!;
      const estimate = this.dataset.estimate(bound);
      matches += typeof estimate === 'number' ? estimate : await estimate;
    }
    // Where no row had a match, half of one is assumed.
    return sampled === 0 ? undefined : { names: shared, share: Math.max(matches, 0.5) / sampled / rows };
  }

  #rowsOf(at: number): Promise<IdQuads | undefined> {
    const known = this.#rows.get(at);
    if (known !== undefined) return known;
    const made = this.#idsOf(at).then((ids) => ids && this.dataset.sample!(ids, SAMPLED_ROWS));
    this.#rows.set(at, made);
    return made;
  }

  async #idsOf(at: number): Promise<IdPattern | undefined> {
    return this.figures.ids(this.patterns[at]!);
  }
}
