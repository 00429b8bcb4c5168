/** Documents with long literals: text with line breaks, quotation marks and letters beyond ASCII. */
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Random } from '../generate/random.js';
import { text } from '../generate/words.js';

export const TEXT = 'http://example.org/text';
export const EXTENSIONS = { 'N-Triples': 'nt', Turtle: 'ttl' } as const;
export type LongFormat = keyof typeof EXTENSIONS;

const POOL_LENGTH = 1 << 20;
const PIECE_LENGTH = 4096;
const WORDS_A_LINE = 12;

const random = new Random();
let pool: string | undefined;

/**
 * The n-th text with this length. It consists of pieces of a long text, so that texts differ and are not repetitive.
 */
export function longText(n: number, length: number): string {
  pool ??= makePool();
  random.restart(3, 0, n);
  const pieces = [`${n}`];
  for (let left = length; left > 0; left -= PIECE_LENGTH) {
    const at = random.below(pool.length - PIECE_LENGTH);
    pieces.push(pool.slice(at, at + PIECE_LENGTH));
  }
  // Converts through bytes, because slices of a long string are read more slowly than other strings.
  return Buffer.from(pieces.join('').slice(0, length)).toString();
}

function makePool(): string {
  random.restart(2, 0, 0);
  const lines: string[] = [];
  for (let length = 0; length < POOL_LENGTH; length += lines.at(-1)!.length) {
    lines.push(`${text(random, WORDS_A_LINE, WORDS_A_LINE)}, "${text(random, 1, 3)}" – naïve\n`);
  }
  return lines.join('');
}

/** One statement per text. */
function* statements(format: LongFormat, count: number, length: number): Generator<string> {
  if (format === 'Turtle') yield '@prefix ex: <http://example.org/> .\n';
  for (let n = 0; n < count; n++) {
    const quoted = longText(n, length).replaceAll('"', '\\"');
    yield format === 'Turtle'
      ? `ex:item${n} ex:text """${quoted}""" .\n`
      : `<http://example.org/item${n}> <${TEXT}> "${quoted.replaceAll('\n', '\\n')}" .\n`;
  }
}

/** Writes a document to a new file. */
export async function writeLongTexts(file: string, format: LongFormat, count: number, length: number): Promise<void> {
  await pipeline(Readable.from(statements(format, count, length)), createWriteStream(file));
}
