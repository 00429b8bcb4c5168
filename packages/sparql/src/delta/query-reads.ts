/** Which quads the answer of a query depends on, by predicate and by graph. */
import type * as RDF from '@rdfjs/types';
import { defaultGraph } from '@quadrille/model';
import {
  expressionsIn,
  partsOf,
  type Expression,
  type Operation,
  type Path,
  type Pattern,
  type PropertyPath,
} from '../algebra/algebra.js';
import { bindsGraph } from '../algebra/graph-transparency.js';
import { inputsOf } from '../algebra/rewrite.js';
import { isSpecialGraph } from '../algebra/special-graphs.js';
import { toGraphSource, type GraphSelection } from '../dataset/dataset-view.js';
import { isDeterministic } from './determinism.js';

/** Quads that a query reads. */
export interface QuadRead {
  /** Their subject, if it is one IRI. */
  readonly subject?: RDF.Term | undefined;
  /** Their predicate; `undefined`: any. */
  readonly predicate: RDF.Term | undefined;
  /** Their graphs; `undefined`: any. */
  readonly graphs: readonly RDF.Term[] | undefined;
  /** Their object, if it is one IRI or literal. */
  readonly object?: RDF.Term | undefined;
}

type Graphs = QuadRead['graphs'];
interface Place {
  readonly node: Operation;
  readonly graphs: Graphs;
}

/** What a query reads. `undefined`: its answer may change although no quad does, or with quads that it does not name. */
export function readsOf(algebra: Operation, selection: GraphSelection): readonly QuadRead[] | undefined {
  const terms = [...selection.default, ...(selection.named === 'all' ? [] : selection.named)];
  // Other repositories, and graphs that are computed.
  if (terms.some((term) => typeof term !== 'string' && isSpecialGraph(term))) return undefined;
  const reads: QuadRead[] = [];
  const open: Place[] = [{ node: algebra, graphs: defaultGraphs(selection) }];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const { node } = place;
    if (node.type === 'service' || node.type === 'seed' || node.type === 'from') return undefined;
    if (!expressionsIn(node).every(isDeterministic)) return undefined;
    const below = node.type === 'graph' ? graphsIn(node) : place.graphs;
    if (below === 'computed') return undefined;
    reads.push(...readsHere({ node, graphs: below }));
    for (const input of inputsOf(node)) open.push({ node: input, graphs: below });
    for (const input of expressionsIn(node).flatMap(existences)) open.push({ node: input, graphs: below });
  }
  return reads;
}

/** Whether a quad is one of those that are read. */
export const touches = (reads: readonly QuadRead[], { subject, predicate, object, graph }: RDF.BaseQuad): boolean =>
  reads.some(
    (read) =>
      isMet(read.predicate, predicate) &&
      isMet(read.subject, subject) &&
      isMet(read.object, object) &&
      (read.graphs === undefined || read.graphs.some((name) => name.equals(graph))),
  );

// A literal may be stored in another form, such as the case of its language.
const isMet = (read: RDF.Term | undefined, term: RDF.Term): boolean =>
  read === undefined || (read.termType === 'Literal' ? term.termType === 'Literal' : read.equals(term));

function readsHere({ node, graphs }: Place): QuadRead[] {
  switch (node.type) {
    case 'bgp':
      return node.patterns.map(({ subject, predicate, object }) => ({
        subject: constant(subject),
        predicate: constant(predicate),
        object: object.termType === 'Literal' ? object : constant(object),
        graphs,
      }));
    case 'path':
      return pathReads(node, graphs);
    case 'describe':
      return [{ predicate: undefined, graphs: undefined }];
    case 'graph':
      // Whether there is a graph depends on every quad in it.
      return bindsGraph(node.input) ? [] : [{ predicate: undefined, graphs }];
    default:
      return [];
  }
}

const constant = (term: Pattern['subject']): RDF.Term | undefined => (term.termType === 'NamedNode' ? term : undefined);

function pathReads({ predicate }: Path, graphs: Graphs): QuadRead[] {
  const reads: QuadRead[] = [];
  const open: PropertyPath[] = [predicate];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    switch (path.type) {
      case 'link':
        reads.push({ predicate: path.iri, graphs });
        break;
      case 'alt':
      case 'seq':
        open.push(...path.input);
        break;
      case 'inv':
      case 'OneOrMorePath':
        open.push(path.path);
        break;
      default:
        // A negated set reads all other predicates. A path of length zero leads from each node of the graph to itself.
        return [{ predicate: undefined, graphs }];
    }
  }
  return reads;
}

function graphsIn({ name }: Operation & { type: 'graph' }): Graphs | 'computed' {
  if (name.termType === 'Variable' || typeof toGraphSource(name) === 'string') return undefined;
  return isSpecialGraph(name) ? 'computed' : [name];
}

function defaultGraphs(selection: GraphSelection): Graphs {
  const graphs: RDF.Term[] = [];
  for (const source of selection.default) {
    if (source === 'all' || source === 'named') return undefined;
    graphs.push(source === 'default' ? defaultGraph() : source);
  }
  return graphs;
}

function existences(expression: Expression): Operation[] {
  const found: Operation[] = [];
  for (const part of partsOf(expression)) if (part.subType === 'existence') found.push(part.input);
  return found;
}
