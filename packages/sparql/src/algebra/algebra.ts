/** The algebra of a parsed request: SPARQL 1.2, section 18, as plain objects. GRAPH is a node of its own. */
import type * as RDF from '@rdfjs/types';

/** A triple or quad pattern. In a template, a variable whose name begins with `_:` is a blank node of the text. */
export interface Pattern extends RDF.BaseQuad {
  readonly type: 'pattern';
}

export type PropertyPath =
  | { readonly type: 'link'; readonly iri: RDF.NamedNode }
  | { readonly type: 'nps'; readonly iris: readonly RDF.NamedNode[] }
  | {
      readonly type: 'inv' | 'OneOrMorePath' | 'ZeroOrMorePath' | 'ZeroOrOnePath';
      readonly path: PropertyPath;
    }
  | { readonly type: 'alt' | 'seq'; readonly input: readonly PropertyPath[] };

export type Expression = { readonly type: 'expression' } & (
  | { readonly subType: 'term'; readonly term: RDF.Term }
  | { readonly subType: 'operator'; readonly operator: string; readonly args: readonly Expression[] }
  | {
      readonly subType: 'named';
      readonly name: RDF.NamedNode;
      readonly args: readonly Expression[];
      /** Only an aggregate can have it. */
      readonly distinct?: boolean;
    }
  | {
      readonly subType: 'existence';
      readonly not: boolean;
      readonly input: Operation;
      /** The solution that it is asked for binds nothing: groups in the pattern begin without one. */
      readonly apart?: boolean;
    }
  | { readonly subType: 'wildcard' }
  | AggregateExpression
);
/** An operator of plans alone: a term for which equal values (`=`) have the same one. It has one wherever its argument is bound. */
export const EQUALITY_KEY = 'equality key';

export interface AggregateExpression {
  readonly subType: 'aggregate';
  readonly aggregator: 'avg' | 'count' | 'custom' | 'group_concat' | 'max' | 'min' | 'sample' | 'sum';
  /** The name of one that the embedder added. */
  readonly iri?: string;
  readonly distinct: boolean;
  readonly expression: Expression;
  readonly separator?: string;
}
export type BoundAggregate = { readonly type: 'expression'; readonly variable: RDF.Variable } & AggregateExpression;

interface Single {
  readonly input: Operation;
}
interface Double {
  readonly input: readonly [Operation, Operation];
}
export type Bgp = { readonly type: 'bgp'; readonly patterns: readonly Pattern[] };
export type Path = {
  readonly type: 'path';
  readonly subject: RDF.Term;
  readonly predicate: PropertyPath;
  readonly object: RDF.Term;
  readonly graph: RDF.Term;
};
export type Project = Single & { readonly type: 'project'; readonly variables: readonly RDF.Variable[] };
export type Extend = Single & {
  readonly type: 'extend';
  readonly variable: RDF.Variable;
  readonly expression: Expression;
};
export type Filter = Single & { readonly type: 'filter'; readonly expression: Expression };
/** The optimiser puts the graph into each pattern. Then GRAPH stands around `nop` alone: the graphs that there are. */
export type Graph = Single & {
  readonly type: 'graph';
  readonly name: RDF.Variable | RDF.NamedNode;
};
export type Group = Single & {
  readonly type: 'group';
  readonly variables: readonly RDF.Variable[];
  readonly aggregates: readonly BoundAggregate[];
  /** The only key is a graph, and each named graph has a group. Only the optimiser makes it, of a group without keys. */
  readonly ofEachGraph?: true;
};
/** Whether a group has a row even where its input has none. */
export const hasRowAlways = ({ variables, ofEachGraph }: Group): boolean =>
  variables.length === 0 || ofEachGraph === true;
export type Slice = Single & {
  readonly type: 'slice';
  readonly start: number;
  readonly length?: number;
  /** The rows of each value of this variable are counted by themselves. Only the optimiser sets it, to the column of a graph. */
  readonly of?: RDF.Variable;
};
/** What DISTINCT, REDUCED, LIMIT and OFFSET choose rows of. */
export function belowModifiers(operation: Operation): Operation {
  let node = operation;
  while (node.type === 'slice' || node.type === 'distinct' || node.type === 'reduced') node = node.input;
  return node;
}
export type Minus = Double & {
  readonly type: 'minus';
  /** A variable of both sides that is no shared one: the column of a graph. Only the optimiser sets it. */
  readonly column?: RDF.Variable;
};
export type LeftJoin = Double & { readonly type: 'leftjoin'; readonly expression?: Expression };
/** The solutions of the first input, beside which the second one is evaluated alone. */
export type TwoSided = LeftJoin | Minus;
export const isTwoSided = (operation: Operation): operation is TwoSided =>
  operation.type === 'leftjoin' || operation.type === 'minus';
export type From = Single & {
  readonly type: 'from';
  readonly default: readonly RDF.NamedNode[];
  readonly named: readonly RDF.NamedNode[];
};
export type Service = Single & {
  readonly type: 'service';
  readonly name: RDF.Variable | RDF.NamedNode;
  readonly silent: boolean;
};
/** The predicate of a search for words, as users of Jena write it. */
export const TEXT_QUERY = 'http://jena.apache.org/text#query';
/** Literals with words, best first, and the quads of one pattern that have them. */
export type Search = {
  readonly type: 'search';
  /** The pattern, whose object is the literal. */
  readonly input: Bgp;
  readonly literal: RDF.Variable;
  readonly score?: RDF.Variable | undefined;
  /** Gets the graph of GRAPH. */
  readonly graph?: RDF.Variable | undefined;
  /** Properties, the text, the number of rows, and options, as they stand behind `text:query`. */
  readonly arguments: readonly RDF.Term[];
};
/** The predicate of a question for vectors. */
export const NEAREST = 'urn:quadrille:vector#nearest';
/**
 * The solutions of the first input, with the quads of one pattern whose vectors are nearest to one, of those that fit to a solution. The pattern
 * is the second input, and its object is the vector.
 */
export type Nearest = {
  readonly type: 'nearest';
  readonly input: readonly [Operation, Bgp];
  readonly literal: RDF.Variable;
  readonly score?: RDF.Variable | undefined;
  /** The name of the vectors, the vector, and the number of quads. */
  readonly arguments: readonly RDF.Term[];
};
export type Values = {
  readonly type: 'values';
  readonly variables: readonly RDF.Variable[];
  readonly bindings: readonly Readonly<Record<string, RDF.Term>>[];
};
export type Ask = Single & { readonly type: 'ask' };
export type Construct = Single & { readonly type: 'construct'; readonly template: readonly Pattern[] };
export type Describe = Single & { readonly type: 'describe'; readonly terms: readonly RDF.Term[] };

export type Operation =
  | Bgp
  | Path
  | Project
  | Extend
  | Filter
  | Graph
  | Group
  | From
  | Service
  | Search
  | Nearest
  | Values
  | Ask
  | Construct
  | Describe
  | (Single & { readonly type: 'distinct' | 'reduced' })
  | Slice
  | (Single & { readonly type: 'orderby'; readonly expressions: readonly Expression[] })
  | { readonly type: 'join' | 'union'; readonly input: readonly Operation[] }
  | TwoSided
  | Seed
  | { readonly type: 'nop' };

/** The words that elements of a group begin with. */
export const ELEMENT_WORDS = ['OPTIONAL', 'FILTER', 'UNION', 'MINUS', 'GRAPH', 'BIND', 'VALUES', 'SERVICE'] as const;

/** Rows that an enclosing operator supplies at run time. Only the planner makes seeds. */
export type Seed = {
  readonly type: 'seed';
  readonly name: string;
  readonly variables: readonly string[];
  readonly certain: ReadonlySet<string>;
  /** The variable that numbers the rows, in ascending order. */
  readonly rowNumber: string;
  /** About how many. */
  readonly rows: number;
};

export type GraphTarget = 'DEFAULT' | 'NAMED' | 'ALL' | RDF.NamedNode;
export type UpdateOperation =
  | {
      readonly type: 'deleteinsert';
      readonly delete?: readonly Pattern[];
      readonly insert?: readonly Pattern[];
      readonly where?: Operation;
    }
  | {
      readonly type: 'load';
      readonly source: RDF.NamedNode;
      readonly destination?: RDF.NamedNode;
      readonly silent?: boolean;
    }
  | { readonly type: 'clear' | 'drop' | 'create'; readonly source: GraphTarget; readonly silent?: boolean }
  | {
      readonly type: 'add' | 'move' | 'copy';
      readonly source: GraphTarget;
      readonly destination: GraphTarget;
      readonly silent?: boolean;
    };

type Node = Operation | Expression | PropertyPath | Pattern;

/** Whether a member of an operation is an operation or an expression in its turn (patterns are terms and are not). */
export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && !('termType' in value);
}

/** A copy of a node whose operations and expressions are what `visit` made of them. */
export function mapChildren<T extends Node>(
  node: T,
  visit: (child: Operation | Expression) => Operation | Expression,
): T {
  const copy: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(node)) {
    if (Array.isArray(value))
      copy[key] = value.map((item: unknown) => (isNode(item) ? visit(item as Operation) : item));
    else copy[key] = isNode(value) && key !== 'wildcard' ? visit(value as Operation) : value;
  }
  return copy as T;
}

/** Calls `visit` with every operation, expression and path below and including this one, parents first. */
export function walk(root: Operation | Expression, visit: (node: Operation | Expression) => void): void {
  const open = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    visit(node);
    const below: (Operation | Expression)[] = [];
    mapChildren(node, (child) => {
      below.push(child);
      return child;
    });
    // One by one, since an argument list has fewer places than a text has nodes. The first is to come first.
    for (const child of below.reverse()) open.push(child);
  }
}

/** The variables of a term; those of a triple term too. */
export function termVariables(term: RDF.Term): string[] {
  if (term.termType === 'Variable') return [term.value];
  if (term.termType !== 'Quad') return [];
  return [term.subject, term.predicate, term.object].flatMap(termVariables);
}

/** The variables of patterns, each once, in order. */
export function patternVariables(patterns: readonly Pattern[]): string[] {
  const names = patterns.flatMap((pattern) =>
    [pattern.subject, pattern.predicate, pattern.object, pattern.graph].flatMap(termVariables),
  );
  return [...new Set(names)];
}

/** The expressions that stand directly in an operation. */
export function expressionsIn(node: Operation): readonly Expression[] {
  if ('expression' in node) return node.expression === undefined ? NO_OPERANDS : [node.expression];
  if ('expressions' in node) return node.expressions;
  return 'aggregates' in node ? node.aggregates : NO_OPERANDS;
}

const NO_OPERANDS: readonly Expression[] = [];

/** The expressions that stand directly in an expression. */
export function operandsOf(expression: Expression): readonly Expression[] {
  if (expression.subType === 'aggregate') return [expression.expression];
  return expression.subType === 'operator' || expression.subType === 'named' ? expression.args : NO_OPERANDS;
}

/** An expression with all that stands in it, without the patterns. Not recursive: a chain of operators may be long. */
export function* partsOf(expression: Expression): Generator<Expression, void> {
  const open: Expression[] = [expression];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    yield next;
    for (const operand of operandsOf(next)) open.push(operand);
  }
}

/** More parts than this are not worked through in one go. */
const LARGE_EXPRESSION = 1024;

/**
 * The operands of all large parts of an expression, the inner ones first. Whoever compiles them one after the other can pause in
 * between. Operands that `isChain` says to belong to their parent are left out.
 */
export function operandsOfLarge(
  expression: Expression,
  isChain: (parent: Expression, operand: Expression) => boolean,
): Expression[] {
  const parts = [expression];
  const parents = [0];
  for (let at = 0; at < parts.length; at++) {
    for (const operand of operandsOf(parts[at]!)) {
      parts.push(operand);
      parents.push(at);
    }
  }
  if (parts.length <= LARGE_EXPRESSION) return [];
  const sizes = new Uint32Array(parts.length).fill(1);
  for (let at = parts.length - 1; at > 0; at--) sizes[parents[at]!]! += sizes[at]!;
  const found: Expression[] = [];
  for (let at = parts.length - 1; at > 0; at--) {
    const parent = parents[at]!;
    if (sizes[parent]! > LARGE_EXPRESSION && !isChain(parts[parent]!, parts[at]!)) found.push(parts[at]!);
  }
  return found;
}

/** How many parts an expression has, without the patterns in it. */
export function expressionSize(expression: Expression): number {
  let size = 0;
  for (const _ of partsOf(expression)) size++;
  return size;
}
