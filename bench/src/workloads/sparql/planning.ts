/** How long requests take to plan that are as wide or as deep as requests may be, and how soon a deadline ends them. */
import { open, QuadrilleError, type Repository } from 'quadrille';
import { join } from 'node:path';
import { spreadOf } from '../../report/statistics.js';
import { bounded, type Figure, type Figures, type Workload } from '../../workload.js';

const repeated = (count: number, part: (i: number) => string, between = ' '): string =>
  Array.from({ length: count }, (_, i) => part(i)).join(between);
const nested = (depth: number, begin: string, inner: string): string => begin.repeat(depth) + inner + '}'.repeat(depth);

const GROUPS: Readonly<Record<string, string>> = {
  'a chain of 3,000': repeated(3000, (i) => `?v${i} <urn:p${i % 5}> ?v${i + 1} .`),
  'a star of 3,000': repeated(3000, (i) => `?s <urn:p${i % 5}> ?o${i} .`),
  '3,000 patterns of 78 variables': repeated(3000, (i) => `?v${i % 78} <urn:p${i % 5}> ?v${(i * 7 + 1) % 78} .`),
  '3,000 patterns apart': repeated(3000, (i) => `?s${i} <urn:none> ?o${i} .`),
  'UNION of 3,000': repeated(3000, (i) => `{ ?s <urn:p${i}> ?o }`, ' UNION '),
  '490 nested groups': nested(490, '{ ?s <urn:p1> ?o ', '{ ?s ?p ?o }'),
  '200 nested OPTIONAL': `?s <urn:p0> ?o ${nested(200, 'OPTIONAL { ?s <urn:p1> ?o ', '')}`,
  '200 nested OPTIONAL of other variables': `?s <urn:p0> ?o ${repeated(200, (i) => `OPTIONAL { ?s <urn:p1> ?n${i} `)}${'}'.repeat(200)}`,
};
const TIMES = 5;
const MOST_MS = 300;
const TIMEOUT_MS = 50;
const MOST_LATE_MS = 100;

async function msOf(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
}

/** Runs a query with a deadline; it may also end in time. */
async function runUntilDeadline(repository: Repository, text: string): Promise<void> {
  try {
    for await (const row of repository.select(text, { timeoutMs: TIMEOUT_MS })) if (row === undefined) return;
  } catch (error) {
    if (!(error instanceof QuadrilleError) || error.code !== 'QUERY_TIMEOUT') throw error;
  }
}

async function measure(repository: Repository): Promise<Figures> {
  const figures: Record<string, Figure> = {};
  for (const [name, group] of Object.entries(GROUPS)) {
    const planned: number[] = [];
    const ended: number[] = [];
    // A comment alone would not make another text of it.
    const text = (kind: string, n: number): string => `SELECT * { ${group} BIND(1 AS ?${kind}${n}) }`;
    for (let n = 0; n < TIMES; n++) {
      planned.push(await msOf(() => repository.explain(text('planned', n))));
      ended.push(await msOf(() => runUntilDeadline(repository, text('ended', n))));
    }
    figures[name] = bounded(spreadOf(planned).median, 'ms', { most: MOST_MS });
    figures[`${name}, timeoutMs ${TIMEOUT_MS}`] = bounded(Math.max(...ended), 'ms', { most: MOST_LATE_MS });
  }
  return figures;
}

export const workload: Workload = {
  name: 'planning',
  parts: {
    quadrille: {
      backend: 'quadrille',
      needs: [],
      measure: async ({ scratch }) => {
        const db = await open(join(scratch, 'store'));
        const repository = await db.repository('bench/planning', { create: true });
        const data = repeated(40, (i) => `<urn:s${i}> <urn:p${i % 5}> <urn:s${(i + 1) % 40}> .`);
        await repository.update(`INSERT DATA { ${data} }`);
        const figures = await measure(repository);
        await db.close();
        return figures;
      },
    },
  },
};
