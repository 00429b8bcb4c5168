/** The functions that ask the query: for its base, its time, new blank nodes, random numbers. */
import type { Expression } from '../../algebra/algebra.js';
import {
  constantNode,
  foldNode,
  variableNode,
  type Compilation,
  type Evaluate,
  type ExpressionNode,
} from '../expression-node.js';
import { resolveIri } from '../../algebra/resolve-iri.js';
import { DoubleValue, ERROR, IriValue, StringValue, temporalFromDate, valueOf } from '../values/value.js';

type ContextFunction = (args: readonly Expression[], compilation: Compilation) => ExpressionNode;

/** A function whose result is another one each time. */
function volatileNode(compilation: Compilation, evaluate: Evaluate): ExpressionNode {
  compilation.volatile = true;
  return variableNode(evaluate);
}

const iri: ContextFunction = (args, { compile, context }) => {
  const nodes = args.map(compile);
  return foldNode(nodes, (row) => {
    const value = nodes[0]?.evaluate(row) ?? ERROR;
    if (value.kind === 'iri') return value;
    const resolved = value.kind === 'string' ? resolveIri(value.value, context.baseIRI) : undefined;
    return resolved === undefined ? ERROR : new IriValue(resolved);
  });
};

const bnode: ContextFunction = (args, compilation) => {
  const { context } = compilation;
  const [label] = args.map(compilation.compile);
  if (label === undefined) return volatileNode(compilation, () => valueOf(context.newBlankNode()));
  return volatileNode(compilation, (row) => {
    const value = label.evaluate(row);
    return value.kind === 'string' ? valueOf(context.blankNodeFor(value.value)) : ERROR;
  });
};

export const contextFunctions: ReadonlyMap<string, ContextFunction> = new Map<string, ContextFunction>([
  ['iri', iri],
  ['uri', iri],
  ['bnode', bnode],
  ['now', (_, { context }) => constantNode(temporalFromDate(context.now))],
  ['rand', (_, compilation) => volatileNode(compilation, () => new DoubleValue(compilation.context.random()))],
  ['uuid', (_, compilation) => volatileNode(compilation, () => new IriValue(`urn:uuid:${compilation.context.uuid()}`))],
  ['struuid', (_, compilation) => volatileNode(compilation, () => new StringValue(compilation.context.uuid()))],
]);
