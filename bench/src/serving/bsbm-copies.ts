/** N-Triples of any size: copies of a BSBM file, each with its own subjects. */
import { createReadStream } from 'node:fs';

const INSTANCES = Buffer.from('/v01/instances/');
/** Position of the letter in `instances` that distinguishes the copies. */
const MARKED = INSTANCES.length - 2;
const MARKS = Buffer.from('0123456789abcdefghijklmnopqrtuvwxyz');
const CHUNK_BYTES = 256 * 1024;
const LINE_FEED = 10;

/** Ends with the line that reaches `bytes` bytes. */
export async function* bsbmCopies(file: string, bytes: number): AsyncGenerator<Buffer> {
  let sent = 0;
  for (let copy = 0; sent < bytes; copy++) {
    if (copy === MARKS.length) throw new Error(`more than ${String(copy)} copies`);
    let rest: Buffer = Buffer.alloc(0);
    for await (const chunk of createReadStream(file, { highWaterMark: CHUNK_BYTES })) {
      const joined = Buffer.concat([rest, chunk as Buffer]);
      const end = joined.lastIndexOf(LINE_FEED) + 1;
      rest = joined.subarray(end);
      const lines = joined.subarray(0, end);
      mark(lines, MARKS[copy]!);
      const left = bytes - sent;
      const cut = left >= lines.length ? lines.length : lines.indexOf(LINE_FEED, left - 1) + 1;
      sent += cut;
      if (cut > 0) yield lines.subarray(0, cut);
      if (sent >= bytes) return;
    }
  }
}

function mark(lines: Buffer, letter: number): void {
  for (let at = lines.indexOf(INSTANCES); at !== -1; at = lines.indexOf(INSTANCES, at + INSTANCES.length)) {
    lines[at + MARKED] = letter;
  }
}

export function countLines(bytes: Uint8Array): number {
  let lines = 0;
  for (let at = bytes.indexOf(LINE_FEED); at !== -1; at = bytes.indexOf(LINE_FEED, at + 1)) lines++;
  return lines;
}
