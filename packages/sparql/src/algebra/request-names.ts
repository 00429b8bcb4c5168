/** The graphs and the variables that a request names. */
import type * as RDF from '@rdfjs/types';
import { walk, type Operation, type Pattern, termVariables, type UpdateOperation } from './algebra.js';
import { mapTerms } from './map-terms.js';
import type { DatasetClause, ParsedSparql } from './request.js';

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

const known = new WeakMap<ParsedSparql, ReadonlySet<string>>();

/** The variables that stand anywhere in a request. */
export function requestVariables(parsed: ParsedSparql): ReadonlySet<string> {
  let names = known.get(parsed);
  if (names === undefined) {
    const found = new Set<string>();
    mapTerms(parsed, 'request', (term) => {
      // Blank nodes of a template are variables of such names.
      for (const name of termVariables(term)) if (!name.startsWith('_:')) found.add(name);
      return term;
    });
    known.set(parsed, (names = found));
  }
  return names;
}
