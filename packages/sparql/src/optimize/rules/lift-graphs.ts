/**
 * Makes the variable of GRAPH a column of the patterns below it, so that what stands there runs once and not once a graph. The solutions
 * of the lifted group are those in each named graph, with the graph in the column.
 */
import type * as RDF from '@rdfjs/types';
import { mapOperations, type Expression, type Graph, type Operation } from '../../algebra/algebra.js';
import { isTransparentGraph } from '../../algebra/graph-transparency.js';
import { makeVariable } from '../../algebra/terms.js';
import { certainVariables, hasExistence, mentionedVariables, visibleVariables } from '../../algebra/variables.js';
import { liftPaths, type PathInGraph } from './lift-paths.js';

/** Gives names that no request has. */
export type NewName = () => string;

/** Leaves the patterns of EXISTS alone, but for those in a group that is lifted. */
export function liftGraphs(operation: Operation, newName: NewName): Operation {
  // Another host gets its pattern as it stands.
  if (operation.type === 'service') return operation;
  const node = mapOperations(operation, (input) => liftGraphs(input, newName));
  return node.type === 'graph' ? liftGraph(node, newName) : node;
}

function liftGraph(node: Graph, newName: NewName): Operation {
  const { name, input } = node;
  if (name.termType !== 'Variable' || node.bound === true || input.type === 'nop') return node;
  if (isTransparentGraph(input, name)) return node;
  if (input.type === 'graph' && input.name.equals(name)) return input;
  const pruned = withoutUnbound(input);
  if (!readsGraph(pruned)) return { type: 'join', input: [{ ...node, input: { type: 'nop' } }, pruned] };
  const isMentioned = mentionedVariables(pruned).has(name.value);
  const column = isMentioned ? makeVariable(newName()) : name;
  const result = new GraphLift(column, newName).lift(pruned);
  if (result === undefined || !isMentioned) return result ?? node;
  // Inside, the variable of the group is bound by patterns alone. Where it is, it has to be the graph.
  if (!visibleVariables(pruned).has(name.value)) {
    return { type: 'extend', input: result, variable: name, expression: termExpression(column) };
  }
  if (!certainVariables(pruned).has(name.value)) return node;
  const args = [termExpression(column), termExpression(name)];
  const expression: Expression = { type: 'expression', subType: 'operator', operator: 'sameterm', args };
  return { type: 'filter', input: result, expression };
}

/** Sub-selects without the columns that nothing in them binds, such as the variable of the graph that they stand in. */
function withoutUnbound(operation: Operation): Operation {
  if (operation.type === 'service') return operation;
  const node = mapOperations(operation, withoutUnbound);
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
  lift(operation: Operation): Operation | undefined {
    if (!readsGraph(operation)) return { type: 'join', input: [this.#allGraphs(), operation] };
    if (isTransparentGraph(operation, this.column)) return this.#inGraph(operation);
    switch (operation.type) {
      case 'path':
      case 'join':
        return this.#liftJoin(operation.type === 'path' ? [operation] : operation.input);
      case 'union': {
        const branches = this.#liftAll(operation.input);
        return branches && { ...operation, input: branches };
      }
      case 'leftjoin':
        return this.#liftOptional(operation);
      case 'minus':
        return this.#liftMinus(operation);
      case 'filter':
      case 'extend': {
        const input = this.lift(operation.input);
        const expression = this.#liftExpression(operation.expression);
        return input && expression && { ...operation, input, expression };
      }
      default:
        return this.#liftSelect(operation);
    }
  }

  // A sub-select is one of each graph: the graph is one of its columns and of its keys.
  #liftSelect(operation: Operation): Operation | undefined {
    switch (operation.type) {
      case 'project': {
        const input = this.lift(operation.input);
        return input && { ...operation, input, variables: [...operation.variables, this.column] };
      }
      case 'group': {
        // Without keys each graph has a solution, also one without any.
        if (operation.variables.length === 0) return undefined;
        if (operation.aggregates.some(({ expression }) => hasExistence(expression))) return undefined;
        const input = this.lift(operation.input);
        return input && { ...operation, input, variables: [...operation.variables, this.column] };
      }
      case 'distinct':
      case 'reduced': {
        const input = this.lift(operation.input);
        return input && { ...operation, input };
      }
      case 'orderby':
        // Without LIMIT, which is not lifted, the order is lost in the join.
        return this.lift(operation.input);
      default:
        return undefined;
    }
  }

  #liftAll(operations: readonly Operation[]): Operation[] | undefined {
    const all = operations.map((operation) => this.lift(operation));
    return all.every((one) => one !== undefined) ? all : undefined;
  }

  #liftJoin(inputs: readonly Operation[]): Operation | undefined {
    const { parts, paths } = liftPaths(inputs, this.newName);
    const others = parts.filter((part) => !readsGraph(part));
    const own = this.#liftAll(parts.filter(readsGraph));
    if (own === undefined) return undefined;
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

  #liftOptional({ type, input, expression }: Operation & { type: 'leftjoin' }): Operation | undefined {
    const [left, right] = input;
    const outer = this.lift(left);
    const inner = readsGraph(right) ? this.lift(right) : right;
    const condition = expression && this.#liftExpression(expression);
    if (outer === undefined || inner === undefined || (expression !== undefined && condition === undefined)) {
      return undefined;
    }
    return { type, input: [outer, inner], ...(condition && { expression: condition }) };
  }

  // MINUS removes nothing where the sides share no variable, and now they share the graph.
  #liftMinus({ type, input: [left, right] }: Operation & { type: 'minus' }): Operation | undefined {
    const outer = this.lift(left);
    if (outer === undefined || !readsGraph(right)) return outer && { type, input: [outer, right] };
    const shared = [...visibleVariables(left)].filter((name) => visibleVariables(right).has(name));
    if (shared.length === 0) return outer;
    const isShared = (name: string): boolean => certainVariables(left).has(name) && certainVariables(right).has(name);
    const inner = shared.some(isShared) ? this.lift(right) : undefined;
    return inner && { type, input: [outer, inner] };
  }

  #liftExpression(expression: Expression): Expression | undefined {
    if (!hasExistence(expression)) return expression;
    switch (expression.subType) {
      case 'existence': {
        if (!readsGraph(expression.input)) return expression;
        const input = this.lift(withoutUnbound(expression.input));
        return input && { ...expression, input };
      }
      case 'operator':
      case 'named': {
        const args = expression.args.map((argument) => this.#liftExpression(argument));
        return args.every((one) => one !== undefined) ? { ...expression, args } : undefined;
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

/** Whether an operation gives other solutions in another graph. A group without patterns only asks whether the graph exists. */
function readsGraph(operation: Operation): boolean {
  switch (operation.type) {
    case 'bgp':
      return operation.patterns.length > 0;
    case 'path':
      return true;
    case 'graph':
    case 'service':
    case 'values':
    case 'seed':
    case 'nop':
      return false;
    case 'filter':
    case 'extend':
      return existenceReads(operation.expression) || readsGraph(operation.input);
    case 'join':
    case 'union':
      return operation.input.some(readsGraph);
    case 'leftjoin':
      return (
        operation.input.some(readsGraph) || (operation.expression !== undefined && existenceReads(operation.expression))
      );
    case 'minus':
      return operation.input.some(readsGraph);
    case 'orderby':
      return operation.expressions.some(existenceReads) || readsGraph(operation.input);
    case 'group':
      return operation.aggregates.some(({ expression }) => existenceReads(expression)) || readsGraph(operation.input);
    default:
      return readsGraph(operation.input);
  }
}

function existenceReads(expression: Expression): boolean {
  if (!hasExistence(expression)) return false;
  if (expression.subType === 'existence') return readsGraph(expression.input);
  if (expression.subType === 'operator' || expression.subType === 'named') return expression.args.some(existenceReads);
  return true;
}
