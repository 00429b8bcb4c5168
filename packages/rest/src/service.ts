/** What every route works with, and the steps that they share. */
import { HttpError } from '@quadrille/http';
import { AccessError, NotFoundError } from '@quadrille/model';
import { isSlug, type Service as HostedService } from '@quadrille/service';
import type { Context } from './context.js';
import type { Database, Logger, ReadView, Repository, Revision } from 'quadrille';
import { acceptDatetime, revisionAt } from './routes/history/memento.js';
import type { Observer } from './observer.js';
import { revisionRef } from './parameters/revision-ref.js';
import type { Reply } from './http/reply.js';

export interface Service {
  /** Accounts, rights, jobs and imports. */
  readonly hosted: HostedService;
  readonly database: Database;
  /** Where the world sees this server, without a slash at the end; else the origin of each request. */
  readonly publicBase: string | undefined;
  readonly logger: Logger | undefined;
  readonly authorize: Authorize;
  /** What `GET /A/R` with the single Accept `application/link-format` gives. */
  readonly linkFormatAs: 'ntriples' | 'link-format';
  /** Whether every other path below a repository is a graph. */
  readonly directGraphs: boolean;
  /** Of the RDF4J protocol. */
  readonly protocolVersion: number;
  /** Whether a write has to name the revision that it changes. */
  readonly requireIfMatch: boolean;
  readonly observer: Observer;
}

/** The handlers of one resource by method; HEAD, OPTIONS and 405 follow from them. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
export type Handlers = Partial<Record<Method, (context: Context) => Promise<Reply>>>;

/**
 * What a client must be allowed to do: anyone may; someone known to the server; read or write the repository of the
 * path; own the account of the path.
 */
export type Access = 'public' | 'known' | 'read' | 'write' | 'owner';
/**
 * Rejects with an AccessError where the client may not do this. `repository` (`account/repository`) is the one that it is about,
 * where that is not the one of the path.
 */
export type Authorize = (context: Context, access: Access, repository?: string) => Promise<void>;

/** A path, what stands behind it, and what each of its methods asks for. */
export interface Route {
  readonly path: string;
  readonly handlers: Handlers;
  readonly access: Readonly<Partial<Record<Method, Access>>>;
}

/** For what a handler learns from the body alone, such as that a query is an update. */
export async function requireAccess(service: Service, context: Context, access: Access): Promise<void> {
  await service.authorize(context, access);
}

/** For lists, which leave out what the client may not see. Without a repository it is about the whole server. */
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
    // What a client may not see is not there for it.
    if (error instanceof AccessError || error instanceof NotFoundError) return false;
    throw error;
  }
}

export function baseUrl(service: Service, context: Context): string {
  const { url } = context.request;
  // Up to the path; parsing all of it would cost as much as a query.
  return service.publicBase ?? url.slice(0, url.indexOf('/', url.indexOf('://') + 3));
}

/** `account/repository` of the path. What cannot be a name does not exist. */
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

/** @throws NotFoundError `REPOSITORY_NOT_FOUND`; a request never makes a repository by naming it. */
export async function openRepository(service: Service, context: Context): Promise<Repository> {
  return context.repository ?? service.database.repository(repositoryName(context));
}

/** One unchanging state to answer from, and which one it is. */
export interface OpenView {
  readonly repository: Repository;
  readonly view: ReadView;
  readonly revision: Revision;
}

/** The revision that the request names by `revision-id` or by `Accept-Datetime`, else the present one. */
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
