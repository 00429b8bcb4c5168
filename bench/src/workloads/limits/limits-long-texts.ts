/** 200 literals of 1 MB, loaded, written and read by every call for that. No call may hold the event loop. */
import { measureLoad, measureRead, measureWrites, READS } from '../../limits/long-literals.js';
import type { Context, Figures, Part, Workload } from '../../workload.js';

const SIZE = { count: 200, length: 1_000_000 };
/** The caller of writes holds these in memory. */
const WRITTEN = { count: 50, length: 1_000_000 };

const part = (measure: (context: Context) => Promise<Figures>): Part => ({ backend: 'quadrille', needs: [], measure });

export const workload: Workload = {
  name: 'limits-long-texts',
  parts: {
    'load N-Triples': part(({ scratch }) => measureLoad('N-Triples', scratch, SIZE)),
    'load Turtle': part(({ scratch }) => measureLoad('Turtle', scratch, SIZE)),
    writes: part(({ scratch }) => measureWrites(scratch, WRITTEN)),
    ...Object.fromEntries(
      Object.keys(READS).map((name) => [name, part(({ scratch }) => measureRead(name, scratch, SIZE))]),
    ),
  },
};
