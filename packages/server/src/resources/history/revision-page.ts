/** A page of the list of revisions: those of a range that pass the filters of a request. */
import { refuseParameter } from '../../http/index.js';
import type { LogOptions, Repository, Revision } from 'quadrille';
import type { Context } from '../../context.js';
import { limitOf, revisionRange, revisionsOf } from '../../parameters/revision-range.js';
import { oneRef } from '../../parameters/revision-ref.js';
import { quadPatternOf } from '../../parameters/quad-pattern.js';

export interface RevisionPage {
  readonly revisions: AsyncIterable<Revision>;
  /** The address of the next, older page, relative to that of the request. */
  readonly next?: string | undefined;
}

/** Up to this number, a filtered page is read before it is answered, to know whether there is a next one. */
const MOST_HELD = 10_000;

/** A page of the revisions of all branches, the newest first, each before its parents. */
export async function graphPage(
  repository: Repository,
  { parameters, request: { headers, signal } }: Context,
): Promise<RevisionPage> {
  const others = ['from', 'until', 'buckets', 'subj', 'pred', 'obj', 'context', 'graph', 'revision-id'];
  const other = others.find((name) => (parameters.get(name) ?? '') !== '') ?? (headers.get('Revision') && 'Revision');
  if (other) throw refuseParameter(other)(`${other} is for the revisions of one branch, not for branches=all`);
  const limit = limitOf(parameters) ?? DEFAULT_GRAPH;
  const before = oneRef(parameters.get('before') ?? '');
  const { author, message } = filterOf(parameters) ?? {};
  const options = { branches: 'all', before, author, message, signal } as const;
  if (limit > MOST_HELD) return { revisions: repository.log({ ...options, limit }) };
  const found = await repository.log({ ...options, limit: limit + 1 }).toArray();
  const page = found.slice(0, limit);
  const next = found.length > limit && limit > 0 ? nextPage(parameters, page.at(-1)!.id) : undefined;
  return { revisions: listed(page), next };
}

/** Without `limit` a graph has so many revisions. */
const DEFAULT_GRAPH = 1000;

/** With a filter the order is always newest first. */
export async function revisionPage(
  repository: Repository,
  { parameters, request }: Context,
  newestFirst: boolean,
): Promise<RevisionPage> {
  const limit = limitOf(parameters);
  const whole = await revisionRange(repository, without(parameters, 'limit'), request.headers);
  const filter = filterOf(parameters);
  if (filter === undefined) {
    const first = limit === undefined ? whole.first : Math.max(whole.first, whole.last - limit + 1);
    const next = first > whole.first && limit !== 0 ? nextPage(parameters, first) : undefined;
    return { revisions: revisionsOf(repository, { first, last: whole.last }, newestFirst), next };
  }
  if (whole.first > whole.last || limit === 0) return { revisions: listed([]) };
  const options = { ...filter, from: whole.first, to: whole.last, signal: request.signal };
  if (limit === undefined || limit > MOST_HELD)
    return { revisions: repository.log({ ...options, ...(limit !== undefined && { limit }) }) };
  const found = await repository.log({ ...options, limit: limit + 1 }).toArray();
  const page = found.slice(0, limit);
  return {
    revisions: listed(page),
    next: found.length > limit ? nextPage(parameters, page.at(-1)!.number) : undefined,
  };
}

type Filter = Pick<LogOptions, 'author' | 'message' | 'pattern'>;

/** The filters of a list of revisions; `undefined` without one. */
export function filterOf(parameters: URLSearchParams): Filter | undefined {
  const [author, message] = ['author', 'message'].map((name) => parameters.get(name) ?? '');
  const pattern = quadPatternOf(parameters);
  const filter: Filter = {
    ...(author !== '' && { author: author! }),
    ...(message !== '' && { message: message! }),
    ...(pattern && { pattern }),
  };
  return Object.keys(filter).length > 0 ? filter : undefined;
}

function without(parameters: URLSearchParams, name: string): URLSearchParams {
  const rest = new URLSearchParams(parameters);
  rest.delete(name);
  return rest;
}

function nextPage(parameters: URLSearchParams, before: number | string): string {
  const next = new URLSearchParams(parameters);
  // A token is no part of an address that is handed on.
  next.delete('auth_token');
  next.set('before', String(before));
  return `?${next.toString()}`;
}

async function* listed(revisions: readonly Revision[]): AsyncGenerator<Revision> {
  yield* revisions;
}
