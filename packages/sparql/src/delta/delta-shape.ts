/**
 * The queries whose answers are changed by what joins with the changed quads: basic graph patterns, also in GRAPH, with FILTER, BIND
 * and VALUES, below a projection, DISTINCT or COUNT.
 */
import type * as RDF from '@rdfjs/types';
import { defaultGraph, termToText } from '@quadrille/model';
import type { Bgp, Group, Operation } from '../algebra/algebra.js';
import { bindsGraph } from '../algebra/graph-transparency.js';
import { inputsOf } from '../algebra/rewrite.js';
import { isSpecialGraph } from '../algebra/special-graphs.js';
import { certainVariables, hasExistence, lookedAtVariables } from '../algebra/variables.js';
import type { GraphSelection } from '../dataset/dataset-view.js';
import { isDeterministic } from './determinism.js';
import { PlacedPattern } from './placed-pattern.js';

/** Larger groups take longer to plan than most of them take to run, and walks over them are recursive. */
const MOST_NODES = 64;
const MOST_PATTERNS = 16;

/** A pattern and where it stands. */
export interface Place {
  readonly bgp: Bgp;
  readonly index: number;
  readonly pattern: PlacedPattern;
}

export interface DeltaShape {
  /** What makes the solutions. */
  readonly where: Operation;
  readonly places: readonly Place[];
  /** The columns of the answer. */
  readonly columns: readonly string[];
  readonly distinct: boolean;
  /** Whether the answer has an order. What its changes are found with has none. */
  readonly ordered: boolean;
  /** Of a grouping: the columns that are keys, and those that count the solutions of a group. */
  readonly counted: { readonly keys: readonly string[]; readonly counts: readonly string[] } | undefined;
}

/** `undefined` for a query of another shape. */
export function shapeOf(algebra: Operation, selection: GraphSelection): DeltaShape | undefined {
  const distinct = algebra.type === 'distinct';
  const project = distinct ? algebra.input : algebra;
  if (project.type !== 'project') return undefined;
  const columns = project.variables.map(({ value }) => value);
  const ordered = project.input.type === 'orderby';
  const input = project.input.type === 'orderby' ? project.input.input : project.input;
  const grouping = groupingIn(input);
  const where = grouping?.group.input ?? input;
  const places = placesIn(where, selection);
  if (places === undefined || places.length === 0) return undefined;
  const certain = certainVariables(where);
  // Whether a row has other derivations is asked by its values, which have to come from patterns.
  if (distinct && (grouping !== undefined || !columns.every((name) => isInPattern(places, name)))) return undefined;
  const counted = grouping && countedBy(grouping, columns, certain);
  if (grouping !== undefined && counted === undefined) return undefined;
  return { where, places, columns, distinct, ordered, counted };
}

const isInPattern = (places: readonly Place[], name: string): boolean =>
  places.some(({ pattern }) => pattern.variables.includes(name));

interface Grouping {
  readonly group: Group;
  /** Names of columns by those of aggregates. */
  readonly names: ReadonlyMap<string, string>;
}

/** The grouping below the names of its columns. */
function groupingIn(operation: Operation): Grouping | undefined {
  const names = new Map<string, string>();
  let node = operation;
  while (node.type === 'extend' && node.expression.subType === 'term') {
    names.set(node.expression.term.value, node.variable.value);
    node = node.input;
  }
  return node.type === 'group' ? { group: node, names } : undefined;
}

/** Only counts of all solutions follow from the change alone, and only if rows tell which group they are of. */
function countedBy(
  { group, names }: Grouping,
  columns: readonly string[],
  certain: ReadonlySet<string>,
): DeltaShape['counted'] {
  const keys = group.variables.map(({ value }) => value);
  const counts = group.aggregates.map(({ variable }) => names.get(variable.value) ?? variable.value);
  const known = new Set([...keys, ...counts]);
  if (counts.length === 0 || !keys.every((name) => columns.includes(name))) return undefined;
  if (!columns.every((name) => known.has(name)) || !counts.some((name) => columns.includes(name))) return undefined;
  const countsAll = group.aggregates.every(({ aggregator, distinct, expression }) => {
    if (aggregator !== 'count' || distinct) return false;
    return (
      expression.subType === 'wildcard' ||
      (expression.subType === 'term' && (expression.term.termType !== 'Variable' || certain.has(expression.term.value)))
    );
  });
  return countsAll ? { keys, counts: counts.filter((name) => columns.includes(name)) } : undefined;
}

/** The patterns of a group, where it is nothing but joins of them. */
function placesIn(where: Operation, selection: GraphSelection): Place[] | undefined {
  const [source, ...others] = selection.default;
  if (others.length > 0 || source === undefined || source === 'all' || source === 'named') return undefined;
  const named = selection.named === 'all' ? undefined : new Set(selection.named.map(termToText));
  const places: Place[] = [];
  const graph = source === 'default' ? defaultGraph() : source;
  const open: { readonly node: Operation; readonly graph: RDF.Term }[] = [{ node: where, graph }];
  let nodes = 0;
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const { node } = place;
    if (++nodes > MOST_NODES || !isJoin(node, named)) return undefined;
    if (node.type === 'bgp') {
      const inGraph = place.graph;
      node.patterns.forEach((pattern, index) =>
        places.push({ bgp: node, index, pattern: new PlacedPattern(pattern, inGraph, named) }),
      );
    }
    if (places.length > MOST_PATTERNS) return undefined;
    const below = node.type === 'graph' ? node.name : place.graph;
    for (const input of inputsOf(node)) open.push({ node: input, graph: below });
  }
  return places;
}

/** Whether each solution of an operation is made of one solution of each of its inputs, and always the same one. */
function isJoin(node: Operation, named: ReadonlySet<string> | undefined): boolean {
  switch (node.type) {
    case 'bgp':
    case 'join':
    case 'values':
    case 'nop':
      return true;
    case 'filter':
    case 'extend':
      return isDeterministic(node.expression) && !hasExistence(node.expression);
    case 'graph':
      // Else its solutions depend on which graphs there are.
      if (!bindsGraph(node.input)) return false;
      if (node.name.termType !== 'Variable')
        return !isSpecialGraph(node.name) && (named?.has(termToText(node.name)) ?? true);
      // Inside, expressions do not see the variable. They would see it in the rows of a change.
      return !lookedAtVariables(node.input).has(node.name.value);
    default:
      return false;
  }
}
