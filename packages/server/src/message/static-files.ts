/** Files that a server shows beside its resources, such as those of a page for browsers. */
import { STATEMENT_OFFERS } from '../documents/media-types.js';
import { negotiate } from './negotiate.js';
import { acceptedCoding } from './compression.js';
import { elementsOf, entityTagsOf, type ListElement, qualityOf } from './header-list.js';
import { Reply } from './reply.js';
import type { HttpRequest } from './request.js';

/** A file of a page, in memory. */
export interface StaticFile {
  /** The content. */
  readonly bytes: Uint8Array;
  /** The same, compressed by Brotli. It is sent to clients that accept that coding. */
  readonly brotli?: Uint8Array;
  /** With charset. */
  readonly mediaType: string;
  /** In quotes, such as `"4f2a"`. */
  readonly etag: string;
  /** Whether the path names this content forever, so that clients never ask again. */
  readonly immutable: boolean;
  /** More headers, such as a content security policy. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The file at a path, which begins with `/` and is percent-encoded; `undefined` where there is none. */
export type StaticFiles = (path: string) => StaticFile | undefined;

/** The reply to GET: whole, or 304 where the client has this file. */
export function fileReply(request: HttpRequest, file: StaticFile): Reply {
  const accepts = acceptsBrotli(request);
  const brotli = accepts ? file.brotli : undefined;
  const tag = brotli === undefined ? file.etag : `${file.etag.slice(0, -1)}-br"`;
  const headers = {
    ...file.headers,
    ETag: tag,
    'Cache-Control': file.immutable ? 'public, max-age=31536000, immutable' : 'no-cache',
  };
  const known = entityTagsOf(request.headers.get('If-None-Match') ?? '') ?? [];
  if (known === '*' || known.some(({ value }) => `"${value}"` === tag))
    return new Reply(null, { status: 304, headers });
  return new Reply(brotli ?? file.bytes, {
    headers: {
      ...headers,
      'Content-Type': file.mediaType,
      ...(brotli === undefined ? {} : { 'Content-Encoding': 'br' }),
    },
  });
}

/** Browsers accept gzip and Brotli alike. The file is smaller by Brotli, and compressed already. */
function acceptsBrotli(request: HttpRequest): boolean {
  const accept = request.headers.get('Accept-Encoding') ?? '';
  return acceptedCoding(request) === 'br' || elementsOf(accept).some(acceptsAsMuch);
}

const acceptsAsMuch = (element: ListElement): boolean =>
  element.value.toLowerCase() === 'br' && qualityOf(element) === 1;

const HTML = 'text/html';
const OFFERS = [...new Set(['text/plain', 'application/json', ...STATEMENT_OFFERS, HTML])];

/** Whether the client asks for a page to look at: its Accept prefers HTML, and it names no revision, format or query. */
export function wantsPage(request: HttpRequest, parameters: URLSearchParams): boolean {
  const accept = request.headers.get('Accept');
  if (accept === null || parameters.size > 0 || !/text\/html/i.test(accept)) return false;
  if (request.headers.has('Accept-Datetime') || request.headers.has('Revision')) return false;
  return negotiate(accept, OFFERS) === HTML;
}

const ROOT_OFFERS = [HTML, 'application/json'];

/**
 * The root is the page for browsers. A program that asks for JSON is sent to the record of the server.
 * @throws HttpError 406 for types that are neither
 */
export function systemInstead(request: HttpRequest): Reply | undefined {
  if (negotiate(request.headers.get('Accept'), ROOT_OFFERS) === HTML) return undefined;
  return new Reply(null, { status: 303, headers: { Location: 'system', 'Cache-Control': 'no-store' } });
}

/**
 * The redirection of a repository's address to its page. The location is relative, so that it holds below every prefix of a proxy; what it
 * names exists or not: the page asks for credentials, a redirection needs none.
 */
export function pageOfRepository(path: string): Reply {
  const [account = '', repository = ''] = path.split('/').filter((part) => part !== '');
  return new Reply(null, {
    status: 303,
    headers: {
      Location: `${path.endsWith('/') ? '../../' : '../'}#/${account}/${repository}/query`,
      'Cache-Control': 'no-store',
    },
  });
}
