/** n3's streaming parser alone on the file of a million quads: what reading the file costs other stores. */
import type { Transform } from 'node:stream';
import { StreamParser } from 'n3';
import { countQuads } from '../../count-stream.js';
import { BSBM_QUADS, checkCount } from '../../data-sets.js';
import { timed } from '../../measure.js';
import type { Workload } from '../../workload.js';
import { figure, pathOf } from '../../workload.js';

export const workload: Workload = {
  name: 'n3-parse-1m',
  parts: {
    n3: {
      backend: 'n3',
      needs: ['bsbm-1m'],
      measure: async (context) => {
        const parser = new StreamParser({ format: 'application/n-triples' }) as unknown as Transform;
        const { result, cpuSeconds, seconds } = await timed(() => countQuads(pathOf(context, 'bsbm-1m'), parser));
        checkCount('n3', result, BSBM_QUADS['bsbm-1m']);
        return { rate: figure(result / cpuSeconds, 'quads/CPU-s'), wall: figure(seconds, 's') };
      },
    },
  },
};
