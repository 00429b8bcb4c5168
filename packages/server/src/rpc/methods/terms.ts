/** Graphs and IRIs in parameters, as in REST. */
import { readGraph, readIri } from '../../http/index.js';
import type { Graph } from '../../host/index.js';
import { defaultGraph } from 'quadrille';
import { RPC, RpcError } from '../calls/rpc-error.js';

/** The graph of a document; `undefined`: the graphs that it names. */
export function graphsOf(context: string): readonly Graph[] | undefined {
  const text = context.trim();
  if (text === '') return undefined;
  const graph = text === 'null' ? defaultGraph() : readGraph(text, 'context', invalid);
  if (typeof graph === 'object') return [graph];
  throw invalid(`context names many graphs: ${text}`);
}

/** `undefined`: the address of the document. */
export function baseOf(baseUri: string): string | undefined {
  const text = baseUri.trim();
  return text === '' ? undefined : readIri(text, 'base_uri', invalid);
}

const invalid = (message: string): RpcError => new RpcError(RPC.INVALID_PARAMS, message.slice(0, 300));
