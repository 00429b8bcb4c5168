/** One request to the server that writes, over a connection that no other request uses meanwhile. */
import {
  Agent as HttpAgent,
  type ClientRequest,
  type IncomingMessage,
  request as requestHttp,
  type ServerResponse,
} from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { endEarly } from '../../http/index.js';

const CONNECT_MS = 2000;
/** Longest answer 503 that is read to find its code, in bytes. */
const MOST_REFUSAL = 64 * 1024;
/** Answers 503 after which the same request is sent again: nothing was done, or its key tells. */
const AGAIN: ReadonlySet<string> = new Set(['STORE_UNAVAILABLE', 'LEASE_LOST', 'COMMIT_UNKNOWN', 'NOT_READY']);
/** Fields that are for one connection. */
const OF_CONNECTION: ReadonlySet<string> = new Set(['connection', 'keep-alive', 'proxy-connection', 'upgrade', 'te']);

/** What has become of an attempt, if it was not answered to the client. */
export type Failure =
  | { readonly kind: 'refused' | 'broken' }
  | {
      readonly kind: 'later';
      readonly code: string;
      readonly status: number;
      readonly headers: IncomingMessage['headers'];
      readonly body: Buffer;
    };

/** Connections that stay open. One that breaks when it is used again says nothing, so they are for requests that are sent again. */
export class KeptConnections {
  readonly #http = new HttpAgent({ keepAlive: true });
  readonly #https = new HttpsAgent({ keepAlive: true });

  agentOf(isSecure: boolean): HttpAgent {
    return isSecure ? this.#https : this.#http;
  }

  close(): void {
    this.#http.destroy();
    this.#https.destroy();
  }
}

/** The fields of a message that are not for one connection. */
export function fieldsOf(headers: IncomingMessage['headers']): Record<string, string | string[]> {
  const fields: Record<string, string | string[]> = {};
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined && !OF_CONNECTION.has(name)) fields[name] = value;
  }
  return fields;
}

/** The code of an answer 503 after which the same request is sent again; else `undefined`. */
export function codeForAgain(body: Buffer): string | undefined {
  if (body.length > MOST_REFUSAL) return undefined;
  try {
    const code = String((JSON.parse(body.toString()) as { code?: unknown }).code);
    return AGAIN.has(code) ? code : undefined;
  } catch {
    return undefined;
  }
}

/** The whole body; `undefined` if its sender has broken it off. */
export function bodyOf(incoming: IncomingMessage): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.once('end', () => resolve(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)));
    incoming.once('error', () => resolve(undefined));
    incoming.once('close', () => resolve(undefined));
    if (incoming.destroyed) resolve(undefined);
  });
}

/** One request to the server that writes. */
export class Attempt {
  /** `undefined`: the client has its answer. */
  readonly outcome: Promise<Failure | undefined>;
  readonly #sent: ClientRequest;
  #settle: (outcome: Failure | undefined) => void = () => undefined;
  #isConnected = false;
  #isAnswered = false;

  /**
   * @param headers those of the request that is sent
   * @param body all bytes, of a request that may be sent again; else they are streamed, and so is every answer
   */
  constructor(
    private readonly incoming: IncomingMessage,
    private readonly outgoing: ServerResponse,
    readonly holder: string,
    private readonly headers: Readonly<Record<string, string | string[]>>,
    private readonly body: Buffer | undefined,
    private readonly kept: KeptConnections,
  ) {
    this.outcome = new Promise((resolve) => (this.#settle = resolve));
    const sent = (this.#sent = this.#request(new URL(holder)));
    const onClose = (): void => {
      if (!outgoing.writableFinished) sent.destroy();
    };
    outgoing.once('close', onClose);
    void this.outcome.then(() => outgoing.off('close', onClose));
    if (body !== undefined) sent.end(body);
    else {
      // The answer may be a refusal that comes before the body.
      sent.flushHeaders();
      incoming.pipe(sent);
    }
  }

  /** Breaks it off, unless the answer has begun. */
  leave(): void {
    if (!this.outgoing.headersSent) this.#sent.destroy(new Error('another server writes now'));
  }

  #request({ protocol, hostname, port }: URL): ClientRequest {
    const { method, url: path } = this.incoming;
    const isSecure = protocol === 'https:';
    const send = isSecure ? requestHttps : requestHttp;
    const host = hostname.replace(/^\[|\]$/g, '');
    const agent = this.body !== undefined && this.kept.agentOf(isSecure);
    const sent = send({
      hostname: host,
      port,
      method,
      path,
      headers: this.headers,
      agent,
    });
    sent.once('socket', (socket) => {
      if (!socket.connecting) {
        this.#isConnected = true;
        return;
      }
      const timer = setTimeout(() => sent.destroy(new Error('it does not answer')), CONNECT_MS);
      socket.once('connect', () => {
        this.#isConnected = true;
        clearTimeout(timer);
      });
      socket.once('close', () => clearTimeout(timer));
    });
    sent.once('response', (answer) => this.#answered(answer));
    // A connection that breaks while a body is sent may tell it more than once.
    sent.on('error', () => this.#broken(sent));
    return sent;
  }

  #broken(sent: ClientRequest): void {
    if (this.#isAnswered) return;
    if (this.outgoing.headersSent) this.outgoing.destroy();
    else if (this.body === undefined) {
      this.incoming.unpipe(sent);
      this.incoming.resume();
    }
    this.#settle(this.outgoing.headersSent ? undefined : { kind: this.#isConnected ? 'broken' : 'refused' });
  }

  #answered(answer: IncomingMessage): void {
    if (this.body !== undefined && answer.statusCode === 503) return void this.#refused(answer);
    const { incoming, outgoing } = this;
    outgoing.writeHead(answer.statusCode ?? 502, fieldsOf(answer.headers));
    answer.pipe(outgoing, { end: false });
    answer.once('end', () => {
      this.#isAnswered = true;
      if (incoming.complete) return void outgoing.end();
      // The other server has refused the body before it has come to its end.
      incoming.unpipe();
      endEarly(incoming, outgoing);
    });
    // An answer that breaks off is not ended as if it were complete.
    answer.on('error', () => outgoing.destroy());
    answer.once('close', () => this.#settle(undefined));
  }

  /** Reads the answer, to find out whether the request may be sent again. */
  async #refused(answer: IncomingMessage): Promise<void> {
    const body = await bodyOf(answer);
    if (body === undefined) return this.#settle({ kind: 'broken' });
    const { statusCode: status = 503, headers } = answer;
    const code = codeForAgain(body);
    if (code !== undefined) return this.#settle({ kind: 'later', code, status, headers, body });
    this.outgoing.writeHead(status, fieldsOf(headers));
    this.outgoing.end(body);
    this.#settle(undefined);
  }
}
