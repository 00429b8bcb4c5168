/** Serves a handler with node:http. */
import { setMaxListeners } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { errorReply } from '../http/error-reply.js';
import type { Handler } from '../handler.js';
import {
  capConnections,
  type ConnectionLimits,
  limitsOf,
  serverOptions,
  watchBody,
  watchReaders,
} from './connections.js';
import { sendReply } from './node-reply.js';
import { NodeRequest } from './node-request.js';

export interface ServeOptions extends ConnectionLimits {
  /** Default 127.0.0.1: reachable only from this machine. */
  readonly host?: string;
  /** 0: any free port. */
  readonly port: number;
  /** Another interface of the same server. It returns true for the requests that it answers itself. */
  readonly before?: (incoming: IncomingMessage, outgoing: ServerResponse) => boolean;
}

export interface NodeServer {
  readonly url: string;
  readonly port: number;
  /**
   * Accepts no new requests, ends feeds of changes at once, waits for the running requests, and closes their connections after
   * `timeoutMs` (default 10 s).
   */
  close(timeoutMs?: number): Promise<void>;
}

const CLOSE_TIMEOUT_MS = 10_000;
const IDLE_SWEEP_MS = 50;

/** Rejects with the error of the socket (`EADDRINUSE`, `EACCES`) if the port is not available. */
export async function serveNode(handler: Pick<Handler, 'reply'>, options: ServeOptions): Promise<NodeServer> {
  const host = options.host ?? '127.0.0.1';
  const limits = limitsOf(options);
  const closing = new AbortController();
  // Each feed listens, and there may be a thousand.
  setMaxListeners(0, closing.signal);
  const server = createServer(serverOptions(limits), (incoming, outgoing) => {
    watchBody(incoming, outgoing, limits);
    if (options.before?.(incoming, outgoing) === true) return;
    void answer(handler, incoming, outgoing, limits, closing.signal);
  });
  capConnections(server, limits);
  watchReaders(server, limits);
  await listen(server, host, options.port);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${String(port)}`,
    port,
    close: (timeoutMs = CLOSE_TIMEOUT_MS) => {
      const closed = close(server, timeoutMs);
      closing.abort();
      return closed;
    },
  };
}

async function answer(
  handler: Pick<Handler, 'reply'>,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { writeStallMs }: Required<ConnectionLimits>,
  closing: AbortSignal,
): Promise<void> {
  try {
    const request = new NodeRequest(incoming, closing);
    const reply = await handler.reply(request, { address: incoming.socket.remoteAddress });
    await sendReply(reply, incoming, outgoing, writeStallMs);
  } catch (error) {
    if (outgoing.headersSent) outgoing.destroy();
    else await sendReply(errorReply(error, crypto.randomUUID(), null), incoming, outgoing);
  }
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function close(server: Server, timeoutMs: number): Promise<void> {
  return new Promise((resolve) => {
    // A kept-alive connection becomes idle after its last answer. It would delay the close until its timeout.
    const sweep = setInterval(() => server.closeIdleConnections(), IDLE_SWEEP_MS);
    const timer = setTimeout(() => server.closeAllConnections(), timeoutMs);
    server.close(() => {
      clearInterval(sweep);
      clearTimeout(timer);
      resolve();
    });
  });
}
