/**
 * Measures one shape: runs each query by Quadrille and by Oxigraph in turn, in one process. Compares the answers
 * first.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { open } from 'quadrille';
import { REPOSITORY } from '../data-sets.js';
import { Random } from '../generate/random.js';
import { AnswerDigest } from '../sparql/answer.js';
import type { QueryBackend } from '../sparql/backend.js';
import { spreadOf } from '../statistics.js';
import { runQuery } from '../stores/open-quadrille.js';
import { openOxigraph } from '../stores/oxigraph-store.js';
import { bounded, figure, type Context, type Figure, type Figures } from '../workload.js';
import { NAMESPACE, type Shape } from './shape.js';

const PREFIXES = `PREFIX : <${NAMESPACE}> PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>\n`;
/** Number of parameter sets of each template. Each set makes a query of its own. */
export const SETS = 2;
const NEW_TEXTS = 7;
/** Time for repeated runs of one query, in milliseconds. */
const REPEAT_MS = 60;
const MOST_REPEATS = 200;
const LEAST_RATIO = 0.5;

type Run = QueryBackend['run'];
type Engines = readonly [ours: Run, theirs: Run];

/** Oxigraph's times divided by ours, for new and for repeated texts: the means, and the number of ratios below half. */
export async function measureShape(shape: Shape, { scratch, queries, seed }: Context): Promise<Figures> {
  const draw = new Random();
  const file = join(scratch, 'data.nq');
  draw.restart(seed, 0, 0);
  await mkdir(scratch, { recursive: true });
  await writeFile(file, [...shape.quads(draw)].join(''));
  const peer = await openOxigraph();
  await peer.load(file);
  const db = await open(join(scratch, 'store'));
  const repository = await db.repository(REPOSITORY, { create: true });
  await repository.load(file);
  const engines: Engines = [(text, digest) => runQuery(repository, text, digest), peer.run!];
  const ratios: Record<'new' | 'repeated', number[]> = { new: [], repeated: [] };
  const figures: Record<string, Figure> = {};
  let differing = 0;
  for (const [number, [name, template]] of Object.entries(shape.templates).entries()) {
    if (queries.length > 0 && !queries.includes(name)) continue;
    for (let set = 1; set <= SETS; set++) {
      draw.restart(seed, number + 1, set);
      const texts = Array.from({ length: NEW_TEXTS }, (_, i) => `${PREFIXES}${template(draw)} # ${set}.${i}`);
      const difference = await compareAnswers(texts[0]!, engines);
      if (difference !== undefined) {
        console.error(`${shape.name}, ${name}: ${difference}`);
        differing++;
        continue;
      }
      const found = {
        new: await ratioOfNew(texts.slice(1), engines),
        repeated: await ratioOfRepeated(texts[0]!, engines),
      };
      for (const kind of ['new', 'repeated'] as const) {
        ratios[kind].push(found[kind]);
        figures[`${shape.name}: ${name} ${set}, ${kind}`] = figure(found[kind], 'x');
      }
    }
  }
  await db.close();
  figures[`${shape.name}: answers that differ`] = bounded(differing, 'queries', { most: 0 });
  for (const kind of ['new', 'repeated'] as const) {
    figures[`${shape.name}: geometric mean, ${kind}`] = figure(geometricMean(ratios[kind]), 'x');
    const below = ratios[kind].filter((ratio) => ratio < LEAST_RATIO).length;
    figures[`${shape.name}: below half, ${kind}`] = figure(below, `of ${ratios[kind].length}`);
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
  for (const text of texts) for (const [i, run] of engines.entries()) times[i]!.push(await timeOf(run, text));
  return spreadOf(times[1]!).median / spreadOf(times[0]!).median;
}

async function ratioOfRepeated(text: string, engines: Engines): Promise<number> {
  const medians: number[] = [];
  for (const run of engines) {
    const times: number[] = [];
    const end = performance.now() + REPEAT_MS;
    while (times.length < 3 || (performance.now() < end && times.length < MOST_REPEATS))
      times.push(await timeOf(run, text));
    // The first half of the runs is the warm-up.
    medians.push(spreadOf(times.slice(times.length >> 1)).median);
  }
  return medians[1]! / medians[0]!;
}

async function timeOf(run: Run, text: string): Promise<number> {
  const begin = performance.now();
  await run(text);
  return performance.now() - begin;
}

const geometricMean = (values: readonly number[]): number =>
  Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);
