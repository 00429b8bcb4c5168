/** Graphs and IRIs in parameters: N-Triples, or an absolute IRI without brackets, as in REST. */
import { isAbsoluteIri, isLongIri, LONG_IRI } from '@quadrille/model';
import type { Graph } from '@quadrille/service';
import { defaultGraph, iri, parseTerm } from 'quadrille';
import { RPC, RpcError } from '../calls/rpc-error.js';

const DEFAULT_GRAPH = /^(?:null|default|<?urn:(?:quadrille|dydra):default>?)$/;
const MANY = /^<?urn:(?:quadrille|dydra):(?:all|named)>?$/;

/** The graph of a document; `undefined`: the graphs that it names. */
export function graphsOf(context: string): readonly Graph[] | undefined {
  const text = context.trim();
  if (text === '') return undefined;
  if (DEFAULT_GRAPH.test(text)) return [defaultGraph()];
  if (MANY.test(text)) throw invalid(`context names many graphs: ${text}`);
  if (isLongIri(text)) throw invalid(`context: ${LONG_IRI}`);
  const term = /^(?:<|_:)/.test(text) ? parsed(text) : isAbsoluteIri(text) ? iri(text) : undefined;
  if (term?.termType === 'NamedNode' || term?.termType === 'BlankNode') return [term];
  throw invalid(`context is no graph: ${text}`);
}

/** `undefined`: the address of the document. */
export function baseOf(baseUri: string): string | undefined {
  const text = baseUri.trim().replace(/^<(.*)>$/s, '$1');
  if (text === '') return undefined;
  if (isLongIri(text)) throw invalid(`base_uri: ${LONG_IRI}`);
  if (isAbsoluteIri(text)) return text;
  throw invalid(`base_uri is no absolute IRI: ${text}`);
}

function parsed(text: string): ReturnType<typeof parseTerm> | undefined {
  try {
    return parseTerm(text);
  } catch {
    return undefined;
  }
}

const invalid = (message: string): RpcError => new RpcError(RPC.INVALID_PARAMS, message.slice(0, 300));
