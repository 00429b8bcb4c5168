/** Opens parsers of all formats in the same way, synchronous and asynchronous ones. */
import { InvalidArgumentError } from '@quadrille/model';
import { checkJsonLdOptions } from './json-ld-options.js';
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
