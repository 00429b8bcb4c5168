/** The revision as entity tag: `ETag` on answers, `If-None-Match` on reads, `If-Match` on writes. */
import type { Context } from 'hono';
import { type CommitOptions, type Repository, type Revision } from 'quadrille';
import { ConflictError } from '@quadrille/model';
import { badRequest } from './http-error.js';

export const entityTag = (revision: Revision): string => `"${revision.id}"`;

/** The 304 for a client that has this revision already; else `undefined`. */
export function notModified(context: Context, revision: Revision): Response | undefined {
  const header = context.req.header('If-None-Match');
  if (header === undefined) return undefined;
  const tags = header.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  if (!tags.includes('*') && !tags.includes(entityTag(revision))) return undefined;
  return new Response(null, { status: 304, headers: { ETag: entityTag(revision), Vary: 'Accept' } });
}

/**
 * What a write passes on to the commit: its message, and the revision that `If-Match` demands.
 * @throws ConflictError `PRECONDITION_FAILED` where the current revision is another one already.
 */
export async function commitOptions(context: Context, repository: Repository): Promise<CommitOptions> {
  const message = context.req.header('Revision-Message')?.trim();
  const options: { signal: AbortSignal; message?: string; ifRevision?: Revision } = { signal: context.req.raw.signal };
  if (message !== undefined && message !== '') options.message = message;
  const wanted = context.req.header('If-Match')?.trim();
  if (wanted === undefined || wanted === '*') return options;
  const ids = wanted
    .split(',')
    .map((tag) => /^(?:W\/)?"?([0-9a-fA-F-]{36})[^"]*"?$/.exec(tag.trim())?.[1]?.toLowerCase());
  if (ids.includes(undefined)) throw badRequest('If-Match is not the tag of a revision');
  const head = await repository.revision();
  if (!ids.includes(head.id)) {
    throw new ConflictError('PRECONDITION_FAILED', `the current revision is ${head.id}, not the one of If-Match`);
  }
  options.ifRevision = head;
  return options;
}
