/** The process that holds a store, and answers the others over a local socket with the resources of the server. */
import { chmod, rename, rm } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { QuadrilleError } from '@quadrille/model';
import type { Database } from 'quadrille';
import { type Handler, preparedHandler } from '../handler.js';
import { openService, type Service } from '../host/index.js';
import { Authenticator } from '../host/accounts/authentication.js';
import { authorizeBy, type Client } from '../authentication.js';
import { FetchRequest, toResponse } from '../fetch/fetch.js';
import { jsonReply } from '../message/json-reply.js';
import type { Reply } from '../message/reply.js';
import { type HttpRequest, pathOfUrl } from '../message/request.js';
import { serveNode, type ServeOptions } from '../node/node.js';
import type { Prepare } from '../pipeline.js';
import type { Authorize } from '../service.js';
import { answerToCall } from './holder-calls.js';
import { answerToTool } from './holder-tools.js';
import { AUTHOR, CREATE, HOLDER, LINK } from './protocol.js';

/** Guests are programs of the same user: nothing of them is limited as that of strangers is. */
const MOST_MS = 2 ** 31 - 1;
const QUERIES = {
  timeoutMs: MOST_MS,
  updateTimeoutMs: MOST_MS,
  queueMs: MOST_MS,
  queued: 100_000,
  writeStallMs: MOST_MS,
};
/** What a guest that was killed has staged goes after this time. */
const IDLE_MS = 3_600_000;
const MOST_CONNECTIONS = 4096;
const CONNECTIONS = {
  maxConnections: MOST_CONNECTIONS,
  maxConnectionsPerAddress: MOST_CONNECTIONS,
  bodyTimeoutMs: MOST_MS,
  writeStallMs: MOST_MS,
};
/** How long answers under way may keep a holder that ends. */
const DRAIN_MS = 2000;

/** Services of programs that serve their databases: guests see the same jobs and transactions. */
const services = new WeakMap<Database, Service>();

/** Lets guests of a shared store use the service that a program has opened over it. Before the first of them has come. */
export function serveGuests(database: Database, service: Service): void {
  services.set(database, service);
}

/** What a process holds for others. */
export interface Holder {
  /** Answers a request of this process, as it answers guests. */
  readonly handler: Handler;
  /** Waits for the answers that are under way, and listens no more. The database stays open. */
  close(): Promise<void>;
}

/**
 * Answers guests.
 * @param database the store, which this process holds
 * @param served what its program sees of it
 * @param address of the socket or pipe. The lock of the store is held, so nobody else listens there
 */
export async function holdFor(database: Database, served: () => Database, address: string): Promise<Holder> {
  const links = new Set<ServerResponse>();
  const { handler, close } = answering(database, served);
  const before: ServeOptions['before'] = (incoming, outgoing) => {
    if (incoming.url !== LINK) return false;
    links.add(outgoing);
    outgoing.once('close', () => links.delete(outgoing));
    outgoing.writeHead(200, { 'Content-Type': 'text/plain', [HOLDER]: String(process.pid) }).flushHeaders();
    return true;
  };
  const server = await listenAt(address, handler, before);
  return {
    handler,
    async close() {
      for (const link of links) link.end();
      // Whoever comes now finds nobody, and waits for the next holder.
      if (process.platform !== 'win32') await rm(address, { force: true });
      await server.close(DRAIN_MS);
      await close();
    },
  };
}

/** What answers guests, whatever it is that brings their requests. */
export function answering(database: Database, served: () => Database): Holder {
  let own: Service | undefined;
  const open = async (): Promise<Service> => {
    const given = services.get(served());
    if (given !== undefined) return asOwner(given);
    return (own = await openService(database, {
      open: true,
      rateLimit: false,
      queries: QUERIES,
      transactionIdleMs: IDLE_MS,
    }));
  };
  return { handler: handlerOf(database, open), close: async () => own?.close() };
}

/** Under another name first: the socket is closed to others before anybody finds it, and replaces that of a holder that was killed. */
async function listenAt(
  address: string,
  handler: Handler,
  before: ServeOptions['before'],
): Promise<Awaited<ReturnType<typeof serveNode>>> {
  const options = { ...CONNECTIONS, port: 0, ...(before && { before }) };
  if (process.platform === 'win32') return serveNode(handler, { ...options, path: address, background: true });
  const made = `${address}.${process.pid.toString(36)}`;
  await rm(made, { force: true });
  const server = await serveNode(handler, { ...options, path: made, background: true });
  try {
    await chmod(made, 0o600);
    await rename(made, address);
  } catch (error) {
    await server.close(0);
    throw error;
  }
  return server;
}

/** The same service for its owner: whoever can open the socket may open the directory. */
function asOwner(service: Service): Service {
  return {
    ...service,
    open: true,
    requests: undefined,
    authenticator: new Authenticator(service.tokens, undefined, true),
  };
}

function handlerOf(database: Database, open: () => Promise<Service>): Handler {
  let made: Promise<Handler> | undefined;
  const prepared = async (service: Service, request: HttpRequest): Promise<Reply | undefined> => {
    const metadata = request.headers.get(CREATE);
    if (metadata === null) return (await answerToTool(database, service, request)) ?? answerToCall(database, request);
    const name = pathOfUrl(request.url).split('/', 3).slice(1).join('/');
    await database.repository(name, { create: true, metadata: JSON.parse(decodeURIComponent(metadata)) as object });
    return undefined;
  };
  const begin = async (): Promise<Handler> => {
    const service = await open();
    const authorized = authorizeBy(service);
    const authorize: Authorize = async (context, access, repository) => {
      const author = context.request.headers.get(AUTHOR);
      if (author !== null) context.principal = decodeURIComponent(author);
      await authorized(context, access, repository);
    };
    const prepare: Prepare = (request) => prepared(service, request);
    return preparedHandler({ service, authorize, localPages: true }, prepare);
  };
  const reply: Handler['reply'] = async (...given) => {
    try {
      return await (await (made ??= begin())).reply(...given);
    } catch (error) {
      // Such as a disk without room: the next request tries again.
      made = undefined;
      const { code, message } = error instanceof QuadrilleError ? error : { code: 'INTERNAL', message: String(error) };
      return jsonReply({ error: message, code }, {}, 503);
    }
  };
  return Object.assign(
    async (request: Request, client?: Client) => toResponse(await reply(new FetchRequest(request), client)),
    { reply, isRepeatable: () => false },
  );
}
