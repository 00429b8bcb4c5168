/** FIBO's 37 releases as revisions, and patterns at, between and over them, beside OSTRICH. */
import { lacksOstrich, measureOstrich } from '../../history/ask-ostrich.js';
import { measureQuadrille } from '../../history/ask-quadrille.js';
import { figureName, QUESTIONS } from '../../history/questions.js';
import { SHAPES } from '../../history/releases.js';
import type { Line } from '../../report/report.js';
import type { Workload } from '../../workload.js';
import { STORAGES } from '../../workload.js';

const FIGURES = QUESTIONS.flatMap((question) =>
  SHAPES.flatMap((shape) => [figureName(question, shape), `${figureName(question, shape)} mean`]),
);

/** Names the questions of which the numbers of results differ. */
function differing(lines: readonly Line[]): string[] {
  return lines.flatMap(({ backend, workload, median }) => {
    if (backend !== 'ostrich' || !workload.endsWith(' results')) return [];
    const ours = lines.find((line) => line.backend === 'quadrille' && line.workload === workload);
    if (ours === undefined || ours.median === median) return [];
    return [`${workload}: ${String(ours.median)}, OSTRICH ${String(median)}`];
  });
}

export const workload: Workload = {
  name: 'releases',
  parts: {
    quadrille: { backend: 'quadrille', needs: ['fibo'], storages: STORAGES, measure: measureQuadrille },
    ostrich: { backend: 'ostrich', needs: ['fibo'], once: true, lacks: lacksOstrich, measure: measureOstrich },
  },
  comparisons: ['load, processor', 'load, bytes', ...FIGURES].map((figure) => ({
    figure,
    backend: 'ostrich',
    how: 'inverse',
  })),
  verdicts: differing,
};
