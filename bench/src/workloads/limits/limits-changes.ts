/** 300,000 quads through each call that changes many quads. No call may hold the event loop. */
import { CHANGES, measureChange } from '../../limits/changes.js';
import type { Part, Workload } from '../../workload.js';

const QUADS = 300_000;

export const workload: Workload = {
  name: 'limits-changes',
  parts: Object.fromEntries(
    Object.keys(CHANGES).map((name): [string, Part] => [
      name,
      { backend: 'quadrille', needs: [], measure: ({ scratch }) => measureChange(name, scratch, QUADS) },
    ]),
  ),
};
