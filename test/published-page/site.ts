/** A published store with its page on a host of static files, below a prefix: parts of files, packed texts, and an entity tag for each. */
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { playgroundFiles } from '@quadrille/workbench';
import { type Database, open, publish, type PublishOptions } from 'quadrille';
import { type PageReport, writePage } from '../../packages/cli/src/publish/write-page.js';

const PREFIX = '/acme/data/';
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.ttl': 'text/turtle; charset=utf-8',
};

/** Where the playground is on the same host. */
const PLAYGROUND = '/play/';

export interface Site {
  /** With a slash at its end. */
  readonly url: string;
  /** Of the playground. */
  readonly playground: string;
  readonly folder: string;
  /** Paths below the prefix that were asked for. */
  readonly asked: string[];
  /** A line as slow as that of a phone, for all visitors together. */
  slow(bytesPerSecond: number, latencyMs: number): void;
  /** Publishes again. */
  readonly publish: (options?: PublishOptions) => Promise<PageReport>;
  readonly change: (change: (database: Database) => Promise<void>) => Promise<void>;
  /** The host is gone, with all connections. */
  stop(): Promise<void>;
  close(): Promise<void>;
}

/** @param fill makes the repositories */
export async function openSite(fill: (database: Database) => Promise<void>, options: PublishOptions): Promise<Site> {
  const root = await mkdtemp(join(tmpdir(), 'quadrille-site-'));
  const folder = join(root, 'site');
  const database = await open(join(root, 'store'), { durability: 'process' });
  await fill(database);
  const again = async (other: PublishOptions = options): Promise<PageReport> =>
    writePage(await publish(database, folder, other), database);
  await again();
  const asked: string[] = [];
  const playground = new Map(playgroundFiles().map(({ path, bytes }) => [path, bytes]));
  let line: Line | undefined;
  const server = createServer(({ url = '/', headers }, response) => {
    const path = new URL(url, 'http://host').pathname;
    const [prefix] = [PREFIX, PLAYGROUND].filter((each) => path.startsWith(each));
    const name = prefix === undefined ? path : path.slice(prefix.length) || 'index.html';
    asked.push(name);
    const bytes = prefix === PLAYGROUND ? playground.get(name) : readFile(join(folder, name)).catch(() => undefined);
    void answer(name, prefix === undefined ? undefined : bytes, headers, response, line);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const stop = async (): Promise<void> => {
    if (!server.listening) return;
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: origin + PREFIX,
    playground: origin + PLAYGROUND,
    folder,
    asked,
    slow: (bytesPerSecond, latencyMs) => void (line = new Line(bytesPerSecond, latencyMs)),
    publish: again,
    change: (change) => change(database),
    stop,
    async close() {
      await stop();
      await database.close();
      await rm(root, { recursive: true, force: true });
    },
  };
}

async function answer(
  name: string,
  content: Uint8Array | undefined | Promise<Uint8Array | undefined>,
  { range, 'if-none-match': known, 'accept-encoding': codings = '' }: NodeJS.Dict<string | string[]>,
  response: ServerResponse,
  line: Line | undefined,
): Promise<void> {
  const bytes = await content;
  const send = async (status: number, fields: Readonly<Record<string, string>>, body: Uint8Array): Promise<void> => {
    await line?.begin();
    response.writeHead(status, { ...fields, 'Content-Length': String(body.length) });
    for (let at = 0; at < body.length; at += SLICE) {
      await line?.pass(SLICE);
      response.write(body.subarray(at, at + SLICE));
    }
    response.end();
  };
  if (bytes === undefined) return send(404, {}, new Uint8Array(0));
  const etag = `"${createHash('sha256').update(bytes).digest('hex').slice(0, 16)}"`;
  // As GitHub Pages: everything may be old by ten minutes.
  const kept = { ETag: etag, 'Cache-Control': 'max-age=600', Vary: 'Accept-Encoding' };
  const fields = { ...kept, 'Content-Type': TYPES[extname(name)] ?? 'application/octet-stream' };
  if (known === etag) return void response.writeHead(304, kept).end();
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(String(range)) ?? [];
  if (from !== undefined) {
    const part = bytes.subarray(Number(from), Number(to) + 1);
    const of = `bytes ${from}-${Number(from) + part.length - 1}/${bytes.length}`;
    return send(206, { ...fields, 'Content-Range': of }, part);
  }
  const isText = extname(name) in TYPES && String(codings).includes('gzip');
  if (!isText) return send(200, fields, bytes);
  return send(200, { ...fields, 'Content-Encoding': 'gzip' }, gzipSync(bytes));
}

const SLICE = 4096;

/** All answers share the bytes of a second. */
class Line {
  #freeMs = 0;

  constructor(
    private readonly bytesPerSecond: number,
    private readonly latencyMs: number,
  ) {}

  begin(): Promise<void> {
    return delay(this.latencyMs);
  }

  /** Resolves when so many more bytes have passed. */
  pass(bytes: number): Promise<void> {
    const now = performance.now();
    this.#freeMs = Math.max(now, this.#freeMs) + (bytes / this.bytesPerSecond) * 1000;
    return delay(this.#freeMs - now);
  }
}
