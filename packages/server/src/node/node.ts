/** Serves a handler with node:http. */
import { setMaxListeners } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { errorReply } from '../message/error-reply.js';
import type { Client } from '../authentication.js';
import type { Handler } from '../handler.js';
import {
  capConnections,
  type ConnectionLimits,
  limitsOf,
  serverOptions,
  watchBody,
  watchReaders,
} from './connections.js';
import { AnswersUnderWay, closeServer } from './drain.js';
import { sendReply } from './node-reply.js';
import { hasTwoHosts, NodeRequest } from './node-request.js';

/** Options of {@link serveNode}. */
export interface ServeOptions extends ConnectionLimits {
  /** Default 127.0.0.1: reachable only from this machine. */
  readonly host?: string;
  /** 0: any free port. */
  readonly port: number;
  /** Listens at a local socket or pipe, in place of a port. */
  readonly path?: string;
  /** Whether a process may end although it listens, and while connections are idle. */
  readonly background?: boolean;
  /** Serves https. */
  readonly tls?: TlsIdentity;
  /**
   * Another interface of the same server. It returns true for the requests that it answers itself. It calls `identified` as
   * {@link Client} says.
   */
  readonly before?: (
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    identified: (isKnown: boolean) => void,
  ) => boolean;
}

/** A certificate, with those of its issuers, and its key: PEM. */
export interface TlsIdentity {
  /** The certificate, followed by those of its issuers. */
  readonly cert: string;
  /** Its private key. */
  readonly key: string;
}

/** A server that listens. */
export interface NodeServer {
  /** The address without a path, such as `http://127.0.0.1:8080`. */
  readonly url: string;
  /** The port on which it listens. */
  readonly port: number;
  /**
   * Refuses new requests with 503, ends feeds of changes at once, and waits for the answers that are under way. Then it closes the listener.
   * After `timeoutMs` (default 10 s) the connections of the others are cut. Resolves with whether all answers have ended before.
   */
  close(timeoutMs?: number): Promise<boolean>;
  /**
   * Uses another certificate for new connections.
   * @throws Error of `node:tls` for what is none, or where the server does not serve https. It goes on with the earlier one.
   */
  renew(tls: TlsIdentity): void;
}

const CLOSE_TIMEOUT_MS = 10_000;
/** Longest time of a TLS handshake. */
const HANDSHAKE_MS = 10_000;

/** Rejects with the error of the socket (`EADDRINUSE`, `EACCES`) if the port is not available. */
export async function serveNode(handler: Pick<Handler, 'reply'>, options: ServeOptions): Promise<NodeServer> {
  const host = options.host ?? '127.0.0.1';
  const limits = limitsOf(options);
  const closing = new AbortController();
  // Each feed listens, and there may be a thousand.
  setMaxListeners(0, closing.signal);
  const listener = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    const { socket } = incoming;
    const leave = counts.begin(incoming);
    answers.begin(outgoing);
    countReader(socket, 1);
    outgoing.once('close', () => {
      leave();
      answers.end(outgoing);
      countReader(socket, -1);
    });
    // Most bodies come with their heads.
    queueMicrotask(() => watchBody(incoming, outgoing, limits));
    const identified = (isKnown: boolean): void => counts.identified(incoming, outgoing, isKnown);
    if (!closing.signal.aborted && !hasTwoHosts(incoming) && options.before?.(incoming, outgoing, identified) === true)
      return;
    const client = { address: incoming.socket.remoteAddress, identified };
    void answer(handler, client, incoming, outgoing, limits, closing.signal).then(() => {
      if (!incoming.complete) counts.answeredEarly(incoming);
    });
  };
  const { tls } = options;
  const secure: TlsServer | undefined =
    tls && createTlsServer({ ...serverOptions(limits), ...tls, handshakeTimeout: HANDSHAKE_MS }, listener);
  const server: Server = secure ?? createServer(serverOptions(limits), listener);
  const answers = new AnswersUnderWay();
  const counts = capConnections(server, limits);
  const countReader = watchReaders(server, limits);
  await listen(server, options.path === undefined ? [options.port, host] : [options.path]);
  if (options.background === true) server.unref().on('connection', (socket) => socket.unref());
  const address = server.address() as AddressInfo | string;
  const port = typeof address === 'string' ? 0 : address.port;
  return {
    url: `${secure === undefined ? 'http' : 'https'}://${host.includes(':') ? `[${host}]` : host}:${String(port)}`,
    port,
    close: async (timeoutMs = CLOSE_TIMEOUT_MS) => {
      const ended = answers.ended(timeoutMs);
      closing.abort();
      const inTime = await ended;
      await closeServer(server, !inTime);
      return inTime;
    },
    renew(identity) {
      if (secure === undefined) throw new Error('this server does not serve https');
      secure.setSecureContext(identity);
    },
  };
}

async function answer(
  handler: Pick<Handler, 'reply'>,
  client: Client,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { writeStallMs }: Required<ConnectionLimits>,
  closing: AbortSignal,
): Promise<void> {
  try {
    const request = new NodeRequest(incoming, closing);
    const reply = await handler.reply(request, client);
    await sendReply(reply, incoming, outgoing, writeStallMs);
  } catch (error) {
    if (outgoing.headersSent) outgoing.destroy();
    else await sendReply(errorReply(error, crypto.randomUUID(), null), incoming, outgoing);
  }
}

function listen(server: Server, where: [number, string] | [string]): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    const listening = (): void => {
      server.off('error', reject);
      resolve();
    };
    if (where.length === 2) server.listen(...where, listening);
    else server.listen(where[0], listening);
  });
}
