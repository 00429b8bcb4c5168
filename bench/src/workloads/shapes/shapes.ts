/** Queries over data of five shapes: how many times faster than Oxigraph they are. */
import { sparseCatalogue } from '../../shapes/sparse-catalogue.js';
import { manyGraphs } from '../../shapes/many-graphs.js';
import { measureShape } from '../../shapes/measure-shape.js';
import { social } from '../../shapes/social.js';
import { taxonomy } from '../../shapes/taxonomy.js';
import { timeSeries } from '../../shapes/time-series.js';
import type { Part, Workload } from '../../workload.js';

const SHAPES = [social, manyGraphs, taxonomy, sparseCatalogue, timeSeries];

export const workload: Workload = {
  name: 'shapes',
  parts: Object.fromEntries(
    SHAPES.map((shape): [string, Part] => [
      shape.name,
      { backend: 'quadrille', needs: [], measure: (context) => measureShape(shape, context) },
    ]),
  ),
};
