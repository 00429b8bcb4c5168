/** Sends one upload: `node upload-process.js <job as JSON>`. Sends the outcome to the parent as a message. */
import { once } from 'node:events';
import { request } from 'node:http';
import { setPriority } from 'node:os';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { bsbmCopies, countLines } from './bsbm-copies.js';

export interface UploadJob {
  /** URL to which the statements are posted. */
  readonly url: string;
  /** The BSBM file that is copied. */
  readonly file: string;
  readonly bytes: number;
  readonly multipart: boolean;
  readonly gzip: boolean;
  /** Number of bytes after which the connection is cut. */
  readonly cutAt?: number;
}
export interface UploadOutcome {
  readonly status: number;
  readonly seconds: number;
  /** Numbers of statements and bytes, unpacked. */
  readonly lines: number;
  readonly bytes: number;
  readonly answer: string;
}

const BOUNDARY = 'quadrille-bench';
const job = JSON.parse(process.argv[2]!) as UploadJob;
// Gives way to the measured readers, which run on the same core.
setPriority(10);
let lines = 0;
let bytes = 0;
let cutAt = Infinity;

async function* document(): AsyncGenerator<Buffer> {
  lines = bytes = 0;
  for await (const chunk of bsbmCopies(job.file, job.bytes)) {
    lines += countLines(chunk);
    bytes += chunk.length;
    if (bytes >= cutAt) throw new Error('cut');
    yield chunk;
  }
}

async function* body(): AsyncGenerator<Buffer> {
  const content = job.gzip ? Readable.from(document()).pipe(createGzip({ level: 1 })) : document();
  if (!job.multipart) return yield* content as AsyncIterable<Buffer>;
  const name = job.gzip ? 'data.nt.gz' : 'data.nt';
  yield Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n\r\n`);
  yield* content as AsyncIterable<Buffer>;
  yield Buffer.from(`\r\n--${BOUNDARY}--\r\n`);
}

function headers(length: number): Record<string, string> {
  const type = job.multipart ? `multipart/form-data; boundary=${BOUNDARY}` : 'application/n-triples';
  const coding = job.gzip && !job.multipart ? { 'Content-Encoding': 'gzip' } : undefined;
  return { 'Content-Type': type, 'Content-Length': String(length), ...coding };
}

/** The length of the body, as for a file. Generates the body once in advance, so that it need not be on disk. */
async function lengthOfBody(): Promise<number> {
  let length = 0;
  for await (const chunk of body()) length += chunk.length;
  return length;
}

async function send(length: number): Promise<Pick<UploadOutcome, 'status' | 'answer'>> {
  const outgoing = request(job.url, { method: 'POST', headers: headers(length) });
  const answered = once(outgoing, 'response');
  answered.catch(() => undefined);
  try {
    await pipeline(Readable.from(body(), { objectMode: false, highWaterMark: 1 << 18 }), outgoing);
  } catch (error) {
    if (job.cutAt !== undefined) return { status: 0, answer: 'cut' };
    throw error;
  }
  const [incoming] = (await answered) as [NodeJS.ReadableStream & { statusCode: number }];
  let answer = '';
  for await (const chunk of incoming) answer += String(chunk);
  return { status: incoming.statusCode, answer };
}

const length = await lengthOfBody();
cutAt = job.cutAt ?? Infinity;
const start = performance.now();
const { status, answer } = await send(length);
const outcome: UploadOutcome = { status, seconds: (performance.now() - start) / 1000, lines, bytes, answer };
process.send!(outcome, () => process.disconnect());
