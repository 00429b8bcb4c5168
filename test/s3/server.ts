/** An object store over HTTP for tests: it checks signatures, and has the faults that tests ask for. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { failure, Objects, type Answer, type Request } from './objects.js';
import { signatureProblem } from './signature.js';

/**
 * - `stall`: the request is applied and never answered.
 * - `ignore`: it is neither applied nor answered.
 * - `cut`: it is applied, and the connection is cut instead of an answer.
 * - `refuse`: the connection is cut before it is applied.
 * - `double`: it is applied twice; the second answer is sent.
 * - `late`: it is answered with 500, and applied when the test says so.
 * - an answer: it is not applied, and this is sent.
 */
export type Fault = 'stall' | 'ignore' | 'cut' | 'refuse' | 'double' | 'late' | Answer;

export const KEYS = { accessKeyId: 'AKIDQUADRILLE', secretAccessKey: 'geheim/+secret' };
export const REGION = 'eu-test-1';
export const BUCKET = 'store';

export class S3Server {
  readonly objects = new Objects();
  readonly #server: Server;
  /** Requests that are to be applied late. */
  readonly #late: Request[] = [];
  /** What happens to the next requests that the function names. */
  fault: (request: Request) => Fault | undefined = () => undefined;
  /** The clock of the service minus the present time, in milliseconds. */
  skewMs = 0;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(): Promise<S3Server> {
    const server = createServer();
    const s3 = new S3Server(server);
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      s3.#serve(request, response).catch((error: unknown) => response.destroy(error as Error));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return s3;
  }

  get endpoint(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The URL of a store. */
  url(prefix: string): string {
    return `s3://${BUCKET}/${prefix}?endpoint=${encodeURIComponent(this.endpoint)}&region=${REGION}`;
  }

  /** Lets a fault happen to the next request that `matches`. */
  once(fault: Fault, matches: (request: Request) => boolean): void {
    this.fault = (request) => {
      if (!matches(request)) return undefined;
      this.fault = () => undefined;
      return fault;
    };
  }

  /** Applies the requests that are late. Returns the statuses of their answers. */
  applyLate(): readonly number[] {
    return this.#late.splice(0).map((request) => this.objects.answer(request).status);
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const url = new URL(incoming.url ?? '/', 'http://host');
    const [bucket = '', ...key] = decodeURIComponent(url.pathname).slice(1).split('/');
    const request: Request = {
      method: incoming.method ?? '',
      key: key.join('/'),
      query: Object.fromEntries(url.searchParams),
      headers: incoming.headers as Request['headers'],
      body,
    };
    const problem = signatureProblem(incoming, body, { ...KEYS, region: REGION }, Date.now() + this.skewMs);
    if (problem !== undefined) return this.#send(response, failure(403, problem, 'The signature is refused'));
    if (bucket !== BUCKET) return this.#send(response, failure(404, 'NoSuchBucket'));
    const fault = this.fault(request);
    if (typeof fault === 'object') return this.#send(response, fault);
    if (fault === 'ignore') return;
    if (fault === 'refuse') return void incoming.socket.destroy();
    if (fault === 'late') {
      this.#late.push(request);
      return this.#send(response, failure(500, 'InternalError'));
    }
    let answer = this.objects.answer(request);
    if (fault === 'double') answer = this.objects.answer(request);
    if (fault === 'stall') return;
    if (fault === 'cut') return void incoming.socket.destroy();
    this.#send(response, answer);
  }

  #send(response: ServerResponse, { status, headers, body }: Answer): void {
    response.writeHead(status, {
      ...headers,
      'content-length': status === 304 ? 0 : body.length,
      date: new Date(Date.now() + this.skewMs).toUTCString(),
    });
    response.end(status === 304 ? undefined : body);
  }
}
