/** The server as a function from requests to replies. Adapters connect it to sockets. */
import {
  type AccessLog,
  type AllowedOrigins,
  basePathOf,
  clientAddress,
  clientRequestId,
  type Fields,
  FOREIGN_HOST,
  FOREIGN_ORIGIN,
  foreignPart,
  HttpError,
  type LocalPages,
  originFields,
  type SenderOptions,
} from '@quadrille/http';
import type { Database, Logger } from 'quadrille';
import { AccessError, InvalidArgumentError } from '@quadrille/model';
import { openService, type Service as HostedService } from '@quadrille/service';
import { FetchRequest, toResponse } from './adapter/fetch.js';
import { authorizeBy, type Client, identify } from './authentication.js';
import { codingFor, packed } from './http/compression.js';
import { writeError } from './http/conditional.js';
import { resumeCallbacks } from './routes/statements/completion-callback.js';
import { Context } from './context.js';
import { EXPOSED, PREFLIGHT } from './http/cors.js';
import { branchQuery, enterBranch } from './parameters/branch.js';
import { errorReply, newAddress } from './http/error-reply.js';
import { addRevisionHeaders, mementoUrls } from './routes/history/memento.js';
import { meantRequest } from './http/method-override.js';
import { isRepeatable, KeyedRequest } from './once/keyed-request.js';
import { type Exchange, Observer } from './observer.js';
import { leadToBase, withoutBase } from './adapter/base-request.js';
import { logFailure } from './http/log-failure.js';
import { lengthOf, Reply, type ReplyHeaders } from './http/reply.js';
import { fileReply, pageOfRepository, type StaticFiles, wantsPage } from './http/static-files.js';
import { ChangedRequest, type HttpRequest, pathOfUrl } from './http/request.js';
import { RightsWatch } from './rights-watch.js';
import { Router } from './http/router.js';
import { RouteCache } from './http/route-cache.js';
import { REPOSITORY_PATH, routes } from './routes/index.js';
import { healthReply, isProbe, readinessOf, readinessReply } from './routes/server/readiness.js';
import {
  type Authorize,
  type Method,
  repositoryUrl,
  requireAccess,
  type Route,
  type Service,
  stillAllowed,
} from './service.js';

/** The data that the handler serves, and how it checks rights. */
export type HandlerSource =
  /**
   * Accounts with tokens and rights, made by `openService` of `@quadrille/service`. Until a promise is fulfilled, requests are refused with
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

export type HandlerOptions = HandlerSource & {
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
   * refuses requests of pages of other sites that `cors` does not name (403). For servers without credentials. Default false.
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
  /** Whether RPC is served beside this handler, at `/rpc`: then the OpenAPI document has it. Default false. */
  readonly rpc?: boolean;
  /** Called before each request that the service answers. If it rejects, that is the answer. */
  readonly prepare?: (request: HttpRequest) => Promise<void>;
  /** Whether the parameter `auth_token` is accepted as a token, for older clients. Default false. */
  readonly queryToken?: boolean;
  /** Whether a proxy in front tells the address of each client by `X-Forwarded-For`. Default false. */
  readonly trustProxy?: boolean;
  /**
   * Files to show beside the resources, such as the page at `/`. They need no credentials. With it, `/A/R` asked for as HTML redirects to
   * `/#/A/R/query`. Default: none.
   */
  readonly pages?: StaticFiles;
};

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
  const observer = new Observer(accessLogOf(options));
  const basePath = checkedBase(options.basePath);
  const forOrigin = originFields(options.cors ?? '*', EXPOSED);
  const starting = Promise.resolve(hostedService(options)).then((hosted) => startApp(options, hosted, observer));
  const isOpening = 'service' in options && options.service instanceof Promise;
  const localPages = options.localPages === true ? { publicBase: options.publicBase, cors: options.cors } : undefined;
  const start: Start = { app: undefined, failed: false, starting, isOpening, basePath, localPages };
  starting.then(
    (started) => (start.app = started),
    // A failed start is reported to the client of each request.
    () => (start.failed = true),
  );
  const reply: Handler['reply'] = async (request, client = {}) => {
    const exchange = observer.begin(request, client.address);
    const made = await answer(start, exchange, client, options.logger);
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

/** The start of the handler, which may have to open its service. */
interface Start {
  app: App | undefined;
  failed: boolean;
  readonly starting: Promise<App>;
  /** Whether requests are refused until then, and do not wait. */
  readonly isOpening: boolean;
  readonly basePath: string;
  /** Set where foreign pages are refused. */
  readonly localPages: LocalPages | undefined;
}

interface App {
  readonly routes: RouteCache<Resource>;
  readonly service: Service;
  readonly identifying: SenderOptions;
  readonly pages: StaticFiles | undefined;
  readonly prepare: HandlerOptions['prepare'];
}

/** A route with the list of its methods. */
interface Resource extends Route {
  /** For the header `Allow`. */
  readonly allow: string;
}

function startApp(options: HandlerOptions, hosted: HostedService, observer: Observer): App {
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
    rpc: options.rpc === true,
    observer,
    uploads: new Map(),
    // An open server refuses nobody.
    watch:
      'authorize' in options || !hosted.open ? new RightsWatch((context) => stillAllowed(service, context)) : undefined,
  };
  const router = new Router<Resource>();
  for (const route of routes(service)) router.add(route.path, resourceOf(route));
  resumeCallbacks(hosted, options.logger);
  const identifying = { queryToken: options.queryToken === true, trustProxy: options.trustProxy === true };
  return { routes: new RouteCache(router), service, identifying, pages: options.pages, prepare: options.prepare };
}

function resourceOf(route: Route): Resource {
  const methods = Object.keys(route.handlers) as Method[];
  const undeclared = methods.find((method) => route.access[method] === undefined);
  if (undeclared !== undefined) throw new Error(`${undeclared} ${route.path} does not say who may use it`);
  const allow = [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ');
  return { ...route, allow };
}

async function answer(start: Start, exchange: Exchange, client: Client, logger: Logger | undefined): Promise<Reply> {
  const { request, requestId } = exchange;
  const isHead = request.method === 'HEAD';
  let reply: Reply;
  try {
    if (request.refusal !== undefined) throw request.refusal;
    if (start.localPages !== undefined) refuseForeign(request, start.localPages);
    const below = withoutBase(request, start.basePath);
    const { app, isOpening, failed } = start;
    const made =
      leadToBase(request, start.basePath) ??
      (app === undefined && isOpening && !failed
        ? await whileOpening(below)
        : await routed(app ?? (await start.starting), below, client, exchange));
    const coding = codingFor(request, made);
    reply = coding === undefined ? made : await packed(made, coding);
  } catch (error) {
    logFailure(logger, error, { requestId, method: request.method, path: pathOfUrl(request.url) });
    const address = newAddress(error, request.url, start.basePath, start.app?.service.publicBase);
    reply = errorReply(error, requestId, request.headers.get('Accept'), address);
  }
  return isHead ? withoutBody(reply) : reply;
}

/** @throws HttpError 421; AccessError `FORBIDDEN` */
function refuseForeign({ url, headers }: HttpRequest, pages: LocalPages): void {
  // A target that is a whole address names the host, too.
  const asked = /^\w+:\/\/([^/?#]*)/.exec(url)?.[1] ?? '';
  for (const host of [headers.get('Host') ?? asked, asked]) {
    const foreign = foreignPart(host, headers.get('Origin'), pages);
    if (foreign === 'host') throw new HttpError('MISDIRECTED', FOREIGN_HOST);
    if (foreign === 'origin') throw new AccessError('FORBIDDEN', FOREIGN_ORIGIN);
  }
}

const NOT_YET = { 'Retry-After': '1' };
/** The client is to find another server: this one does not come back. */
const NEVER_AGAIN = { Connection: 'close', 'Retry-After': '1' };

async function whileOpening(request: HttpRequest): Promise<Reply> {
  const path = pathOfUrl(request.url);
  if (path === '/health') return healthReply();
  if (path === '/ready') return readinessReply(await readinessOf(undefined, request));
  throw new HttpError('NOT_READY', 'the store is being opened', { headers: NOT_YET });
}

async function routed(app: App, request: HttpRequest, client: Client, exchange: Exchange): Promise<Reply> {
  const isProbing = isProbe(app.routes.of(request.url).path);
  if (request.closing?.aborted === true && !isProbing)
    throw new HttpError('NOT_READY', 'the server is shutting down', { headers: NEVER_AGAIN });
  await app.prepare?.(request);
  const meant = request.method === 'POST' ? await meantRequest(request) : request;
  const asked = request.method === 'HEAD' ? new ChangedRequest(meant, 'GET', null) : meant;
  return dispatch(app, asked, client, exchange);
}

async function dispatch(app: App, meant: HttpRequest, client: Client, exchange: Exchange): Promise<Reply> {
  const { path, found, parameters } = app.routes.of(meant.url);
  if (found !== undefined) exchange.route = found.resource.path;
  // Preflight requests of browsers have no credentials. They are answered for every path.
  if (meant.method === 'OPTIONS') return optionsReply(found?.resource.allow ?? 'OPTIONS');
  exchange.address = clientAddress(meant.headers.get('X-Forwarded-For'), client.address, app.identifying);
  const page = pageFor(app, meant);
  if (page !== undefined) return page;
  const counted = !isProbe(path);
  const { caller, request, address } = await identify(app.service.hosted, meant, client, {
    ...app.identifying,
    counted,
  });
  exchange.account = caller.account;
  if (found === undefined) throw new HttpError('NOT_FOUND', `there is nothing at ${path}`);
  const { resource, segments } = found;
  const { requireIfMatch } = app.service;
  const keyed = KeyedRequest.of(request, resource, parameters);
  const sent = keyed?.request ?? request;
  const context = new Context(sent, path, parameters, segments, caller, requireIfMatch, address);
  return run(app.service, resource, context, keyed);
}

/** Files come before credentials are checked, because a browser asks for them without any. */
function pageFor({ pages, routes }: App, meant: HttpRequest): Reply | undefined {
  if (pages === undefined || meant.method !== 'GET') return undefined;
  const path = pathOfUrl(meant.url);
  const file = pages(path);
  if (file !== undefined) return fileReply(meant, file);
  const { found, parameters } = routes.of(meant.url);
  return found?.resource.path === REPOSITORY_PATH && wantsPage(meant, parameters) ? pageOfRepository(path) : undefined;
}

const optionsReply = (allow: string): Reply => new Reply(null, { headers: { Allow: allow, ...PREFLIGHT } });

async function run(
  service: Service,
  { handlers, access, allow }: Resource,
  context: Context,
  keyed: KeyedRequest | undefined,
): Promise<Reply> {
  const { request } = context;
  const method = request.method as Method;
  const handler = Object.hasOwn(handlers, method) ? handlers[method] : undefined;
  if (handler === undefined) {
    const headers = { Allow: allow };
    throw new HttpError('METHOD_NOT_ALLOWED', `${method} is not possible here; ${allow} are`, { headers });
  }
  await requireAccess(service, context, access[method]!);
  const { watch } = service;
  const handle = async (): Promise<Reply> => {
    await enterBranch(service, context, context.parameters);
    return watch === undefined || (access[method] !== 'read' && access[method] !== 'operator')
      ? handler(context)
      : whileAllowed(watch, context, () => handler(context));
  };
  const reply = await (keyed === undefined ? handle() : keyed.answer(service, context, handle))
    .catch((error: unknown) => {
      throw writeError(request, error);
    })
    .finally(() => context.release());
  const { revisionRead } = context;
  if (revisionRead !== undefined) {
    const added = addRevisionHeaders(
      revisionRead,
      mementoUrls(repositoryUrl(service, context), branchQuery(context, '?')),
      reply,
    );
    if (added !== undefined) await added;
  }
  return reply;
}

/** Handles a request that reads. What changes something is not ended: it could end itself by what it changes. */
async function whileAllowed(watch: RightsWatch, context: Context, handle: () => Promise<Reply>): Promise<Reply> {
  let refusal: unknown;
  const leave = watch.enter(context, (error) => (refusal = error));
  try {
    const reply = await handle();
    const { body } = reply;
    if (!(body instanceof ReadableStream)) {
      // An update that was committed meanwhile is answered.
      if (refusal === undefined || context.request.method !== 'GET') return reply;
      throw refusal;
    }
    if (refusal === undefined) return new Reply(watch.guarded(context, body), reply);
    await body.cancel(refusal);
    throw refusal;
  } catch (error) {
    throw refusal ?? error;
  } finally {
    leave();
  }
}

/** The reply to HEAD. The body is cancelled unread, which closes its snapshot. */
async function withoutBody({ status, headers, body }: Reply): Promise<Reply> {
  const length = lengthOf(body);
  if (body instanceof ReadableStream) await body.cancel();
  if (length !== undefined && status === 200) headers.set('Content-Length', String(length));
  return new Reply(null, { status, headers });
}

function addHeaders(headers: ReplyHeaders, request: HttpRequest, requestId: string, cors: Fields): void {
  if (request.method === 'GET' || request.method === 'HEAD') headers.set('Vary', VARY);
  for (const [name, value] of SECURITY) if (!headers.has(name)) headers.set(name, value);
  for (const [name, value] of cors) headers.append(name, value);
  headers.set('Request-Id', requestId);
  const clientId = clientRequestId(request.headers.get('Client-Request-Id'));
  if (clientId !== undefined) headers.set('Client-Request-Id', clientId);
}
