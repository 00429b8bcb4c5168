/** The graphs that a request names. */
import type * as RDF from '@rdfjs/types';
import {
  walk,
  type Operation,
  type Pattern,
  type UpdateOperation,
} from '../../../packages/sparql/src/algebra/algebra.js';
import type { DatasetClause } from '../../../packages/sparql/src/algebra/request.js';

/** The graphs of a dataset clause, of GRAPH, and of the targets of updates: each once. */
export function namedGraphs(
  dataset: DatasetClause | undefined,
  algebra: Operation | readonly UpdateOperation[],
): RDF.NamedNode[] {
  const graphs = new Map<string, RDF.NamedNode>();
  const add = (term: RDF.Term | string | undefined): void => {
    if (typeof term === 'object' && term.termType === 'NamedNode') graphs.set(term.value, term);
  };
  const addPatterns = (patterns: readonly Pattern[] = []): void => patterns.forEach(({ graph }) => add(graph));
  const addFrom = (operation: Operation): void =>
    walk(operation, (node) => {
      if (node.type === 'graph') add(node.name);
    });
  const addUpdate = (operation: UpdateOperation): void => {
    switch (operation.type) {
      case 'deleteinsert':
        addPatterns(operation.delete);
        addPatterns(operation.insert);
        if (operation.where !== undefined) addFrom(operation.where);
        break;
      case 'load':
        add(operation.destination);
        break;
      default:
        add(operation.source);
        if ('destination' in operation) add(operation.destination);
    }
  };
  dataset?.default.forEach(add);
  dataset?.named.forEach(add);
  if ('type' in algebra) addFrom(algebra);
  else algebra.forEach(addUpdate);
  return [...graphs.values()];
}
