/** Measures the questions over one set of data, by Quadrille and by another store. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Random } from '../generate/random.js';
import type { PeerName } from '../peers/names.js';
import type { Line } from '../report/report.js';
import { NAMESPACE } from '../shapes/shape.js';
import { compareWithOxigraph, openBoth } from '../sparql/compare-with-oxigraph.js';
import { compareWithPeer, openWithPeer } from '../sparql/compare-with-peer.js';
import { type QueryCase, withOtherNames } from '../sparql/ratios.js';
import type { Context, Figures } from '../workload.js';
import { CATALOGUE } from './catalogue.js';
import { NETWORK } from './network.js';
import type { QuestionSet } from './question-set.js';
import { REGISTRY } from './registry.js';
import { TICKETS } from './tickets.js';
import { VOCABULARY } from './vocabulary.js';

export const QUESTION_SETS: readonly QuestionSet[] = [NETWORK, CATALOGUE, TICKETS, VOCABULARY, REGISTRY];

const PREFIXES = `PREFIX : <${NAMESPACE}> PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>\n`;
/** Texts of each question: the first is repeated, and as many of the others are run as there is time for. */
const TEXTS = 21;
/** Longest time of one run, in milliseconds. */
const LIMIT_MS = 20_000;
/** Answers that are also written and read take longer. */
const LIMITS = { runMs: LIMIT_MS, answerMs: 5 * LIMIT_MS };
const LEAST_RATIO = 0.5;

/** The data of a set, as N-Quads. */
export function dataOf(set: QuestionSet, seed: number, size = set.size): string {
  const draw = new Random();
  draw.restart(seed, 0, 0);
  return [...set.quads(draw, size)].join('');
}

/** The texts of a set by the names of the questions. */
export const textsOf = ({ questions: all }: QuestionSet, questions = all): [name: string, text: string][] =>
  Object.entries(questions).map(([name, text]) => [name, PREFIXES + text]);

/** Compares with Oxigraph (WASM), or with a native store. */
export async function measureQuestions(
  set: QuestionSet,
  { scratch, queries, seed }: Context,
  peer?: PeerName,
): Promise<Figures> {
  await mkdir(scratch, { recursive: true });
  const file = join(scratch, 'data.nq');
  await writeFile(file, dataOf(set, seed));
  const cases = casesOf(set, queries);
  if (peer === undefined) {
    const stores = await openBoth(file, scratch, undefined, LIMIT_MS);
    const figures = await compareWithOxigraph(set.name, cases, stores);
    await stores.close();
    return figures;
  }
  const stores = await openWithPeer(peer, file, scratch, LIMITS);
  const figures = await compareWithPeer(set.name, cases, stores);
  await stores.close();
  return figures;
}

const casesOf = (set: QuestionSet, wanted: readonly string[]): QueryCase[] =>
  textsOf(set)
    .filter(([name]) => wanted.length === 0 || wanted.includes(name))
    .map(([name, text]) => ({ name, texts: Array.from({ length: TEXTS }, (_, i) => withOtherNames(text, i)) }));

/** Names the questions that took more than twice as long as the other store's, took too long, failed or had another answer. */
export function remarkable(lines: readonly Line[]): string[] {
  const named = (what: string, isOne: (line: Line) => boolean): string => {
    const found = lines.filter(isOne).map(({ backend, workload, median, unit }) => {
      const value = unit === 'query' ? '' : ` ${Number(median.toPrecision(2))} ${unit}`;
      return `${workload}${backend === 'quadrille' ? '' : ` (${backend})`}${value}`;
    });
    return `${what}: ${found.length === 0 ? 'none' : found.join('; ')}`;
  };
  return [
    named('under half', ({ workload, unit, median }) => unit === 'x' && median < LEAST_RATIO && isOfOne(workload)),
    named('over 2 s', ({ workload, unit }) => unit === 'ms' && workload.endsWith('over 2 s')),
    named('failed', ({ workload, unit }) => unit === 'query' && workload.endsWith(', failed')),
    named('other answers', ({ workload, unit }) => unit === 'query' && workload.endsWith('answer differs')),
  ];
}

/** Whether a figure is that of one question, not of all. */
const isOfOne = (workload: string): boolean => !/: (?:geometric mean|least), /.test(workload);
