/** Keeps slow and idle clients from taking the place of the others. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface ConnectionLimits {
  /** Connections at once. The one that has waited longest without a request makes room for a new one. Default 4096. */
  readonly maxConnections?: number;
  /** For the head of a request, from the connection on. Default 10 s. */
  readonly headersTimeoutMs?: number;
  /** In which at least a kilobyte of a body has to come, as long as it is not we who are slow. Default 30 s. */
  readonly bodyTimeoutMs?: number;
  /** How long a connection is kept for the next request. Default 30 s. */
  readonly keepAliveTimeoutMs?: number;
}

const DEFAULTS: Required<ConnectionLimits> = {
  maxConnections: 4096,
  headersTimeoutMs: 10_000,
  bodyTimeoutMs: 30_000,
  keepAliveTimeoutMs: 30_000,
};
/** Of a body, in each period of its time-out. */
const MIN_BODY_BYTES = 1024;

export function limitsOf(options: ConnectionLimits): Required<ConnectionLimits> {
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  return { ...DEFAULTS, ...given };
}

/** What `createServer` has to know of them. */
export function serverOptions({ headersTimeoutMs, keepAliveTimeoutMs }: Required<ConnectionLimits>): {
  headersTimeout: number;
  requestTimeout: number;
  keepAliveTimeout: number;
  connectionsCheckingInterval: number;
} {
  return {
    headersTimeout: headersTimeoutMs,
    // A large upload takes as long as it takes: its body is watched instead.
    requestTimeout: 0,
    keepAliveTimeout: keepAliveTimeoutMs,
    connectionsCheckingInterval: Math.max(50, Math.min(1000, headersTimeoutMs / 4)),
  };
}

/** Closes the connection that has been without a request for the longest time, when there are too many. */
export function capConnections(server: Server, { maxConnections }: Required<ConnectionLimits>): void {
  let open = 0;
  // A Set keeps the order in which its members came.
  const waiting = new Set<Socket>();
  server.on('connection', (socket) => {
    open++;
    waiting.add(socket);
    socket.once('close', () => {
      open--;
      waiting.delete(socket);
    });
    if (open > maxConnections) (waiting.values().next().value ?? socket).destroy();
  });
  server.on('request', (incoming, outgoing) => {
    const { socket } = incoming;
    waiting.delete(socket);
    outgoing.once('close', () => {
      if (!socket.destroyed) waiting.add(socket);
    });
  });
}

/** Ends a request whose body does not come. */
export function watchBody(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { bodyTimeoutMs }: Required<ConnectionLimits>,
): void {
  const { socket, headers } = incoming;
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  if (!hasBody) return;
  let seen = socket.bytesRead;
  const timer = setInterval(() => {
    if (incoming.complete || socket.destroyed) return clearInterval(timer);
    const came = socket.bytesRead - seen;
    seen = socket.bytesRead;
    // What has come and is not read yet waits for us.
    if (came >= MIN_BODY_BYTES || incoming.readableLength > 0) return;
    clearInterval(timer);
    if (!outgoing.headersSent) socket.write('HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n');
    socket.destroySoon();
  }, bodyTimeoutMs);
  timer.unref();
  incoming.once('close', () => clearInterval(timer));
}
