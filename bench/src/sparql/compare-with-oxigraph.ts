/**
 * Runs the same queries by Quadrille and by Oxigraph in turn, in one process. Compares the answers first. A ratio is
 * the time of Oxigraph divided by that of Quadrille.
 */
import { join } from 'node:path';
import { open } from 'quadrille';
import { REPOSITORY } from '../data-sets.js';
import { runQuery } from '../stores/open-quadrille.js';
import { openOxigraph } from '../stores/oxigraph-store.js';
import { bounded, figure, type Figure, type Figures } from '../workload.js';
import { AnswerDigest, isOfAnyRows } from './answer.js';
import type { QueryBackend } from './backend.js';
import { KINDS, printRatios, type QueryCase, type Ratios, ratiosOf, summaryOf, type TimedRun } from './ratios.js';

const LEAST_RATIO = 0.5;

type Run = QueryBackend['run'];
type Engines = readonly [ours: Run, theirs: Run];

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
    const ratios = await ratiosOf(texts, [timed(engines[0]), timed(engines[1])]);
    all.push(ratios);
    printRatios(`${set}: ${name}`, ratios);
    for (const kind of KINDS) figures[`${set}: ${name}, ${kind}`] = figure(ratios[kind], 'x');
  }
  figures[`${set}: answers that differ`] = bounded(differing, 'queries', { most: 0 });
  return { ...figures, ...summaryOf(set, all, { name: 'below half', value: LEAST_RATIO }) };
}

async function compareAnswers(text: string, engines: Engines): Promise<string | undefined> {
  const answers: string[] = [];
  for (const run of engines) {
    const digest = new AnswerDigest();
    const rows = await run(text, digest);
    answers.push(`${rows} rows${isOfAnyRows(text) ? '' : `, digest ${digest.value}`}`);
  }
  return answers[0] === answers[1] ? undefined : `${answers.join(', but Oxigraph ')}: ${text}`;
}

function timed(run: Run): TimedRun {
  return async (text) => {
    const begin = performance.now();
    await run(text);
    return performance.now() - begin;
  };
}
