/**
 * Makes the variable of GRAPH a column of the patterns below it, so that what stands there runs once and not once a graph. The solutions
 * of the lifted group are those in each named graph, with the graph in the column.
 */
import type * as RDF from '@rdfjs/types';
import type { Expression, Graph, Operation } from '../../algebra/algebra.js';
import { isTransparentGraph } from '../../algebra/graph-transparency.js';
import { readsGraph } from '../reads-graph.js';
import { rewriteUp, type Task } from '../../algebra/rewrite.js';
import { makeVariable } from '../../algebra/terms.js';
import { certainVariables, hasExistence, mentionedVariables, visibleVariables } from '../../algebra/variables.js';
import { liftPaths, type PathInGraph } from './lift-paths.js';

/** Gives names that no request has. */
export type NewName = () => string;

/** Leaves the patterns of EXISTS alone, but for those in a group that is lifted. Another host gets its pattern as it stands. */
export function* liftGraphs(operation: Operation, newName: NewName): Task<Operation> {
  const pruned = new Map<Operation, Operation>();
  return (yield rewriteUp(operation, (node) =>
    node.type === 'graph' ? liftGraph(node, newName, pruned) : node,
  )) as Operation;
}

/** `pruned`: what {@link withoutUnbound} has made of operations so far, of which groups around them are made. */
function* liftGraph(node: Graph, newName: NewName, pruned: Map<Operation, Operation>): Task<Operation> {
  const { name, input: given } = node;
  if (name.termType !== 'Variable' || node.bound === true || given.type === 'nop') return node;
  if (isTransparentGraph(given, name)) return node;
  if (given.type === 'graph' && given.name.equals(name)) return given;
  const input = (yield withoutUnbound(given, pruned)) as Operation;
  if (!readsGraph(input)) return { type: 'join', input: [{ ...node, input: { type: 'nop' } }, input] };
  const isMentioned = mentionedVariables(input).has(name.value);
  const column = isMentioned ? makeVariable(newName()) : name;
  const result = (yield new GraphLift(column, newName).lift(input)) as Operation | undefined;
  if (result === undefined || !isMentioned) return result ?? node;
  // Inside, the variable of the group is bound by patterns alone. Where it is, it has to be the graph.
  if (!visibleVariables(input).has(name.value)) {
    return { type: 'extend', input: result, variable: name, expression: termExpression(column) };
  }
  if (!certainVariables(input).has(name.value)) return node;
  const args = [termExpression(column), termExpression(name)];
  const expression: Expression = { type: 'expression', subType: 'operator', operator: 'sameterm', args };
  return { type: 'filter', input: result, expression };
}

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

class GraphLift {
  constructor(
    private readonly column: RDF.Variable,
    private readonly newName: NewName,
  ) {}

  /** `undefined` where the group has to run in one graph after the other. */
  *lift(operation: Operation): Task<Operation | undefined> {
    if (!readsGraph(operation)) return { type: 'join', input: [this.#allGraphs(), operation] };
    if (isTransparentGraph(operation, this.column)) return this.#inGraph(operation);
    switch (operation.type) {
      case 'path':
      case 'join':
        return (yield this.#liftJoin(operation.type === 'path' ? [operation] : operation.input)) as
          | Operation
          | undefined;
      case 'union': {
        const branches = (yield this.#liftAll(operation.input)) as Operation[] | undefined;
        return branches && { ...operation, input: branches };
      }
      case 'leftjoin':
        return (yield this.#liftOptional(operation)) as Operation | undefined;
      case 'minus':
        return (yield this.#liftMinus(operation)) as Operation | undefined;
      case 'filter':
      case 'extend': {
        const input = (yield this.lift(operation.input)) as Operation | undefined;
        const expression = input && ((yield this.#liftExpression(operation.expression)) as Expression | undefined);
        return input && expression && { ...operation, input, expression };
      }
      default:
        return (yield this.#liftSelect(operation)) as Operation | undefined;
    }
  }

  // A sub-select is one of each graph: the graph is one of its columns and of its keys.
  *#liftSelect(operation: Operation): Task<Operation | undefined> {
    switch (operation.type) {
      case 'project': {
        const input = (yield this.lift(operation.input)) as Operation | undefined;
        return input && { ...operation, input, variables: [...operation.variables, this.column] };
      }
      case 'group': {
        // Without keys each graph has a solution, also one without any.
        if (operation.variables.length === 0) return undefined;
        if (operation.aggregates.some(({ expression }) => hasExistence(expression))) return undefined;
        const input = (yield this.lift(operation.input)) as Operation | undefined;
        return input && { ...operation, input, variables: [...operation.variables, this.column] };
      }
      case 'distinct':
      case 'reduced': {
        const input = (yield this.lift(operation.input)) as Operation | undefined;
        return input && { ...operation, input };
      }
      case 'orderby':
        // Without LIMIT, which is not lifted, the order is lost in the join.
        return (yield this.lift(operation.input)) as Operation | undefined;
      default:
        return undefined;
    }
  }

  *#liftAll(operations: readonly Operation[]): Task<Operation[] | undefined> {
    const all: Operation[] = [];
    for (const operation of operations) {
      const lifted = (yield this.lift(operation)) as Operation | undefined;
      if (lifted === undefined) return undefined;
      all.push(lifted);
    }
    return all;
  }

  *#liftJoin(inputs: readonly Operation[]): Task<Operation | undefined> {
    const { parts, paths } = liftPaths(inputs, this.newName, readsGraph);
    const others = parts.filter((part) => !readsGraph(part));
    const own = (yield this.#liftAll(parts.filter(readsGraph))) as Operation[] | undefined;
    if (own === undefined || paths.length === 0) return own && { type: 'join', input: [...others, ...own] };
    const known = new Set([...own, ...others].flatMap((part) => [...visibleVariables(part)]));
    const ends: Operation[] = [];
    let isBound = own.length > 0;
    // Those that begin at something known need no search for their ends.
    const hasEnd = (path: PathInGraph): boolean => path.isFrom(known);
    for (const path of [...paths.filter(hasEnd), ...paths.filter((one) => !hasEnd(one))]) {
      if (!isBound || !hasEnd(path)) ends.push(path.binder(this.column, known, this.newName) ?? this.#allGraphs());
      ends.push({ type: 'graph', name: this.column, input: path.operation, bound: true });
      for (const name of visibleVariables(path.operation)) known.add(name);
      isBound = true;
    }
    return { type: 'join', input: [...others, ...own, ...ends] };
  }

  *#liftOptional({ type, input, expression }: Operation & { type: 'leftjoin' }): Task<Operation | undefined> {
    const [left, right] = input;
    const outer = (yield this.lift(left)) as Operation | undefined;
    const inner = readsGraph(right) ? ((yield this.lift(right)) as Operation | undefined) : right;
    const condition = expression && ((yield this.#liftExpression(expression)) as Expression | undefined);
    if (outer === undefined || inner === undefined || (expression !== undefined && condition === undefined)) {
      return undefined;
    }
    return { type, input: [outer, inner], ...(condition && { expression: condition }) };
  }

  // MINUS removes nothing where the sides share no variable, and now they share the graph.
  *#liftMinus({ type, input: [left, right] }: Operation & { type: 'minus' }): Task<Operation | undefined> {
    const outer = (yield this.lift(left)) as Operation | undefined;
    if (outer === undefined || !readsGraph(right)) return outer && { type, input: [outer, right] };
    const shared = [...visibleVariables(right)].filter((name) => visibleVariables(left).has(name));
    if (shared.length === 0) return outer;
    const isShared = (name: string): boolean => certainVariables(left).has(name) && certainVariables(right).has(name);
    const inner = shared.some(isShared) ? ((yield this.lift(right)) as Operation | undefined) : undefined;
    return inner && { type, input: [outer, inner] };
  }

  *#liftExpression(expression: Expression): Task<Expression | undefined> {
    if (!hasExistence(expression)) return expression;
    switch (expression.subType) {
      case 'existence': {
        if (!readsGraph(expression.input)) return expression;
        const pruned = (yield withoutUnbound(expression.input, new Map())) as Operation;
        const input = (yield this.lift(pruned)) as Operation | undefined;
        return input && { ...expression, input };
      }
      case 'operator':
      case 'named': {
        const args: Expression[] = [];
        for (const argument of expression.args) {
          const lifted = (yield this.#liftExpression(argument)) as Expression | undefined;
          if (lifted === undefined) return undefined;
          args.push(lifted);
        }
        return { ...expression, args };
      }
      default:
        return undefined;
    }
  }

  #inGraph(input: Operation): Graph {
    return { type: 'graph', name: this.column, input };
  }

  #allGraphs(): Graph {
    return this.#inGraph({ type: 'nop' });
  }
}
