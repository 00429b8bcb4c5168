/** The source of an import: the body of a request, or a document of another host. */
import { FetchError } from '@quadrille/model';
import { readerChunks } from './byte-stream.js';
import type { Fetcher } from './fetcher.js';
import { acceptedTypes, importFormat } from './import-format.js';

/** A body, or a part of one. It is decompressed already and has a limited length. */
export interface BodySource {
  /** The document: as bytes if all of it is there. */
  readonly body: Uint8Array | AsyncIterable<Uint8Array> | ReadableStream<Uint8Array>;
  /** A `Content-Type`. */
  readonly mediaType?: string | undefined;
  /** The file name of a part. Its extension may tell the format. */
  readonly fileName?: string | undefined;
  /** The announced length. */
  readonly bytesTotal?: number | undefined;
  /** How many of `bytesTotal` have arrived. Only for a body that was compressed or part of a form. */
  readonly bytesRead?: (() => number) | undefined;
}
/** A document of another host, which the service reads. */
export interface UrlSource {
  /** Its address. */
  readonly url: string;
}
/** Where an import reads from. */
export type ImportSource = BodySource | UrlSource;

export interface OpenedSource {
  readonly chunks: AsyncIterable<Uint8Array>;
  /** All of it, if it is there. */
  readonly whole?: Uint8Array | undefined;
  /** The media type to load with. */
  readonly format: string;
  readonly bytesTotal: number | undefined;
  readonly bytesRead: (() => number) | undefined;
  /** The address of a document of another host. */
  readonly url: string | undefined;
  /** A name for messages and errors. */
  readonly name: string;
  readonly close: () => void;
}

/** @throws InvalidArgumentError `UNSUPPORTED_FORMAT` */
export function openBody({ body, mediaType, fileName, bytesTotal, bytesRead }: BodySource): OpenedSource {
  const isWhole = body instanceof Uint8Array;
  return {
    chunks: isWhole ? only(body) : body instanceof ReadableStream ? readerChunks(body) : body,
    whole: isWhole ? body : undefined,
    format: importFormat(mediaType, [fileName]),
    bytesTotal,
    bytesRead,
    url: undefined,
    name: fileName ?? 'request body',
    close: () => undefined,
  };
}

async function* only(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** @throws FetchError, also through the chunks; InvalidArgumentError `UNSUPPORTED_FORMAT` */
export async function openUrl(
  url: string,
  fetch: Fetcher | undefined,
  signal: AbortSignal,
  maxBytes: number,
): Promise<OpenedSource> {
  if (fetch === undefined) {
    throw new FetchError('URL_NOT_ALLOWED', 'this server reads no documents of other hosts');
  }
  const document = await fetch({ url, headers: { accept: acceptedTypes() }, signal, maxBytes });
  try {
    const name = shown(document.url);
    if (document.status < 200 || document.status > 299) {
      throw new FetchError('FETCH_FAILED', `${name} was answered with status ${String(document.status)}`, {
        details: { status: document.status },
      });
    }
    const length = document.headers['content-encoding'] === undefined ? document.headers['content-length'] : undefined;
    return {
      chunks: document.body,
      format: importFormat(document.headers['content-type'], [document.url, url]),
      bytesTotal: length === undefined || !/^\d+$/.test(length) ? undefined : Number(length),
      bytesRead: undefined,
      url: document.url,
      name,
      close: () => document.close(),
    };
  } catch (error) {
    document.close();
    throw error;
  }
}

/** An address without its user information, query and fragment, which may contain secrets. */
export function shown(url: string): string {
  if (!URL.canParse(url)) return 'the address';
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}
