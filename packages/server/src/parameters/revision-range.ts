/** The range of revisions of a list: `from`, `until`, `before`, `limit`, or an interval `A--B`. */
import { refuseParameter } from '../http/index.js';
import { NotFoundError, type Repository, type Revision } from 'quadrille';
import { oneRef, revisionInterval } from './revision-ref.js';
import type { RequestHeaders } from '../message/request.js';

/** Numbers of revisions, both inclusive. The range is empty if `first` is greater. */
export interface RevisionRange {
  readonly first: number;
  readonly last: number;
}

const TIME = /^\d{4}-\d\d-\d\d/;

/** The range between the revisions or times that a request names, cut to its newest `limit` revisions. */
export async function revisionRange(
  repository: Repository,
  parameters: URLSearchParams,
  headers: RequestHeaders,
): Promise<RevisionRange> {
  const interval = revisionInterval(parameters, headers);
  const [tail, head] = await Promise.all([repository.at('TAIL').revision(), repository.revision()]);
  const limit = limitOf(parameters);
  let first = tail.number;
  let last = head.number;
  const narrow = (from: number, to: number): void => {
    first = Math.max(first, from);
    last = Math.min(last, to);
  };
  if (interval !== undefined) {
    const ends = [await numberOf(repository, interval.from), await numberOf(repository, interval.to)];
    narrow(Math.min(...ends), Math.max(...ends));
  }
  const [from, until, before] = ['from', 'until', 'before'].map((name) => oneRef(parameters.get(name) ?? ''));
  if (from !== undefined) narrow(await firstFrom(repository, from, tail), last);
  if (until !== undefined) narrow(first, await lastUntil(repository, until, tail));
  if (before !== undefined) narrow(first, (await firstFrom(repository, before, tail)) - 1);
  return { first: limit === undefined ? first : Math.max(first, last - limit + 1), last };
}

/** The parameter `limit`; `undefined` for all. @throws HttpError 400 */
export const limitOf = (parameters: URLSearchParams): number | undefined => countOf(parameters, 'limit');

/** A number of things; `undefined` if it is not given. */
export function countOf(parameters: URLSearchParams, name: 'limit' | 'offset'): number | undefined {
  const text = parameters.get(name)?.trim() ?? '';
  if (text === '') return undefined;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw refuseParameter(name)(`${name} is not a whole number: ${text.slice(0, 50)}`);
}

/** @throws NotFoundError `REVISION_NOT_FOUND` also for a revision of another branch, whose numbers are others */
async function numberOf(repository: Repository, ref: string): Promise<number> {
  const { id, number } = await repository.at(ref).revision();
  if ((await repository.at(number).revision()).id === id) return number;
  throw new NotFoundError('REVISION_NOT_FOUND', `revision ${id} is not in the history of branch ${repository.branch}`);
}

/** The first revision at or after a ref or a time. A day begins at midnight UTC. */
async function firstFrom(repository: Repository, ref: string, tail: Revision): Promise<number> {
  if (!TIME.test(ref) || ref.length === 36) return numberOf(repository, ref);
  // The library checks the time.
  await orTail(repository, ref, tail);
  const time = Date.parse(ref.includes('T') ? ref : `${ref.slice(0, 10)}T00:00:00Z`);
  const earlier = await orTail(repository, new Date(time - 1), undefined);
  return earlier === undefined ? tail.number : earlier.number + 1;
}

async function lastUntil(repository: Repository, ref: string, tail: Revision): Promise<number> {
  if (!TIME.test(ref) || ref.length === 36) return numberOf(repository, ref);
  return (await orTail(repository, ref, undefined))?.number ?? tail.number - 1;
}

/** The revision at or before a time, else `otherwise`. */
async function orTail<T extends Revision | undefined>(
  repository: Repository,
  time: string | Date,
  otherwise: T,
): Promise<Revision | T> {
  try {
    return await repository.at(time).revision();
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    // Of a trimmed revision: the last one before it that was kept.
    const before = error.code === 'REVISION_TRIMMED' ? Number(error.details['before']) : 0;
    if (before > 0) return repository.at(before).revision();
    if (error.code.startsWith('REVISION_')) return otherwise;
    throw error;
  }
}

/** The revisions of a range, oldest first, or newest first. */
export async function* revisionsOf(
  repository: Repository,
  { first, last }: RevisionRange,
  newestFirst = false,
): AsyncGenerator<Revision> {
  const step = newestFirst ? -1 : 1;
  for (let number = newestFirst ? last : first; number >= first && number <= last; number += step) {
    try {
      yield await repository.at(number).revision();
    } catch (error) {
      if (!(error instanceof NotFoundError) || error.code !== 'REVISION_TRIMMED') throw error;
      // To the last number that was trimmed, in this direction.
      number = newestFirst ? Number(error.details['before']) + 1 : Number(error.details['after']) - 1;
    }
  }
}
