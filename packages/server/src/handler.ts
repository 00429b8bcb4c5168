/** The server as a function from requests to replies. Adapters connect it to sockets. */
import {
  type AccessLog,
  type AllowedOrigins,
  basePathOf,
  clientAddress,
  clientRequestId,
  type Fields,
  HttpError,
  originFields,
  type PageRules,
  refuseForeign,
  type SenderOptions,
  type SentRequest,
} from './http/index.js';
import type { Database, Logger } from 'quadrille';
import { InvalidArgumentError, KeyedMutex } from '@quadrille/model';
import { openService, type Service as HostedService } from './host/index.js';
import { FetchRequest, toResponse } from './fetch/fetch.js';
import { authorizeBy, type Client, identify, SentBody } from './authentication.js';
import { codingFor, packed } from './message/compression.js';
import { checkConditions, writeError } from './message/conditional.js';
import { resumeCallbacks } from './resources/statements/completion-callback.js';
import { Context, type Takes } from './context.js';
import { EXPOSED, PREFLIGHT } from './message/cors.js';
import { branchQuery, enterBranch } from './parameters/branch.js';
import { checkParameters, closedList, enterForm } from './parameters/closed-parameters.js';
import { errorReply, newAddress } from './message/error-reply.js';
import { addRevisionHeaders, mementoUrls } from './resources/history/memento.js';
import { mayHoldMethod, withMethodOfForm, withMethodOfHeader } from './message/method-override.js';
import { isRepeatable, KeyedRequest } from './once/keyed-request.js';
import { type Exchange, Observer } from './observer.js';
import { leadToBase, withoutBase } from './fetch/base-request.js';
import { membersOf } from './openapi/records.js';
import { logFailure } from './message/log-failure.js';
import { lengthOf, Reply, type ReplyHeaders } from './message/reply.js';
import { fileReply, pageOfRepository, type StaticFiles, systemInstead, wantsPage } from './message/static-files.js';
import { ChangedRequest, type HttpRequest, pathOfUrl, serverOfUrl } from './message/request.js';
import { RightsWatch } from './rights-watch.js';
import { RouteCache, Router } from './message/router.js';
import { routes } from './resources/index.js';
import { REPOSITORY_PATH } from './resources/resource.js';
import { healthReply, isProbe, readinessOf, readinessReply } from './resources/server/readiness.js';
import {
  type Access,
  type Authorize,
  type Method,
  type MethodRecord,
  openRepository,
  repositoryUrl,
  requireAccess,
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
  const observer = new Observer(accessLogOf(options));
  const basePath = checkedBase(options.basePath);
  const forOrigin = originFields(options.cors ?? '*', EXPOSED);
  const starting = Promise.resolve(hostedService(options)).then((hosted) => startApp(options, hosted, observer));
  const isOpening = 'service' in options && options.service instanceof Promise;
  const start: Start = { app: undefined, failed: false, starting, isOpening, basePath, pageRules: pageRules(options) };
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

/** The start of the handler, which may have to open its service. */
interface Start {
  app: App | undefined;
  failed: boolean;
  readonly starting: Promise<App>;
  /** Whether requests are refused until then, and do not wait. */
  readonly isOpening: boolean;
  readonly basePath: string;
  pageRules: PageRules;
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
  readonly takes: Readonly<Partial<Record<Method, Takes>>>;
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
    lenientProtocol: options.lenientProtocol === true,
    rpc: options.rpc === true,
    observer,
    uploads: new Map(),
    changes: new KeyedMutex(),
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
  const undeclared = methods.find((method) => route.methods[method] === undefined);
  if (undeclared !== undefined) throw new Error(`${undeclared} ${route.path} has no record`);
  const allow = [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ');
  const takes = methods.map((method) => [method, takesOf(route.path, route.methods[method]!)]);
  return { ...route, allow, takes: Object.fromEntries(takes) as Resource['takes'] };
}

const takesOf = (path: string, { names, body, allBranches, sends }: MethodRecord): Takes => ({
  names: closedList(names, path),
  body,
  allBranches,
  members: sends && membersOf(sends),
});

async function answer(start: Start, exchange: Exchange, client: Client, logger: Logger | undefined): Promise<Reply> {
  const { request, requestId } = exchange;
  const isHead = request.method === 'HEAD';
  let reply: Reply;
  try {
    if (request.refusal !== undefined) throw request.refusal;
    refuseForeign(senderOf(request), start.pageRules);
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

const senderOf = ({ method, url, headers }: HttpRequest): SentRequest => ({
  method,
  address: serverOfUrl(url),
  header: (name) => headers.get(name),
});

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
  const meant = request.method === 'HEAD' ? new ChangedRequest(request, 'GET', null) : withMethodOfHeader(request);
  return dispatch(app, meant, client, exchange);
}

async function dispatch(app: App, meant: HttpRequest, client: Client, exchange: Exchange): Promise<Reply> {
  const { path, found, parameters, refusal } = app.routes.of(meant.url);
  if (found !== undefined) exchange.route = found.resource.path;
  // Preflight requests of browsers have no credentials. They are answered for every path.
  if (meant.method === 'OPTIONS') return optionsReply(found?.resource.allow ?? 'OPTIONS');
  exchange.address = clientAddress(meant.headers.get('X-Forwarded-For'), client.address, app.identifying);
  const page = pageFor(app, meant);
  if (page !== undefined) return page;
  const care = new SentBody(app.service.hosted, exchange.address);
  try {
    const timed = meant.body === null ? meant : new ChangedRequest(meant, meant.method, meant.body, care);
    const { caller, request, address } = await identify(app.service.hosted, timed, client, {
      ...app.identifying,
      counted: !isProbe(path),
    });
    care.caller = caller;
    exchange.account = caller.account;
    if (refusal !== undefined) throw refusal;
    if (found === undefined) throw new HttpError('NOT_FOUND', `there is nothing at ${path}`);
    const { resource, segments } = found;
    const { requireIfMatch } = app.service;
    const contextOf = (sent: HttpRequest): Context =>
      new Context(
        sent,
        path,
        parameters,
        resource.takes[sent.method as Method],
        segments,
        caller,
        requireIfMatch,
        address,
      );
    const asked = mayHoldMethod(request) ? await methodInForm(app.service, resource, contextOf(request)) : request;
    const keyed = KeyedRequest.of(asked, resource, parameters);
    return await run(app.service, resource, contextOf(keyed?.request ?? asked), keyed);
  } finally {
    care.release();
  }
}

/** From those who need no right to those who need all. */
const BY_RIGHTS: readonly Access[] = ['public', 'known', 'read', 'write', 'owner', 'operator'];

/** Reads a form for the method that it means, if its sender may do anything here that changes something. */
async function methodInForm(service: Service, { handlers, methods }: Resource, context: Context): Promise<HttpRequest> {
  const possible = (Object.keys(handlers) as Method[])
    .filter((method) => method !== 'GET')
    .map((method) => methods[method]?.access);
  const least = BY_RIGHTS.find((each) => possible.includes(each));
  // There is nothing to change here, or nothing that a form could.
  if (least === undefined || least === 'public') return context.request;
  await requireAccess(service, context, least);
  return withMethodOfForm(context.request);
}

/** Files come before credentials are checked, because a browser asks for them without any. */
function pageFor({ pages, routes }: App, meant: HttpRequest): Reply | undefined {
  if (pages === undefined || meant.method !== 'GET') return undefined;
  const path = pathOfUrl(meant.url);
  const file = pages(path);
  if (file !== undefined) return (path === '/' ? systemInstead(meant) : undefined) ?? fileReply(meant, file);
  const { found, parameters } = routes.of(meant.url);
  return found?.resource.path === REPOSITORY_PATH && wantsPage(meant, parameters) ? pageOfRepository(path) : undefined;
}

const optionsReply = (allow: string): Reply => new Reply(null, { headers: { Allow: allow, ...PREFLIGHT } });

async function run(
  service: Service,
  resource: Resource,
  context: Context,
  keyed: KeyedRequest | undefined,
): Promise<Reply> {
  const { handlers, methods, allow } = resource;
  const method = context.request.method as Method;
  const handler = Object.hasOwn(handlers, method) ? handlers[method] : undefined;
  if (handler === undefined) {
    const headers = { Allow: allow };
    throw new HttpError('METHOD_NOT_ALLOWED', `${method} is not possible here; ${allow} are`, { headers });
  }
  const { access } = methods[method]!;
  context.needed = access;
  await requireAccess(service, context, context.needed);
  checkParameters(context);
  const { watch } = service;
  const handle = async (): Promise<Reply> => {
    await enterForm(service, context);
    await enterBranch(service, context);
    if (!checksConditions(resource, context)) await checkUntagged(service, context);
    return watch === undefined || (access !== 'read' && access !== 'operator')
      ? handler(context)
      : whileAllowed(watch, context, () => handler(context));
  };
  const reply = await (keyed === undefined ? handle() : keyed.answer(service, context, handle))
    .catch((error: unknown) => {
      throw writeError(context, error);
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

/** Whether the handler checks the conditions itself: where it reads, commits, or changes what has a tag. */
const checksConditions = ({ methods, once, isTagged }: Resource, { request, parameters }: Context): boolean => {
  const method = request.method as Method;
  return (
    methods[method]?.access === 'read' ||
    (method !== 'POST' && isTagged === true) ||
    once?.(method, parameters) === true ||
    method === 'GET'
  );
};

/** Checks the conditions of a request for what is there, and has no tag of its own: in a repository the revision is its tag. */
async function checkUntagged(service: Service, context: Context): Promise<void> {
  const { headers } = context.request;
  if (!headers.has('If-Match') && !headers.has('If-None-Match')) return;
  const isOfRepository = context.param('repository') !== undefined;
  checkConditions(context, isOfRepository ? (await (await openRepository(service, context)).revision()).id : '');
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
