/** Whether `GRAPH ?g` can be replaced by the variable ?g in every pattern below it. */
import type * as RDF from '@rdfjs/types';
import { walk, type Operation } from './algebra.js';
import { visibleVariables } from './substitute-variables.js';

/** Whether the variable of GRAPH can stand in each pattern of the group instead. */
export function isTransparentGraph(input: Operation, name: RDF.Variable): boolean {
  return bindsGraph(input) && isTransparent(input, name.value);
}

/** Whether every solution comes from at least one pattern that is evaluated in this graph. */
export function bindsGraph(operation: Operation): boolean {
  switch (operation.type) {
    case 'bgp':
      return operation.patterns.length > 0;
    case 'join':
      return operation.input.some(bindsGraph);
    case 'union':
      return operation.input.every(bindsGraph);
    case 'leftjoin':
      return bindsGraph(operation.input[0]);
    case 'filter':
      return bindsGraph(operation.input);
    default:
      return false;
  }
}

const TRANSPARENT: ReadonlySet<string> = new Set(['bgp', 'join', 'union', 'leftjoin', 'filter', 'values']);

/** Whether binding the graph's variable early changes nothing: only joins, and no expression that looks at it. */
function isTransparent(operation: Operation, name: string): boolean {
  let transparent = true;
  let optional = false;
  let mentioned = false;
  walk(operation, (node) => {
    if (node.type === 'expression') {
      if (node.subType === 'existence') {
        optional = true;
        transparent &&= bindsGraph(node.input);
      }
      if (node.subType === 'term' && node.term.termType === 'Variable' && node.term.value === name) transparent = false;
    } else if (node.type === 'path') {
      // A path of length zero is found in every graph, also in one that Comunica's source cannot name.
      transparent &&= node.predicate.type === 'link' || node.predicate.type === 'nps';
    } else if (!TRANSPARENT.has(node.type)) transparent = false;
    if (node.type === 'leftjoin') optional = true;
    if ((node.type === 'bgp' || node.type === 'path' || node.type === 'values') && visibleVariables(node).has(name)) {
      mentioned = true;
    }
  });
  // Joins may come in any order, but what an OPTIONAL finds depends on what is bound before it.
  return transparent && !(optional && mentioned);
}
