/** What is answered, and how an error becomes an answer of the transport. */
import { accessFields } from '@quadrille/http';
import { writeJsonRpcError } from '../json-rpc/message.js';
import type { RpcError } from '../calls/rpc-error.js';
import { type MediaType, TransportError } from './transport.js';
import { writeXmlFault } from '../xml-rpc/index.js';

export interface RpcResponse {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string | Uint8Array;
}

const JSON_TYPE: MediaType = { name: 'application/json', protocol: 'json' };

/** With the status of the error, in the words of the protocol; `id` as a JSON-RPC call wrote it. */
export function refusal(error: RpcError, { name, protocol }: MediaType = JSON_TYPE, id?: string): RpcResponse {
  const body = protocol === 'json' ? writeJsonRpcError(error, id) : writeXmlFault(error);
  return { status: error.status, headers: { ...contentType(name), ...errorHeaders(error) }, body };
}

export const contentType = (mediaType: string): Record<string, string> => ({
  'Content-Type': `${mediaType}; charset=utf-8`,
});

export const errorHeaders = (error: RpcError): Record<string, string> => ({
  ...accessFields(error.code, error.data['retryAfter']),
  ...(error instanceof TransportError ? error.headers : {}),
});
