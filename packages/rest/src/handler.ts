/** The whole server as one function from Request to Response. It knows no socket: an adapter or a test calls it. */
import { type Context, Hono } from 'hono';
import type { Database, Logger } from 'quadrille';
import { InvalidArgumentError } from '@quadrille/model';
import { openService, type Service as HostedService } from '@quadrille/service';
import {
  authorizeBy,
  callerOf,
  type Client,
  identify,
  type IdentifyOptions,
  type RequestEnv,
} from './authentication.js';
import { packed } from './compression.js';
import { writeError } from './conditional.js';
import { addCorsHeaders, type AllowedOrigins, PREFLIGHT } from './cors.js';
import { errorResponse, statusOf } from './error-response.js';
import { HttpError } from './http-error.js';
import { addRevisionHeaders } from './memento.js';
import { meantRequest } from './method-override.js';
import { type Exchange, Observer } from './observer.js';
import { canonicalPath } from './path.js';
import { PRINCIPAL } from './principal.js';
import { routes } from './routes/index.js';
import { type Authorize, type Method, repositoryUrl, requireAccess, type Route, type Service } from './service.js';

/** Whom the handler serves, and from what. */
export type HandlerSource =
  /** Accounts with tokens and rights, as `openService` of `@quadrille/service` gives them. */
  | { readonly service: HostedService }
  /** Whoever can reach the handler can read and write everything. The database stays open. */
  | { readonly database: Database; readonly open: true }
  /** The server that mounts the handler decides: it is asked before every route. */
  | { readonly database: Database; readonly authorize: Authorize };

export type HandlerOptions = HandlerSource & {
  /** The address that the world sees, such as `https://data.example.org`. Default: the origin of each request. */
  readonly publicBase?: string;
  /** Gets what failed, and with `accessLog` a line for each request. */
  readonly logger?: Logger;
  /** One line for each request, at the level `info`. Default false. */
  readonly accessLog?: boolean;
  /** Web pages of which origins may use the server. Default `*`: all, without credentials. */
  readonly cors?: AllowedOrigins;
  /** What `GET /A/R` with the single Accept `application/link-format` gives. Default `ntriples`. */
  readonly linkFormatAs?: 'ntriples' | 'link-format';
  /** Whether every path below a repository that is nothing else is a graph, so that a mistyped one makes it. Default false. */
  readonly directGraphs?: boolean;
  /** Whether older clients may send their token as the parameter `auth_token`. Default false. */
  readonly queryToken?: boolean;
  /** Whether a proxy in front tells the address of each client by `X-Forwarded-For`. Default false. */
  readonly trustProxy?: boolean;
};

export type Handler = (request: Request, client?: Client) => Promise<Response>;

/** On every answer; a handler's own value stands. */
const SECURITY: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
};
const VARY = 'Accept, Accept-Encoding, Accept-Datetime';

/**
 * The handler of a server.
 * @throws InvalidArgumentError `INVALID_OPTION` where nothing says who may do what
 * @example
 * const service = await openService(await open('./data'));
 * const handler = createHandler({ service, publicBase: 'https://data.example.org' });
 */
export function createHandler(options: HandlerOptions): Handler {
  const observer = new Observer(options.accessLog === true ? options.logger : undefined);
  const allowed = options.cors ?? '*';
  const starting = Promise.resolve(hostedService(options)).then((hosted) => startApp(options, hosted, observer));
  // Told to whoever sends a request.
  starting.catch(() => undefined);
  return async (request, client = {}) => {
    const exchange = observer.begin(request);
    const response = await answer(starting, exchange, client, options.logger);
    addHeaders(response.headers, request, exchange.requestId, allowed);
    return observer.end(exchange, response);
  };
}

function hostedService(options: HandlerOptions): HostedService | Promise<HostedService> {
  if ('service' in options) return options.service;
  if ('authorize' in options || options.open) {
    return openService(options.database, { open: true, ...(options.logger && { logger: options.logger }) });
  }
  throw new InvalidArgumentError('INVALID_OPTION', 'createHandler: give a service, or open: true for no credentials');
}

interface App {
  readonly app: Hono;
  readonly hosted: HostedService;
  readonly identifying: IdentifyOptions;
}

function startApp(options: HandlerOptions, hosted: HostedService, observer: Observer): App {
  const service: Service = {
    hosted,
    database: hosted.database,
    publicBase: options.publicBase?.replace(/\/+$/, ''),
    logger: options.logger,
    authorize: 'authorize' in options ? options.authorize : authorizeBy(hosted),
    linkFormatAs: options.linkFormatAs ?? 'ntriples',
    directGraphs: options.directGraphs === true,
    observer,
  };
  const app = new Hono({ getPath: (request) => canonicalPath(new URL(request.url).pathname) });
  for (const route of routes(service)) addResource(app, service, route);
  // Whatever there is or is not, and whoever asks: a browser has to learn that it may ask.
  app.options('*', () => Promise.resolve(optionsResponse('OPTIONS')));
  app.notFound((context) => {
    throw new HttpError('NOT_FOUND', `there is nothing at ${context.req.path}`);
  });
  app.onError((error) => {
    throw error;
  });
  const identifying = { queryToken: options.queryToken === true, trustProxy: options.trustProxy === true };
  return { app, hosted, identifying };
}

const optionsResponse = (allow: string): Response =>
  new Response(null, { status: 200, headers: { Allow: allow, ...PREFLIGHT } });

function addResource(app: Hono, service: Service, { path, handlers, access }: Route): void {
  const methods = Object.keys(handlers) as Method[];
  const allow = [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ');
  for (const method of methods) {
    const handler = handlers[method];
    const needed = access[method];
    if (handler === undefined || needed === undefined) throw new Error(`${method} ${path} does not say who may use it`);
    app.on(method, path, async (context: Context) => {
      nameRoute(context, path);
      const { account } = callerOf(context);
      if (account !== undefined) context.set(PRINCIPAL, account);
      await requireAccess(service, context, needed);
      const response = await handler(context).catch((error: unknown) => {
        throw writeError(context.req.raw, error);
      });
      await addRevisionHeaders(context, () => repositoryUrl(service, context), response);
      return response;
    });
  }
  app.options(path, () => Promise.resolve(optionsResponse(allow)));
  app.all(path, (context) => {
    nameRoute(context, path);
    throw new HttpError('METHOD_NOT_ALLOWED', `${context.req.method} is not possible here; ${allow} are`, {
      headers: { Allow: allow },
    });
  });
}

/** What the routes find in `context.env` beside the caller. */
interface ExchangeEnv {
  readonly exchange: Exchange;
}

function nameRoute(context: Context, path: string): void {
  const { exchange } = context.env as Partial<ExchangeEnv>;
  if (exchange !== undefined) exchange.route = path;
}

async function answer(
  starting: Promise<App>,
  exchange: Exchange,
  client: Client,
  logger: Logger | undefined,
): Promise<Response> {
  const { request, requestId } = exchange;
  const isHead = request.method === 'HEAD';
  let response: Response;
  try {
    const app = await starting;
    const meant = isHead ? asGet(request) : await meantRequest(request);
    response = await packed(request, await dispatch(app, meant, client, exchange));
  } catch (error) {
    if (statusOf(error) >= 500) {
      const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
      const { pathname } = new URL(request.url);
      logger?.error('request failed', { requestId, method: request.method, path: pathname, detail });
    }
    response = errorResponse(error, requestId, request.headers.get('Accept'));
  }
  return isHead ? withoutBody(response) : response;
}

async function dispatch(
  { app, hosted, identifying }: App,
  meant: Request,
  client: Client,
  exchange: Exchange,
): Promise<Response> {
  // A browser asks without credentials whether it may send some.
  if (meant.method === 'OPTIONS') return app.fetch(meant);
  const { caller, request } = await identify(hosted, meant, client, identifying);
  return app.fetch(request, { caller, exchange } satisfies RequestEnv & ExchangeEnv);
}

const asGet = ({ url, headers, signal }: Request): Request => new Request(url, { method: 'GET', headers, signal });

/** As to a GET, but its body is given up unread, which frees the snapshot that it would have come from. */
async function withoutBody(response: Response): Promise<Response> {
  await response.body?.cancel();
  return new Response(null, response);
}

function addHeaders(headers: Headers, request: Request, requestId: string, allowed: AllowedOrigins): void {
  if (request.method === 'GET' || request.method === 'HEAD') headers.set('Vary', VARY);
  for (const [name, value] of Object.entries(SECURITY)) if (!headers.has(name)) headers.set(name, value);
  addCorsHeaders(headers, request, allowed);
  headers.set('Request-Id', requestId);
  const clientId = request.headers.get('Client-Request-Id');
  if (clientId !== null && /^[\x21-\x7e]{1,200}$/.test(clientId)) headers.set('Client-Request-Id', clientId);
}
