/**
 * 36 differences of an ontology, 412,621 changes, replayed by transactions and compared with a load of as many quads.
 */
import { join } from 'node:path';
import { openEngine } from '../../engine-store.js';
import { measureReplay } from '../../limits/replay.js';
import type { Workload } from '../../workload.js';
import { pathOf, STORAGES } from '../../workload.js';

export const workload: Workload = {
  name: 'limits-replay',
  parts: {
    quadrille: {
      backend: 'quadrille',
      needs: ['fibo'],
      storages: STORAGES,
      measure: async (context) => {
        const db = await openEngine(context.storage, join(context.scratch, 'store'));
        const figures = await measureReplay(db, pathOf(context, 'fibo'));
        await db.close();
        return figures;
      },
    },
  },
};
