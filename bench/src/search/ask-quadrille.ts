/** Loads texts into a store with the index of words or without it, and asks. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { iri, literal, open, quad, type Repository } from 'quadrille';
import { bytesOnDisk, timed } from '../measure.js';
import { type Context, type Figure, figure, type Figures } from '../workload.js';
import { asNTriples, FREQUENT, propertyOf, QUESTIONS, writeTexts } from './texts.js';

const RUNS = 25;
const HITS = 10;
const COMMIT = 100;

/** The median of some runs behind a first one, in milliseconds. */
export async function medianMs(run: (number: number) => Promise<unknown> | unknown, runs = RUNS): Promise<Figure> {
  const times: number[] = [];
  for (let number = 0; number <= runs; number++) {
    const start = performance.now();
    await run(number);
    times.push(performance.now() - start);
  }
  return figure(times.slice(1).toSorted((x, y) => x - y)[Math.floor(runs / 2)]!, 'ms');
}

const topOf = (text: string): string =>
  `PREFIX text: <http://jena.apache.org/text#> SELECT * { (?s ?score) text:query ("${text}" ${String(HITS)}) }`;

export async function measureQuadrille(context: Context, withIndex: boolean): Promise<Figures> {
  const { scratch, sizes, seed } = context;
  await mkdir(scratch, { recursive: true });
  const file = join(scratch, 'texts.nt');
  await writeTexts(file, sizes.quads, seed, asNTriples);
  const directory = join(scratch, 'store');
  let db = await open(directory, { create: true });
  let repo = await db.repository('bench/texts', { create: true });
  if (withIndex) await repo.settings.set({ search: { text: true } });
  const start = performance.now();
  const load = await timed(() => repo.load(file));
  // The first search waits for the index.
  if (withIndex) await repo.search(FREQUENT);
  const whole = (performance.now() - start) / 1000;
  await db.close();
  const bytes = await bytesOnDisk(directory);
  db = await open(directory);
  repo = await db.repository('bench/texts');
  const figures: Record<string, Figure> = {
    load: figure(load.seconds, 's'),
    'until all can be found': figure(whole, 's'),
    bytes: figure(bytes / 1e6, 'MB'),
    ...(withIndex ? await searches(repo) : {}),
    'CONTAINS, property known': await contains(repo, `<${propertyOf(1)}>`),
    'CONTAINS, any property': await contains(repo, '?p'),
    [`commit of ${String(COMMIT)} quads`]: await commits(repo),
  };
  await db.close();
  return figures;
}

async function searches(repo: Repository): Promise<Figures> {
  const first = await timed(() => repo.search(FREQUENT));
  const { number } = await repo.revision();
  const figures: Record<string, Figure> = { 'first search of a process': figure(first.seconds * 1000, 'ms') };
  for (const [name, text] of Object.entries(QUESTIONS)) {
    figures[name] = await medianMs(() => repo.select(topOf(text)).toArray());
    figures[`${name}, hits`] = figure((await repo.search(text, { limit: 0 })).total, 'literals');
  }
  figures['facets'] = await medianMs(() => repo.search(FREQUENT, { facets: [iri(propertyOf(1))] }));
  figures['all hits counted'] = await medianMs(() => repo.search(FREQUENT));
  await repo.add(quad(iri('urn:new'), iri(propertyOf(0)), literal('a new text')));
  await repo.search(FREQUENT);
  figures['old revision'] = await medianMs(() => repo.search(FREQUENT, { at: number }));
  return figures;
}

const contains = (repo: Repository, property: string): Promise<Figure> =>
  medianMs(() => repo.select(`SELECT ?s { ?s ${property} ?o FILTER(CONTAINS(?o, "isen bram")) }`).toArray(), 5);

const commits = (repo: Repository): Promise<Figure> =>
  medianMs((number) =>
    repo.add(
      Array.from({ length: COMMIT }, (_, i) =>
        quad(
          iri(`urn:${String(number)}:${String(i)}`),
          iri(propertyOf(i)),
          literal(`misen new${String(number)} text${String(i)}`),
        ),
      ),
    ),
  );
