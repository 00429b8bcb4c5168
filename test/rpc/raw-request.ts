/** A request as bytes on a socket, so that no client makes it better than it is. */
import { connect } from 'node:net';

export interface RawAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
  /** From the first byte sent to the last one received. */
  readonly ms: number;
}

/** Sends the bytes and reads one answer. */
export function rawRequest(url: string, ...bytes: readonly (string | Uint8Array)[]): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  return new Promise((done, fail) => {
    let received = '';
    let began = 0;
    const socket = connect(Number(port), hostname, () => {
      began = performance.now();
      for (const each of bytes) socket.write(each);
    });
    // A server that refuses a body before it has come closes while we write.
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') fail(error);
    });
    socket.setTimeout(10_000, () => socket.destroy(new Error('no answer')));
    const finish = (): void => {
      done(answerOf(received, performance.now() - began));
      socket.destroy();
    };
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      received += chunk;
      if (isWhole(received)) finish();
    });
    socket.on('close', finish);
  });
}

function isWhole(text: string): boolean {
  const end = text.indexOf('\r\n\r\n');
  const length = /^content-length: *(\d+)/im.exec(text.slice(0, Math.max(end, 0)))?.[1];
  return length !== undefined && Buffer.byteLength(text) >= end + 4 + Number(length);
}

function answerOf(text: string, ms: number): RawAnswer {
  const end = text.indexOf('\r\n\r\n');
  const [first = '', ...lines] = text.slice(0, end).split('\r\n');
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  return { status: Number(first.split(' ')[1] ?? 0), headers, body: text.slice(end + 4), ms };
}

/** The head of a POST, with what it has to have; a header that is undefined is left out. */
export function rawHead(url: string, headers: Readonly<Record<string, string | number | undefined>>): string {
  const { host, pathname } = new URL(url);
  const all = { Host: host, 'User-Agent': 'raw/1.0.0', Connection: 'close', ...headers };
  const lines = Object.entries(all)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}: ${String(value)}\r\n`);
  return `POST ${pathname} HTTP/1.1\r\n${lines.join('')}\r\n`;
}
