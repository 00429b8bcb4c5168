/** The pattern of `subj`, `pred`, `obj` and one graph, which filters revisions by what they have changed. */
import { refuseParameter } from '../http/index.js';
import { defaultGraph, type QuadPattern } from 'quadrille';
import { parameterTerm, patternOf } from './terms.js';

/** `undefined` if no position is given. `graph` is another name of `context`. @throws HttpError 400 */
export function quadPatternOf(parameters: URLSearchParams): QuadPattern | undefined {
  const graph = graphOf(parameters);
  const pattern = { ...patternOf(parameters), ...(graph && { graph }) };
  return Object.keys(pattern).length > 0 ? pattern : undefined;
}

const refuse = refuseParameter('context');

function graphOf(parameters: URLSearchParams): QuadPattern['graph'] {
  const [text, ...more] = ['context', 'graph'].flatMap((name) => parameters.getAll(name));
  if (more.length > 0) throw refuse('context is given more than once');
  if (text === undefined) return undefined;
  if (/^(?:null|default)$/i.test(text.trim())) return defaultGraph();
  const term = parameterTerm(text, 'context');
  if (term.termType !== 'NamedNode' && term.termType !== 'BlankNode')
    throw refuse(`a ${term.termType} cannot be a graph`);
  return term;
}
