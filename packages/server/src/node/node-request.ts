/** A request of node:http as the routes see it. */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { badRequest, type HttpError } from '../http/index.js';
import { type BodyCare, type HttpRequest, lowerCase, type RequestHeaders } from '../message/request.js';

/** A host, or an address, with or without a port. */
const HOST = /^(?:[\w.~%-]+|\[[\da-fA-F:.]+\])(?::\d{1,5})?$/;

export class NodeRequest implements HttpRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: RequestHeaders;
  readonly refusal: HttpError | undefined;
  care: BodyCare | undefined;
  #signal: AbortSignal | undefined;

  constructor(
    private readonly incoming: IncomingMessage,
    readonly closing?: AbortSignal,
  ) {
    this.method = incoming.method ?? 'GET';
    this.refusal = refusalOf(incoming);
    this.url = this.refusal === undefined ? urlOf(incoming) : NOWHERE;
    this.headers = new NodeHeaders(incoming);
  }

  get body(): AsyncIterable<Uint8Array> | null {
    const { headers } = this.incoming;
    const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
    // An unfinished iteration must not destroy the connection: the answer is sent first.
    return hasBody ? (this.incoming.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>) : null;
  }

  arrived(): Uint8Array | undefined {
    const { incoming } = this;
    if (!hasArrived(incoming)) return undefined;
    const bytes = incoming.read() as Buffer | null;
    // The end follows, which nobody else reads.
    incoming.resume();
    return bytes ?? NOTHING;
  }

  get signal(): AbortSignal {
    return (this.#signal ??= connectionOf(this.incoming.socket).signal);
  }

  abandon(reason: unknown): void {
    // The connection has another signal then, but this request keeps the aborted one.
    this.#signal ??= connectionOf(this.incoming.socket).signal;
    connectionOf(this.incoming.socket).abandon(reason);
  }
}

/** One signal for all requests of a connection. Making one takes as long as the rest of a request. */
class Connection {
  #controller = new AbortController();

  constructor(private readonly socket: Socket) {
    if (socket.destroyed) this.#gone();
    else socket.once('close', () => this.#gone());
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Aborts the requests under way, of which there are several only if the client sends them ahead. */
  abandon(reason: unknown): void {
    this.#controller.abort(reason);
    if (this.socket.destroyed) return;
    this.#controller = new AbortController();
  }

  #gone(): void {
    this.#controller.abort(new Error('the client closed the connection'));
  }
}

const connections = new WeakMap<Socket, Connection>();

function connectionOf(socket: Socket): Connection {
  let connection = connections.get(socket);
  if (connection === undefined) connections.set(socket, (connection = new Connection(socket)));
  return connection;
}

class NodeHeaders implements RequestHeaders {
  constructor(private readonly incoming: IncomingMessage) {}

  get(name: string): string | null {
    const value = this.incoming.headers[lowerCase(name)];
    return value === undefined ? null : Array.isArray(value) ? value.join(', ') : value;
  }

  has(name: string): boolean {
    return this.incoming.headers[lowerCase(name)] !== undefined;
  }
}

const NOTHING = new Uint8Array(0);

/** Whether all of a body is here, of which nothing was read. What came with the head is here in the turn after that of the listener. */
export const hasArrived = ({ complete, headers, readableLength }: IncomingMessage): boolean =>
  complete || Number(headers['content-length']) === readableLength;

/** For a request with an invalid target or Host. */
const NOWHERE = 'http://localhost/';

function refusalOf(incoming: IncomingMessage): HttpError | undefined {
  const { url = '/', headers } = incoming;
  const { host = '' } = headers;
  const isPath = url.startsWith('/');
  if (!isPath && url !== '*' && !(/^https?:/i.test(url) && URL.canParse(url))) {
    return badRequest('the target of the request is neither a path nor an address of HTTP');
  }
  if (hasTwoHosts(incoming)) return badRequest('the request names its Host twice');
  if ((isPath || url === '*') && !HOST.test(host)) return badRequest('the Host of the request is none');
  return undefined;
}

/** Node.js keeps the first one. A proxy in front may have looked at the other. */
export function hasTwoHosts({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2)
    if (rawHeaders[i]!.length === 4 && rawHeaders[i]!.toLowerCase() === 'host') hosts++;
  return hosts > 1;
}

function urlOf({ url = '/', headers: { host = '' }, socket }: IncomingMessage): string {
  if (!url.startsWith('/') && url !== '*') return url;
  // Sockets of Bun have the property without TLS, too: it is false then.
  const secure = (socket as Partial<TLSSocket>).encrypted === true;
  return `${secure ? 'https' : 'http'}://${host}${url === '*' ? '/' : url}`;
}
