/** Streams of other packages: reads one to its end, and pipes a file through a parser. */
import { createReadStream } from 'node:fs';

export interface Stream<T> {
  on(event: 'data', listener: (item: T) => void): unknown;
  on(event: 'end', listener: () => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
}

/** Reads a stream to its end. Returns the number of items. */
export function consumed<T>(stream: Stream<T>, visit?: (item: T) => void): Promise<number> {
  return new Promise((resolve, reject) => {
    let items = 0;
    stream.on('data', (item) => {
      items++;
      visit?.(item);
    });
    stream.on('end', () => resolve(items));
    stream.on('error', reject);
  });
}

/** The output of a parser, which is a stream, for a file. */
export function parsedFile<Parser extends NodeJS.ReadWriteStream & { destroy(error?: Error): unknown }>(
  parser: Parser,
  file: string,
): Parser {
  const source = createReadStream(file);
  source.on('error', (error) => parser.destroy(error));
  return source.pipe(parser);
}
