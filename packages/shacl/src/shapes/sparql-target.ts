/** Targets in SPARQL: `sh:SPARQLTarget`, and types of targets with parameters. */
import type * as RDF from '@rdfjs/types';
import { RDF_TYPE } from '../vocabulary.js';
import { parametersOf, valuesOf } from './components.js';
import { invalid } from './invalid.js';
import type { Bind } from './parse-path.js';
import { queryOf, type QueryPlace, readsOf } from './query-text.js';
import type { Target } from './shape.js';

/** `undefined` if the node is no target in SPARQL. @throws ShapesError `SHAPES_INVALID` */
export function queryTarget(place: QueryPlace, shapesGraph: RDF.Term, bind: Bind): Target | undefined {
  const { graph, owner, node } = place;
  const make = (text: RDF.Term, parameters: Readonly<Record<string, RDF.Term>>): Target => {
    const constants = { ...parameters, shapesGraph, currentShape: owner };
    const options = { kind: 'select', rows: ['this'], constants, apart: shapesGraph, joined: true } as const;
    const query = queryOf({ ...place, node: text }, options);
    if (!query.columns.includes('this')) throw invalid(owner, 'the query of a target has to select ?this');
    return { kind: 'query', query: { query, owner }, reads: readsOf(query.reach, bind) };
  };
  if (graph.sh(node, 'select').length > 0) return make(node, {});
  for (const type of graph.values(node, RDF_TYPE)) {
    if (graph.sh(type, 'select').length === 0) continue;
    const [parameters] = valuesOf(graph, { node: type, parameters: parametersOf(graph, type) }, node);
    if (parameters === undefined) throw invalid(owner, 'a target lacks a parameter of its type');
    return make(type, parameters);
  }
  return undefined;
}
