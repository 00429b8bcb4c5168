/** BSBM explore and analytical queries, with the same texts for every backend: milliseconds to the last row. */
import { fork } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { BackendEntry } from '../../sparql/backends.js';
import { BACKENDS } from '../../sparql/backends.js';
import { measureQueries } from '../../sparql/measure-queries.js';
import type { PreparedQuery, QueryKind } from '../../sparql/query-class.js';
import { figureName } from '../../sparql/query-class.js';
import { QUERY_CLASSES } from '../../sparql/query-classes.js';
import type { Context, MeanComparison, Part, Workload } from '../../workload.js';
import { pathOf } from '../../workload.js';

const PROCESS = fileURLToPath(new URL('../../sparql/query-process.js', import.meta.url));

async function queriesFor(context: Context): Promise<readonly PreparedQuery[]> {
  const all = JSON.parse(await readFile(pathOf(context, 'bsbm-queries'), 'utf8')) as PreparedQuery[];
  const { queries: wanted } = context;
  const unknown = wanted.filter((name) => !all.some((query) => query.name === name));
  if (unknown.length > 0) {
    throw new Error(`no query ${unknown.join(', ')}: there is ${all.map(({ name }) => name).join(', ')}`);
  }
  return wanted.length === 0 ? all : all.filter(({ name }) => wanted.includes(name));
}

function partOf(backend: string, { need, once, peer, lacks }: BackendEntry): Part {
  return {
    backend,
    needs: ['bsbm-queries', need],
    once,
    ...(peer === undefined ? {} : { peer }),
    ...(lacks === undefined ? {} : { lacks }),
    measure: async (context) =>
      measureQueries(await queriesFor(context), {
        start: () => fork(PROCESS, [JSON.stringify({ backend, context })], { execArgv: [] }),
        failed: ({ name }, reason) => console.error(`${backend}, ${name}: ${reason}`),
      }),
  };
}

const others = Object.keys(BACKENDS).filter((backend) => backend !== 'quadrille');

function meansOf(backend: string): MeanComparison[] {
  const mean = (name: string, kinds: readonly QueryKind[]): MeanComparison => ({
    name: `geometric mean, ${name}`,
    figures: QUERY_CLASSES.filter(({ kind }) => kinds.includes(kind)).map(figureName),
    backend,
  });
  return [mean('all', ['explore', 'analytical']), mean('explore', ['explore']), mean('analytical', ['analytical'])];
}

export const workload: Workload = {
  name: 'queries',
  parts: Object.fromEntries(Object.entries(BACKENDS).map(([backend, entry]) => [backend, partOf(backend, entry)])),
  comparisons: others.flatMap((backend) =>
    QUERY_CLASSES.map((query) => ({ figure: figureName(query), backend, how: 'inverse' as const })),
  ),
  means: others.flatMap(meansOf),
  layout: 'columns',
};
