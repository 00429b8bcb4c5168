/** A host of static files on this machine, which can do what hosts do wrong. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';

/** What a host does wrong with a request. */
export type Fault =
  | 'whole'
  | 'packed'
  | 'short'
  | 'long'
  | 'broken off'
  | 'other bytes'
  | 'other part'
  | 'a page'
  | 'redirect'
  | 'reset'
  | 403
  | 404
  | 416
  | 429
  | 500
  | 502
  | 503;

export const FAULTS: readonly Fault[] = [
  'whole',
  'packed',
  'short',
  'long',
  'broken off',
  'other bytes',
  'other part',
  'a page',
  'redirect',
  'reset',
  403,
  404,
  416,
  429,
  500,
  502,
  503,
];

/** A request as it was answered. */
export interface Answered {
  readonly name: string;
  /** The first byte that was asked for. */
  readonly at: number;
  readonly bytes: number;
}

export interface WebHostOptions {
  /** The content of a file; `undefined`: there is none. */
  readonly file: (name: string) => Promise<Uint8Array | undefined>;
  /** Milliseconds before each answer. */
  readonly latencyMs?: number;
}

export class WebHost {
  readonly requests: Answered[] = [];
  /** What is wrong with the next answer to a request. Default: nothing. */
  fault: (name: string) => Fault | undefined = () => undefined;
  readonly #server: Server;

  private constructor(private readonly options: WebHostOptions) {
    this.#server = createServer((request, response) => void this.#answer(request, response));
  }

  static async open(options: WebHostOptions): Promise<WebHost> {
    const host = new WebHost(options);
    await new Promise<void>((resolve) => host.#server.listen(0, '127.0.0.1', resolve));
    return host;
  }

  /** The address of its folder. */
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/a/site/`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url!, 'http://host');
    const name = pathname.replace(/^\/(?:a\/site|moved)\//, '');
    const { latencyMs = 0 } = this.options;
    if (latencyMs > 0) await new Promise((resolve) => setTimeout(resolve, latencyMs));
    const content = await this.options.file(name);
    const fault = pathname.startsWith('/moved/') ? undefined : this.fault(name);
    if (content === undefined) return void response.writeHead(404).end();
    if (fault === 'reset') return void request.socket.resetAndDestroy();
    if (fault === 'redirect') return void response.writeHead(302, { location: `/moved/${name}` }).end();
    if (fault === 'a page') return void response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Hello</h1>');
    if (typeof fault === 'number') return void response.writeHead(fault, { 'retry-after': '0' }).end('no');
    this.#send(request, response, name, content, fault);
  }

  #send(
    request: IncomingMessage,
    response: ServerResponse,
    name: string,
    content: Uint8Array,
    fault: Fault | undefined,
  ): void {
    const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '');
    const isPart = range !== null && fault !== 'whole';
    const first = isPart ? Number(range[1]) : 0;
    const end = isPart ? Math.min(Number(range[2]) + 1, content.length) : content.length;
    this.requests.push({ name, at: first, bytes: end - first });
    const moved = fault === 'other part' && first > 0 ? 1 : 0;
    let body: Uint8Array = content.slice(first - moved, end - moved);
    const headers: Record<string, string> = isPart
      ? { 'content-range': `bytes ${first - moved}-${end - 1 - moved}/${content.length}` }
      : {};
    if (fault === 'short') body = body.subarray(0, body.length - 1);
    if (fault === 'long') body = new Uint8Array([...body, 0]);
    if (fault === 'other bytes') body[body.length >> 1]! ^= 4;
    if (fault === 'packed') {
      body = gzipSync(body);
      headers['content-encoding'] = 'gzip';
    }
    response.writeHead(isPart ? 206 : 200, { ...headers, 'content-length': String(body.length) });
    if (fault !== 'broken off') return void response.end(body);
    response.write(body.subarray(0, body.length >> 1), () => request.socket.destroy());
  }
}
