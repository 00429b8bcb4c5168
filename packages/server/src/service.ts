/** The data of all routes, and the steps that they share. */
import { HttpError } from './http/index.js';
import { AccessError, type KeyedMutex, NotFoundError } from '@quadrille/model';
import {
  isKnown,
  isProtected,
  isSlug,
  noRepository,
  protectedBranch,
  servedBranch,
  type Service as HostedService,
} from './host/index.js';
import type { Access, Context } from './context.js';
import type { Database, Logger, ReadView, Repository, Revision } from 'quadrille';
import { acceptDatetime, revisionAt } from './resources/memento/memento.js';
import type { Observer } from './observer.js';
import type { OperationDescription } from './openapi/operation.js';
import type { ParameterName } from './parameters/known-parameters.js';
import { revisionRef } from './parameters/revision-ref.js';
import type { Reply } from './message/reply.js';
import { serverOfUrl } from './message/request.js';
import type { UnfinishedUpload } from './resources/statements/uploaded-body.js';
import type { RightsWatch } from './rights-watch.js';

export interface Service {
  /** Accounts, rights, jobs and imports. */
  readonly hosted: HostedService;
  readonly database: Database;
  /** The public address, without a slash at the end; `undefined`: the origin of each request with the base path. */
  readonly publicBase: string | undefined;
  /** The path below which the server answers, without a slash at the end; empty for the root. */
  readonly basePath: string;
  readonly logger: Logger | undefined;
  readonly authorize: Authorize;
  /** The answer of `GET /A/R` with `Accept: application/link-format`. */
  readonly linkFormatAs: 'ntriples' | 'link-format';
  /** Whether every other path below a repository is a graph. */
  readonly directGraphs: boolean;
  /** The version of the RDF4J protocol. */
  readonly protocolVersion: number;
  /** Whether writes without `If-Match` are refused. */
  readonly requireIfMatch: boolean;
  /** Whether an update that is sent as a query is run. */
  readonly lenientProtocol: boolean;
  /** Whether RPC is served at `/rpc`, which the OpenAPI document tells then. */
  readonly rpc: boolean;
  /** What answers at `/mcp`; `undefined`: nothing does. */
  readonly agents: Agents | undefined;
  readonly observer: Observer;
  /** Imports whose document is not complete yet, by the ids of their jobs. */
  readonly uploads: Map<string, UnfinishedUpload>;
  /** What has no revisions is changed by one request after the other. */
  readonly changes: KeyedMutex;
  /** Ends long answers to clients that may not read any more; `undefined` where everybody may. */
  readonly watch: RightsWatch | undefined;
}

/** The handlers of a resource by method. HEAD, OPTIONS and 405 are derived from them. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
export type Handlers = Partial<Record<Method, (context: Context) => Promise<Reply>>>;

/** Makes the handlers of `/mcp` for a server: `agents` of `@quadrille/server/mcp` gives it. Where no agents are served, nothing of it is loaded. */
export type Agents = (service: Service) => Handlers;

export type { Access } from './context.js';
/**
 * Rejects with an AccessError if the client lacks the right. `repository` (`account/repository`) is given if it is not the one of
 * the path.
 */
export type Authorize = (context: Context, access: Access, repository?: string) => Promise<void>;

/** What a method of a route takes from a request. */
export interface Taken {
  /** The parameters, in the address and in a form. Others are refused. */
  readonly names: readonly ParameterName[];
  /**
   * `form`: there is no body but a form, whose fields are parameters. `typed`: the same, and the handler reads bodies of other types.
   * `raw`: the handler reads every body.
   */
  readonly body: 'form' | 'typed' | 'raw';
  /** What it changes is of all branches, so the parameter `branch` is refused. Default: it is about one branch. */
  readonly allBranches?: true;
}

/** All that is said of a method: who may use it, what it takes, and what it gives. */
export interface MethodRecord extends Taken, OperationDescription {
  /** The right that it needs. */
  readonly access: Access;
}

/** A path pattern with its handlers and the record of each method. */
export interface Route {
  readonly path: string;
  readonly handlers: Handlers;
  readonly methods: Readonly<Partial<Record<Method, MethodRecord>>>;
  /** Whether a request that is no GET makes one commit at most, so that a key can let it be done once. Default: none does. */
  readonly once?: (method: string, parameters: URLSearchParams) => boolean;
  /** Whether its PUT, PATCH and DELETE check `If-Match` and `If-None-Match` by a tag of its own. Default: it has none. */
  readonly isTagged?: true;
}

/** Checks a right that only the body shows to be necessary, for example for an update. */
export async function requireAccess(service: Service, context: Context, access: Access): Promise<void> {
  await service.authorize(context, access);
}

/** Checks that a client may still do what its request does. @throws AccessError or NotFoundError where it may not */
export async function stillAllowed(service: Service, context: Context): Promise<void> {
  if (!(await service.hosted.authenticator.isCurrent(context.caller)))
    throw new AccessError('UNAUTHENTICATED', 'the credentials have become invalid');
  await service.authorize(context, context.needed);
  for (const name of context.others) await service.authorize(context, 'read', name);
}

/** Whether a client has a right, to filter lists. Without `repository` the right concerns the whole server. */
export async function mayAccess(
  service: Service,
  context: Context,
  access: Access,
  repository: string | undefined,
): Promise<boolean> {
  try {
    await service.authorize(context, access, repository);
    return true;
  } catch (error) {
    // To the client it looks as if the repository did not exist.
    if (error instanceof AccessError || error instanceof NotFoundError) return false;
    throw error;
  }
}

export function baseUrl(service: Service, context: Context): string {
  return service.publicBase ?? serverOfUrl(context.request.url) + service.basePath;
}

/** `account/repository` of the path. @throws HttpError 404 for impossible names */
export function repositoryName(context: Context): string {
  if (context.repositoryName !== undefined) return context.repositoryName;
  const account = context.param('account') ?? '';
  const repository = context.param('repository') ?? '';
  if (!isSlug(account) || !isSlug(repository)) throw new HttpError('NOT_FOUND', `there is nothing at ${context.path}`);
  return (context.repositoryName = `${account}/${repository}`);
}

export function repositoryUrl(service: Service, context: Context): string {
  return `${baseUrl(service, context)}/${repositoryName(context)}`;
}

/**
 * The repository as a whole, on `main`.
 * @throws NotFoundError `REPOSITORY_NOT_FOUND`; a request never makes a repository by naming it.
 */
export async function openRoot(service: Service, context: Context): Promise<Repository> {
  return context.repository ?? service.database.repository(repositoryName(context));
}

/**
 * The repository on the branch of the request, else on its default branch.
 * @throws NotFoundError `REPOSITORY_NOT_FOUND`; `BRANCH_NOT_FOUND` where the settings name a branch that is lost
 */
export function openRepository(service: Service, context: Context): Repository | Promise<Repository> {
  return context.served ?? openDefault(service, context);
}

async function openDefault(service: Service, context: Context): Promise<Repository> {
  return (context.served = await servedBranch(await openRoot(service, context), undefined));
}

/** Checks that a client may commit to a branch. @throws AccessError `FORBIDDEN` for a protected one that is not the client's own */
export async function requireCommit(service: Service, context: Context, repository: Repository): Promise<void> {
  await requireUnprotected(service, context, repository, repository.branch);
}

/** Checks that a client may change a branch by its name. @throws AccessError as {@link requireCommit} */
export async function requireUnprotected(
  service: Service,
  context: Context,
  repository: Repository,
  branch: string,
): Promise<void> {
  if (!(await isProtected(repository, branch))) return;
  try {
    await service.authorize(context, 'owner');
  } catch (error) {
    throw error instanceof AccessError && error.code === 'FORBIDDEN' ? protectedBranch(repository, branch) : error;
  }
}

/**
 * Another repository that a text of the client names. One that the client may not read fails like one that does not exist: also where
 * an embedding server checks the rights.
 * @throws NotFoundError `REPOSITORY_NOT_FOUND`; AccessError `UNAUTHENTICATED` for a client without credentials
 */
export async function openOther(service: Service, context: Context, name: string): Promise<Repository> {
  const { caller } = context;
  try {
    await service.authorize(context, 'read', name);
  } catch (error) {
    if (error instanceof AccessError && isKnown(caller)) throw noRepository(name);
    throw error;
  }
  context.others.add(name);
  return service.hosted.rights.openToRead(caller, name);
}

/** A snapshot to answer from, and its revision. */
export interface OpenView {
  readonly repository: Repository;
  readonly view: ReadView;
  readonly revision: Revision;
}

/** The revision of `revision-id` or `Accept-Datetime`, else the current one. */
export async function openView(service: Service, context: Context, parameters: URLSearchParams): Promise<OpenView> {
  const { headers } = context.request;
  const ref = revisionRef(parameters, headers) ?? acceptDatetime(headers.get('Accept-Datetime'));
  const repository = await openRepository(service, context);
  const revision = await resolve(repository, ref);
  context.revisionRead = { repository, revision, ref };
  return { repository, view: repository.at(revision), revision };
}

function resolve(repository: Repository, ref: string | Date | undefined): Promise<Revision> {
  if (ref === undefined) return repository.revision();
  return ref instanceof Date ? revisionAt(repository, ref) : repository.at(ref).revision();
}
