/** Loads BSBM in formats that libraries parse, and compares this with the library alone on the same file. */
import { join } from 'node:path';
import { registerExtraFormats } from '@quadrille/formats-extra';
import { formats } from 'quadrille';
import { BSBM_QUADS, checkCount } from './data-sets.js';
import type { BsbmSet } from './data-sets.js';
import { loadQuadrille } from './loading.js';
import { timed } from './measure.js';
import type { Elapsed } from './measure.js';
import type { Figures, Need, Workload } from './workload.js';
import { figure, pathOf } from './workload.js';

export interface FormatLoad {
  readonly name: string;
  readonly document: Need;
  readonly set: BsbmSet;
  /**
   * The library that parses the file without using the result, and its parse function, which returns the number of
   * quads.
   */
  readonly library: string;
  readonly parse: (file: string) => Promise<number>;
}

/** Both in one run. A ratio of 1 means that storing costs no time in addition to parsing. */
export function formatWorkload({ name, document, set, library, parse }: FormatLoad): Workload {
  return {
    name,
    parts: {
      quadrille: {
        backend: 'quadrille',
        needs: [document],
        measure: async (context) => {
          registerExtraFormats(formats);
          const path = join(context.scratch, 'store');
          return figuresOf(set, await loadQuadrille(context.storage, path, pathOf(context, document), set));
        },
      },
      [library]: {
        backend: library,
        needs: [document],
        measure: async (context) => {
          const parsed = await timed(() => parse(pathOf(context, document)));
          checkCount(library, parsed.result, BSBM_QUADS[set]);
          return figuresOf(set, parsed);
        },
      },
    },
    comparisons: [
      { figure: 'quads a second', backend: library, how: 'ratio' },
      { figure: 'rate', backend: library, how: 'ratio' },
    ],
  };
}

function figuresOf(set: BsbmSet, { seconds, cpuSeconds }: Elapsed<unknown>): Figures {
  const quads = BSBM_QUADS[set];
  return {
    'quads a second': figure(quads / seconds, 'quads/s'),
    rate: figure(quads / cpuSeconds, 'quads/CPU-s'),
    wall: figure(seconds, 's'),
    cpu: figure(cpuSeconds, 's'),
  };
}
