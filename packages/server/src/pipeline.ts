/** How a request is answered: a list of steps, to be read from top to bottom. */
import { clientAddress, HttpError, type PageRules, refuseForeign, type SenderOptions } from './http/index.js';
import type { Logger } from 'quadrille';
import type { Caller } from './host/index.js';
import { type Client, type Identified, identify, SentBody } from './authentication.js';
import { Context, type RevisionRead, type Takes } from './context.js';
import { mayHoldMethod, withMethodOfForm, withMethodOfHeader } from './dialects/methods.js';
import { leadToBase, withoutBase } from './fetch/base-request.js';
import { codingFor, packed } from './message/compression.js';
import { checkConditions, hasCondition, writeError } from './message/conditional.js';
import { PREFLIGHT } from './message/cors.js';
import { errorReply, newAddress } from './message/error-reply.js';
import { logFailure } from './message/log-failure.js';
import { lengthOf, Reply } from './message/reply.js';
import { ChangedRequest, type HttpRequest, pathOfUrl, serverOfUrl } from './message/request.js';
import type { FoundRoute, RouteCache } from './message/router.js';
import { fileReply, pageOfRepository, type StaticFiles, systemInstead, wantsPage } from './message/static-files.js';
import type { Exchange } from './observer.js';
import { KeyedRequest } from './once/keyed-request.js';
import { branchQuery, enterBranch } from './parameters/branch.js';
import { checkParameters, enterForm } from './parameters/closed-parameters.js';
import { addRevisionHeaders, mementoUrls } from './resources/memento/memento.js';
import { REPOSITORY_PATH } from './resources/resource.js';
import { healthReply, isProbe, readinessOf, readinessReply } from './resources/server/readiness.js';
import type { RightsWatch } from './rights-watch.js';
import {
  type Access,
  type Method,
  openRepository,
  repositoryUrl,
  requireAccess,
  type Route,
  type Service,
} from './service.js';

/** The start of the handler, which may have to open its service. */
export interface Start {
  app: App | undefined;
  failed: boolean;
  readonly starting: Promise<App>;
  /** Whether requests are refused until then, and do not wait. */
  readonly isOpening: boolean;
  readonly basePath: string;
  readonly logger: Logger | undefined;
  pageRules: PageRules;
}

/**
 * Called before each request that the service answers: with the request below the path of the server, and as it came. If it gives a reply,
 * that is the answer.
 */
export type Prepare = (request: HttpRequest, original: HttpRequest, client: Client) => Promise<Reply | void>;

/** What has been opened. */
export interface App {
  readonly routes: RouteCache<RoutedResource>;
  readonly service: Service;
  readonly identifying: SenderOptions;
  readonly pages: StaticFiles | undefined;
  readonly prepare: Prepare | undefined;
}

/** A route with the list of its methods. */
export interface RoutedResource extends Route {
  /** For the header `Allow`. */
  readonly allow: string;
  readonly takes: Readonly<Partial<Record<Method, Takes>>>;
}

/** A request on its way, with what the steps have found. Each field is set by the step that its comment names. */
class Passage {
  /** `basePath`, `dialect`, `identified`, `method`: as the steps below see it. */
  request: HttpRequest;
  /** `open`. */
  app!: App;
  /** `route`. */
  route!: FoundRoute<RoutedResource>;
  /** `identified`: there is one. */
  resource!: RoutedResource;
  /** `identified`. */
  caller!: Caller;
  /** `method`: what handlers get. */
  context!: Context;
  /** `method`: set if the request has a key with which it is done once. */
  keyed: KeyedRequest | undefined;
  /** `identified`: what the request holds until it is answered. */
  care: SentBody | undefined;

  constructor(
    readonly start: Start,
    readonly exchange: Exchange,
    readonly client: Client,
  ) {
    this.request = exchange.request;
  }

  get service(): Service {
    return this.app.service;
  }

  /** Of the handler. */
  get methodName(): Method {
    return this.context.request.method as Method;
  }

  contextOf(request: HttpRequest): Context {
    const { path, parameters, found } = this.route;
    return new Context(
      request,
      path,
      parameters,
      this.resource.takes[request.method as Method],
      found!.segments,
      this.caller,
      this.service.requireIfMatch,
      this.exchange.address,
    );
  }
}

/** Answers the request, or leaves it to the steps below. */
type Step = (passage: Passage) => Reply | void | Promise<Reply | void>;

/** What is asked, and by whom. */
const ARRIVING: readonly Step[] = [origin, basePath, open, dialect, route, identified, method, rights, parameters];
/** What is done once of a request with a key. */
const DOING: readonly Step[] = [form, branch, conditions, handle];

const STEPS: readonly Step[] = [...ARRIVING, once, ...DOING];

async function through(passage: Passage, steps: readonly Step[]): Promise<Reply> {
  for (const step of steps) {
    const given = step(passage);
    const reply = given instanceof Promise ? await given : given;
    if (reply !== undefined) return reply;
  }
  throw new Error('no step has answered');
}

/** Answers a request. Makes an answer of an error, packs answers, and leaves out the body of the answer to HEAD. */
export async function answer(start: Start, exchange: Exchange, client: Client): Promise<Reply> {
  const { request, requestId } = exchange;
  let reply: Reply;
  try {
    const made = await answered(new Passage(start, exchange, client));
    const coding = codingFor(request, made);
    reply = coding === undefined ? made : await packed(made, coding);
  } catch (error) {
    logFailure(start.logger, error, { requestId, method: request.method, path: pathOfUrl(request.url) });
    const address = newAddress(error, request.url, start.basePath, start.app?.service.publicBase);
    reply = errorReply(error, requestId, request.headers.get('Accept'), address);
  }
  return request.method === 'HEAD' ? withoutBody(reply) : reply;
}

/** Gives back what the request has held, and tells the revision that the answer was read from. */
async function answered(passage: Passage): Promise<Reply> {
  try {
    const reply = await through(passage, STEPS);
    if (passage.context?.revisionRead !== undefined) await tellRevision(passage, passage.context.revisionRead, reply);
    return reply;
  } catch (error) {
    throw passage.context === undefined ? error : writeError(passage.context, error);
  } finally {
    passage.context?.release();
    passage.care?.release();
  }
}

async function tellRevision({ service, context }: Passage, read: RevisionRead, reply: Reply): Promise<void> {
  await addRevisionHeaders(read, mementoUrls(repositoryUrl(service, context), branchQuery(context, '?')), reply);
}

/** The reply to HEAD. The body is cancelled unread, which closes its snapshot. */
async function withoutBody({ status, headers, body }: Reply): Promise<Reply> {
  const length = lengthOf(body);
  if (body instanceof ReadableStream) await body.cancel();
  if (length !== undefined && status === 200) headers.set('Content-Length', String(length));
  return new Reply(null, { status, headers });
}

/** Refuses what the adapter could not read, and what pages of other sites make browsers send. */
function origin({ request, start }: Passage): void {
  if (request.refusal !== undefined) throw request.refusal;
  const { method: asked, url, headers } = request;
  refuseForeign({ method: asked, address: serverOfUrl(url), header: (name) => headers.get(name) }, start.pageRules);
}

/** Takes the path of the server off. */
function basePath(passage: Passage): Reply | undefined {
  const { request, start } = passage;
  passage.request = withoutBase(request, start.basePath);
  return leadToBase(request, start.basePath);
}

const NOT_YET = { 'Retry-After': '1' };
/** The client is to find another server: this one does not come back. */
const NEVER_AGAIN = { Connection: 'close', 'Retry-After': '1' };

/** Lets requests in while there is an open store, and until the server ends. Probes are always answered. */
function open(passage: Passage): void | Promise<Reply | void> {
  const { start } = passage;
  if (start.app === undefined) return whileOpening(passage);
  passage.app = start.app;
  return letIn(passage);
}

function letIn({ app: { routes, prepare }, request, exchange, client }: Passage): void | Promise<Reply | void> {
  if (request.closing?.aborted === true && !isProbe(routes.of(request.url).path))
    throw new HttpError('NOT_READY', 'the server is shutting down', { headers: NEVER_AGAIN });
  return prepare?.(request, exchange.request, client);
}

async function whileOpening(passage: Passage): Promise<Reply | void> {
  const { start, request } = passage;
  if (!start.isOpening || start.failed) {
    passage.app = await start.starting;
    return letIn(passage);
  }
  const path = pathOfUrl(request.url);
  if (path === '/health') return healthReply();
  if (path === '/ready') return readinessReply(await readinessOf(undefined, request));
  throw new HttpError('NOT_READY', 'the store is being opened', { headers: NOT_YET });
}

/** Takes the method that a header means. `RouteCache` maps the paths of other clients. */
function dialect(passage: Passage): void {
  const { request } = passage;
  passage.request = request.method === 'HEAD' ? new ChangedRequest(request, 'GET', null) : withMethodOfHeader(request);
}

/** Finds the resource. Preflight requests and files need no credentials: browsers ask without any. */
function route(passage: Passage): Reply | undefined {
  const { app, exchange, client, request: meant } = passage;
  passage.route = app.routes.of(meant.url);
  const { found } = passage.route;
  if (found !== undefined) exchange.route = found.resource.path;
  if (meant.method === 'OPTIONS') return optionsReply(found?.resource.allow ?? 'OPTIONS');
  exchange.address = clientAddress(meant.headers.get('X-Forwarded-For'), client.address, app.identifying);
  return pageFor(app, meant);
}

const optionsReply = (allow: string): Reply => new Reply(null, { headers: { Allow: allow, ...PREFLIGHT } });

function pageFor({ pages, routes }: App, meant: HttpRequest): Reply | undefined {
  if (pages === undefined || meant.method !== 'GET') return undefined;
  const path = pathOfUrl(meant.url);
  const file = pages(path);
  if (file !== undefined) return (path === '/' ? systemInstead(meant) : undefined) ?? fileReply(meant, file);
  const { found, parameters } = routes.of(meant.url);
  return found?.resource.path === REPOSITORY_PATH && wantsPage(meant, parameters) ? pageOfRepository(path) : undefined;
}

/** Finds out who asks. Only then is it told whether there is something at the address. */
function identified(passage: Passage): void | Promise<void> {
  const { app, exchange, client, request, route: at } = passage;
  const { address } = exchange;
  request.care = passage.care = new SentBody(app.service.hosted, address);
  const { queryToken } = app.identifying;
  const known = identify(app.service.hosted, request, client, { queryToken, address, counted: !isProbe(at.path) });
  return known instanceof Promise ? known.then((found) => isFrom(passage, found)) : isFrom(passage, known);
}

function isFrom(passage: Passage, { caller, request }: Identified): void {
  const { exchange, route: at } = passage;
  passage.care!.caller = passage.caller = caller;
  passage.request = request;
  exchange.account = caller.account;
  if (at.refusal !== undefined) throw at.refusal;
  if (at.found === undefined) throw new HttpError('NOT_FOUND', `there is nothing at ${at.path}`);
  passage.resource = at.found.resource;
}

/** Finds the method that a form means, and the key of a request that is done once. */
function method(passage: Passage): void | Promise<void> {
  return mayHoldMethod(passage.request) ? methodInForm(passage).then(() => enter(passage)) : enter(passage);
}

function enter(passage: Passage): void {
  const { resource } = passage;
  passage.keyed = KeyedRequest.of(passage.request, resource, passage.route.parameters);
  const context = (passage.context = passage.contextOf(passage.keyed?.request ?? passage.request));
  if (Object.hasOwn(resource.handlers, context.request.method)) return;
  const { allow } = resource;
  const text = `${context.request.method} is not possible here; ${allow} are`;
  throw new HttpError('METHOD_NOT_ALLOWED', text, { headers: { Allow: allow } });
}

/** From those who need no right to those who need all. */
const BY_RIGHTS: readonly Access[] = ['public', 'known', 'read', 'write', 'owner', 'operator'];

/** Reads a form for the method that it means, if its sender may do anything here that changes something. */
async function methodInForm(passage: Passage): Promise<void> {
  const { handlers, methods } = passage.resource;
  const possible = (Object.keys(handlers) as Method[])
    .filter((each) => each !== 'GET')
    .map((each) => methods[each]?.access);
  const least = BY_RIGHTS.find((each) => possible.includes(each));
  const context = passage.contextOf(passage.request);
  // There is nothing to change here, or nothing that a form could.
  if (least === undefined || least === 'public') return;
  await requireAccess(passage.service, context, least);
  passage.request = await withMethodOfForm(context.request);
}

function rights({ service, resource, context, methodName }: Passage): Promise<void> {
  context.needed = resource.methods[methodName]!.access;
  return requireAccess(service, context, context.needed);
}

/** Refuses parameters of the address that the resource does not take. */
function parameters({ context }: Passage): void {
  checkParameters(context);
}

/** Answers a repeat as the first request with its key was answered. */
function once(passage: Passage): Promise<Reply> | undefined {
  const { service, context, keyed } = passage;
  return keyed?.answer(service, context, () => through(passage, DOING));
}

/** Takes the fields of a form as parameters. */
function form({ service, context }: Passage): void | Promise<void> {
  return enterForm(service, context);
}

function branch({ service, context }: Passage): void | Promise<void> {
  return enterBranch(service, context);
}

/** Checks the conditions of a request for what has no tag of its own: in a repository the revision is its tag. */
function conditions(passage: Passage): void | Promise<void> {
  return !hasCondition(passage.context) || checksConditions(passage) ? undefined : checked(passage);
}

async function checked({ service, context }: Passage): Promise<void> {
  const isOfRepository = context.param('repository') !== undefined;
  checkConditions(context, isOfRepository ? (await (await openRepository(service, context)).revision()).id : '');
}

/** Whether the handler checks the conditions itself: where it reads, commits, or changes what has a tag. */
const checksConditions = ({ resource, context, methodName }: Passage): boolean =>
  resource.methods[methodName]?.access === 'read' ||
  (methodName !== 'POST' && resource.isTagged === true) ||
  resource.once?.(methodName, context.parameters) === true ||
  methodName === 'GET';

/** The handler of the resource. A long answer ends when its client may not read any more. */
function handle({ service, resource, context, methodName }: Passage): Promise<Reply> {
  const { watch } = service;
  const run = resource.handlers[methodName]!;
  return watch === undefined || (context.needed !== 'read' && context.needed !== 'operator')
    ? run(context)
    : whileAllowed(watch, context, () => run(context));
}

/** Handles a request that reads. What changes something is not ended: it could end itself by what it changes. */
async function whileAllowed(watch: RightsWatch, context: Context, run: () => Promise<Reply>): Promise<Reply> {
  let refusal: unknown;
  const leave = watch.enter(context, (error) => (refusal = error));
  try {
    const reply = await run();
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
