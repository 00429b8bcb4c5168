/** One request and the head of its answer, on a connection of its own. */
import { type IncomingMessage, request as httpRequest } from 'node:http';
import type { Socket } from 'node:net';
import type { Hop } from './hop.js';

const MAX_HEADER_BYTES = 16 * 1024;

/** Sends the request; resolves with the head of the answer, its body unread. */
export function exchange(socket: Socket, url: URL, hop: Hop): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    // Given a connection, Node.js uses no agent: none is kept alive, and no proxy of the environment stands between.
    const request = httpRequest({
      createConnection: () => socket,
      method: hop.method,
      path: url.pathname + url.search,
      setHost: false,
      headers: {
        'user-agent': 'quadrille',
        accept: '*/*',
        ...hop.headers,
        host: url.host,
        'accept-encoding': 'gzip, br',
        ...(hop.body === undefined ? {} : { 'content-length': String(hop.body.byteLength) }),
      },
      maxHeaderSize: MAX_HEADER_BYTES,
      insecureHTTPParser: false,
    });
    request.once('response', resolve);
    request.on('error', reject);
    // Also after an answer that switches protocols, which no request asks for.
    request.once('close', () => reject(new Error('the connection was closed before an answer')));
    request.end(hop.body);
  });
}

/** Names in lower case; several values of one name joined, as HTTP permits for all but cookies, which are not read here. */
export function headersOf(message: IncomingMessage): Record<string, string> {
  const headers: Record<string, string> = Object.create(null);
  for (const [name, value] of Object.entries(message.headers)) {
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return headers;
}
