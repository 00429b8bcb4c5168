/**
 * The graph `urn:quadrille:blame` has a node for each quad, which reifies its triple. A pattern with a triple term there begins at the
 * triples of the data that match: each of them is looked up. Otherwise all nodes would be taken apart.
 */
import type * as RDF from '@rdfjs/types';
import { iri } from '@quadrille/model';
import { type Bgp, type Operation, type Pattern, termVariables } from '../../algebra/algebra.js';
import { rewriteUp, type Task } from '../../algebra/rewrite.js';
import { makePattern, makeVariable } from '../../algebra/terms.js';

const BLAME = 'urn:quadrille:blame';
const ALL_GRAPHS = iri('urn:quadrille:all');

export function* seedBlame(operation: Operation, newName: () => string): Task<Operation> {
  return (yield rewriteUp(operation, (node) => (isBlame(node) ? seededGraph(node, newName) : node))) as Operation;
}

type BlameGraph = Extract<Operation, { readonly type: 'graph' }>;

/** Whether an operation stands in that graph. */
export const isBlame = (node: Operation): node is BlameGraph =>
  node.type === 'graph' && node.name.termType === 'NamedNode' && node.name.value === BLAME;

function* seededGraph(node: BlameGraph, newName: () => string): Task<Operation> {
  const input = (yield rewriteUp(node.input, (inner) =>
    inner.type === 'bgp' ? seeded(inner, newName) : inner,
  )) as Operation;
  return input === node.input ? node : { ...node, input };
}

function seeded(bgp: Bgp, newName: () => string): Operation {
  const seeds: Operation[] = [];
  const patterns = bgp.patterns.map((pattern): Pattern => {
    const { subject, predicate, object, graph } = pattern;
    if (object.termType !== 'Quad' || termVariables(object).length === 0) return pattern;
    const triple = makeVariable(newName());
    seeds.push(triplesOf(object, triple, graph));
    return makePattern(subject, predicate, triple, graph);
  });
  return seeds.length === 0 ? bgp : { type: 'join', input: [...seeds, { type: 'bgp', patterns }] };
}

/** The triples of all graphs that match, and each of them as a term. */
function triplesOf(term: RDF.BaseQuad, variable: RDF.Variable, graph: RDF.Term): Operation {
  const pattern = makePattern(term.subject, term.predicate, term.object, graph);
  return {
    type: 'extend',
    input: { type: 'graph', name: ALL_GRAPHS, input: { type: 'bgp', patterns: [pattern] } },
    variable,
    expression: { type: 'expression', subType: 'term', term: term as RDF.Term },
  };
}
