/** The reply to a request that failed. */
import { errorDocument, knownError } from '../http/index.js';
import { NotFoundError, ShapesError } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';
import type { RdfFormat } from 'quadrille';
import { contentType, rdfFormat } from '../documents/media-types.js';
import { namedTypes } from './negotiate.js';
import { Reply, ReplyHeaders } from './reply.js';

/**
 * The report of a validation for a client that names a type of RDF; else JSON, or the message alone for a client that accepts text and no JSON.
 * @param address to which the request is redirected
 */
export function errorReply(error: unknown, requestId: string, accept: string | null, address?: string): Reply {
  const { document: told, headers: fields } = errorDocument(error, requestId);
  const headers = new ReplyHeaders({ 'Cache-Control': 'no-store', ...fields });
  const document = address === undefined ? told : { ...told, status: 308 };
  if (address !== undefined) headers.set('Location', address);
  const { status } = document;
  const report = error instanceof ShapesError ? error.report : undefined;
  const wanted = report && reportFormat(accept);
  if (report !== undefined && wanted !== undefined) {
    headers.set('Content-Type', contentType(wanted.mediaTypes[0]!));
    return new Reply(reportDocument(report, wanted), { status, headers });
  }
  if (wantsText(accept)) {
    headers.set('Content-Type', 'text/plain; charset=utf-8');
    return new Reply(`${document.error}\n`, { status, headers });
  }
  headers.set('Content-Type', 'application/json; charset=utf-8');
  return new Reply(`${JSON.stringify(document)}\n`, { status, headers });
}

/** The format of RDF that the client names, if that can be written. A wildcard means JSON, as for all errors. */
function reportFormat(accept: string | null): RdfFormat | undefined {
  let types: readonly string[];
  try {
    types = namedTypes(accept);
  } catch {
    // The request has failed for another reason.
    return undefined;
  }
  if (types[0] === 'application/json' || types[0] === 'text/plain') return undefined;
  return types.map(rdfFormat).find((format) => format?.createSerializer !== undefined);
}

/** A report has at most some thousand quads. */
function reportDocument(report: RDF.DatasetCore, format: RdfFormat): string {
  const prefixes = { sh: 'http://www.w3.org/ns/shacl#', xsd: 'http://www.w3.org/2001/XMLSchema#' };
  const serializer = format.createSerializer!({ prefixes });
  return serializer.write([...report] as RDF.Quad[]) + serializer.end();
}

function wantsText(accept: string | null): boolean {
  return accept !== null && /text\/plain/i.test(accept) && !/json|\*\/\*|application\/\*/i.test(accept);
}

/** What can stand in a header as it is. */
const PRINTABLE = /^[\x21-\x7e]*$/;

/**
 * The address to which a request is redirected that has failed because its repository has moved. `undefined` where none is known, where
 * the request names the repository otherwise than in its path, and where it would come back here.
 * @param url of the request
 * @param publicBase the public address of this server, with its base path
 */
export function newAddress(
  error: unknown,
  url: string,
  basePath: string,
  publicBase: string | undefined,
): string | undefined {
  const known = knownError(error);
  if (!(known instanceof NotFoundError) || known.code !== 'REPOSITORY_MOVED') return undefined;
  const { redirect, repository } = known.details;
  const target = url.slice(url.indexOf('/', url.indexOf('://') + 3) + basePath.length);
  if (typeof redirect !== 'string' || !PRINTABLE.test(target) || repositoryIn(target) !== repository) return undefined;
  const address = redirect + withoutToken(target);
  const own = [url, publicBase === undefined ? url : publicBase + target];
  return own.some((each) => URL.canParse(each) && new URL(each).href === new URL(address).href) ? undefined : address;
}

/** A token is for this server. */
function withoutToken(target: string): string {
  const [path = '', query] = target.split(/\?(.*)/s);
  const left = query?.split('&').filter((pair) => !new URLSearchParams(pair).has('auth_token'));
  return left === undefined || left.length === 0 ? path : `${path}?${left.join('&')}`;
}

function repositoryIn(target: string): string | undefined {
  const [, account = '', repository = ''] = target.replace(/[?#].*$/s, '').split('/');
  try {
    return `${decodeURIComponent(account)}/${decodeURIComponent(repository)}`;
  } catch {
    return undefined;
  }
}
