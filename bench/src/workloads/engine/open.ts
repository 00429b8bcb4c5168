/**
 * A new process opens the store of a million quads and answers a first lookup, in milliseconds since the process
 * began.
 */
import { iri, open } from 'quadrille';
import { REPOSITORY } from '../../data-sets.js';
import type { Workload } from '../../workload.js';
import { figure, pathOf } from '../../workload.js';

const PRODUCT = iri('http://www4.wiwiss.fu-berlin.de/bizer/bsbm/v01/instances/dataFromProducer1/Product1');

export const workload: Workload = {
  name: 'open',
  parts: {
    quadrille: {
      backend: 'quadrille',
      needs: ['store-1m'],
      measure: async (context) => {
        const begin = performance.now();
        const db = await open(pathOf(context, 'store-1m'));
        const repository = await db.repository(REPOSITORY);
        const found = await repository.quads({ subject: PRODUCT }).toArray();
        const end = performance.now();
        if (found.length === 0) throw new Error('the product is not there');
        await db.close();
        return { 'since start': figure(end, 'ms'), 'since import': figure(end - begin, 'ms') };
      },
    },
    node: {
      backend: 'control',
      needs: [],
      // Node.js and this worker with the library imported, but nothing opened.
      measure: async () => ({ 'since start': figure(performance.now(), 'ms') }),
    },
  },
};
