/** Reads a multipart body as a stream of parts (RFC 2046, section 5.1). Only the end of a chunk is buffered. */
import { badRequest, HttpError } from '../http/index.js';
import { platform } from '../host/index.js';
import { bodyBytes, MAX_METADATA_BYTES } from './body.js';
import { elementOf } from './header-list.js';
import type { HttpRequest } from './request.js';

export interface Part {
  readonly headers: Headers;
  /** The name in `Content-Disposition`. */
  readonly name: string | undefined;
  /** The file name in `Content-Disposition`, without folders. */
  readonly fileName: string | undefined;
  /** It has to be read before the next part. The unread rest is skipped then. */
  readonly body: AsyncIterable<Uint8Array>;
}

const MAX_PARTS = 100;
const LONGEST_BOUNDARY = 200;
const MAX_HEADER_BYTES = 16 * 1024;
const encoder = new TextEncoder();
const HEADERS_END = encoder.encode('\r\n\r\n');
const LINE_END = encoder.encode('\r\n');

/**
 * The parts of a body. `contentType` contains the boundary.
 * @throws HttpError 400 for what is no multipart body or breaks off, 413 for too many parts
 */
export function multipartParts(contentType: string, body: AsyncIterable<Uint8Array>): AsyncGenerator<Part> {
  const boundary = elementOf(contentType)?.parameters.get('boundary') ?? '';
  if (boundary === '' || boundary.length > LONGEST_BOUNDARY)
    throw badRequest('a multipart body needs the parameter boundary in its Content-Type');
  return new MultipartReader(body, boundary).parts();
}

class MultipartReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  /** The separator of parts. */
  readonly #delimiter: Uint8Array;
  // A line break before the body makes the first delimiter like the others.
  #buffer: Uint8Array = LINE_END;

  constructor(body: AsyncIterable<Uint8Array>, boundary: string) {
    this.#chunks = body[Symbol.asyncIterator]();
    this.#delimiter = encoder.encode(`\r\n--${boundary}`);
  }

  async *parts(): AsyncGenerator<Part> {
    try {
      await drain(this.#untilDelimiter());
      for (let count = 0; !(await this.#isEnd()); count++) {
        if (count >= MAX_PARTS) throw new HttpError('PAYLOAD_TOO_LARGE', `more than ${String(MAX_PARTS)} parts`);
        const headers = await this.#headers();
        const body = this.#untilDelimiter();
        yield { headers, ...disposition(headers.get('Content-Disposition') ?? ''), body };
        await drain(body);
      }
    } finally {
      await this.#chunks.return?.();
    }
  }

  /** Appends the next chunk to the buffer. */
  async #more(): Promise<void> {
    const { done, value } = await this.#chunks.next();
    if (done === true) throw badRequest('the multipart body breaks off');
    this.#buffer = platform.concat([this.#buffer, value]);
  }

  /** The bytes up to the next delimiter, which is consumed too. */
  async *#untilDelimiter(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const at = platform.indexOf(this.#buffer, this.#delimiter);
      if (at >= 0) {
        const last = this.#buffer.subarray(0, at);
        this.#buffer = this.#buffer.subarray(at + this.#delimiter.length);
        if (last.length > 0) yield last;
        return;
      }
      // The end of the buffer may be the beginning of a delimiter.
      const sure = this.#buffer.length - this.#delimiter.length + 1;
      if (sure > 0) {
        const piece = this.#buffer.subarray(0, sure);
        this.#buffer = this.#buffer.subarray(sure);
        yield piece;
      }
      await this.#more();
    }
  }

  /** After a delimiter: two dashes end the body, else blanks and a new line begin a part. */
  async #isEnd(): Promise<boolean> {
    while (this.#buffer.length < 2) await this.#more();
    if (latin1Of(this.#buffer.subarray(0, 2)) === '--') return true;
    const line = await this.#take(LINE_END);
    if (line.trim() !== '') throw badRequest('the boundary of the multipart body is followed by other text');
    return false;
  }

  async #headers(): Promise<Headers> {
    const headers = new Headers();
    // A part may have no headers.
    while (this.#buffer.length < 2) await this.#more();
    if (latin1Of(this.#buffer.subarray(0, 2)) === '\r\n') {
      this.#buffer = this.#buffer.subarray(LINE_END.length);
      return headers;
    }
    for (const line of (await this.#take(HEADERS_END)).split(/\r\n(?![ \t])/)) {
      const colon = line.indexOf(':');
      try {
        headers.append(line.slice(0, Math.max(0, colon)).trim(), line.slice(colon + 1).trim());
      } catch {
        throw badRequest(`not a header of a part: ${line.slice(0, 100)}`);
      }
    }
    return headers;
  }

  /** The text up to `end`, which is consumed too. */
  async #take(end: Uint8Array): Promise<string> {
    for (;;) {
      const at = platform.indexOf(this.#buffer, end);
      if (at > MAX_HEADER_BYTES || (at < 0 && this.#buffer.length > MAX_HEADER_BYTES)) {
        throw badRequest('the headers of a part are too long');
      }
      if (at >= 0) {
        const text = latin1Of(this.#buffer.subarray(0, at));
        this.#buffer = this.#buffer.subarray(at + end.length);
        return text;
      }
      await this.#more();
    }
  }
}

/** Of at most as many bytes as headers may have. */
const latin1Of = (bytes: Uint8Array): string => String.fromCharCode(...bytes);

async function drain(body: AsyncGenerator<Uint8Array>): Promise<void> {
  for (;;) if ((await body.next()).done === true) return;
}

function disposition(header: string): { name: string | undefined; fileName: string | undefined } {
  const parameters = elementOf(header)?.parameters;
  const text = (name: string): string | undefined => {
    const sent = parameters?.get(name);
    // The headers were decoded as Latin-1, but clients send UTF-8.
    return sent === undefined
      ? undefined
      : new TextDecoder().decode(Uint8Array.from(sent, (character) => character.charCodeAt(0)));
  };
  return { name: text('name'), fileName: text('filename')?.replace(/^.*[/\\]/, '') };
}

/** The text of a part. @throws HttpError 413 beyond `limit` bytes, 400 where it is not UTF-8 */
export async function fieldText({ body, name }: Pick<Part, 'body' | 'name'>, limit: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > limit) throw new HttpError('PAYLOAD_TOO_LARGE', `the field ${name ?? ''} is too long`);
    chunks.push(chunk.slice());
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(platform.concat(chunks));
  } catch {
    throw badRequest(`the field ${name ?? ''} is not UTF-8`);
  }
}

/** All fields of a form with a query or an update, also those that are sent as files. */
export async function queryFields(request: HttpRequest, limit: number): Promise<URLSearchParams> {
  const fields = new URLSearchParams();
  const bytes = bodyBytes(request, limit + MAX_METADATA_BYTES);
  for await (const part of multipartParts(request.headers.get('Content-Type') ?? '', bytes)) {
    if (part.name !== undefined) fields.append(part.name, await fieldText(part, limit));
  }
  return fields;
}
