/** The whole server as one function from Request to Response. It knows no socket: an adapter or a test calls it. */
import { type Context, Hono } from 'hono';
import type { Database, Logger } from 'quadrille';
import { errorResponse, statusOf } from './error-response.js';
import { HttpError } from './http-error.js';
import { canonicalPath } from './path.js';
import { routes } from './routes/index.js';
import { type Authorize, type Method, requireAccess, type Route, type Service } from './service.js';

export interface HandlerOptions {
  /** Stays open; whoever opened it closes it. */
  readonly database: Database;
  /** The address that the world sees, such as `https://data.example.org`. Default: the origin of each request. */
  readonly publicBase?: string;
  readonly logger?: Logger;
  /** Asked before every handler; default: everyone may do everything. */
  readonly authorize?: Authorize;
}
export type Handler = (request: Request) => Promise<Response>;

const CORS: Readonly<Record<string, string>> = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'ETag, Location, Link, Memento-Datetime, Request-Id, Client-Request-Id',
};
const PREFLIGHT: Readonly<Record<string, string>> = {
  'Access-Control-Allow-Methods': 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS',
  'Access-Control-Allow-Headers':
    'Authorization, Content-Type, Content-Encoding, Accept, Accept-Datetime, ETag, If-Match, If-None-Match, Revision, ' +
    'Revision-Message, Silent, Client-Request-Id',
  'Access-Control-Max-Age': '86400',
};

/**
 * A handler over an open database. Without `authorize` whoever can reach it can read and write everything.
 * @example
 * const handler = createHandler({ database: await open('./data') });
 * const response = await handler(new Request('http://localhost/default/default/size'));
 */
export function createHandler(options: HandlerOptions): Handler {
  const service: Service = {
    database: options.database,
    publicBase: options.publicBase?.replace(/\/+$/, ''),
    logger: options.logger,
    authorize: options.authorize,
  };
  const app = new Hono({ getPath: (request) => canonicalPath(new URL(request.url).pathname) });
  for (const route of routes(service)) addResource(app, service, route);
  app.notFound((context) => {
    throw new HttpError('NOT_FOUND', `there is nothing at ${context.req.path}`);
  });
  app.onError((error) => {
    throw error;
  });
  return (request) => answer(app, service, request);
}

function addResource(app: Hono, service: Service, { path, handlers, access }: Route): void {
  const methods = Object.keys(handlers) as Method[];
  const allow = [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ');
  for (const method of methods) {
    const handler = handlers[method];
    const needed = access[method];
    if (handler === undefined || needed === undefined) throw new Error(`${method} ${path} does not say who may use it`);
    app.on(method, path, async (context: Context) => {
      await requireAccess(service, context, needed);
      return handler(context);
    });
  }
  app.options(path, () =>
    Promise.resolve(new Response(null, { status: 200, headers: { Allow: allow, ...PREFLIGHT } })),
  );
  app.all(path, (context) => {
    throw new HttpError('METHOD_NOT_ALLOWED', `${context.req.method} is not possible here; ${allow} are`, {
      headers: { Allow: allow },
    });
  });
}

async function answer(app: Hono, service: Service, request: Request): Promise<Response> {
  const requestId = crypto.randomUUID();
  const clientId = request.headers.get('Client-Request-Id');
  let response: Response;
  try {
    response = await (request.method === 'HEAD' ? answerHead(app, request) : app.fetch(request));
  } catch (error) {
    if (statusOf(error) >= 500) {
      const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
      service.logger?.error('request failed', { requestId, method: request.method, url: request.url, detail });
    }
    response = errorResponse(error, requestId, request.headers.get('Accept'));
    if (request.method === 'HEAD') response = new Response(null, response);
  }
  const headers = new Headers(response.headers);
  for (const [name, value] of Object.entries(CORS)) headers.set(name, value);
  headers.set('Request-Id', requestId);
  if (clientId !== null && /^[\x21-\x7e]{1,200}$/.test(clientId)) headers.set('Client-Request-Id', clientId);
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
}

/** As GET, but its body is given up unread, which frees the snapshot that it would have come from. */
async function answerHead(app: Hono, request: Request): Promise<Response> {
  const { url, headers, signal } = request;
  const response = await app.fetch(new Request(url, { method: 'GET', headers, signal }));
  await response.body?.cancel();
  return new Response(null, response);
}
