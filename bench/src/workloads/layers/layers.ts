/** The same work over each backend with and without the journal and blob files, and a verdict for each of these layers. */
import { MEASURES } from '../../layers/measure-stack.js';
import { STACKS } from '../../layers/stacks.js';
import { layerVerdicts } from '../../layers/verdicts.js';
import type { Part, Workload } from '../../workload.js';

const SIZES = { times: { warmMs: 500, measureMs: 2000 }, rewrites: 20, literals: 200, literalLength: 1_000_000 };

export const workload: Workload = {
  name: 'layers',
  parts: Object.fromEntries(
    Object.keys(MEASURES).flatMap((name) =>
      Object.keys(STACKS).map((stack): [string, Part] => [
        `${stack}, ${name}`,
        {
          backend: stack,
          needs: [],
          measure: ({ scratch, sizes }) => MEASURES[name]!(stack, scratch, { quads: sizes.quads, ...SIZES }),
        },
      ]),
    ),
  ),
  layout: 'columns',
  verdicts: layerVerdicts,
};
