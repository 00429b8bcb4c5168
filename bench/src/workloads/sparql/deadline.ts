/**
 * Endless queries with a deadline of half a second: measures how late the error comes, and how late a timer is
 * meanwhile.
 */
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { open, QuadrilleError } from 'quadrille';
import type { QueryOptions, ReadView } from 'quadrille';
import { REPOSITORY } from '../../data-sets.js';
import { TimerWatch } from '../../measure.js';
import type { Context, Figures, Workload } from '../../workload.js';
import { figure, pathOf } from '../../workload.js';

const DEADLINE_MS = 500;
const CLIQUE = 1000;

const PRODUCT = '<http://www4.wiwiss.fu-berlin.de/bizer/bsbm/v01/vocabulary/Product>';
const VARIABLES = ['?a', '?b', '?c', '?d', '?e'];
/** 2848^5 rows, none of which passes the filter. */
const CROSS = `SELECT ${VARIABLES.join(' ')} WHERE {
  ${VARIABLES.map((variable) => `${variable} a ${PRODUCT} .`).join(' ')}
  FILTER (STRLEN(CONCAT(${VARIABLES.map((variable) => `STR(${variable})`).join(', ')})) = 1)
}`;
const PATH = 'SELECT (COUNT(*) AS ?n) WHERE { ?x <http://example.org/knows>* ?y }';

/** Measures how long the query ran after the deadline, and the largest delay of a 10 ms timer. */
async function lateness(
  name: string,
  view: ReadView,
  text: string,
  options: QueryOptions,
  code: string,
): Promise<Figures> {
  const watch = new TimerWatch();
  const begin = performance.now();
  const found = await view
    .select(text, options)
    .toArray()
    .then(
      (rows) => `${rows.length} rows`,
      (error: unknown) => (error instanceof QuadrilleError ? error.code : String(error)),
    );
  const late = performance.now() - begin - DEADLINE_MS;
  const timer = watch.stop();
  if (found !== code) throw new Error(`${name} ended with ${found} instead of ${code}`);
  return { [name]: figure(late, 'ms late'), [`${name}: timer`]: figure(timer, 'ms late') };
}

async function bothWays(name: string, view: ReadView, text: string): Promise<Figures> {
  // The first query loads the engine.
  await view.ask('ASK { ?s ?p ?o }');
  const timeout = await lateness(`${name}, timeoutMs`, view, text, { timeoutMs: DEADLINE_MS }, 'QUERY_TIMEOUT');
  const controller = new AbortController();
  setTimeout(() => controller.abort(), DEADLINE_MS);
  const abort = await lateness(`${name}, signal`, view, text, { signal: controller.signal }, 'ABORTED');
  return { ...timeout, ...abort };
}

async function cross(context: Context): Promise<Figures> {
  const db = await open(pathOf(context, 'store-1m'));
  const figures = await bothWays('cross product', await db.repository(REPOSITORY), CROSS);
  await db.close();
  return figures;
}

async function path(context: Context): Promise<Figures> {
  const db = await open(join(context.scratch, 'clique'), { durability: 'process' });
  const repository = await db.repository(REPOSITORY, { create: true });
  await repository.load({ text: clique() }, { format: 'application/n-triples' });
  const figures = await bothWays('path', repository, PATH);
  await db.close();
  return figures;
}

/** Quads in which each node knows all others. */
function clique(): string {
  const nodes = Array.from({ length: CLIQUE }, (_, node) => `<http://example.org/${node}>`);
  return nodes
    .flatMap((from) => nodes.filter((to) => to !== from).map((to) => `${from} <http://example.org/knows> ${to} .\n`))
    .join('');
}

export const workload: Workload = {
  name: 'deadline',
  parts: {
    'cross product': { backend: 'quadrille', needs: ['store-1m'], measure: cross },
    path: { backend: 'quadrille', needs: [], measure: path },
    idle: {
      backend: 'control',
      needs: [],
      measure: async () => {
        const watch = new TimerWatch();
        await delay(2 * DEADLINE_MS);
        return { 'idle: timer': figure(watch.stop(), 'ms late') };
      },
    },
  },
};
