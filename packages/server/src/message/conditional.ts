/** Conditional requests. The revision is the entity tag of all reads and writes of data; the rest of a repository has tags of its own. */
import { badRequest, HttpError } from '../http/index.js';
import type { Context } from '../context.js';
import type { ReadView, Repository, Revision } from 'quadrille';
import type { HostCommitOptions } from 'quadrille/host';
import { ConflictError, type KeyedMutex } from '@quadrille/model';
import { acceptedCoding } from './compression.js';
import { hash } from '../documents/representation.js';
import { entityTagsOf } from './header-list.js';
import { Reply } from './reply.js';
import { namedUuid } from '../parameters/revision-ref.js';

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

/**
 * The reply 304 if the client has this representation; else `undefined`.
 * @throws ConflictError `PRECONDITION_FAILED` where `If-Match` names other revisions
 */
export function notModified(context: Context, revision: Revision, suffix?: string): Reply | undefined {
  checkMatch(context, revision.id);
  return unlessKnown(context, entityTag(revision, suffix), () => {
    const since = context.header('If-Modified-Since');
    return since !== undefined && revision.erasures === undefined && Date.parse(since) >= secondAfter(revision);
  });
}

/** The reply 304 if the client has the representation with this tag; else `undefined`. Times count where it names no tags. */
export function unlessKnown(context: Context, tag: string, isSince: () => boolean = () => false): Reply | undefined {
  const header = context.header('If-None-Match');
  const known = header === undefined ? (isSince() ? tag : undefined) : knownTag(context, header, tag);
  return known === undefined ? undefined : new Reply(null, { status: 304, headers: { ETag: known } });
}

/** The tag that the client has of the present representation. It may have it in a coding. */
function knownTag(context: Context, header: string, tag: string): string | undefined {
  const tags = entityTagsOf(header) ?? [];
  if (tags === '*' || tags.some(({ value }) => `"${value}"` === tag)) return tag;
  const packed = `${tag.slice(0, -1)}-${acceptedCoding(context.request) ?? ''}"`;
  return tags.some(({ value }) => `"${value}"` === packed) ? packed : undefined;
}

/** The tag of something that has no revisions: a text that stands for all of its state. */
export const stateTag = (state: unknown): string => hash(JSON.stringify(state));

const VIEW = 'view-';
/** The tag of a view, which every representation has. In the tag of its answer, the revision comes first. */
export const viewTag = (query: string): string => VIEW + hash(query);

/** Whether a tag that a client sends is of a state. Tags of representations go on behind that of the state. */
function names(value: string, state: string): boolean {
  const text = state.startsWith(VIEW) ? value.replace(/^[\da-f-]{36}-(?=view-)/i, '') : value;
  return state !== '' && `${text.toLowerCase()}-`.startsWith(`${state.toLowerCase()}-`);
}

/** @throws HttpError 400 where the header is no list of tags: a condition that is ignored makes a request do more than its client means */
function conditionOf(context: Context, name: 'If-Match' | 'If-None-Match'): ReturnType<typeof entityTagsOf> {
  const field = context.header(name);
  if (field === undefined) return undefined;
  const tags = entityTagsOf(field);
  if (tags === undefined)
    throw badRequest(`${name} is neither * nor a list of tags, such as "018bcfe5-8358-738e-9154-8181177da82e"`);
  return tags;
}

const failed = (text: string): ConflictError =>
  new ConflictError('PRECONDITION_FAILED', `${text}; nothing was changed`);

function checkMatch(context: Context, state: string | undefined, isThere = state !== undefined): void {
  const match = conditionOf(context, 'If-Match');
  if (match === '*' && !isThere) throw failed('If-Match: there is nothing at this address');
  if (match === undefined || match === '*') return;
  // A weak tag stands for similar states, too.
  if (!match.some(({ value, weak }) => !weak && state !== undefined && names(value, state)))
    throw failed(`If-Match: ${currently(state)}`);
}

const currently = (state: string | undefined): string =>
  state === undefined
    ? 'there is nothing at this address'
    : state === ''
      ? 'there is no tag of this resource'
      : `the current tag is "${state}"`;

/**
 * Checks `If-Match` and `If-None-Match` of a request that changes something (RFC 9110, section 13.1).
 * @param state the tag of the present state: empty for a resource without one, `undefined` where there is nothing
 * @throws HttpError 400; ConflictError `PRECONDITION_FAILED`
 */
export function checkConditions(context: Context, state: string | undefined, isThere = state !== undefined): void {
  checkMatch(context, state, isThere);
  const none = conditionOf(context, 'If-None-Match');
  if (none === undefined || !isThere) return;
  if (none === '*') throw failed('If-None-Match: it is there already');
  if (none.some(({ value }) => names(value, state ?? ''))) throw failed(`If-None-Match: ${currently(state)}`);
}

/**
 * Changes what has no revisions, if the conditions of the request hold. No other request changes it meanwhile.
 * @param kind what is changed: all of a kind in a repository, or in an account, wait for each other
 * @param state as for {@link checkConditions}
 */
export function ifConditionsHold<T>(
  { changes }: { readonly changes: KeyedMutex },
  context: Context,
  kind: string,
  state: () => Promise<string | undefined>,
  change: () => Promise<T>,
): Promise<T> {
  return changes.run([kind, context.param('account'), context.param('repository')].join(' '), async () => {
    checkConditions(context, await state());
    return change();
  });
}

export const hasCondition = ({ request: { headers } }: Context): boolean =>
  headers.has('If-Match') || headers.has('If-None-Match');

/**
 * The conditions and the options of the commit that a request makes: message, author, id, and the revision of `If-Match`.
 * @param isThere whether a revision has what the request changes. Default: it has
 * @throws ConflictError `PRECONDITION_FAILED` where the current revision is another one already; HttpError 428 where none is named
 * and the server asks for one.
 */
export async function commitConditions(
  context: Context,
  repository: Repository,
  isThere?: (view: ReadView) => Promise<boolean>,
): Promise<HostCommitOptions> {
  const message = sentMessage(context);
  const author = context.principal;
  // A replicating client sends the id that the revision has elsewhere.
  const sent = context.header('ETag');
  const id = sent === undefined ? undefined : namedUuid(sent.replace(/-e\d+(?="?$)/, ''));
  const options: HostCommitOptions = {
    signal: context.request.signal,
    message: message === '' ? undefined : message,
    author,
    id,
  };
  if (
    context.requireIfMatch &&
    !context.request.headers.has('If-Match') &&
    conditionOf(context, 'If-None-Match') !== '*'
  ) {
    throw new HttpError(
      'PRECONDITION_REQUIRED',
      'send If-Match with the ETag of the revision that this request changes',
    );
  }
  if (!hasCondition(context)) return options;
  const head = await repository.revision();
  checkConditions(context, head.id, isThere === undefined || (await isThere(repository.at(head))));
  // The repository is always there: only a list of tags, or what may be missing in it, depends on the revision.
  const isOfRevision = isThere !== undefined || Array.isArray(conditionOf(context, 'If-Match'));
  return isOfRevision ? { ...options, ifRevision: head } : options;
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

/** The error of a write for its client: under a condition, a conflict with another commit is a failed precondition. */
export function writeError(context: Context, error: unknown): unknown {
  const lost = error instanceof ConflictError && error.code === 'REVISION_CONFLICT';
  if (!lost || !hasCondition(context)) return error;
  return new ConflictError(
    'PRECONDITION_FAILED',
    'another commit came first, so the revision of the condition is not the current one',
    { cause: error },
  );
}
