/**
 * From the algebra of an expression to a closure over rows: constants are folded, functions are looked up once, and what
 * cannot be evaluated is refused here. Evaluation never throws; errors are values.
 */
import { operandsOfLarge, type Expression } from '../algebra/algebra.js';
import type * as RDF from '@rdfjs/types';
import { contextFunctions } from './functions/context-functions.js';
import {
  constantNode,
  ERROR_NODE,
  foldNode,
  variableNode,
  type Compilation,
  type Evaluate,
  type ExpressionContext,
  type ExpressionNode,
  type Row,
  type TextCount,
  textsOf,
} from './expression-node.js';
import type { Binary, FunctionTable, Measure, Ternary, Unary, Variadic } from './functions/function-table.js';
import { arithmeticFunctions } from './functions/arithmetic.js';
import { castFunctions } from './functions/cast.js';
import { comparisonFunctions } from './functions/compare.js';
import { dateFunctions } from './functions/date.js';
import { longTextForms } from './functions/long-text.js';
import { numericFunctions } from './functions/numeric.js';
import { regexForms } from './functions/regex.js';
import { stringFunctions } from './functions/string.js';
import { makeTriple, termFunctions } from './functions/term.js';
import { specialForms } from './functions/special-forms.js';
import type { Extension } from './extension-functions.js';
import { UnknownFunction } from './unknown-function.js';
import { ERROR, textOf, valueOf, type Value } from './values/value.js';

export type { ExpressionContext, Row, TextCount } from './expression-node.js';

export interface CompiledExpression {
  /** {@link ERROR} or a value. */
  evaluate(row: Row): Value;
  /** The columns that it reads, each once. */
  readonly slots: readonly number[];
  /** Whether equal rows may give different results: RAND, UUID, STRUUID, BNODE. */
  readonly volatile: boolean;
  /** Whether its evaluation may have to wait: for functions that the embedder added, and for work on long texts. */
  readonly waits: boolean;
  /** The value, where it is the same for every row. */
  readonly constant: Value | undefined;
}

const tables: readonly FunctionTable[] = [
  arithmeticFunctions,
  comparisonFunctions,
  numericFunctions,
  stringFunctions,
  termFunctions,
  dateFunctions,
];
const collect = <T>(pick: (table: FunctionTable) => Readonly<Record<string, T>> | undefined): ReadonlyMap<string, T> =>
  new Map(tables.flatMap((table) => Object.entries(pick(table) ?? {})));
const unary = collect<Unary>((table) => table.unary);
const binary = collect<Binary>((table) => table.binary);
const ternary = collect<Ternary>((table) => table.ternary);
const variadic = collect<Variadic>((table) => table.variadic);
const lengths = collect<Measure>((table) => table.lengths);

/**
 * Compiles an expression. EXISTS and aggregates must have been replaced by variables before.
 * @throws UnknownFunction
 */
export function compileExpression(expression: Expression, context: ExpressionContext): CompiledExpression {
  const steps = compileInSteps(expression, context);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** As {@link compileExpression}. It stops between the parts of a large expression, of which there may be tens of thousands. */
export function* compileInSteps(
  expression: Expression,
  context: ExpressionContext,
): Generator<undefined, CompiledExpression> {
  const slots = new Set<number>();
  const known = new Map<Expression, ExpressionNode>();
  const compilation: Compilation = {
    context,
    slots,
    volatile: false,
    waits: false,
    compile: (part) => known.get(part) ?? compileNode(part, compilation),
  };
  for (const part of operandsOfLarge(expression, isArithmeticChain)) {
    known.set(part, compileNode(part, compilation));
    yield;
  }
  const { evaluate, constant } = compilation.compile(expression);
  const { volatile, waits } = compilation;
  return { evaluate, slots: [...slots], volatile, waits, constant };
}

function compileNode(expression: Expression, compilation: Compilation): ExpressionNode {
  switch (expression.subType) {
    case 'term':
      return compileTerm(expression.term, compilation);
    case 'operator':
      return compileOperator(expression.operator.toLowerCase(), expression.args, compilation);
    case 'named':
      return compileNamed(expression, compilation);
    default:
      throw new Error(`${expression.subType} cannot be evaluated as an expression`);
  }
}

function compileTerm(given: RDF.Term, compilation: Compilation): ExpressionNode {
  const { context, slots } = compilation;
  const term = context.resolve?.(given) ?? given;
  if (term.termType === 'Quad') {
    const parts = [term.subject, term.predicate, term.object].map((part) => compileTerm(part, compilation));
    return applyNodes(parts, { ternary: makeTriple }, '<<( )>>');
  }
  if (term.termType !== 'Variable') return constantNode(valueOf(term));
  const slot = context.slotOf(term.value);
  if (slot === undefined) return ERROR_NODE;
  slots.add(slot);
  return variableNode((row) => row.value(slot) ?? ERROR);
}

function compileOperator(name: string, args: readonly Expression[], compilation: Compilation): ExpressionNode {
  const form = specialForms.get(name) ?? contextFunctions.get(name) ?? regexForms.get(name) ?? longTextForms.get(name);
  if (form !== undefined) return form(args, compilation);
  const functions: Callable = {
    unary: unary.get(name),
    binary: binary.get(name),
    ternary: ternary.get(name),
    variadic: variadic.get(name),
  };
  if (args.length === 2 && arithmeticFunctions.binary?.[name] !== undefined) {
    return compileArithmetic({ type: 'expression', subType: 'operator', operator: name, args }, compilation);
  }
  const measure = lengths.get(name);
  const counted = measure === undefined ? functions : countTexts(functions, measure, textsOf(compilation.context));
  return applyNodes(args.map(compilation.compile), counted, name);
}

/** `a + b - c …`, which has no bound but the length of the text: one loop goes through it, where calls would overflow the stack. */
function compileArithmetic(expression: Expression, compilation: Compilation): ExpressionNode {
  const calls: { readonly operator: string; readonly right: Expression }[] = [];
  let first = expression;
  while (isSum(first)) {
    calls.push({ operator: first.operator, right: first.args[1]! });
    first = first.args[0]!;
  }
  let node = compilation.compile(first);
  let steps: ChainStep[] = [];
  for (const { operator, right } of calls.toReversed()) {
    const call = binary.get(operator)!;
    const operand = compilation.compile(right);
    const isFirst = steps.length === 0;
    // What depends on constants alone, at the beginning, is evaluated once.
    if (isFirst && node.constant !== undefined && operand.constant !== undefined) {
      node = foldNode([node, operand], callBinary(call, node.evaluate, operand.evaluate));
    } else steps.push({ call, evaluate: operand.evaluate });
    if (steps.length === 1 && calls.length <= FEW_CALLS) {
      node = variableNode(callBinary(call, node.evaluate, operand.evaluate));
      steps = [];
    }
  }
  return steps.length === 0 ? node : variableNode(callChain(node.evaluate, steps));
}

/** Shorter chains are calls in one another, which V8 compiles into one piece. */
const FEW_CALLS = 32;

interface ChainStep {
  readonly call: Binary;
  readonly evaluate: Evaluate;
}

/** Whether one loop goes through both. */
const isArithmeticChain = (parent: Expression, operand: Expression): boolean =>
  isSum(parent) && parent.args[0] === operand && isSum(operand);

const isSum = (expression: Expression): expression is Expression & { readonly subType: 'operator' } =>
  expression.subType === 'operator' && expression.args.length === 2 && isArithmetic(expression.operator);

const isArithmetic = (operator: string): boolean => arithmeticFunctions.binary?.[operator] !== undefined;

const callChain =
  (first: Evaluate, steps: readonly ChainStep[]): Evaluate =>
  (row) => {
    let value = first(row);
    for (const { call, evaluate } of steps) {
      if (value === ERROR) return ERROR;
      const right = evaluate(row);
      value = right === ERROR ? ERROR : call(value, right);
    }
    return value;
  };

const NONE: readonly Value[] = [];

/** The same functions. They count the text that they will build before they do so. */
function countTexts({ unary, binary, ternary, variadic }: Callable, measure: Measure, texts: TextCount): Callable {
  return {
    unary: unary && ((a) => (texts.reserveText(measure(a, NONE)), unary(a))),
    binary: binary && ((a, b) => (texts.reserveText(measure(a, NONE)), binary(a, b))),
    ternary: ternary && ((a, b, c) => (texts.reserveText(measure(a, NONE)), ternary(a, b, c))),
    variadic: variadic && ((values) => (texts.reserveText(measure(ERROR, values)), variadic(values))),
  };
}

/** The IRIs of the functions that are called by one. */
const namedFunctions = (): readonly string[] => [...castFunctions.keys()];

type NamedCall = Extract<Expression, { subType: 'named' }>;

function compileNamed({ name, args, distinct = false }: NamedCall, compilation: Compilation): ExpressionNode {
  const nodes = args.map(compilation.compile);
  const iri = name.value;
  const cast = castFunctions.get(iri);
  const extension = cast === undefined && !distinct ? compilation.context.extension?.(iri) : undefined;
  if (extension !== undefined) return callExtension(extension, nodes, compilation);
  const evaluate = distinct ? undefined : callOf(nodes, { unary: cast });
  if (evaluate === undefined) throw new UnknownFunction(iri, nodes.length, distinct, namedFunctions());
  return foldNode(nodes, evaluate);
}

/** Nothing is called while a query is compiled: a function may take long, and may give a promise. */
function callExtension(
  extension: Extension,
  nodes: readonly ExpressionNode[],
  compilation: Compilation,
): ExpressionNode {
  const { calls } = compilation.context;
  const texts = textsOf(compilation.context);
  compilation.waits = true;
  if (!extension.deterministic) compilation.volatile = true;
  const call = callVariadic((values) => {
    const value = calls!.call(extension, values);
    if (value !== ERROR) texts.reserveText(textOf(value)?.length ?? 0);
    return value;
  }, nodes);
  const isConstant = extension.deterministic && nodes.every(({ constant }) => constant !== undefined);
  if (!isConstant) return variableNode(call);
  let known: Value | undefined;
  return variableNode((row) => {
    if (known !== undefined) return known;
    const value = call(row);
    if (calls!.pending === undefined) known = value;
    return value;
  });
}

interface Callable {
  readonly unary?: Unary | undefined;
  readonly binary?: Binary | undefined;
  readonly ternary?: Ternary | undefined;
  readonly variadic?: Variadic | undefined;
}

/** A call of the function for this number of arguments; an error among them is the result. */
function applyNodes(nodes: readonly ExpressionNode[], functions: Callable, name: string): ExpressionNode {
  const evaluate = callOf(nodes, functions);
  // The parser knows the functions of the language, and how many arguments they take.
  if (evaluate === undefined) throw new Error(`${name} has no form with ${nodes.length} arguments`);
  return foldNode(nodes, evaluate);
}

function callOf(nodes: readonly ExpressionNode[], functions: Callable): Evaluate | undefined {
  const [first, second, third] = nodes.map(({ evaluate }) => evaluate);
  if (nodes.length === 1 && first && functions.unary) return callUnary(functions.unary, first);
  if (nodes.length === 2 && first && second && functions.binary) return callBinary(functions.binary, first, second);
  if (nodes.length === 3 && first && second && third && functions.ternary) {
    return callTernary(functions.ternary, first, second, third);
  }
  return functions.variadic && callVariadic(functions.variadic, nodes);
}

const callUnary =
  (call: Unary, first: Evaluate): Evaluate =>
  (row) => {
    const a = first(row);
    return a === ERROR ? ERROR : call(a);
  };

const callBinary =
  (call: Binary, first: Evaluate, second: Evaluate): Evaluate =>
  (row) => {
    const a = first(row);
    if (a === ERROR) return ERROR;
    const b = second(row);
    return b === ERROR ? ERROR : call(a, b);
  };

const callTernary =
  (call: Ternary, first: Evaluate, second: Evaluate, third: Evaluate): Evaluate =>
  (row) => {
    const a = first(row);
    const b = second(row);
    const c = third(row);
    return a === ERROR || b === ERROR || c === ERROR ? ERROR : call(a, b, c);
  };

const callVariadic =
  (call: Variadic, nodes: readonly ExpressionNode[]): Evaluate =>
  (row) => {
    const values: Value[] = [];
    for (const { evaluate } of nodes) {
      const value = evaluate(row);
      if (value === ERROR) return ERROR;
      values.push(value);
    }
    return call(values);
  };
