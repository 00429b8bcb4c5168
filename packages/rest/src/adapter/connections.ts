/** Keeps slow and idle clients from taking the place of the others. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface ConnectionLimits {
  /** Connections at once. The one that has waited longest without a request makes room for a new one. Default 4096. */
  readonly maxConnections?: number;
  /** Of one address, or of one network of IPv6 (/64). Behind a proxy all come from there: set it as high as the other. Default 1024. */
  readonly maxConnectionsPerAddress?: number;
  /** For the head of a request, from the connection on. Default 10 s. */
  readonly headersTimeoutMs?: number;
  /** In which at least a kilobyte of a body has to come, as long as it is not we who are slow. Default 30 s. */
  readonly bodyTimeoutMs?: number;
  /** How long a connection is kept for the next request. Default 30 s. */
  readonly keepAliveTimeoutMs?: number;
}

const DEFAULTS: Required<ConnectionLimits> = {
  maxConnections: 4096,
  maxConnectionsPerAddress: 1024,
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

/** Connections that are counted together. A Set keeps the order in which its members came. */
class Connections {
  open = 0;
  readonly #waiting = new Set<Socket>();

  enter(socket: Socket): void {
    this.open++;
    this.#waiting.add(socket);
  }
  leave(socket: Socket): void {
    this.open--;
    this.#waiting.delete(socket);
  }
  begin(socket: Socket): void {
    this.#waiting.delete(socket);
  }
  end(socket: Socket): void {
    this.#waiting.add(socket);
  }
  /** The one that has been without a request for the longest time. */
  get longestWaiting(): Socket | undefined {
    return this.#waiting.values().next().value;
  }
}

/** Closes the connection that has been without a request for the longest time, when there are too many, in all or from one place. */
export function capConnections(
  server: Server,
  { maxConnections, maxConnectionsPerAddress }: Required<ConnectionLimits>,
): void {
  const all = new Connections();
  const byPlace = new Map<string, Connections>();
  const placeOf = new WeakMap<Socket, Connections>();
  server.on('connection', (socket) => {
    const name = networkOf(socket.remoteAddress ?? '');
    const place = byPlace.get(name) ?? new Connections();
    byPlace.set(name, place);
    placeOf.set(socket, place);
    for (const counted of [all, place]) counted.enter(socket);
    socket.once('close', () => {
      for (const counted of [all, place]) counted.leave(socket);
      if (place.open === 0) byPlace.delete(name);
    });
    if (place.open > maxConnectionsPerAddress) (place.longestWaiting ?? socket).destroy();
    else if (all.open > maxConnections) (all.longestWaiting ?? socket).destroy();
  });
  server.on('request', (incoming, outgoing) => {
    const { socket } = incoming;
    const place = placeOf.get(socket);
    all.begin(socket);
    place?.begin(socket);
    outgoing.once('close', () => {
      if (socket.destroyed) return;
      all.end(socket);
      place?.end(socket);
    });
  });
}

/** An address of IPv4; of IPv6 the network, since who has one address there has all of it. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:([\d.]+)$/i.exec(address)?.[1];
  if (mapped !== undefined || !address.includes(':')) return mapped ?? address;
  const [before = '', after] = address.replace(/%.*$/, '').split('::');
  const groups = before === '' ? [] : before.split(':');
  const rest = after === undefined || after === '' ? [] : after.split(':');
  const zeros = Array.from({ length: Math.max(0, 8 - groups.length - rest.length) }, () => '0');
  return [...groups, ...zeros, ...rest].slice(0, 4).join(':');
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
