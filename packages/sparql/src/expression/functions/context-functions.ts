/** The functions that ask the query: for its base, its time, new blank nodes, random numbers. */
import { dataFactory } from '@quadrille/model';
import type { Expression } from '../../algebra/algebra.js';
import {
  constantNode,
  foldNode,
  textsOf,
  variableNode,
  type Compilation,
  type Evaluate,
  type ExpressionNode,
} from '../expression-node.js';
import { resolveLegalIri } from '../../algebra/resolve-iri.js';
import { DoubleValue, ERROR, IriValue, StringValue, temporalFromDate, valueOf, type Value } from '../values/value.js';

type ContextFunction = (args: readonly Expression[], compilation: Compilation) => ExpressionNode;

/** A function whose result is another one each time. */
function volatileNode(compilation: Compilation, evaluate: Evaluate): ExpressionNode {
  compilation.volatile = true;
  return variableNode(evaluate);
}

/** Characters of a UUID as an IRI. */
const UUID_LENGTH = 45;

function uuidNode(compilation: Compilation, make: (uuid: string) => Value): ExpressionNode {
  const { context } = compilation;
  const texts = textsOf(context);
  return volatileNode(compilation, () => {
    texts.reserveText(UUID_LENGTH);
    return make(context.uuid());
  });
}

const iri: ContextFunction = (args, { compile, context }) => {
  const nodes = args.map(compile);
  return foldNode(nodes, (row) => {
    const value = nodes[0]?.evaluate(row) ?? ERROR;
    if (value.kind === 'iri') return value;
    if (value.kind !== 'string') return ERROR;
    textsOf(context).reserveText(value.value.length + (context.baseIRI?.length ?? 0));
    const resolved = resolveLegalIri(value.value, context.baseIRI);
    return resolved === undefined ? ERROR : new IriValue(resolved);
  });
};

const bnode: ContextFunction = (args, compilation) => {
  const { context } = compilation;
  const [label, solution] = args.map(compilation.compile);
  if (label === undefined) return volatileNode(compilation, () => valueOf(context.newBlankNode()));
  const texts = textsOf(context);
  return variableNode((row) => {
    const { kind, value } = label.evaluate(row) as StringValue;
    const own = solution?.evaluate(row);
    if (kind !== 'string' || own?.kind !== 'blankNode') return ERROR;
    const name = nodeLabel(own.value, value);
    texts.reserveText(name.length);
    return valueOf(dataFactory.blankNode(name));
  });
};

/** The label of the node that a label stands for in a solution: one of letters, digits and hyphens for each of both. */
const nodeLabel = (solution: string, label: string): string =>
  `${solution}l${label.replace(/[^0-9A-Za-z]/g, (unit) => `-${unit.charCodeAt(0).toString(16)}-`)}`;

export const contextFunctions: ReadonlyMap<string, ContextFunction> = new Map<string, ContextFunction>([
  ['iri', iri],
  ['uri', iri],
  ['bnode', bnode],
  ['now', (_, { context }) => constantNode(temporalFromDate(context.now))],
  ['rand', (_, compilation) => volatileNode(compilation, () => new DoubleValue(compilation.context.random()))],
  ['uuid', (_, compilation) => uuidNode(compilation, (uuid) => new IriValue(`urn:uuid:${uuid}`))],
  ['struuid', (_, compilation) => uuidNode(compilation, (uuid) => new StringValue(uuid))],
]);
