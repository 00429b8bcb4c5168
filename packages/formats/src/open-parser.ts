/** Opens parsers of all formats in the same way, synchronous and asynchronous ones. */
import { InvalidArgumentError } from '@quadrille/model';
import { checkJsonLdOptions } from './json-ld-options.js';
import { SIGN_BYTES, withOtherFormat } from './other-format.js';
import type { AsyncParserOptions, AsyncRdfParser } from './parser.js';
import type { RdfFormat } from './registry.js';

/** Whether documents of a format can be read. */
export const isReadable = (format: RdfFormat): boolean =>
  format.createParser !== undefined || format.createAsyncParser !== undefined;

/**
 * Loads the module of the format and returns a parser. A synchronous parser has read the chunk when `push` returns its promise.
 * @throws InvalidArgumentError `INVALID_OPTION` for a format that can only be written, and for wrong options.
 */
export async function openParser(format: RdfFormat, options: AsyncParserOptions): Promise<AsyncRdfParser> {
  checkJsonLdOptions(options.jsonLd, 'openParser');
  await format.load?.();
  const parser = openOwnParser(format, options);
  return (options.readSoFar?.offset ?? 0) > 0 ? parser : new FirstBytes(parser, format.name);
}

/** Keeps the start of a document, so that the error of a wrong format can name the right one. */
class FirstBytes implements AsyncRdfParser {
  #start: Uint8Array = new Uint8Array(0);

  constructor(
    private readonly parser: AsyncRdfParser,
    private readonly format: string,
  ) {}

  async push(chunk: Uint8Array): Promise<void> {
    if (this.#start.length < SIGN_BYTES) this.#keep(chunk.subarray(0, SIGN_BYTES - this.#start.length));
    try {
      await this.parser.push(chunk);
    } catch (error) {
      throw withOtherFormat(error, this.#start, this.format);
    }
  }

  async end(): Promise<void> {
    try {
      await this.parser.end();
    } catch (error) {
      throw withOtherFormat(error, this.#start, this.format);
    }
  }

  #keep(bytes: Uint8Array): void {
    const start = new Uint8Array(this.#start.length + bytes.length);
    start.set(this.#start);
    start.set(bytes, this.#start.length);
    this.#start = start;
  }
}

function openOwnParser(format: RdfFormat, options: AsyncParserOptions): AsyncRdfParser {
  if (format.createAsyncParser !== undefined) return format.createAsyncParser(options);
  if (format.createParser === undefined) {
    throw new InvalidArgumentError('INVALID_OPTION', `${format.name} can be written but not read`);
  }
  const parser = format.createParser(options);
  return {
    push: async (chunk) => {
      options.signal?.throwIfAborted();
      parser.push(chunk);
    },
    end: async () => {
      options.signal?.throwIfAborted();
      parser.end();
    },
  };
}
