/** Ordinary questions over five sets of data: how many times faster than Oxigraph they are, and than native stores that the user names. */
import { measureQuestions, QUESTION_SETS, remarkable } from '../../ordinary/measure-questions.js';
import { PEER_NAMES } from '../../peers/names.js';
import { lackOf } from '../../peers/peers.js';
import type { Part, Workload } from '../../workload.js';

const PARTS = QUESTION_SETS.flatMap((set): [string, Part][] => [
  [set.name, { backend: 'quadrille', needs: [], once: true, measure: (context) => measureQuestions(set, context) }],
  ...PEER_NAMES.map((peer): [string, Part] => [
    `${set.name}, ${peer}`,
    {
      backend: peer,
      peer,
      needs: [],
      once: true,
      lacks: () => lackOf(peer),
      measure: (context) => measureQuestions(set, context, peer),
    },
  ]),
]);

export const workload: Workload = { name: 'ordinary', parts: Object.fromEntries(PARTS), verdicts: remarkable };
