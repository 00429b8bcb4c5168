/** The whole server as one function from Request to Response. It knows no socket: an adapter or a test calls it. */
import { type Context, Hono } from 'hono';
import type { Database, Logger } from 'quadrille';
import { packed } from './compression.js';
import { writeError } from './conditional.js';
import { addCorsHeaders, type AllowedOrigins, PREFLIGHT } from './cors.js';
import { errorResponse, statusOf } from './error-response.js';
import { HttpError } from './http-error.js';
import { addRevisionHeaders } from './memento.js';
import { meantRequest } from './method-override.js';
import { Observer, routeOf } from './observer.js';
import { canonicalPath } from './path.js';
import { routes } from './routes/index.js';
import { type Authorize, type Method, repositoryUrl, requireAccess, type Route, type Service } from './service.js';

export interface HandlerOptions {
  /** Stays open; whoever opened it closes it. */
  readonly database: Database;
  /** The address that the world sees, such as `https://data.example.org`. Default: the origin of each request. */
  readonly publicBase?: string;
  /** Gets what failed, and with `accessLog` a line for each request. */
  readonly logger?: Logger;
  /** One line for each request, at the level `info`. Default false. */
  readonly accessLog?: boolean;
  /** Asked before every handler; default: everyone may do everything. */
  readonly authorize?: Authorize;
  /** Web pages of which origins may use the server. Default `*`: all, without credentials. */
  readonly cors?: AllowedOrigins;
  /** What `GET /A/R` with the single Accept `application/link-format` gives. Default `ntriples`. */
  readonly linkFormatAs?: 'ntriples' | 'link-format';
}
export type Handler = (request: Request) => Promise<Response>;

/** On every answer; a handler's own value stands. */
const SECURITY: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
};
const VARY = 'Accept, Accept-Encoding, Accept-Datetime';

/**
 * A handler over an open database. Without `authorize` whoever can reach it can read and write everything.
 * @example
 * const handler = createHandler({ database: await open('./data') });
 * const response = await handler(new Request('http://localhost/default/default/size'));
 */
export function createHandler(options: HandlerOptions): Handler {
  const observer = new Observer(options.accessLog === true ? options.logger : undefined);
  const service: Service = {
    database: options.database,
    publicBase: options.publicBase?.replace(/\/+$/, ''),
    logger: options.logger,
    authorize: options.authorize,
    linkFormatAs: options.linkFormatAs ?? 'ntriples',
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
  const allowed = options.cors ?? '*';
  return async (request) => {
    const exchange = observer.begin(request);
    const response = await answer(app, service, request, exchange.requestId);
    addHeaders(response.headers, request, exchange.requestId, allowed);
    return observer.end(exchange, response);
  };
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
      routeOf.set(context.req.raw, path);
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
    throw new HttpError('METHOD_NOT_ALLOWED', `${context.req.method} is not possible here; ${allow} are`, {
      headers: { Allow: allow },
    });
  });
}

async function answer(app: Hono, service: Service, request: Request, requestId: string): Promise<Response> {
  const isHead = request.method === 'HEAD';
  let response: Response;
  try {
    const meant = isHead ? asGet(request) : await meantRequest(request);
    response = await app.fetch(meant);
    routeOf.carry(meant, request);
    response = await packed(request, response);
  } catch (error) {
    if (statusOf(error) >= 500) {
      const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
      const { pathname } = new URL(request.url);
      service.logger?.error('request failed', { requestId, method: request.method, path: pathname, detail });
    }
    response = errorResponse(error, requestId, request.headers.get('Accept'));
  }
  return isHead ? withoutBody(response) : response;
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
