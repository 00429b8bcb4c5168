/** 400 literals of 1 MiB: the memory of loading them, and the time to open their store. */
import { measureMemory } from '../../limits/long-literals.js';
import type { Workload } from '../../workload.js';

const SIZE = { count: 400, length: 1024 * 1024 };

export const workload: Workload = {
  name: 'limits-memory',
  parts: {
    quadrille: { backend: 'quadrille', needs: [], measure: ({ scratch }) => measureMemory(scratch, SIZE) },
  },
};
