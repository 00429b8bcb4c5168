/** Conditional requests. The revision is the entity tag of all reads and writes. */
import { badRequest, HttpError } from '@quadrille/http';
import type { Context } from '../context.js';
import { type CommitOptions, type Repository, type Revision } from 'quadrille';
import { ConflictError } from '@quadrille/model';
import { acceptedCoding } from './compression.js';
import { Reply } from './reply.js';
import { namedUuid } from '../parameters/revision-ref.js';
import type { HttpRequest } from './request.js';

/** What an erasure has changed has another tag, so that caches which ask again learn of it. */
const stateOf = ({ id, erasures }: Revision): string => (erasures === undefined ? id : `${id}-e${String(erasures)}`);

/** The suffix distinguishes representations of a revision that differ by more than their media type. */
export const entityTag = (revision: Revision, suffix?: string): string =>
  suffix === undefined ? `"${stateOf(revision)}"` : `"${stateOf(revision)}-${suffix}"`;

/**
 * The first full second after the revision, because another revision can be made within the same second. `undefined` while that
 * time is in the future, and of a revision that an erasure may have changed since.
 */
export function lastModified(revision: Revision): string | undefined {
  if (revision.erasures !== undefined) return undefined;
  const time = secondAfter(revision);
  if (time > Date.now()) return undefined;
  if (lastDate.time !== time) lastDate = { time, text: new Date(time).toUTCString() };
  return lastDate.text;
}

/** The last formatted time. Most reads are of the same revision, and formatting a date is slow. */
let lastDate = { time: 0, text: '' };

const secondAfter = ({ time }: Revision): number => (Math.floor(time.getTime() / 1000) + 1) * 1000;

/** The reply 304 if the client has this representation; else `undefined`. */
export function notModified(context: Context, revision: Revision, suffix?: string): Reply | undefined {
  const tag = isUnchanged(context, revision, suffix);
  return tag === undefined ? undefined : new Reply(null, { status: 304, headers: { ETag: tag } });
}

/** The tag of the client's representation if it is still current. */
function isUnchanged(context: Context, revision: Revision, suffix?: string): string | undefined {
  const tag = entityTag(revision, suffix);
  const header = context.header('If-None-Match');
  if (header !== undefined) {
    const tags = header.split(',').map((each) => each.trim().replace(/^W\//, ''));
    const packed = `${tag.slice(0, -1)}-${acceptedCoding(context.request) ?? ''}"`;
    if (tags.includes('*') || tags.includes(tag)) return tag;
    return tags.includes(packed) ? packed : undefined;
  }
  if (revision.erasures !== undefined) return undefined;
  const since = Date.parse(context.header('If-Modified-Since') ?? '');
  return since >= secondAfter(revision) ? tag : undefined;
}

/**
 * The conditions and the options of the commit that a request makes: message, author, id, and the revision of `If-Match`.
 * @throws ConflictError `PRECONDITION_FAILED` where the current revision is another one already; HttpError 428 where none is named
 * and the server asks for one.
 */
export async function commitConditions(context: Context, repository: Repository): Promise<CommitOptions> {
  const message = sentMessage(context);
  const author = context.principal;
  const options: { signal: AbortSignal; message?: string; author?: string; ifRevision?: Revision; id?: string } = {
    signal: context.request.signal,
  };
  if (message !== '') options.message = message;
  if (author !== undefined) options.author = author;
  // A replicating client sends the id that the revision has elsewhere.
  const id = namedUuid((context.header('ETag') ?? '').replace(/-e\d+(?="?$)/, ''));
  if (id !== undefined) options.id = id;
  const wanted = context.header('If-Match')?.trim();
  if (context.requireIfMatch && wanted === undefined && context.header('If-None-Match')?.trim() !== '*') {
    throw new HttpError(
      'PRECONDITION_REQUIRED',
      'send If-Match with the ETag of the revision that this request changes',
    );
  }
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

/** The message of the header, else of the parameter; empty without one. */
function sentMessage(context: Context): string {
  const header = context.header('Revision-Message')?.trim() ?? '';
  return header === '' ? (context.parameters.get('message')?.trim() ?? '') : headerText(header);
}

// Header fields are ASCII, so other characters are percent-encoded. Some clients send the bytes of UTF-8, which arrive as characters up
// to U+00FF. A text that is neither, as "50 % less", is meant as it stands.
function headerText(text: string): string {
  try {
    if (/^[\x20-\x7e]*$/.test(text)) return decodeURIComponent(text);
    return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(text, (char) => char.charCodeAt(0)));
  } catch {
    return text;
  }
}

/** The error of a write for its client: with `If-Match` a conflict with another commit is a failed precondition. */
export function writeError(request: HttpRequest, error: unknown): unknown {
  const lost = error instanceof ConflictError && error.code === 'REVISION_CONFLICT';
  if (!lost || !request.headers.has('If-Match')) return error;
  return new ConflictError(
    'PRECONDITION_FAILED',
    'another commit came first, so the revision in If-Match is not the current one',
    {
      cause: error,
    },
  );
}
