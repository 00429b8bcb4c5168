/** Connects a handler to a node:http server. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TLSSocket } from 'node:tls';
import { basePathOf, belowBase, endEarly } from '../../http/index.js';
import type { RpcHandler } from '../handler.js';
import type { RpcResponse } from './response.js';
import { isRpcTarget } from './transport.js';

/**
 * A listener that answers the requests for the RPC endpoint, which stands below `basePath`. It returns false for all others.
 * @example
 * const rpc = rpcListener(createRpcHandler({ service }));
 * createServer((incoming, outgoing) => rpc(incoming, outgoing) || others(incoming, outgoing));
 */
export function rpcListener(
  handler: RpcHandler,
  { basePath = '' }: { readonly basePath?: string } = {},
): (incoming: IncomingMessage, outgoing: ServerResponse, identified?: (isKnown: boolean) => void) => boolean {
  const base = basePathOf(basePath) ?? '';
  return (incoming, outgoing, identified) => {
    const { method = '', headers, socket } = incoming;
    const url = belowBase(base, base === '' ? (incoming.url ?? '') : targetOf(incoming.url ?? ''));
    if (url === undefined || !isRpcTarget(url)) return false;
    const address = socket.remoteAddress;
    const secure = (socket as Partial<TLSSocket>).encrypted === true;
    handler({ method, path: url, headers, body: incoming, address, secure, identified }).then(
      (response) => send(incoming, outgoing, response),
      // The handler answers all errors but those of the connection.
      () => socket.destroy(),
    );
    return true;
  };
}

/** The path and query of a target, which may be a whole URL, as proxies send it. */
const targetOf = (url: string): string => (url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?#]*/i, ''));

function send(incoming: IncomingMessage, outgoing: ServerResponse, { status, headers, body }: RpcResponse): void {
  if (outgoing.destroyed) return;
  outgoing.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body) });
  if (incoming.complete) outgoing.end(body);
  else endEarly(incoming, outgoing, body);
}
