/** SPARQL updates with much data, each in its own repository. No update may hold the event loop. */
import { measureUpdates } from '../../limits/updates.js';
import type { Workload } from '../../workload.js';

const SIZES = { blankNodes: 20_000, quads: 100_000, loaded: 100_000, texts: 50, length: 1_000_000 };

export const workload: Workload = {
  name: 'limits-updates',
  parts: {
    quadrille: { backend: 'quadrille', needs: [], measure: ({ scratch }) => measureUpdates(scratch, SIZES) },
  },
};
