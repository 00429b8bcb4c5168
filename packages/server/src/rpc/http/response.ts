/** Responses, and the response to a request that is refused as a whole. */
import { accessFields } from '../../http/index.js';
import { writeJsonRpcError } from '../json-rpc/message.js';
import type { RpcError } from '../calls/rpc-error.js';
import { type MediaType, TransportError } from './transport.js';
import { writeXmlFault } from '../xml-rpc/index.js';

/** The answer to a request. */
export interface RpcResponse {
  /** Status of HTTP. */
  readonly status: number;
  /** The headers. */
  readonly headers: Record<string, string>;
  /** The body. */
  readonly body: string | Uint8Array;
}

const JSON_TYPE: MediaType = { name: 'application/json', protocol: 'json' };

/** The response for an error, in the protocol of the request. `id` is the JSON text of a JSON-RPC id. */
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
