/** `quadrille serve`: the whole interface over a store. */
import { once } from 'node:events';
import type {
  AccessLog,
  AllowedOrigins,
  Handler,
  HttpRequest,
  NodeServer,
  ServeOptions,
  StaticFiles,
} from '@quadrille/server';
import type { Service, ServiceOptions } from '@quadrille/server/host';
import { InvalidArgumentError } from '@quadrille/model';
import type { Command } from 'commander';
import type { Logger, OpenOptions } from 'quadrille';
import { EXIT } from '../exit.js';
import { defaultWorkers } from '../default-workers.js';
import { allFormats } from '../formats.js';
import { addJson, given } from '../options.js';
import { announce, announceAsJson } from '../serve-announcement.js';
import { addSettings, readSettings, type ServeSettings } from '../serve-settings.js';
import { accessLog, jsonLogger, textLogger } from '../serve/loggers.js';
import { renewOnHangup, tlsIdentity } from '../serve/tls.js';
import type { ServerParts } from '../serve/servers.js';
import { withoutSecrets } from '../secrets.js';
import { isLoopback } from '../server/loopback.js';
import { type Shell, withDatabase } from '../shell.js';

const EXAMPLES = `
Examples:
  $ quadrille serve ./data                              the first time it prints a sign-in link and a token
  $ curl -u TOKEN: http://127.0.0.1:8080/default/default/sparql --data-urlencode 'query=ASK { ?s ?p ?o }'
  $ quadrille serve ./data --open                       no tokens, for a try on this machine
  $ quadrille serve ./data --port 0 --json              any free port; prints {"url": …}
  $ quadrille serve ./data --host 0.0.0.0 --public-base https://data.example.org --config server.json
  $ quadrille serve ./data --host 0.0.0.0 --tls-cert cert.pem --tls-key key.pem

Every option can also stand in the configuration file ({"publicBase": …}) or in the environment (QUADRILLE_PUBLIC_BASE);
an option beats the environment, which beats the file. Makes the store where there is none. While it runs the store is its own:
other commands on the same store are refused. Ctrl+C or SIGTERM lets answers under way finish and closes the store; SIGHUP reads the certificate again.
`;

export function addServe(program: Command, shell: Shell): void {
  const command = program
    .command('serve')
    .description('Serve a store over HTTP. Creates the store if it does not exist.')
    .argument('<store>', 'directory or URL of the store');
  addJson(addSettings(command))
    .addHelpText('after', EXAMPLES)
    .action(async (store: string, flags: Readonly<Record<string, unknown>>) => {
      const settings = await readSettings(flags, process.env);
      checkSettings(settings);
      const json = flags['json'] === true;
      const isOne = settings.advertise !== undefined || settings.follow === true;
      const log: Log = {
        logger: json ? jsonLogger(shell) : textLogger(shell, settings.accessLog === true),
        access: settings.accessLog === true ? accessLog(shell, json) : undefined,
      };
      if (isOne) return serveAsOne(store, settings, shell, { json, log });
      const opening = deferredService();
      // It listens before the store is open, and says so: opening a large store takes time.
      const server = await listen(opening, settings, log);
      const stopRenewing = renewOnHangup(server, settings, log.logger);
      let ended: Promise<boolean> | undefined;
      try {
        await withDatabase(store, databaseOptions(store, settings, log.logger), async (database) => {
          const service = await hostedService(database, settings, log.logger);
          try {
            const first = settings.open === true ? undefined : await service.ensureFirstAccount();
            const repository = await firstRepository(service);
            await opening.opened(service);
            const code = first && service.signIn.create(first.account);
            const ready = { server, store: database.location, repository, first, code, settings };
            await (json ? announceAsJson(shell, ready) : announce(shell, ready));
            if (!shell.signal.aborted) await once(shell.signal, 'abort');
            ended = server.close(settings.drainTimeout);
            if (!(await ended)) shell.setExitCode(EXIT.failed);
          } finally {
            await service.close();
          }
        });
      } finally {
        stopRenewing();
        if (ended === undefined) await server.close(0);
      }
    });
}

/** One of several servers of the store. */
async function serveAsOne(
  store: string,
  settings: ServeSettings,
  shell: Shell,
  { json, log }: { readonly json: boolean; readonly log: Log },
): Promise<void> {
  const { joinStore, open } = await import('quadrille');
  const { Servers } = await import('../serve/servers.js');
  const { serveOnPort } = await import('@quadrille/server');
  await allFormats();
  const { create: _, workers: __, diskCache, ...options } = databaseOptions(store, settings, log.logger);
  const member = await joinStore(store, given({ advertise: settings.advertise, diskCache }));
  const parts: ServerParts = {
    follow: settings.follow === true,
    basePath: settings.basePath,
    logger: log.logger,
    database: (storage) => open({ storage }, options),
    service: (database, follows, known) => hostedService(database, settings, log.logger, { follows, servers: known }),
    handler: (service, prepare) => handlerOf(service, settings, log, prepare),
    rpc: (service) => rpcOf(service, settings, log),
  };
  const servers = new Servers(member, await handlerOf(new Promise(() => undefined), settings, log), parts);
  const listening = {
    before: servers.before,
    ...listenOptions(settings),
    ...given({ tls: await tlsIdentity(settings) }),
  };
  const server = await serveOnPort(servers, settings.port, listening);
  const stopRenewing = renewOnHangup(server, settings, log.logger);
  try {
    const service = await servers.start();
    const isNew = servers.holds && settings.open !== true;
    const first = isNew ? await service.ensureFirstAccount() : undefined;
    const repository = servers.holds ? await firstRepository(service) : 'default/default';
    const code = first && service.signIn.create(first.account);
    const ready = { server, store: withoutSecrets(store), repository, first, code, settings };
    await (json ? announceAsJson(shell, ready) : announce(shell, ready));
    if (!shell.signal.aborted) await once(shell.signal, 'abort');
    await servers.leave();
    if (!(await server.close(settings.drainTimeout))) shell.setExitCode(EXIT.failed);
  } finally {
    stopRenewing();
    await server.close(0);
    await servers.close();
  }
}

interface Log {
  readonly logger: Logger;
  readonly access: AccessLog | undefined;
}

/** The service of a store that is not open yet. */
interface DeferredService {
  readonly service: Promise<Service>;
  /** The work before requests are accepted. */
  readonly whenOpen: ((service: Service) => Promise<void>)[];
  readonly opened: (service: Service) => Promise<void>;
}

function deferredService(): DeferredService {
  let resolve: (service: Service) => void = () => undefined;
  const service = new Promise<Service>((done) => (resolve = done));
  const whenOpen: ((service: Service) => Promise<void>)[] = [];
  return {
    service,
    whenOpen,
    async opened(made) {
      for (const run of whenOpen) await run(made);
      resolve(made);
    },
  };
}

/** Refuses dangerous settings before anything is opened. */
function checkSettings({ open, host = '127.0.0.1', publicBase, advertise }: ServeSettings): void {
  if (advertise !== undefined && !/^https?:\/\/[^/?#@]+\/?$/.test(advertise)) {
    throw new InvalidArgumentError(
      'INVALID_OPTION',
      `--advertise is not an http or https URL without a path: ${advertise}`,
    );
  }
  if (open === true && !isLoopback(host)) {
    throw new InvalidArgumentError(
      'INVALID_OPTION',
      `--open requires no token, so the server cannot listen on ${host}`,
    );
  }
  if (publicBase !== undefined && !/^https?:\/\/[^/?#]+[^?#]*$/.test(publicBase)) {
    throw new InvalidArgumentError('INVALID_OPTION', `--public-base is not an http or https URL: ${publicBase}`);
  }
}

/** Limits of callbacks, which are short requests. */
const CALLBACK_LIMITS = { totalMs: 30_000, maxBytes: 65_536, maxRedirects: 0 };

/** A shared store has no threads for queries. */
const isShared = (store: string): boolean => /^(?:postgres(?:ql)?|s3):\/\//i.test(store);

function databaseOptions(store: string, settings: ServeSettings, logger: Logger): OpenOptions & { create: true } {
  const { backend, durability, cacheBytes, repositoryBytes, workers, service, load, allow, upgrade } = settings;
  const { diskCache: directory, diskCacheBytes: bytes } = settings;
  if (directory === undefined && bytes !== undefined) {
    throw new InvalidArgumentError('INVALID_OPTION', '--disk-cache-bytes needs --disk-cache');
  }
  const reaches = service !== undefined || load === true;
  return {
    create: true,
    logger,
    workers: workers ?? (isShared(store) ? 0 : defaultWorkers()),
    ...(directory === undefined ? {} : { diskCache: { directory, ...given({ bytes }) } }),
    ...given({ backend, durability, cacheBytes, repositoryBytes, upgrade }),
    ...(reaches ? { federation: given({ service, load, allow }) } : {}),
  };
}

async function hostedService(
  database: Service['database'],
  settings: ServeSettings,
  logger: Logger,
  among: Pick<ServiceOptions, 'follows' | 'servers'> = {},
): Promise<Service> {
  const { open, rateLimit, put, fetch, allow, callback, updateBytes } = settings;
  const limits = { ...settings.limits, ...given({ updateBytes }) };
  const { openService } = await import('@quadrille/server/host');
  const { createGuardedFetch, createUrlCheck } = await import('@quadrille/fetch');
  const told = { mode: 'listed', allow: callback ?? [], limits: CALLBACK_LIMITS } as const;
  return openService(database, {
    logger,
    fetch: createGuardedFetch(given({ mode: fetch, allow })),
    ...(callback === undefined ? {} : { callbacks: { check: createUrlCheck(told), fetch: createGuardedFetch(told) } }),
    queries: queryLimits(settings),
    ...among,
    ...given({ open, rateLimit, put, limits }),
  });
}

function queryLimits(settings: ServeSettings): NonNullable<ServiceOptions['queries']> {
  const { queryTimeout, queryMemory, queryConcurrency, queryQueue, queryQueueWait, writeStall } = settings;
  return given({
    timeoutMs: queryTimeout,
    memoryBytes: queryMemory,
    concurrency: queryConcurrency,
    queued: queryQueue,
    queueMs: queryQueueWait,
    writeStallMs: writeStall,
  });
}

async function handlerOf(
  service: Promise<Service>,
  settings: ServeSettings,
  log: Log,
  prepare?: (request: HttpRequest) => Promise<void>,
): Promise<Handler> {
  const { publicBase, basePath, linkFormat, queryToken, trustProxy, directGraphs } = settings;
  const { protocolVersion, requireIfMatch, lenientProtocol } = settings;
  const { createHandler } = await import('@quadrille/server');
  return createHandler({
    service,
    logger: log.logger,
    rpc: true,
    localPages: settings.open === true,
    ...given({
      publicBase,
      basePath,
      prepare,
      accessLog: log.access,
      queryToken,
      trustProxy,
      directGraphs,
      protocolVersion,
      requireIfMatch,
      lenientProtocol,
      linkFormatAs: linkFormat,
      pages: settings.workbench === false ? undefined : await workbenchFiles(),
    }),
    ...given({ cors: originsOf(settings) }),
  });
}

const workbenchFiles = async (): Promise<StaticFiles> => (await import('@quadrille/workbench')).files();

type Before = NonNullable<ServeOptions['before']>;

/** RPC requests are answered before REST sees them. */
async function rpcOf(service: Service, settings: ServeSettings, log: Log): Promise<Before> {
  const { publicBase, basePath, queryToken, trustProxy, rpcHttpStatus, rpcI8 } = settings;
  const { createRpcHandler, rpcListener } = await import('@quadrille/server/rpc');
  const handler = createRpcHandler({
    service,
    logger: log.logger,
    localPages: settings.open === true,
    ...given({ publicBase, basePath, accessLog: log.access, queryToken, trustProxy }),
    ...given({ httpStatus: rpcHttpStatus, i8: rpcI8, cors: originsOf(settings) }),
  });
  return rpcListener(handler, given({ basePath }));
}

async function listen(opening: DeferredService, settings: ServeSettings, log: Log): Promise<NodeServer> {
  await allFormats();
  const { serveOnPort } = await import('@quadrille/server');
  let rpc: Before | undefined;
  opening.whenOpen.push(async (service) => void (rpc = await rpcOf(service, settings, log)));
  return serveOnPort(await handlerOf(opening.service, settings, log), settings.port, {
    before: (incoming, outgoing, identified) => rpc?.(incoming, outgoing, identified) === true,
    ...given({ tls: await tlsIdentity(settings) }),
    ...listenOptions(settings),
  });
}

function listenOptions(settings: ServeSettings): Omit<ServeOptions, 'port'> {
  const { host, maxConnections, maxConnectionsPerAddress, writeStall: writeStallMs } = settings;
  return given({ host, maxConnections, maxConnectionsPerAddress, writeStallMs });
}

const originsOf = ({ cors }: ServeSettings): AllowedOrigins | undefined => (cors?.includes('*') === true ? '*' : cors);

/** A repository for the announcement. In a store without any, `default` is created in the first account. */
async function firstRepository({ database, accounts, repositories }: Service): Promise<string> {
  const [first] = await database.repositories();
  if (first !== undefined) return first.name;
  const [account] = await accounts.list();
  const owner = account?.name ?? (await accounts.create('default')).name;
  const operator = { account: undefined, readOnly: false, admin: true };
  return (await repositories.create(operator, owner, { name: 'default' })).record.repository_id;
}
