/**
 * Sends requests over kept connections through plain sockets. The client is cheap, so that the server is the
 * bottleneck.
 */
import { connect, type Socket } from 'node:net';

export interface Load {
  readonly port: number;
  /** Complete requests, which are sent in turn; or a function that makes the next one, `undefined` if there is none. */
  readonly requests: readonly Buffer[] | (() => Buffer | undefined);
  readonly connections: number;
  readonly seconds: number;
}
export interface LoadResult {
  /** Number of requests that were answered. */
  readonly count: number;
  /** Requests per second. */
  readonly rate: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** The bytes of a GET request. */
export const getRequest = (path: string, accept: string): Buffer =>
  Buffer.from(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nUser-Agent: bench\r\nAccept: ${accept}\r\n\r\n`);

/** The bytes of a request with a body. */
export const bodyRequest = (method: 'POST' | 'PUT', path: string, type: string, body: string): Buffer =>
  Buffer.from(
    `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nUser-Agent: bench\r\nAccept: */*\r\nContent-Type: ${type}\r\n` +
      `Content-Length: ${String(Buffer.byteLength(body))}\r\n\r\n${body}`,
  );

/** The bytes of a POST request. */
export const postRequest = (path: string, type: string, body: string): Buffer => bodyRequest('POST', path, type, body);

/** The bytes of a DELETE request. */
export const deleteRequest = (path: string): Buffer =>
  Buffer.from(`DELETE ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nUser-Agent: bench\r\nAccept: */*\r\n\r\n`);

/** Sends requests. Each connection has one request under way at a time. @throws Error for any status except 2xx */
export async function sendLoad({ port, requests, connections, seconds }: Load): Promise<LoadResult> {
  const latencies: number[] = [];
  const begin = performance.now();
  const end = begin + seconds * 1000;
  let sent = 0;
  const next = typeof requests === 'function' ? requests : () => requests[sent++ % requests.length];
  const take = (): Buffer | undefined => (performance.now() < end ? next() : undefined);
  await Promise.all(Array.from({ length: connections }, () => converse(port, take, latencies)));
  const elapsedSeconds = (performance.now() - begin) / 1000;
  const sorted = Float64Array.from(latencies).toSorted();
  const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
  return { count: sorted.length, rate: sorted.length / elapsedSeconds, p50Ms: at(0.5), p99Ms: at(0.99) };
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
    if (!head.startsWith('HTTP/1.1 2')) {
      this.#waiting?.reject(
        new Error(`${head.split('\r\n')[0]!}: ${this.#received.toString('utf8', headEnd, headEnd + 200)}`),
      );
      return;
    }
    const from = headEnd + HEAD_END.byteLength;
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
    const isEmpty = head.startsWith('HTTP/1.1 204');
    const end = isEmpty ? from : length === undefined ? this.#chunkedEnd(from) : from + Number(length);
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
