/** Everything about one subject, again and again, and counts of patterns. Warm: the same subjects a second time. */
import { seededRandom } from '@quadrille/storage/testing';
import type * as RDF from '@rdfjs/types';
import type { QuadPattern, Repository } from 'quadrille';
import { REPOSITORY } from '../data-sets.js';
import { timed } from '../measure.js';
import { openReady } from '../engine-store.js';
import { openQuadstore } from '../stores/quadstore-store.js';
import type { Figures, Need, Part, Workload } from '../workload.js';
import { figure, pathOf, STORAGES } from '../workload.js';

const LOOKUPS = 20_000;
const COUNTS = 5000;

/** Quads at random, the same ones for every store with the same content. */
async function sample(quads: AsyncIterable<RDF.Quad>): Promise<RDF.Quad[]> {
  const bySubject = new Map<string, RDF.Quad>();
  for await (const quad of quads) if (!bySubject.has(quad.subject.value)) bySubject.set(quad.subject.value, quad);
  const subjects = [...bySubject.keys()].sort();
  const random = seededRandom(1);
  return Array.from({ length: LOOKUPS }, () => bySubject.get(subjects[Math.floor(random() * subjects.length)]!)!);
}

/** Looks all of them up twice; the rate is that of the second time. */
async function lookupRate(
  name: string,
  chosen: readonly RDF.Quad[],
  lookup: (subject: RDF.Quad_Subject) => Promise<number>,
): Promise<Figures> {
  const pass = async (): Promise<number> => {
    let rows = 0;
    for (const { subject } of chosen) rows += await lookup(subject);
    return rows;
  };
  const first = await pass();
  const { result, seconds } = await timed(pass);
  if (result !== first || result < chosen.length) throw new Error(`${name}: ${first} rows, then ${result}`);
  return { [name]: figure(chosen.length / seconds, 'lookups/s') };
}

function quadrille(
  name: string,
  store: Need,
  more?: (repository: Repository, chosen: RDF.Quad[]) => Promise<Figures>,
): Part {
  return {
    backend: 'quadrille',
    needs: [store],
    storages: STORAGES,
    measure: async (context) => {
      const db = await openReady(context, store);
      const repository = await db.repository(REPOSITORY);
      const chosen = await sample(repository.quads());
      const figures = await lookupRate(name, chosen, async (subject) => {
        let rows = 0;
        for await (const quad of repository.quads({ subject })) rows += quad.object === undefined ? 0 : 1;
        return rows;
      });
      const added = (await more?.(repository, chosen)) ?? {};
      await db.close();
      return { ...figures, ...added };
    },
  };
}

async function counts(repository: Repository, chosen: readonly RDF.Quad[]): Promise<Figures> {
  const patterns: Record<string, (quad: RDF.Quad) => QuadPattern> = {
    'count s': ({ subject }) => ({ subject }),
    'count p': ({ predicate }) => ({ predicate }),
    'count po': ({ predicate, object }) => ({ predicate, object }),
  };
  const figures: Record<string, { value: number; unit: string }> = {};
  for (const [name, pattern] of Object.entries(patterns)) {
    const pass = async (): Promise<void> => {
      for (const quad of chosen.slice(0, COUNTS)) await repository.count(pattern(quad));
    };
    await pass();
    const { seconds } = await timed(pass);
    figures[name] = figure((seconds / COUNTS) * 1e6, 'µs');
  }
  return figures;
}

export const workload: Workload = {
  name: 'lookups',
  parts: {
    quadrille: quadrille('s', 'store-1m', counts),
    'quadrille 100k': quadrille('s-100k', 'store-100k'),
    'quadstore 100k': {
      backend: 'quadstore',
      needs: ['quadstore-100k'],
      measure: async (context) => {
        const store = await openQuadstore(pathOf(context, 'quadstore-100k'));
        const chosen = await sample((await store.getStream({})).iterator);
        const figures = await lookupRate(
          's-100k',
          chosen,
          async (subject) => (await store.get({ subject })).items.length,
        );
        await store.close();
        return figures;
      },
    },
  },
  comparisons: [{ figure: 's-100k', backend: 'quadstore', how: 'ratio' }],
};
