/** Limits connections, so that slow and idle clients do not use up the capacity, and clients without a token not that of accounts. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { AccessError } from '@quadrille/model';
import { networkOf, shareOfStrangers } from '../host/index.js';
import { hasArrived } from './node-request.js';

/** Limits of the connections of a server. They are for clients that are slow, hostile or gone. */
export interface ConnectionLimits {
  /**
   * Most open connections. Beyond it the connection that has been idle longest is closed. Requests without a token may be under way on three
   * quarters of them. Default 4096.
   */
  readonly maxConnections?: number;
  /** The same for one IPv4 address or IPv6 network (/64). Behind a proxy set both to the same value. Default 1024. */
  readonly maxConnectionsPerAddress?: number;
  /** Longest time until the head of a request is complete. Default 10 s. */
  readonly headersTimeoutMs?: number;
  /** Period in which at least 1 KB of a body has to arrive, unless received bytes still wait to be read. Default 30 s. */
  readonly bodyTimeoutMs?: number;
  /** How long an idle connection stays open. Default 30 s. */
  readonly keepAliveTimeoutMs?: number;
  /** A reader that takes nothing of its answer for so long is disconnected. Default 10 s. */
  readonly writeStallMs?: number;
}

const DEFAULTS: Required<ConnectionLimits> = {
  maxConnections: 4096,
  maxConnectionsPerAddress: 1024,
  headersTimeoutMs: 10_000,
  bodyTimeoutMs: 30_000,
  keepAliveTimeoutMs: 30_000,
  writeStallMs: 10_000,
};
/** Least bytes of a body in each period. */
const MIN_BODY_BYTES = 1024;

export function limitsOf(options: ConnectionLimits): Required<ConnectionLimits> {
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  return { ...DEFAULTS, ...given };
}

/** The options of `createServer` for these limits. */
export function serverOptions({ headersTimeoutMs, keepAliveTimeoutMs }: Required<ConnectionLimits>): {
  headersTimeout: number;
  requestTimeout: number;
  keepAliveTimeout: number;
  connectionsCheckingInterval: number;
} {
  return {
    headersTimeout: headersTimeoutMs,
    // Large uploads have no time limit. `watchBody` checks their progress.
    requestTimeout: 0,
    keepAliveTimeout: keepAliveTimeoutMs,
    connectionsCheckingInterval: Math.max(50, Math.min(1000, headersTimeoutMs / 4)),
  };
}

/** A group of connections that are counted together. A Set keeps the order of insertion. */
class Connections {
  open = 0;
  /** With a request of a client without a token. */
  ofStrangers = 0;
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
  /** The connection that has been idle longest. */
  get longestWaiting(): Socket | undefined {
    return this.#waiting.values().next().value;
  }
}

/** What the counts of connections are told of requests. */
export interface ConnectionCounts {
  /** To be called with each request. The result is to be called when its answer is over. */
  begin(incoming: IncomingMessage): () => void;
  /**
   * To be called when the sender of a request is known.
   * @throws AccessError `RATE_LIMITED` where clients without a token have all connections that they may
   */
  identified(incoming: IncomingMessage, outgoing: ServerResponse, isKnown: boolean): void;
  /** To be called when an answer was written before the end of its request: the connection can be closed for others. */
  answeredEarly(incoming: IncomingMessage): void;
}

/** Closes the connection that has been idle longest when there are too many, in total or from one address. */
export function capConnections(
  server: Server,
  { maxConnections, maxConnectionsPerAddress }: Required<ConnectionLimits>,
): ConnectionCounts {
  const all = new Connections();
  const byPlace = new Map<string, Connections>();
  const placeOf = new WeakMap<Socket, Connections>();
  // With TLS a request has another socket than its connection, between the same ports.
  const socketOf = new Map<string, Socket>();
  server.on('connection', (socket) => {
    const ends = endsOf(socket);
    socketOf.set(ends, socket);
    const name = networkOf(socket.remoteAddress ?? '');
    const place = byPlace.get(name) ?? new Connections();
    byPlace.set(name, place);
    placeOf.set(socket, place);
    for (const counted of [all, place]) counted.enter(socket);
    socket.once('close', () => {
      for (const counted of [all, place]) counted.leave(socket);
      if (place.open === 0) byPlace.delete(name);
      if (socketOf.get(ends) === socket) socketOf.delete(ends);
    });
    if (place.open > maxConnectionsPerAddress) (place.longestWaiting ?? socket).destroy();
    else if (all.open > maxConnections) (all.longestWaiting ?? socket).destroy();
  });
  const connectionOf = ({ socket }: IncomingMessage): Socket | undefined =>
    placeOf.has(socket) ? socket : socketOf.get(endsOf(socket));
  const countsOf = (incoming: IncomingMessage): readonly Connections[] => {
    const place = placeOf.get(connectionOf(incoming) ?? incoming.socket);
    return place === undefined ? [] : [all, place];
  };
  const mostOf = (counted: Connections): number =>
    shareOfStrangers(counted === all ? maxConnections : maxConnectionsPerAddress);
  return {
    begin(incoming) {
      const socket = connectionOf(incoming);
      const place = socket && placeOf.get(socket);
      if (socket === undefined || place === undefined) return () => undefined;
      all.begin(socket);
      place.begin(socket);
      return () => {
        if (socket.destroyed) return;
        all.end(socket);
        place.end(socket);
      };
    },
    identified(incoming, outgoing, isKnown) {
      if (!isKnown && !outgoing.destroyed) countStranger(countsOf(incoming), mostOf, outgoing);
    },
    answeredEarly(incoming) {
      const socket = connectionOf(incoming);
      if (socket === undefined || socket.destroyed) return;
      for (const counted of countsOf(incoming)) counted.end(socket);
    },
  };
}

const RETRY_AFTER_SECONDS = 10;

/** Counts a request without a token until its answer is over. @throws AccessError `RATE_LIMITED` where such requests have their share */
function countStranger(
  counts: readonly Connections[],
  mostOf: (counted: Connections) => number,
  outgoing: ServerResponse,
): void {
  if (counts.some((counted) => counted.ofStrangers >= mostOf(counted)))
    throw new AccessError('RATE_LIMITED', 'clients without a token have all connections that they may have', {
      details: { retryAfter: RETRY_AFTER_SECONDS },
    });
  for (const counted of counts) counted.ofStrangers++;
  outgoing.once('close', () => {
    for (const counted of counts) counted.ofStrangers--;
  });
}

const endsOf = ({ remoteAddress, remotePort, localAddress }: Socket): string =>
  `${remoteAddress ?? ''} ${String(remotePort)} ${localAddress ?? ''}`;

/**
 * Closes the connection of a client that reads nothing of an answer written as a whole, at the latest after twice the time.
 * `sendReply` closes connections of streams, on time.
 * @returns to be called with 1 for each request, and with -1 when its answer is over
 */
export function watchReaders(
  server: Server,
  { writeStallMs }: Required<ConnectionLimits>,
): (socket: Socket, more: number) => void {
  const answering = new WeakMap<Socket, number>();
  // Called when a connection has neither sent nor taken anything for this time, and for idle ones after that of keep-alive. Those that
  // have not sent a request yet have a limit of their own, and a server may take its time for an answer.
  server.setTimeout(writeStallMs, (socket) => {
    const isIdle = answering.get(socket) === 0;
    if (isIdle || socket.writableLength > 0) socket.destroy();
  });
  return (socket, more) => void answering.set(socket, (answering.get(socket) ?? 0) + more);
}

/** Ends a request whose body arrives too slowly. To be called when what came with the head has been read. */
export function watchBody(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { bodyTimeoutMs }: Required<ConnectionLimits>,
): void {
  const { socket, headers } = incoming;
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  if (!hasBody || hasArrived(incoming)) return;
  let seen = socket.bytesRead;
  const timer = setInterval(() => {
    if (incoming.complete || socket.destroyed) return clearInterval(timer);
    const came = socket.bytesRead - seen;
    seen = socket.bytesRead;
    // Received bytes wait to be read: the server is the slow side.
    if (came >= MIN_BODY_BYTES || incoming.readableLength > 0) return;
    clearInterval(timer);
    if (!outgoing.headersSent) socket.write('HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n');
    socket.destroySoon();
  }, bodyTimeoutMs);
  timer.unref();
  incoming.once('close', () => clearInterval(timer));
}
