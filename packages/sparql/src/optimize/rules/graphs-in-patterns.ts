/**
 * Puts the graph into each pattern below GRAPH: an IRI, or a variable, which is a column then. So what stands in `GRAPH ?g` runs once, and
 * not once for each graph: its solutions are those in each named graph, with the graph in the column.
 */
import type * as RDF from '@rdfjs/types';
import { isTwoSided, type Expression, type Graph, type Operation, type Pattern } from '../../algebra/algebra.js';
import { bindsEarly, bindsGraph } from '../../algebra/graph-transparency.js';
import { readsGraph } from '../reads-graph.js';
import { recordOf } from '../../algebra/operations/index.js';
import { inputsOf, mapExpressions, rewriteUp, withInputs, type Task } from '../../algebra/rewrite.js';
import { makePattern, makeVariable } from '../../algebra/terms.js';
import { certainVariables, hasExistence, mentionedVariables, visibleVariables } from '../../algebra/variables.js';
import { pathsInGraph, type PathInGraph } from './paths-in-graphs.js';

/** Gives names that no request has. */
export type NewName = () => string;

/** Leaves the patterns of EXISTS alone, but for those in GRAPH. Another host gets its pattern as it stands. */
export function* graphsInPatterns(operation: Operation, newName: NewName): Task<Operation> {
  const pruned = new Map<Operation, Operation>();
  return (yield rewriteUp(operation, (node) =>
    node.type === 'graph' && node.input.type !== 'nop' ? placed(node, newName, pruned) : node,
  )) as Operation;
}

/** `pruned`: what {@link withoutUnbound} has made of operations so far, of which groups around them are made. */
function* placed({ name, input: given }: Graph, newName: NewName, pruned: Map<Operation, Operation>): Task<Operation> {
  const input = (yield withoutUnbound(given, pruned)) as Operation;
  if (name.termType !== 'Variable') {
    const inside = (yield new Placing(name, newName).place(input)) as Operation;
    // What no pattern gives is there only if the graph exists.
    return bindsGraph(input) ? inside : { type: 'join', input: [graphsOf(name), inside] };
  }
  if (!readsGraph(input)) return { type: 'join', input: [graphsOf(name), input] };
  const isOwn = !mentionedVariables(input).has(name.value) || bindsEarly(input, name);
  const column = isOwn ? name : makeVariable(newName());
  const inside = (yield new Placing(column, newName).place(input)) as Operation;
  if (isOwn) return inside;
  // Inside, the variable of the group is bound by patterns alone. Where it is, it has to be the graph.
  const named = (of: Operation): Operation => ({
    type: 'extend',
    input: of,
    variable: name,
    expression: termExpression(column),
  });
  if (!visibleVariables(input).has(name.value)) return named(inside);
  if (!certainVariables(input).has(name.value)) return { type: 'join', input: [inside, named(graphsOf(column))] };
  const args = [termExpression(column), termExpression(name)];
  const expression: Expression = { type: 'expression', subType: 'operator', operator: 'sameterm', args };
  return { type: 'filter', input: inside, expression };
}

const graphsOf = (name: Graph['name']): Graph => ({ type: 'graph', name, input: { type: 'nop' } });

/** Sub-selects without the columns that nothing in them binds, such as the variable of the graph that they stand in. */
const withoutUnbound = (operation: Operation, known: Map<Operation, Operation>): Task<Operation> =>
  rewriteUp(operation, pruneColumns, { known });

function pruneColumns(node: Operation): Operation {
  if (node.type !== 'project') return node;
  const inside = visibleVariables(node.input);
  const variables = node.variables.filter(({ value }) => inside.has(value));
  return variables.length === node.variables.length ? node : { ...node, variables };
}

const termExpression = (term: RDF.Term): Expression => ({ type: 'expression', subType: 'term', term });

/** Puts one graph into operations. Where it is a variable, all that they give has it. */
class Placing {
  readonly #column: RDF.Variable | undefined;

  constructor(
    private readonly graph: Graph['name'],
    private readonly newName: NewName,
  ) {
    this.#column = graph.termType === 'Variable' ? graph : undefined;
  }

  *place(operation: Operation): Task<Operation> {
    if (!readsGraph(operation)) return this.#column === undefined ? operation : this.#inEach(operation);
    switch (operation.type) {
      case 'bgp':
        return { ...operation, patterns: operation.patterns.map((pattern) => this.#pattern(pattern)) };
      case 'path':
        return (yield this.#join([operation])) as Operation;
      case 'join':
        return (yield this.#join(operation.input)) as Operation;
      default:
        return (yield this.#around(operation)) as Operation;
    }
  }

  // A sub-select is one of each graph: the graph is one of its columns and of its keys.
  *#around(operation: Operation): Task<Operation> {
    const inputs: Operation[] = [];
    for (const [at, input] of inputsOf(operation).entries()) {
      const isApart = at > 0 && isTwoSided(operation) && !readsGraph(input);
      inputs.push(isApart ? input : ((yield this.place(input)) as Operation));
    }
    const around = withInputs(operation, inputs);
    const placed = (yield mapExpressions(around, (child) => this.#expression(child))) as Operation;
    const isInAll = inputsOf(operation).every((input, at) => at === 0 || input !== inputs[at]);
    const { withColumn } = recordOf(operation);
    return this.#column === undefined || !isInAll ? placed : (withColumn?.(placed, this.#column) ?? placed);
  }

  *#all(operations: readonly Operation[]): Task<Operation[]> {
    const all: Operation[] = [];
    for (const operation of operations) all.push((yield this.place(operation)) as Operation);
    return all;
  }

  *#join(inputs: readonly Operation[]): Task<Operation> {
    const column = this.#column;
    if (column === undefined) {
      const all: Operation[] = [];
      for (const one of inputs)
        all.push(one.type === 'path' ? this.#path(one) : ((yield this.place(one)) as Operation));
      return all.length === 1 ? all[0]! : { type: 'join', input: all };
    }
    const { parts, paths } = pathsInGraph(inputs, this.newName, readsGraph);
    const others = parts.filter((part) => !readsGraph(part));
    const own = (yield this.#all(parts.filter(readsGraph))) as Operation[];
    const known = new Set([...own, ...others].flatMap((part) => [...visibleVariables(part)]));
    const ends: Operation[] = [];
    let isBound = own.length > 0;
    // Those that begin at something known need no search for their ends.
    const hasEnd = (path: PathInGraph): boolean => path.isFrom(known);
    for (const path of [...paths.filter(hasEnd), ...paths.filter((one) => !hasEnd(one))]) {
      if (!isBound || !hasEnd(path)) {
        const binder = path.binder(known, this.newName);
        ends.push(binder === undefined ? graphsOf(column) : ((yield this.place(binder)) as Operation));
      }
      ends.push(this.#path(path.operation));
      for (const name of visibleVariables(path.operation)) known.add(name);
      isBound = true;
    }
    return { type: 'join', input: [...others, ...own, ...ends] };
  }

  *#expression(expression: Expression): Task<Expression> {
    if (!hasExistence(expression)) return expression;
    if (expression.subType !== 'existence')
      return (yield mapExpressions(expression, (child) => this.#expression(child))) as Expression;
    if (!readsGraph(expression.input)) return expression;
    const pruned = (yield withoutUnbound(expression.input, new Map())) as Operation;
    return { ...expression, input: (yield this.place(pruned)) as Operation };
  }

  #pattern({ subject, predicate, object, graph }: Pattern): Pattern {
    return makePattern(subject, predicate, object, graph.termType === 'DefaultGraph' ? this.graph : graph);
  }

  #path<T extends Operation & { type: 'path' }>(path: T): T {
    return path.graph.termType === 'DefaultGraph' ? { ...path, graph: this.graph } : path;
  }

  #inEach(operation: Operation): Operation {
    const graphs = graphsOf(this.graph);
    return operation.type === 'nop' ? graphs : { type: 'join', input: [graphs, operation] };
  }
}
