/** How new a read must be, as the request says it. */
import type { HttpRequest } from '@quadrille/rest';
import type { Database } from 'quadrille';

/** A read of a fixed revision, which never changes. */
const FIXED = /[?&](?:revision|revision-id|datetime)=/;
const MAX_AGE = /(?:^|[\s,])max-age=(\d{1,9})(?:$|[\s,])/;
/** Oldest state in which an operator may find the server ready, in milliseconds. */
const READY_MS = 5000;

const TAG = /^\s*(?:W\/)?"([^"]+)"\s*$/;
/** What follows the id of a revision in a tag distinguishes representations. */
const BEHIND_ID = /(?<=^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})-.*$/i;

const isUpdate = (type: string | null): boolean => /^application\/sparql-update\b/i.test(type ?? '');

/**
 * Brings the database up to what the request asks for: `Min-Revision: <ETag>`, `Cache-Control: max-age=<seconds>`, or
 * everything that was committed before. @throws StorageError `STORE_UNAVAILABLE`, `STALE_READ`, `LEASE_LOST`
 */
export async function refreshFor(
  { method, url, headers }: HttpRequest,
  database: Database,
  basePath = '',
): Promise<void> {
  const path = new URL(url).pathname.slice(basePath.length);
  if (path === '/health') return;
  if (path === '/ready') return database.refresh({ maxAgeMs: READY_MS });
  // The store itself refuses what a server writes that is no longer the holder.
  if (/^(?:PUT|PATCH|DELETE)$/.test(method) || isUpdate(headers.get('Content-Type'))) return;
  if (FIXED.test(url) || headers.has('Accept-Datetime')) return;
  const revision = TAG.exec(headers.get('Min-Revision') ?? '')?.[1]?.replace(BEHIND_ID, '');
  const [, account, name] = path.split('/');
  if (revision !== undefined && account !== undefined && name !== undefined) {
    const repository = `${decodeURIComponent(account)}/${decodeURIComponent(name)}`;
    return database.refresh({ atLeast: { repository, revision } });
  }
  const age = MAX_AGE.exec(headers.get('Cache-Control') ?? '')?.[1];
  await database.refresh(age === undefined ? {} : { maxAgeMs: Number(age) * 1000 });
}
