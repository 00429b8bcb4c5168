/** Memento (RFC 7089): negotiation by time, and the headers of answers. */
import { badRequest } from '../../http/index.js';
import { NotFoundError, type Repository, type Revision } from 'quadrille';
import type { RevisionRead } from '../../context.js';
import { entityTag, lastModified } from '../../message/conditional.js';
import { isFixedRef } from '../../parameters/revision-ref.js';
import type { Reply, ReplyHeaders } from '../../message/reply.js';

/** The addresses of a repository that Memento links to each other. */
export interface MementoUrls {
  readonly original: string;
  /** The address of the timemap, to which parameters are added by {@link withParameters}. */
  readonly timemap: string;
  /** The timemap in link format. */
  readonly linkTimemap: string;
  readonly timegate: string;
  readonly of: (revision: Revision) => string;
}

/** `branch` is the query that names the branch, `?branch=…`; empty where the request names none. */
export const mementoUrls = (original: string, branch = ''): MementoUrls => ({
  original: original + branch,
  timemap: `${original}/timemap${branch}`,
  linkTimemap: `${original}/timemap/link/${original}${branch}`,
  timegate: `${original}/timegate${branch}`,
  of: ({ id }) => withParameters(original + branch, `revision-id=${id}`),
});

/** An address with further parameters. */
export const withParameters = (url: string, parameters: string): string =>
  `${url}${url.includes('?') ? '&' : '?'}${parameters}`;

/** The time of `Accept-Datetime`, to the end of its second, which is all that it can say. @throws HttpError 400 */
export function acceptDatetime(text: string | null | undefined): Date | undefined {
  const value = text?.trim() ?? '';
  if (value === '') return undefined;
  const time = Date.parse(value);
  if (!/^[A-Za-z]{3,9},? /.test(value) || Number.isNaN(time)) {
    throw badRequest(`not a date of HTTP: ${value.slice(0, 100)}`);
  }
  return new Date(time + 999);
}

/** The revision at or before a time, else the first revision. */
export async function revisionAt(repository: Repository, time: Date): Promise<Revision> {
  try {
    return await repository.at(time).revision();
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    // Of a trimmed revision: the last one before it that was kept.
    const before = error.code === 'REVISION_TRIMMED' ? Number(error.details['before']) : 0;
    if (before > 0) return repository.at(before).revision();
    if (error.code.startsWith('REVISION_')) return repository.at('TAIL').revision();
    throw error;
  }
}

/** Adds the headers about the revision that an answer was read from: tag, times and links to other revisions. */
export function addRevisionHeaders(read: RevisionRead, urls: MementoUrls, response: Reply): Promise<void> | undefined {
  if (response.status >= 400) return undefined;
  const { headers } = response;
  const { revision, ref } = read;
  if (!headers.has('ETag')) headers.set('ETag', entityTag(revision));
  const modified = lastModified(revision);
  if (modified !== undefined) headers.set('Last-Modified', modified);
  if (ref !== undefined) return addMementoHeaders(read, urls, headers);
  headers.append('Link', presentLinks(urls));
  return undefined;
}

/** A revision never changes, except by an erasure. Caches learn of that within a day. */
const FOR_A_DAY = 'max-age=86400, immutable';

async function addMementoHeaders(read: RevisionRead, urls: MementoUrls, headers: ReplyHeaders): Promise<void> {
  const { revision, ref } = read;
  headers.append('Link', await mementoLinks(urls, read));
  headers.set('Memento-Datetime', revision.time.toUTCString());
  const fixed = typeof ref === 'string' && isFixedRef(ref) && headers.get('ETag') === entityTag(revision);
  if (fixed && !headers.has('Cache-Control')) headers.set('Cache-Control', FOR_A_DAY);
}

const presentLinks = ({ timegate, timemap }: MementoUrls): string =>
  `<${timegate}>; rel="timegate", <${timemap}>; rel="timemap"; type="application/n-triples"`;

// The next number may be one that was trimmed.
async function nextAfter(repository: Repository, { number }: Revision): Promise<Revision | undefined> {
  try {
    return await repository.at(number + 1).revision();
  } catch (error) {
    if (!(error instanceof NotFoundError) || error.code !== 'REVISION_TRIMMED') throw error;
    return repository.at(Number(error.details['after'])).revision();
  }
}

async function mementoLinks(urls: MementoUrls, { repository, revision }: RevisionRead): Promise<string> {
  const [first, head] = await Promise.all([repository.at('TAIL').revision(), repository.revision()]);
  // A ref may name a revision of another branch, whose neighbours have other numbers.
  const isOwn =
    revision.number >= first.number &&
    revision.number <= head.number &&
    (await repository.at(revision.number).revision()).id === revision.id;
  const parent = isOwn && revision.number > first.number ? revision.parent : undefined;
  const following = isOwn && revision.number < head.number ? nextAfter(repository, revision) : undefined;
  const before = parent === undefined ? undefined : repository.at(parent).revision();
  const [previous, next] = await Promise.all([before, following]);
  const links = [
    `<${urls.original}>; rel="original"`,
    `<${urls.timegate}>; rel="timegate"`,
    `<${urls.linkTimemap}>; rel="timemap"; type="application/link-format"`,
    `<${urls.timemap}>; rel="timemap"; type="application/n-triples"`,
  ];
  for (const memento of new Map([first, previous, revision, next, head].map((each) => [each?.id, each])).values()) {
    if (memento === undefined) continue;
    const names = [
      memento.id === first.id ? 'first' : '',
      memento.id === previous?.id ? 'prev' : '',
      memento.id === next?.id ? 'next' : '',
      memento.id === head.id ? 'last' : '',
      'memento',
    ];
    const rel = names.filter((name) => name !== '').join(' ');
    links.push(`<${urls.of(memento)}>; rel="${rel}"; datetime="${memento.time.toUTCString()}"`);
  }
  return links.join(', ');
}
