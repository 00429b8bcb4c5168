/** How new a read must be, as the request says it. */
import { InvalidArgumentError, NotFoundError } from '@quadrille/model';
import type { HttpRequest } from '../message/request.js';
import type { Database } from 'quadrille';
import { hostOf } from 'quadrille/host';

/** Parameters that name the revision of a read. */
const REVISIONS = ['revision-id', 'revision', 'revision-uuid'];
/** Parameters with which a read has a second revision, or one of another branch. */
const OTHERS = ['compare', 'branch'];
/** Also one that is named by what came after it. An interval is none: its end may be the newest revision. */
const UUID = /^([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})(?:[~^]\d*)*$/i;
const NUMBER = /^#?(\d{1,15})$/;
const MAX_AGE = /(?:^|[\s,])max-age=(\d{1,9})(?:$|[\s,])/;
/** Oldest state in which an operator may find the server ready, in milliseconds. */
const READY_MS = 5000;

const TAG = /^\s*(?:W\/)?"([^"]+)"\s*$/;
/** What follows the id of a revision in a tag distinguishes representations. */
const BEHIND_ID = /(?<=^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})-.*$/i;

const isUpdate = (type: string | null): boolean => /^application\/sparql-update\b/i.test(type ?? '');

/**
 * Brings the database up to what the request asks for, as it is below the path of the server: `Min-Revision: <ETag>`, `Cache-Control: max-age=<seconds>`, or
 * everything that was committed before. @throws StorageError `STORE_UNAVAILABLE`, `STALE_READ`, `LEASE_LOST`
 */
export async function refreshFor({ method, url, headers }: HttpRequest, database: Database): Promise<void> {
  // The store itself refuses what a server writes that is no longer the holder.
  if (/^(?:PUT|PATCH|DELETE)$/.test(method) || isUpdate(headers.get('Content-Type'))) return;
  const path = new URL(url).pathname;
  if (path === '/health') return;
  if (path === '/ready') return hostOf(database).refresh({ maxAgeMs: READY_MS });
  const [, account, name] = path.split('/');
  const repository = account && name ? `${decode(account)}/${decode(name)}` : undefined;
  if (repository !== undefined && (await isKnown(url, headers, repository, database))) return;
  const revision = TAG.exec(headers.get('Min-Revision') ?? '')?.[1]?.replace(BEHIND_ID, '');
  if (revision !== undefined && repository !== undefined) {
    return hostOf(database).refresh({ atLeast: { repository, revision } });
  }
  const age = MAX_AGE.exec(headers.get('Cache-Control') ?? '')?.[1];
  await hostOf(database).refresh(age === undefined ? {} : { maxAgeMs: Number(age) * 1000 });
}

/**
 * Whether the request asks for a revision by its UUID or number, and it is here; or for a time before the last revision that is
 * here. Names of tags and branches may lead somewhere else meanwhile.
 */
async function isKnown(
  url: string,
  headers: HttpRequest['headers'],
  repository: string,
  database: Database,
): Promise<boolean> {
  const { searchParams } = new URL(url);
  const refs = REVISIONS.flatMap((parameter) => searchParams.getAll(parameter));
  if (refs.length > 1 || OTHERS.some((parameter) => searchParams.has(parameter))) return false;
  const date = searchParams.get('datetime') ?? headers.get('Accept-Datetime') ?? '';
  const [asked = ''] = refs;
  const number = NUMBER.exec(asked)?.[1];
  const revision = UUID.exec(asked)?.[1] ?? (number === undefined ? undefined : Number(number));
  if (revision === undefined && date === '') return false;
  try {
    const found = await database.repository(repository);
    if (revision !== undefined) return (await found.at(revision).revision()) !== undefined;
    return Date.parse(date) < (await found.revision()).time.getTime();
  } catch (error) {
    if (error instanceof NotFoundError || error instanceof InvalidArgumentError) return false;
    throw error;
  }
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    // The request is refused elsewhere.
    return part;
  }
}
