/** Counts the quads that a streaming parser makes of a file. */
import { createReadStream } from 'node:fs';
import type { Transform } from 'node:stream';

export function countQuads(file: string, parser: Transform): Promise<number> {
  return new Promise((resolve, reject) => {
    let quads = 0;
    parser.on('data', () => quads++);
    parser.on('end', () => resolve(quads));
    parser.on('error', reject);
    createReadStream(file).on('error', reject).pipe(parser);
  });
}
