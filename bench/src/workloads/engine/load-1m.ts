/** Loads BSBM of a million quads into LevelDB, durable, and measures the delay of a 10 ms timer meanwhile. */
import { setTimeout as sleep } from 'node:timers/promises';
import { quadrilleLoad } from '../../loading.js';
import { TimerWatch } from '../../measure.js';
import type { Workload } from '../../workload.js';
import { figure } from '../../workload.js';

/** Duration of the control in milliseconds, about that of the load. */
const IDLE_MS = 4000;

export const workload: Workload = {
  name: 'load-1m',
  parts: {
    quadrille: quadrilleLoad('bsbm-1m'),
    idle: {
      backend: 'control',
      needs: [],
      measure: async () => {
        const watch = new TimerWatch();
        await sleep(IDLE_MS);
        return { 'timer lateness': figure(watch.stop(), 'ms') };
      },
    },
  },
  comparisons: [{ figure: 'timer lateness', backend: 'control', how: 'difference' }],
};
