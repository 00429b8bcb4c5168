/**
 * Sends requests over kept connections through plain sockets. The client is cheap, so that the server is the
 * bottleneck.
 */
import { connect, type Socket } from 'node:net';

export interface Load {
  readonly port: number;
  /** Complete requests, which are sent in turn. */
  readonly requests: readonly Buffer[];
  readonly connections: number;
  readonly seconds: number;
}
export interface LoadResult {
  /** Requests per second. */
  readonly rate: number;
  readonly p99Ms: number;
}

/** The bytes of a GET request. */
export const getRequest = (path: string, accept: string): Buffer =>
  Buffer.from(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nUser-Agent: bench\r\nAccept: ${accept}\r\n\r\n`);

/** The bytes of a POST request. */
export const postRequest = (path: string, type: string, body: string): Buffer =>
  Buffer.from(
    `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nUser-Agent: bench\r\nAccept: */*\r\nContent-Type: ${type}\r\n` +
      `Content-Length: ${String(Buffer.byteLength(body))}\r\n\r\n${body}`,
  );

/** Sends requests. Each connection has one request under way at a time. @throws Error for any status except 200 */
export async function sendLoad({ port, requests, connections, seconds }: Load): Promise<LoadResult> {
  const latencies: number[] = [];
  const begin = performance.now();
  const end = begin + seconds * 1000;
  let next = 0;
  const take = (): Buffer | undefined => (performance.now() < end ? requests[next++ % requests.length] : undefined);
  await Promise.all(Array.from({ length: connections }, () => converse(port, take, latencies)));
  const elapsedSeconds = (performance.now() - begin) / 1000;
  const sorted = Float64Array.from(latencies).toSorted();
  return { rate: sorted.length / elapsedSeconds, p99Ms: sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN };
}

/** Sends one request and returns the body of the answer. */
export async function sendOnce(port: number, request: Buffer): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  const answers = new Answers(socket);
  socket.write(request);
  const body = await answers.next();
  socket.destroy();
  return body.toString();
}

async function converse(port: number, take: () => Buffer | undefined, latencies: number[]): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  socket.setNoDelay(true);
  const answers = new Answers(socket);
  for (let request = take(); request !== undefined; request = take()) {
    const sent = performance.now();
    socket.write(request);
    await answers.next();
    latencies.push(performance.now() - sent);
  }
  socket.destroy();
}

const HEAD_END = Buffer.from('\r\n\r\n');
const LAST_CHUNK = Buffer.from('0\r\n\r\n');

/** Reads the answers of a connection one after the other. */
class Answers {
  #received: Buffer = Buffer.alloc(0);
  #waiting: { resolve: (body: Buffer) => void; reject: (error: Error) => void } | undefined;

  constructor(socket: Socket) {
    socket.on('data', (chunk) => {
      this.#received = this.#received.byteLength === 0 ? chunk : Buffer.concat([this.#received, chunk]);
      this.#take();
    });
    const failed = (error?: Error): void => this.#waiting?.reject(error ?? new Error('the connection was closed'));
    socket.on('error', failed).on('close', () => failed());
  }

  next(): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
    });
  }

  #take(): void {
    const headEnd = this.#received.indexOf(HEAD_END);
    if (headEnd < 0) return;
    const head = this.#received.toString('latin1', 0, headEnd);
    if (!head.startsWith('HTTP/1.1 200')) {
      this.#waiting?.reject(
        new Error(`${head.split('\r\n')[0]!}: ${this.#received.toString('utf8', headEnd, headEnd + 200)}`),
      );
      return;
    }
    const from = headEnd + HEAD_END.byteLength;
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
    const end = length === undefined ? this.#chunkedEnd(from) : from + Number(length);
    if (end === undefined || this.#received.byteLength < end) return;
    const body = this.#received.subarray(from, end);
    this.#received = this.#received.subarray(end);
    this.#waiting?.resolve(body);
  }

  /** The end of a chunked body, whose content is ignored. */
  #chunkedEnd(from: number): number | undefined {
    const last = this.#received.indexOf(LAST_CHUNK, from);
    return last < 0 ? undefined : last + LAST_CHUNK.byteLength;
  }
}
