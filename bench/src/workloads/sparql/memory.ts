/**
 * A query with a million groups: measures its memory, and whether it ends with the answer or with the budget's error.
 */
import { open, QuadrilleError } from 'quadrille';
import type { Repository } from 'quadrille';
import { BSBM_QUADS, checkCount, REPOSITORY } from '../../data-sets.js';
import { peakBytes, timed } from '../../measure.js';
import type { Workload } from '../../workload.js';
import { figure, pathOf } from '../../workload.js';

const QUERY = 'SELECT ?s ?p ?o (COUNT(*) AS ?n) WHERE { ?s ?p ?o } GROUP BY ?s ?p ?o';

/** The number of groups, or the error of the memory budget. */
async function groups(repository: Repository): Promise<number | 'QUERY_MEMORY'> {
  let found = 0;
  try {
    for await (const row of repository.select(QUERY)) found += row['n'] === undefined ? 0 : 1;
  } catch (error) {
    if (error instanceof QuadrilleError && error.code === 'QUERY_MEMORY') return 'QUERY_MEMORY';
    throw error;
  }
  checkCount('groups', found, BSBM_QUADS['bsbm-1m']);
  return found;
}

export const workload: Workload = {
  name: 'memory',
  parts: {
    quadrille: {
      backend: 'quadrille',
      needs: ['store-1m'],
      measure: async (context) => {
        const db = await open(pathOf(context, 'store-1m'));
        const repository = await db.repository(REPOSITORY);
        await repository.ask('ASK { ?s ?p ?o }');
        const before = peakBytes();
        const { result, seconds } = await timed(() => groups(repository));
        await db.close();
        return {
          'peak before': figure(before / 1e6, 'MB'),
          peak: figure(peakBytes() / 1e6, 'MB'),
          wall: figure(seconds, 's'),
          ...(result === 'QUERY_MEMORY' ? { QUERY_MEMORY: figure(1, 'errors') } : { groups: figure(result, 'groups') }),
        };
      },
    },
  },
};
