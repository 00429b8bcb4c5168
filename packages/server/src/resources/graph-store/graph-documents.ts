/** The RDF documents of a body, which may be multipart. */
import { typeOf } from '../../message/header-list.js';
import { HttpError, refuseParameter } from '../../http/index.js';
import { heldBytes, mediaTypeOf } from '../../message/body.js';
import { formats } from '../../documents/formats.js';
import { rdfFormat, readableType } from '../../documents/media-types.js';
import { multipartParts, type Part } from '../../message/multipart.js';
import type { Document } from '../../host/index.js';
import type { Context } from '../../context.js';
import type { HttpRequest } from '../../message/request.js';
import type { Service } from '../../service.js';

/** A format that can be read. */
export interface ReadableFormat {
  /** The media type for the library. */
  readonly type: string;
  readonly namedGraphs: boolean;
}

export const isMultipart = (request: HttpRequest): boolean => mediaTypeOf(request)?.startsWith('multipart/') === true;

/** @throws HttpError 415 for a type that cannot be read */
export function readableBody(mediaType: string | undefined): ReadableFormat {
  const type = mediaType === undefined ? undefined : readableType(mediaType);
  const format = mediaType === undefined ? undefined : rdfFormat(mediaType);
  if (type !== undefined && format !== undefined) return { type, namedGraphs: format.namedGraphs };
  throw new HttpError('UNSUPPORTED_MEDIA_TYPE', `${mediaType ?? 'a missing Content-Type'} cannot be read as RDF here`);
}

export const partsOf = (service: Service, context: Context): AsyncGenerator<Part> =>
  multipartParts(context.header('Content-Type') ?? '', heldBytes(service, context));

/**
 * The documents of a multipart body. A field that is no document is refused: it could name the graph that the address has to name.
 * @throws HttpError `INVALID_PARAMETER`, 415
 */
export async function* graphDocuments(
  service: Service,
  context: Context,
  reading: Pick<Document, 'baseIRI' | 'jsonLd' | 'loadDocument'>,
): AsyncGenerator<Document> {
  let found = false;
  for await (const part of partsOf(service, context)) {
    if (part.fileName === undefined && !part.headers.has('Content-Type')) {
      const name = part.name ?? '';
      throw refuseParameter(name)(
        `the field ${name.slice(0, 100)} of the form is no document: put it into the address`,
      );
    }
    found = true;
    yield {
      source: part.body,
      format: formatOfPart(part).type,
      ...reading,
      sourceName: part.fileName ?? 'a part of the body',
    };
  }
  if (!found) throw new HttpError('BAD_REQUEST', 'the multipart body has no part with RDF in it');
}

/** The format by the type of a part, or by its file name if the type is unspecific. */
export function formatOfPart({ headers, fileName }: Part): ReadableFormat {
  const type = typeOf(headers.get('Content-Type'));
  if (type !== undefined && type !== '' && type !== 'application/octet-stream') return readableBody(type);
  try {
    return readableBody(formats.byExtension(fileName ?? '').format.mediaTypes[0]);
  } catch {
    throw new HttpError(
      'UNSUPPORTED_MEDIA_TYPE',
      'a part has neither a Content-Type nor a file name that tells its RDF format',
    );
  }
}
