/** n3's streaming parser alone over the million, into nothing: what reading the file costs others. */
import { createReadStream } from 'node:fs';
import { StreamParser } from 'n3';
import { BSBM_QUADS, checkCount } from '../data-sets.js';
import { timed } from '../measure.js';
import type { Workload } from '../workload.js';
import { figure, pathOf } from '../workload.js';

function countQuads(file: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const parser = new StreamParser({ format: 'application/n-triples' });
    let quads = 0;
    parser.on('data', () => quads++);
    parser.on('end', () => resolve(quads));
    parser.on('error', reject);
    createReadStream(file).on('error', reject).pipe(parser);
  });
}

export const workload: Workload = {
  name: 'n3-parse-1m',
  parts: {
    n3: {
      backend: 'n3',
      needs: ['bsbm-1m'],
      measure: async (context) => {
        const { result, cpuSeconds, seconds } = await timed(() => countQuads(pathOf(context, 'bsbm-1m')));
        checkCount('n3', result, BSBM_QUADS['bsbm-1m']);
        return { rate: figure(result / cpuSeconds, 'quads/CPU-s'), wall: figure(seconds, 's') };
      },
    },
  },
};
