/** Where an import reads from: a body that is being sent, or a document of another host. */
import { FetchError } from '@quadrille/model';
import { readerChunks } from './byte-stream.js';
import type { Fetcher } from './fetcher.js';
import { importFormat, readableTypes } from './import-format.js';

/** A body or a part of one, decoded and limited by whoever takes it in. */
export interface BodySource {
  readonly body: AsyncIterable<Uint8Array> | ReadableStream<Uint8Array>;
  /** A `Content-Type`. */
  readonly mediaType?: string | undefined;
  /** Of a part: its extension may tell the format. */
  readonly fileName?: string | undefined;
  /** Its length, where it was announced. */
  readonly bytesTotal?: number | undefined;
  /** How many of `bytesTotal` have come, where they are not those of `body`: it came packed, or in a form. */
  readonly bytesRead?: (() => number) | undefined;
}
export interface UrlSource {
  readonly url: string;
}
export type ImportSource = BodySource | UrlSource;

export interface OpenedSource {
  readonly chunks: AsyncIterable<Uint8Array>;
  /** A media type that can be loaded. */
  readonly format: string;
  readonly bytesTotal: number | undefined;
  readonly bytesRead: (() => number) | undefined;
  /** Of a document of another host: where it came from. */
  readonly url: string | undefined;
  /** For messages and errors. */
  readonly name: string;
  readonly close: () => void;
}

/** @throws InvalidArgumentError `UNSUPPORTED_FORMAT` */
export function openBody({ body, mediaType, fileName, bytesTotal, bytesRead }: BodySource): OpenedSource {
  return {
    chunks: body instanceof ReadableStream ? readerChunks(body) : body,
    format: importFormat(mediaType, [fileName]),
    bytesTotal,
    bytesRead,
    url: undefined,
    name: fileName ?? 'request body',
    close: () => undefined,
  };
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
  const accept = [...readableTypes(), '*/*;q=0.1'].join(', ');
  const document = await fetch({ url, headers: { accept }, signal, maxBytes });
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

/** An address without what may be secret in it. */
export function shown(url: string): string {
  if (!URL.canParse(url)) return 'the address';
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}
