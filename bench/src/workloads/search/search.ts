/** Searches for words in many texts: with the index and without it, and beside other indexes of words. */
import { lacksFts5, measureFts5 } from '../../search/ask-fts5.js';
import { lacksLibrary, measureLibrary } from '../../search/ask-javascript.js';
import { measureQuadrille } from '../../search/ask-quadrille.js';
import { QUESTIONS } from '../../search/texts.js';
import type { Comparison, Part, Workload } from '../../workload.js';

const libraryPart = (name: string): Part => ({
  backend: name,
  needs: [],
  lacks: lacksLibrary(name),
  measure: (context) => measureLibrary(name, context),
});

const WITHOUT = 'quadrille without an index';
const OTHERS = ['fts5', 'minisearch', '@orama/orama'];
const ratio = (figure: string, backend: string): Comparison => ({ figure, backend, how: 'ratio' });

export const workload: Workload = {
  name: 'search',
  parts: {
    quadrille: { backend: 'quadrille', needs: [], measure: (context) => measureQuadrille(context, true) },
    [WITHOUT]: { backend: WITHOUT, needs: [], measure: (context) => measureQuadrille(context, false) },
    fts5: { backend: 'fts5', needs: [], lacks: lacksFts5, measure: measureFts5 },
    minisearch: libraryPart('minisearch'),
    orama: libraryPart('@orama/orama'),
  },
  layout: 'columns',
  comparisons: [
    ...[
      'load',
      'until all can be found',
      'bytes',
      'CONTAINS, property known',
      'CONTAINS, any property',
      'commit of 100 quads',
    ].map((figure) => ratio(figure, WITHOUT)),
    ...OTHERS.flatMap((backend) => ['load', ...Object.keys(QUESTIONS)].map((figure) => ratio(figure, backend))),
  ],
};
