/** Which quads the answers of a pattern depend on, by their predicates. */
import type * as RDF from '@rdfjs/types';
import { walk, type Operation } from './algebra.js';
import { bindsGraph } from './graph-transparency.js';

/** The predicates of all quads that a pattern reads; `undefined` where its answers may depend on any quad. */
export function readPredicates(pattern: Operation): readonly RDF.NamedNode[] | undefined {
  const found = new Map<string, RDF.NamedNode>();
  let anything = false;
  walk(pattern, (node) => {
    // Paths are visited too.
    switch (node.type as string) {
      case 'bgp':
        for (const { predicate } of (node as Operation & { type: 'bgp' }).patterns) {
          if (predicate.termType === 'NamedNode') found.set(predicate.value, predicate);
          else anything = true;
        }
        return;
      case 'link': {
        const { iri } = node as unknown as { readonly iri: RDF.NamedNode };
        found.set(iri.value, iri);
        return;
      }
      // A negated set reads all other predicates. A path of length zero leads from each node of the graph to itself.
      case 'nps':
      case 'ZeroOrMorePath':
      case 'ZeroOrOnePath':
      case 'describe':
        anything = true;
        return;
      // Which graphs there are depends on every quad.
      case 'graph':
        if (!bindsGraph((node as Operation & { type: 'graph' }).input)) anything = true;
        return;
      default:
    }
  });
  return anything ? undefined : [...found.values()];
}
