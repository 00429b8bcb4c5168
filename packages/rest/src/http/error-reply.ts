/** The reply to a request that failed. */
import { errorDocument } from '@quadrille/http';
import { ShapesError } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';
import type { RdfFormat } from 'quadrille';
import { contentType, rdfFormat } from '../documents/media-types.js';
import { namedTypes } from './negotiate.js';
import { Reply, ReplyHeaders } from './reply.js';

/** The report of a validation for a client that names a type of RDF; else JSON, or the message alone for a client that accepts text and no JSON. */
export function errorReply(error: unknown, requestId: string, accept: string | null): Reply {
  const { document, headers: fields } = errorDocument(error, requestId);
  const headers = new ReplyHeaders({ 'Cache-Control': 'no-store', ...fields });
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
