/** The server as a function from requests to replies. Adapters connect it to sockets. */
import {
  type AccessLog,
  type AllowedOrigins,
  basePathOf,
  clientRequestId,
  type Fields,
  originFields,
  type PageRules,
} from './http/index.js';
import type { Database, Logger } from 'quadrille';
import { InvalidArgumentError, KeyedMutex } from '@quadrille/model';
import { openService, type Service as HostedService } from './host/index.js';
import { FetchRequest, toResponse } from './fetch/fetch.js';
import { authorizeBy, type Client } from './authentication.js';
import { resumeCallbacks } from './resources/statements/completion-callback.js';
import type { Takes } from './context.js';
import { EXPOSED } from './message/cors.js';
import { closedList } from './parameters/closed-parameters.js';
import { isRepeatable } from './once/keyed-request.js';
import { Observer } from './observer.js';
import { membersOf } from './openapi/records.js';
import { answer, type App, type Prepare, type RoutedResource, type Start } from './pipeline.js';
import type { Reply, ReplyHeaders } from './message/reply.js';
import type { StaticFiles } from './message/static-files.js';
import { type HttpRequest, pathOfUrl } from './message/request.js';
import { RightsWatch } from './rights-watch.js';
import { RouteCache, Router } from './message/router.js';
import { routes } from './resources/index.js';
import {
  type Agents,
  type Authorize,
  type Method,
  type MethodRecord,
  type Route,
  type Service,
  stillAllowed,
} from './service.js';

/** The data that the handler serves, and how it checks rights. */
export type HandlerSource =
  /**
   * Accounts with tokens and rights, made by `openService` of `@quadrille/server/host`. Until a promise is fulfilled, requests are refused with
   * 503 `NOT_READY`, and `/ready` says that the store is being opened.
   */
  | {
      /** The service. The caller closes it. */
      readonly service: HostedService | Promise<HostedService>;
    }
  /** Every client may read and write everything. The caller closes the database. */
  | {
      /** The data. */
      readonly database: Database;
      /** Says that no right is checked. */
      readonly open: true;
    }
  /** The embedding server checks the rights before every route. The caller closes the database. */
  | {
      /** The data. */
      readonly database: Database;
      /** Checks the rights of each request. */
      readonly authorize: Authorize;
    };

export type HandlerOptions = HandlerSource & HandlerSettings;

/** How the handler answers, whatever it serves. */
export interface HandlerSettings {
  /**
   * The public address of the server with its path, such as `https://data.example.org`. Default: the origin of each request, and the base
   * path.
   */
  readonly publicBase?: string;
  /** The path below which the server answers, such as `/rdf`; there is nothing outside. Default: the root. */
  readonly basePath?: string;
  /** Gets failures, and with `accessLog: true` a line for each request. */
  readonly logger?: Logger;
  /** Gets a line for each request; with `true` the logger gets it as `request`, at the level `info`. Default false. */
  readonly accessLog?: boolean | AccessLog;
  /** The origins whose pages may use the server. Default `*`: all, without credentials. */
  readonly cors?: AllowedOrigins;
  /**
   * Whether the server refuses requests for a host other than this machine or the host of `publicBase` (421). It then also
   * refuses requests of pages of other sites that `cors` does not name (403). For servers without credentials. Default: with
   * `open: true`, and for a service that is open.
   */
  readonly localPages?: boolean;
  /** The answer of `GET /A/R` with `Accept: application/link-format`. Default `ntriples`. */
  readonly linkFormatAs?: 'ntriples' | 'link-format';
  /** Whether every other path below a repository is a graph. A write to a mistyped path then makes a graph. Default false. */
  readonly directGraphs?: boolean;
  /** The answer of `/A/protocol`: the version of the RDF4J protocol. Default 6, as in Sesame 2.7. */
  readonly protocolVersion?: number;
  /** Whether writes without `If-Match` or `If-None-Match: *` are refused with 428, to prevent lost updates. Default false. */
  readonly requireIfMatch?: boolean;
  /** Whether an update that is sent as a query is run. Without it, it is 400 `NOT_A_QUERY`, as the SPARQL Protocol wants. Default false. */
  readonly lenientProtocol?: boolean;
  /** Whether RPC is served beside this handler, at `/rpc`: then the OpenAPI document has it. Default false. */
  readonly rpc?: boolean;
  /** What answers agents at `/mcp`: `agents` of `quadrille/server/mcp`. Default: nothing does. */
  readonly agents?: Agents;
  /** Whether the parameter `auth_token` is accepted as a token, for older clients. Default false. */
  readonly queryToken?: boolean;
  /** Whether a proxy in front tells the address of each client by `X-Forwarded-For`. Default false. */
  readonly trustProxy?: boolean;
  /**
   * Files to show beside the resources, such as the page at `/`. They need no credentials. With it, `/A/R` asked for as HTML redirects to
   * `/#/A/R/query`. Default: none.
   */
  readonly pages?: StaticFiles;
}

/** A function of the Fetch standard, so that other servers can mount it. */
export interface Handler {
  (request: Request, client?: Client): Promise<Response>;
  /** The same for adapters, without objects of the Fetch standard, which cost more than a short query. */
  readonly reply: (request: HttpRequest, client?: Client) => Promise<Reply>;
  /**
   * Whether a server that forwards this request to another one may send it again, after a broken connection, with the same header
   * `Quadrille-Forwarded`: then it is done once.
   */
  readonly isRepeatable: (request: Pick<HttpRequest, 'method' | 'url' | 'headers'>) => boolean;
}

/** On every reply, unless the route sets another value. */
const SECURITY = Object.entries({
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
});
const VARY = 'Accept, Accept-Encoding, Accept-Datetime, Branch';

/**
 * The handler of a server.
 * @throws InvalidArgumentError `INVALID_OPTION` where nothing says who may do what
 * @example
 * const service = await openService(await open('./data'));
 * const handler = createHandler({ service, publicBase: 'https://data.example.org' });
 */
export function createHandler(options: HandlerOptions): Handler {
  return preparedHandler(options, undefined);
}

/** A handler that calls `prepare` before each request. */
export function preparedHandler(options: HandlerOptions, prepare: Prepare | undefined): Handler {
  const observer = new Observer(accessLogOf(options));
  const basePath = checkedBase(options.basePath);
  const forOrigin = originFields(options.cors ?? '*', EXPOSED);
  const starting = Promise.resolve(hostedService(options)).then((hosted) => ({
    ...startApp(options, hosted, observer),
    prepare,
  }));
  const isOpening = 'service' in options && options.service instanceof Promise;
  const start: Start = {
    app: undefined,
    failed: false,
    starting,
    isOpening,
    basePath,
    logger: options.logger,
    pageRules: pageRules(options),
  };
  starting.then(
    (started) => {
      start.app = started;
      if ('service' in options) start.pageRules = pageRules({ ...options, service: started.service.hosted });
    },
    // A failed start is reported to the client of each request.
    () => (start.failed = true),
  );
  const reply: Handler['reply'] = async (request, client = {}) => {
    const exchange = observer.begin(request, client.address);
    const made = await answer(start, exchange, client);
    addHeaders(made.headers, request, exchange.requestId, forOrigin(request.headers.get('Origin')));
    observer.end(exchange, made);
    return made;
  };
  return Object.assign(
    async (request: Request, client?: Client) => toResponse(await reply(new FetchRequest(request), client)),
    { reply, isRepeatable: (request: Asked) => mayBeRepeated(start, request) },
  );
}

type Asked = Parameters<Handler['isRepeatable']>[0];

function mayBeRepeated({ app, basePath }: Start, request: Asked): boolean {
  const path = pathOfUrl(request.url);
  if (app === undefined || !path.startsWith(`${basePath}/`)) return false;
  const { found, parameters } = app.routes.of(request.url.replace(path, path.slice(basePath.length)));
  return found !== undefined && isRepeatable(request, found.resource, parameters);
}

/** A service that is being opened answers no request yet, so it is not known to be open then. */
function pageRules(options: HandlerOptions): PageRules {
  const { publicBase, cors } = options;
  const isOpen = 'service' in options ? 'open' in options.service && options.service.open : !('authorize' in options);
  const rightsBy = isOpen ? 'nothing' : 'authorize' in options ? 'unknown' : 'tokens';
  return { publicBase, cors, rightsBy, localPages: options.localPages ?? isOpen };
}

function hostedService(options: HandlerOptions): HostedService | Promise<HostedService> {
  if ('service' in options) return options.service;
  if ('authorize' in options || options.open) {
    return openService(options.database, { open: true, ...(options.logger && { logger: options.logger }) });
  }
  throw new InvalidArgumentError('INVALID_OPTION', 'createHandler: give a service, or open: true for no credentials');
}

/** An own log, or the logger. */
function accessLogOf({ accessLog, logger }: HandlerOptions): AccessLog | undefined {
  if (typeof accessLog === 'function') return accessLog;
  return accessLog === true && logger !== undefined ? (line) => logger.info('request', line) : undefined;
}

/** @throws InvalidArgumentError `INVALID_OPTION` */
function checkedBase(text = ''): string {
  const base = basePathOf(text);
  if (base !== undefined) return base;
  throw new InvalidArgumentError('INVALID_OPTION', `basePath is a path such as /rdf: ${text.slice(0, 100)}`);
}

function startApp(options: HandlerOptions, hosted: HostedService, observer: Observer): Omit<App, 'prepare'> {
  const service: Service = {
    hosted,
    database: hosted.database,
    publicBase: options.publicBase?.replace(/\/+$/, ''),
    basePath: checkedBase(options.basePath),
    logger: options.logger,
    authorize: 'authorize' in options ? options.authorize : authorizeBy(hosted),
    linkFormatAs: options.linkFormatAs ?? 'ntriples',
    directGraphs: options.directGraphs === true,
    protocolVersion: options.protocolVersion ?? 6,
    requireIfMatch: options.requireIfMatch === true,
    lenientProtocol: options.lenientProtocol === true,
    rpc: options.rpc === true,
    agents: options.agents,
    observer,
    uploads: new Map(),
    changes: new KeyedMutex(),
    // An open server refuses nobody.
    watch:
      'authorize' in options || !hosted.open ? new RightsWatch((context) => stillAllowed(service, context)) : undefined,
  };
  const router = new Router<RoutedResource>();
  for (const route of routes(service)) router.add(route.path, resourceOf(route));
  resumeCallbacks(hosted, options.logger);
  const identifying = { queryToken: options.queryToken === true, trustProxy: options.trustProxy === true };
  return { routes: new RouteCache(router), service, identifying, pages: options.pages };
}

function resourceOf(route: Route): RoutedResource {
  const methods = Object.keys(route.handlers) as Method[];
  const undeclared = methods.find((method) => route.methods[method] === undefined);
  if (undeclared !== undefined) throw new Error(`${undeclared} ${route.path} has no record`);
  const allow = [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ');
  const takes = methods.map((method) => [method, takesOf(route.path, route.methods[method]!)]);
  return { ...route, allow, takes: Object.fromEntries(takes) as RoutedResource['takes'] };
}

const takesOf = (path: string, { names, body, allBranches, sends }: MethodRecord): Takes => ({
  names: closedList(names, path),
  body,
  allBranches,
  members: sends && membersOf(sends),
});

function addHeaders(headers: ReplyHeaders, request: HttpRequest, requestId: string, cors: Fields): void {
  if (request.method === 'GET' || request.method === 'HEAD') headers.set('Vary', VARY);
  for (const [name, value] of SECURITY) if (!headers.has(name)) headers.set(name, value);
  for (const [name, value] of cors) headers.append(name, value);
  headers.set('Request-Id', requestId);
  const clientId = clientRequestId(request.headers.get('Client-Request-Id'));
  if (clientId !== undefined) headers.set('Client-Request-Id', clientId);
}
