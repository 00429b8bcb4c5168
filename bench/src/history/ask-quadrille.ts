/** Loads the releases as revisions, and asks them. */
import { join } from 'node:path';
import type * as RDF from '@rdfjs/types';
import { type Database, type HistoryEvent, parseTerm, quad, type QuadPattern, type Repository } from 'quadrille';
import { checkCount, REPOSITORY } from '../data-sets.js';
import { openEngine, reopened } from '../engine-store.js';
import { bytesOnDisk, timed } from '../measure.js';
import { type Context, type Figures, figure, pathOf } from '../workload.js';
import { type Asked, type AskedOf, median, pairsOf, questionFigures, versionsOf } from './questions.js';
import {
  lineOf,
  type Pattern,
  type Release,
  type Releases,
  readReleases,
  type Shape,
  SHAPES,
  type Triple,
} from './releases.js';

/** Times that a pattern is asked; the median counts. */
const REPETITIONS = 5;
/** Times for all patterns together before anything is measured. */
const WARM_UPS = 1;
/** Revision 1 is empty. */
const FIRST_REVISION = 2;

const quadOf = (triple: Triple): RDF.Quad => {
  const [subject, predicate, object] = triple.map((text) => parseTerm(text));
  return quad(subject as RDF.Quad_Subject, predicate as RDF.Quad_Predicate, object as RDF.Quad_Object);
};

const patternOf = ([subject, predicate, object]: Pattern): QuadPattern => ({
  ...(subject !== undefined && { subject: parseTerm(subject) }),
  ...(predicate !== undefined && { predicate: parseTerm(predicate) }),
  ...(object !== undefined && { object: parseTerm(object) }),
});

const changesOf = ({ added, removed }: Release): number => added.length + removed.length;
const patchOf = ({ added, removed }: Release): string =>
  `TX .\n${removed.map((triple) => `D ${lineOf(triple)}`).join('')}${added.map((triple) => `A ${lineOf(triple)}`).join('')}TC .\n`;

/** Quads in a second of the processor. */
async function loadRate(
  context: Context,
  name: string,
  quads: number,
  load: (repository: Repository) => Promise<void>,
) {
  const path = join(context.scratch, name);
  const db = await openEngine(context.storage, path);
  const repository = await db.repository(REPOSITORY, { create: true });
  const { cpuSeconds, result } = await timed(async () => {
    await load(repository);
    return reopened(db, context.storage, path);
  });
  return { path, db: result, cpuSeconds, rate: quads / cpuSeconds };
}

async function loadFigures(
  context: Context,
  { releases, ever }: Releases,
): Promise<{ db: Database; figures: Figures }> {
  const changes = releases.reduce((sum, release) => sum + changesOf(release), 0);
  const document = ever.map(lineOf).join('');
  const whole = await loadRate(context, 'whole', ever.length, async (repository) => {
    await repository.load({ text: document }, { format: 'application/n-triples' });
    checkCount('one load', await repository.size(), ever.length);
  });
  await whole.db.close();
  const patches = releases.map(patchOf);
  const patched = await loadRate(context, 'patched', changes, async (repository) => {
    for (const text of patches) await repository.patch({ text });
  });
  await patched.db.close();
  const parsed = releases.map(({ added, removed }) => ({ added: added.map(quadOf), removed: removed.map(quadOf) }));
  const made = await loadRate(context, 'revisions', changes, async (repository) => {
    for (const { added, removed } of parsed)
      await repository.transaction(async (transaction) => {
        await transaction.remove(removed);
        await transaction.add(added);
      });
  });
  let { db } = made;
  let bytes = 0;
  db = await reopened(db, context.storage, made.path, async () => void (bytes = await bytesOnDisk(made.path)));
  const figures = {
    'load, processor': figure(made.cpuSeconds, 's'),
    'load, bytes': figure(bytes, 'B'),
    'one load': figure(whole.rate, 'quads/s'),
    'as revisions': figure(made.rate, 'quads/s'),
    'as patches': figure(patched.rate, 'quads/s'),
    'as revisions / one load': figure(made.rate / whole.rate, 'ratio'),
    'as patches / one load': figure(patched.rate / whole.rate, 'ratio'),
  };
  return { db, figures };
}

/** Asks once; the last one of several calls that count their results. */
type Ask = () => Promise<number>;

async function asked(ask: Ask, repetitions = REPETITIONS): Promise<Asked> {
  const times: number[] = [];
  let results = 0;
  for (let n = 0; n < repetitions; n++) {
    const start = performance.now();
    results = await ask();
    times.push((performance.now() - start) * 1000);
  }
  return { microseconds: median(times), results };
}

/** Triples, and not their comings and goings. */
function triplesOf(events: readonly HistoryEvent[]): number {
  let count = 0;
  for (let i = 0; i < events.length; i++) if (i === 0 || !events[i]!.quad.equals(events[i - 1]!.quad)) count++;
  return count;
}

async function askAll(repository: Repository, patterns: readonly Pattern[], releases: number): Promise<AskedOf> {
  const answers = { VM: [] as Asked[], DM: [] as Asked[], VQ: [] as Asked[] };
  for (const pattern of patterns.map(patternOf)) {
    for (const version of versionsOf(releases)) {
      const view = repository.at(version + FIRST_REVISION);
      answers.VM.push(await asked(async () => (await view.quads(pattern).toArray()).length));
    }
    for (const [from, to] of pairsOf(releases)) {
      const [first, last] = [from + FIRST_REVISION, to + FIRST_REVISION];
      answers.DM.push(await asked(async () => (await repository.diff(first, last, pattern).toArray()).length));
    }
    const { microseconds } = await asked(async () => (await repository.history(pattern).toArray()).length);
    answers.VQ.push({ microseconds, results: triplesOf(await repository.history(pattern).toArray()) });
  }
  return answers;
}

export async function measureQuadrille(context: Context): Promise<Figures> {
  const data = await readReleases(pathOf(context, 'fibo'), context.seed);
  const { db, figures } = await loadFigures(context, data);
  try {
    const repository = await db.repository(REPOSITORY);
    const answers: Partial<Record<Shape, AskedOf>> = {};
    for (let pass = 0; pass <= WARM_UPS; pass++)
      for (const shape of SHAPES) answers[shape] = await askAll(repository, data.patterns[shape], data.releases.length);
    return { ...figures, ...questionFigures(answers) };
  } finally {
    await db.close();
  }
}
