/** `quadrille serve`: the whole interface over a store. */
import { once } from 'node:events';
import type { AccessLog, AllowedOrigins, ServeStoreOptions } from '@quadrille/server';
import type { Service, ServiceOptions } from '@quadrille/server/host';
import { InvalidArgumentError } from '@quadrille/model';
import type { Command } from 'commander';
import type { Logger, OpenOptions } from 'quadrille';
import { EXIT } from '../exit.js';
import { storedDocuments } from '../documents/stored-documents.js';
import { contextFiles } from '../documents/json-ld-contexts.js';
import { defaultWorkers } from '../serve/default-workers.js';
import { addJson, given } from '../options.js';
import { announce, announceAsJson, type Ready } from '../serve/announcement.js';
import { addSettings, namedByFlag, readSettings, type ServeSettings } from '../serve/settings.js';
import { accessLog, jsonLogger, textLogger } from '../serve/loggers.js';
import { toolsets } from '../serve/toolsets.js';
import { renewOnHangup, tlsIdentity } from '../serve/tls.js';
import { withoutSecrets } from '../secrets.js';
import type { Shell } from '../shell.js';

const EXAMPLES = `
Examples:
  $ quadrille serve ./data                              the first time it prints a sign-in link and a token
  $ curl -u TOKEN: http://127.0.0.1:8080/default/default/sparql --data-urlencode 'query=ASK { ?s ?p ?o }'
  $ quadrille serve ./data --open                       no tokens, for a try on this machine
  $ quadrille serve ./data --mcp                        agents ask the data at /mcp, with tokens as everybody
  $ quadrille serve ./data --port 0 --json              any free port; prints {"url": …}
  $ quadrille serve ./data --host 0.0.0.0 --public-base https://data.example.org --config server.json
  $ quadrille serve ./data --host 0.0.0.0 --tls-cert cert.pem --tls-key key.pem

Every option can also stand in the configuration file ({"publicBase": …}) or in the environment (QUADRILLE_PUBLIC_BASE);
an option beats the environment, which beats the file. The server creates the store if there is none. While the server runs,
other commands on the same directory ask it. Ctrl+C or SIGTERM lets answers under way finish and closes the store; SIGHUP reads the certificate again.
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
      const json = flags['json'] === true;
      const log: Log = {
        logger: json ? jsonLogger(shell) : textLogger(shell, settings.accessLog === true),
        access: settings.accessLog === true ? accessLog(shell, json) : undefined,
      };
      const { serve } = await import('@quadrille/server');
      const isOne = settings.advertise !== undefined || settings.follow === true;
      let found: Found = { store: withoutSecrets(store), repository: 'default/default' };
      const options = await serverOptions(store, settings, log);
      const renewal = renewOnHangup(settings, log.logger);
      try {
        const server = await serve(store, {
          ...options,
          whenOpen: async (service, role) => {
            if (role === 'holder') found = { ...found, ...(await firstOf(service, settings)) };
            if (!isOne) found = { ...found, store: service.database.location };
          },
        }).catch((error: unknown) => {
          throw namedByFlag(error);
        });
        try {
          renewal.of(server);
          await (json ? announceAsJson : announce)(shell, { server, settings, ...found });
          if (!shell.signal.aborted) await once(shell.signal, 'abort');
        } finally {
          const isInTime = await server.close(shell.signal.aborted ? settings.drainTimeout : 0);
          if (!isInTime) shell.setExitCode(EXIT.failed);
        }
      } finally {
        renewal.stop();
      }
    });
}

export interface Log {
  readonly logger: Logger;
  readonly access: AccessLog | undefined;
}

/** What is known of a store when it is open. */
type Found = Omit<Ready, 'server' | 'settings'>;

/** The first account and repository of a store that is new, else a repository that there is. */
async function firstOf(service: Service, { open }: ServeSettings): Promise<Omit<Found, 'store'>> {
  const first = open === true ? undefined : await service.ensureFirstAccount();
  const repository = await firstRepository(service);
  return first === undefined ? { repository } : { repository, first, code: service.signIn.create(first.account) };
}

export async function serverOptions(store: string, settings: ServeSettings, log: Log): Promise<ServeStoreOptions> {
  const { port, host, advertise, follow, open, publicBase, basePath, linkFormat, queryToken, trustProxy } = settings;
  const { directGraphs, protocolVersion, requireIfMatch, lenientProtocol, rpcHttpStatus, rpcI8 } = settings;
  const { maxConnections, maxConnectionsPerAddress, writeStall: writeStallMs } = settings;
  return {
    ...given({ port, host, advertise, follow, open, publicBase, basePath, queryToken, trustProxy }),
    ...given({ directGraphs, protocolVersion, requireIfMatch, lenientProtocol, linkFormatAs: linkFormat }),
    ...given({ tls: await tlsIdentity(settings), cors: originsOf(settings), accessLog: log.access }),
    ...(await agentsOf(settings)),
    ...(settings.workbench === false ? {} : { pages: (await import('@quadrille/workbench')).files() }),
    logger: log.logger,
    connections: given({ maxConnections, maxConnectionsPerAddress, writeStallMs }),
    store: await databaseOptions(store, settings),
    service: await serviceOptions(settings),
    rpc: given({ httpStatus: rpcHttpStatus, i8: rpcI8 }),
  };
}

/** What answers agents, where they are served. It is loaded for them. */
async function agentsOf({ mcp, mcpTools }: ServeSettings): Promise<Pick<ServeStoreOptions, 'agents'>> {
  if (mcp !== true && mcpTools === undefined) return {};
  const { agents } = await import('@quadrille/server/mcp');
  const tools = mcpTools === undefined ? (['data'] as const) : toolsets(mcpTools, '--mcp-tools');
  return { agents: agents({ tools, documents: storedDocuments }) };
}

/** Limits of callbacks, which are short requests. */
const CALLBACK_LIMITS = { totalMs: 30_000, maxBytes: 65_536, maxRedirects: 0 };

/** A shared store has no threads for queries. */
const isSharedStore = (store: string): boolean => /^(?:postgres(?:ql)?|s3):\/\//i.test(store);

/** A directory is shared with all processes of the machine. */
export const sharing = (store: string): Pick<OpenOptions, 'share'> =>
  isSharedStore(store) || store === ':memory:' ? {} : { share: true };

async function databaseOptions(store: string, settings: ServeSettings): Promise<OpenOptions> {
  const { backend, durability, cacheBytes, repositoryBytes, workers, service, load, allow, upgrade } = settings;
  const { diskCache: directory, diskCacheBytes: bytes } = settings;
  if (directory === undefined && bytes !== undefined) {
    throw new InvalidArgumentError('INVALID_OPTION', '--disk-cache-bytes needs --disk-cache');
  }
  const reaches = service !== undefined || load === true;
  return {
    workers: workers ?? (isSharedStore(store) ? 0 : defaultWorkers()),
    // Commands on the same directory ask this process.
    ...sharing(store),
    ...(directory === undefined ? {} : { diskCache: { directory, ...given({ bytes }) } }),
    ...given({ backend, durability, cacheBytes, repositoryBytes, upgrade, contexts: await contextFiles(settings) }),
    ...(reaches ? { federation: given({ service, load, allow }) } : {}),
  };
}

async function serviceOptions(settings: ServeSettings): Promise<NonNullable<ServeStoreOptions['service']>> {
  const { rateLimit, put, fetch, allow, callback, updateBytes } = settings;
  const limits = { ...settings.limits, ...given({ updateBytes }) };
  const { createGuardedFetch, createUrlCheck } = await import('@quadrille/fetch');
  const told = { mode: 'listed', allow: callback ?? [], limits: CALLBACK_LIMITS } as const;
  return {
    fetch: createGuardedFetch(given({ mode: fetch, allow })),
    ...(callback === undefined ? {} : { callbacks: { check: createUrlCheck(told), fetch: createGuardedFetch(told) } }),
    queries: queryLimits(settings),
    ...given({ rateLimit, put, limits }),
  };
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

const originsOf = ({ cors }: ServeSettings): AllowedOrigins | undefined => (cors?.includes('*') === true ? '*' : cors);

/** A repository for the announcement. In a store without any, `default` is created in the first account. */
export async function firstRepository({ database, accounts, repositories }: Service): Promise<string> {
  const [first] = await database.repositories().toArray();
  if (first !== undefined) return first.name;
  const [account] = await accounts.list();
  const owner = account?.name ?? (await accounts.create('default')).name;
  const operator = { account: undefined, readOnly: false, admin: true };
  return (await repositories.create(operator, owner, { name: 'default' })).record.repository_id;
}
