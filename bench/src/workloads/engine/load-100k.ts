/** Loads BSBM of 100,000 quads through Quadrille, and through quadstore over the same LevelDB. */
import { join } from 'node:path';
import { BSBM_QUADS, checkCount } from '../../data-sets.js';
import { againFigures, loadFigures, quadrilleLoad } from '../../loading.js';
import { timed } from '../../measure.js';
import { loadQuadstore, openQuadstore } from '../../stores/quadstore-store.js';
import type { Workload } from '../../workload.js';
import { pathOf } from '../../workload.js';

export const workload: Workload = {
  name: 'load-100k',
  parts: {
    quadrille: quadrilleLoad('bsbm-100k', true),
    quadstore: {
      backend: 'quadstore',
      needs: ['bsbm-100k'],
      measure: async (context) => {
        const path = join(context.scratch, 'store');
        const loadInto = (folder: string): ReturnType<typeof timed<void>> =>
          timed(async () => {
            const store = await openQuadstore(folder);
            await loadQuadstore(store, pathOf(context, 'bsbm-100k'));
            await store.close();
          });
        const load = await loadInto(path);
        const figures = await loadFigures(path, 'bsbm-100k', load);
        const store = await openQuadstore(path);
        const { items } = await store.get({});
        checkCount('quadstore', items.length, BSBM_QUADS['bsbm-100k']);
        await store.close();
        return { ...figures, ...againFigures('bsbm-100k', await loadInto(join(context.scratch, 'again'))) };
      },
    },
  },
  comparisons: [
    { figure: 'rate', backend: 'quadstore', how: 'ratio' },
    { figure: 'wall', backend: 'quadstore', how: 'ratio' },
    { figure: 'rate again', backend: 'quadstore', how: 'ratio' },
    { figure: 'wall again', backend: 'quadstore', how: 'ratio' },
    { figure: 'disk', backend: 'quadstore', how: 'ratio' },
  ],
};
