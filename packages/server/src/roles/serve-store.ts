/** Opens a store and serves it, alone or as one of several servers. */
import { InvalidArgumentError, StateError } from '@quadrille/model';
import { type Database, joinStore, type Logger, open, type OpenOptions } from 'quadrille';
import { type Handler, preparedHandler } from '../handler.js';
import type { Prepare } from '../pipeline.js';
import { basePathOf } from '../http/index.js';
import { openService, type Service, type ServiceOptions } from '../host/index.js';
import type { NodeServer, ServeOptions } from '../node/node.js';
import { serveOnPort } from '../node/serve-on-port.js';
import { createRpcHandler, rpcListener } from '../rpc/index.js';
import type { Role, Served, ServeStoreOptions } from './index.js';
import { Servers } from './servers.js';

type Before = NonNullable<ServeOptions['before']>;
type Among = Pick<ServiceOptions, 'follows' | 'servers'>;

const SILENT: Logger = { info: () => undefined, warn: () => undefined, error: () => undefined };
const THIS_MACHINE = /^(?:127(?:\.\d{1,3}){3}|\[?::1\]?|localhost)$/i;

/** As `serve` says. */
export async function serveStore(location: string, options: ServeStoreOptions): Promise<Served> {
  check(options);
  return options.advertise !== undefined || options.follow === true
    ? serveAsOne(location, options)
    : serveAlone(location, options);
}

/** Refuses dangerous options before anything is opened. */
function check({ open: isOpen, host = '127.0.0.1', publicBase, advertise }: ServeStoreOptions): void {
  const refuse = (text: string): never => {
    throw new InvalidArgumentError('INVALID_OPTION', text);
  };
  if (advertise !== undefined && !/^https?:\/\/[^/?#@]+\/?$/.test(advertise))
    refuse(`advertise is not an http or https URL without a path: ${advertise}`);
  if (isOpen === true && !THIS_MACHINE.test(host))
    refuse(`open requires no token, so the server cannot listen on ${host}`);
  if (publicBase !== undefined && !/^https?:\/\/[^/?#]+[^?#]*$/.test(publicBase))
    refuse(`publicBase is not an http or https URL: ${publicBase}`);
}

async function serveAlone(location: string, options: ServeStoreOptions): Promise<Served> {
  let opened: (service: Service) => void = () => undefined;
  const opening = new Promise<Service>((done) => (opened = done));
  let rpc: Before | undefined;
  const server = await listen(handlerOf(opening, options), options, (...request) => rpc?.(...request) === true);
  let database: Database | undefined;
  let service: Service | undefined;
  const closeStore = async (): Promise<void> => {
    await service?.close();
    await database?.close();
  };
  try {
    database = await open(location, storeOptions(options));
    if (database.role === 'guest') throw heldByOther(location);
    service = await hosted(database, options);
    if (database.role === 'holder') (await import('../share/index.js')).serveGuests(database, service);
    await options.whenOpen?.(service, 'holder');
    rpc = rpcOf(service, options);
    opened(service);
  } catch (error) {
    await server.close(0);
    await closeStore();
    throw error;
  }
  return served(server, options, () => 'holder', {
    before: () => Promise.resolve(),
    after: closeStore,
  });
}

const heldByOther = (location: string): StateError =>
  new StateError(
    'STORE_LOCKED',
    `The store ${location} is held by another process, which shares it: end that one first, and let it join this server.`,
  );

async function serveAsOne(location: string, options: ServeStoreOptions): Promise<Served> {
  const { create: _, workers: __, share: ___, diskCache, ...store } = storeOptions(options);
  const { advertise } = options;
  const member = await joinStore(location, { advertise, diskCache });
  const servers = new Servers(member, handlerOf(new Promise(() => undefined), options), {
    follow: options.follow === true,
    basePath: options.basePath,
    logger: options.logger ?? SILENT,
    database: (storage) => open({ storage }, store),
    service: (database, follows, known) => hosted(database, options, { follows, servers: known }),
    handler: (service, prepare) => handlerOf(service, options, prepare),
    rpc: (service) => rpcOf(service, options),
  });
  const roleNow = (): Role => (servers.holds ? 'holder' : 'follower');
  const server = await listen(servers, options, servers.before);
  try {
    await options.whenOpen?.(await servers.start(), roleNow());
  } catch (error) {
    await server.close(0);
    await servers.close();
    throw error;
  }
  return served(server, options, roleNow, { before: () => servers.leave(), after: () => servers.close() });
}

/** What is done before the listener closes, and after. */
interface Ending {
  readonly before: () => Promise<void>;
  readonly after: () => Promise<void>;
}

function served(
  server: NodeServer,
  { basePath }: ServeStoreOptions,
  role: () => Role,
  { before, after }: Ending,
): Served {
  return {
    url: server.url + (basePathOf(basePath ?? '') ?? ''),
    port: server.port,
    get role() {
      return role();
    },
    renew: (tls) => server.renew(tls),
    async close(timeoutMs) {
      try {
        await before();
        return await server.close(timeoutMs);
      } finally {
        await after();
      }
    },
  };
}

const storeOptions = ({ store, logger }: ServeStoreOptions): OpenOptions => ({
  create: true,
  ...(logger && { logger }),
  ...store,
});

const hosted = (
  database: Database,
  { service, store, open: isOpen = false, logger }: ServeStoreOptions,
  among: Among = {},
): Promise<Service> =>
  openService(database, { contexts: store?.contexts, ...service, ...among, open: isOpen, ...(logger && { logger }) });

const handlerOf = (service: Promise<Service>, options: ServeStoreOptions, prepare?: Prepare): Handler =>
  preparedHandler({ ...options, service, rpc: options.rpc !== false, localPages: options.open === true }, prepare);

/** RPC requests are answered before REST sees them. */
function rpcOf(service: Service, options: ServeStoreOptions): Before {
  if (options.rpc === false) return () => false;
  const { publicBase, basePath, cors, logger, accessLog, queryToken, trustProxy } = options;
  const common = { publicBase, basePath, cors, logger, accessLog, queryToken, trustProxy };
  const handler = createRpcHandler({ ...given(common), ...options.rpc, service, localPages: options.open === true });
  return rpcListener(handler, given({ basePath }));
}

/** The options that have a value. */
function given<T extends object>(options: T): { [Key in keyof T]?: Exclude<T[Key], undefined> } {
  const entries = Object.entries(options).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [Key in keyof T]?: Exclude<T[Key], undefined> };
}

const listen = (
  handler: Pick<Handler, 'reply'>,
  { port, host, tls, connections }: ServeStoreOptions,
  before: Before,
): Promise<NodeServer> => serveOnPort(handler, port, { ...connections, ...given({ host, tls }), before });
