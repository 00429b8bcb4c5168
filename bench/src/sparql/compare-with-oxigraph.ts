/**
 * Runs the same queries by Quadrille and by Oxigraph in turn, in one process. Compares the answers first. A ratio is
 * the time of Oxigraph divided by that of Quadrille.
 */
import { join } from 'node:path';
import { open } from 'quadrille';
import { REPOSITORY } from '../data-sets.js';
import { spreadOf } from '../report/statistics.js';
import { runQuery } from '../stores/open-quadrille.js';
import { openOxigraph } from '../stores/oxigraph-store.js';
import { bounded, figure, type Figure, type Figures } from '../workload.js';
import { AnswerDigest } from './answer.js';
import type { QueryBackend } from './backend.js';

/** Time for repeated runs of one query, in milliseconds. */
const REPEAT_MS = 60;
const MOST_REPEATS = 200;
/** A collection of garbage takes as long as all runs of a short query: it must not be the median. */
const LEAST_REPEATS = 15;
/** Time for runs of texts that are new, by both engines, in milliseconds. So many of them are run at least. */
const NEW_MS = 120;
const LEAST_NEW = 6;
const LEAST_RATIO = 0.5;
/** A query that takes longer is run once for each kind of ratio, in milliseconds. */
const LONG_MS = 2000;

type Run = QueryBackend['run'];
type Engines = readonly [ours: Run, theirs: Run];
const KINDS = ['new', 'repeated'] as const;
type Ratios = Readonly<Record<(typeof KINDS)[number], number>>;

export interface QueryCase {
  readonly name: string;
  /** Texts that no engine has seen: the first is repeated, the others are run once each. */
  readonly texts: readonly string[];
}

export interface Stores {
  readonly engines: Engines;
  close(): Promise<void>;
}

/** Loads a file into both stores. */
export async function openBoth(file: string, scratch: string): Promise<Stores> {
  const peer = await openOxigraph();
  await peer.load(file);
  const db = await open(join(scratch, 'store'));
  const repository = await db.repository(REPOSITORY, { create: true });
  await repository.load(file);
  return { engines: [(text, digest) => runQuery(repository, text, digest), peer.run!], close: () => db.close() };
}

/** The ratios of each case, for new and for repeated texts; their geometric means, and how many are below half. */
export async function compareWithOxigraph(
  set: string,
  cases: Iterable<QueryCase>,
  { engines }: Stores,
): Promise<Figures> {
  const figures: Record<string, Figure> = {};
  const all: Ratios[] = [];
  let differing = 0;
  for (const { name, texts } of cases) {
    const difference = await compareAnswers(texts[0]!, engines);
    if (difference !== undefined) {
      console.error(`${set}, ${name}: ${difference}`);
      differing++;
      continue;
    }
    const ratios = {
      new: await ratioOfNew(texts.slice(1), engines),
      repeated: await ratioOfRepeated(texts[0]!, engines),
    };
    all.push(ratios);
    // A set takes many minutes: what is known so far must not be lost when it is interrupted.
    console.error(`${set}: ${name}: new ${ratios.new.toFixed(2)}, repeated ${ratios.repeated.toFixed(2)}`);
    for (const kind of KINDS) figures[`${set}: ${name}, ${kind}`] = figure(ratios[kind], 'x');
  }
  figures[`${set}: answers that differ`] = bounded(differing, 'queries', { most: 0 });
  for (const kind of KINDS) {
    const ratios = all.map((each) => each[kind]);
    figures[`${set}: geometric mean, ${kind}`] = figure(geometricMean(ratios), 'x');
    figures[`${set}: least, ${kind}`] = figure(Math.min(...ratios), 'x');
    const below = ratios.filter((ratio) => ratio < LEAST_RATIO).length;
    figures[`${set}: below half, ${kind}`] = figure(below, `of ${ratios.length}`);
  }
  return figures;
}

// With LIMIT and without ORDER BY, any rows may be returned, so only their number is compared.
async function compareAnswers(text: string, engines: Engines): Promise<string | undefined> {
  const inexact = text.includes('LIMIT') && !text.includes('ORDER BY');
  const answers: string[] = [];
  for (const run of engines) {
    const digest = new AnswerDigest();
    answers.push(`${await run(text, digest)} rows${inexact ? '' : `, digest ${digest.value}`}`);
  }
  return answers[0] === answers[1] ? undefined : `${answers.join(', but Oxigraph ')}: ${text}`;
}

async function ratioOfNew(texts: readonly string[], engines: Engines): Promise<number> {
  const times: number[][] = [[], []];
  const end = performance.now() + NEW_MS;
  for (const text of texts) {
    for (const [i, run] of engines.entries()) times[i]!.push(await timeOf(run, text));
    if (Math.max(...times.flat()) > LONG_MS || (times[0]!.length >= LEAST_NEW && performance.now() > end)) break;
  }
  return secondHalf(times[1]!) / secondHalf(times[0]!);
}

/** The median of the runs after the first half of them, which is the warm-up. */
const secondHalf = (times: readonly number[]): number => spreadOf(times.slice(times.length >> 1)).median;

async function ratioOfRepeated(text: string, engines: Engines): Promise<number> {
  const medians: number[] = [];
  for (const run of engines) {
    const times: number[] = [];
    const end = performance.now() + REPEAT_MS;
    do times.push(await timeOf(run, text));
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

async function timeOf(run: Run, text: string): Promise<number> {
  const begin = performance.now();
  await run(text);
  return performance.now() - begin;
}

const geometricMean = (values: readonly number[]): number =>
  Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);
