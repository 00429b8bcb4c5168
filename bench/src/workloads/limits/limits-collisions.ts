/** Labels with colliding hashes, compared with other labels. */
import { ALL_COLLIDING, measureCollisions } from '../../limits/colliding-labels.js';
import type { Workload } from '../../workload.js';

export const workload: Workload = {
  name: 'limits-collisions',
  parts: {
    quadrille: { backend: 'quadrille', needs: [], measure: ({ scratch }) => measureCollisions(scratch, ALL_COLLIDING) },
  },
};
