/**
 * Forwards requests to the server that writes. A request that makes one commit has a key on its way, so it is sent again where its
 * outcome is not known. Other requests and answers are streamed.
 */
import {
  Agent as HttpAgent,
  type ClientRequest,
  type IncomingMessage,
  request as requestHttp,
  type ServerResponse,
} from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';

/** On a forwarded request: it is not forwarded again. The value is the key with which it is done once. */
const FORWARDED = 'quadrille-forwarded';
const CONNECT_MS = 2000;
/** How long a request is sent again, and time between two attempts, in milliseconds. */
const AGAIN_MS = 10_000;
const PAUSE_MS = 50;
/** Longest body that is held so that it can be sent again; and the sum of all that are held, in bytes. */
const MOST_BODY = 1024 * 1024;
const MOST_HELD = 64 * 1024 * 1024;
/** Longest answer 503 that is read to find its code, in bytes. */
const MOST_REFUSAL = 64 * 1024;
/** Answers 503 after which the same request is sent again: nothing was done, or its key tells. */
const AGAIN: ReadonlySet<string> = new Set(['STORE_UNAVAILABLE', 'LEASE_LOST', 'COMMIT_UNKNOWN', 'NOT_READY']);
/** Fields that are for one connection. */
const OF_CONNECTION: ReadonlySet<string> = new Set(['connection', 'keep-alive', 'proxy-connection', 'upgrade', 'te']);
/** The work of the server that writes lives there: jobs, running queries, open transactions. */
const AT_HOLDER = /\/(?:jobs|ops|status|queries|transactions)(?:[/?]|$)/;

/** Whether only the server that writes can answer. Other requests read. */
export function isForHolder({ method, url = '', headers }: IncomingMessage): boolean {
  if (method === 'OPTIONS') return false;
  if (AT_HOLDER.test(url) || headers['x-http-method-override'] !== undefined) return true;
  if (method === 'GET' || method === 'HEAD') return false;
  return method !== 'POST' || !/^application\/sparql-query\b/i.test(headers['content-type'] ?? '');
}

/** Whether another server has forwarded the request already. */
export const wasForwarded = ({ headers }: IncomingMessage): boolean => headers[FORWARDED] !== undefined;

/** Where requests go. */
export interface Destination {
  /** The URL of the server that writes, as far as this one knows; `undefined`: there is none. */
  readonly holder: () => string | undefined;
  /** Whether there may be one soon. */
  readonly mayHaveHolder: () => boolean;
  /** Called if nobody listens at that URL. */
  readonly onRefused: () => void;
}

/** What has become of an attempt, if it was not answered to the client. */
type Failure =
  | { readonly kind: 'refused' | 'broken' }
  | {
      readonly kind: 'later';
      readonly code: string;
      readonly status: number;
      readonly headers: IncomingMessage['headers'];
      readonly body: Buffer;
    };

let held = 0;
/** The attempts with requests that may be sent again. */
const underWay = new Set<Attempt>();

/**
 * Sends requests again that wait for an answer of a server that no longer writes: it may be suspended, or its machine gone.
 * @param holder the URL of the server that writes
 */
export function leaveOthers(holder: string): void {
  for (const attempt of underWay) if (attempt.holder !== holder) attempt.leave();
}

/**
 * Sends the request to the server that writes, with the caller's credentials, and its answer back.
 * @param isRepeatable whether the request is done once, however often it is sent
 */
export async function forward(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  to: Destination,
  isRepeatable: boolean,
): Promise<void> {
  const length = Number(incoming.headers['content-length'] ?? 0);
  const isHeld =
    isRepeatable &&
    incoming.headers['transfer-encoding'] === undefined &&
    length <= MOST_BODY &&
    held + length <= MOST_HELD;
  if (!isHeld) {
    const url = to.holder();
    if (url === undefined) return refuse(outgoing, 'STORE_UNAVAILABLE', NO_HOLDER);
    const failure = await new Attempt(incoming, outgoing, url, incoming).outcome;
    if (failure?.kind === 'refused') to.onRefused();
    return fail(outgoing, failure, failure?.kind === 'broken');
  }
  held += length;
  try {
    await forwardHeld(incoming, outgoing, to);
  } finally {
    held -= length;
  }
}

async function forwardHeld(incoming: IncomingMessage, outgoing: ServerResponse, to: Destination): Promise<void> {
  const body = await bodyOf(incoming);
  if (body === undefined) return void outgoing.destroy();
  const key = crypto.randomUUID();
  const until = performance.now() + AGAIN_MS;
  let isUnknown = false;
  for (;;) {
    const url = to.holder();
    const failure: Failure | undefined =
      url === undefined ? { kind: 'refused' } : await sentOnce(new Attempt(incoming, outgoing, url, body, key));
    if (failure === undefined || outgoing.destroyed) return;
    if (failure.kind === 'refused' && url !== undefined) to.onRefused();
    isUnknown ||= failure.kind === 'broken' || (failure.kind === 'later' && failure.code === 'COMMIT_UNKNOWN');
    const isOver = performance.now() > until || (failure.kind === 'refused' && !isUnknown && !to.mayHaveHolder());
    if (isOver) return fail(outgoing, failure, isUnknown);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

async function sentOnce(attempt: Attempt): Promise<Failure | undefined> {
  underWay.add(attempt);
  try {
    return await attempt.outcome;
  } finally {
    underWay.delete(attempt);
  }
}

/** Answers that the request was not done, or that nobody knows. */
function fail(outgoing: ServerResponse, failure: Failure | undefined, isUnknown: boolean): void {
  if (failure === undefined || outgoing.destroyed) return;
  if (isUnknown) return refuse(outgoing, 'COMMIT_UNKNOWN', UNKNOWN);
  if (failure.kind !== 'later') return refuse(outgoing, 'STORE_UNAVAILABLE', AWAY);
  outgoing.writeHead(failure.status, fieldsOf(failure.headers));
  outgoing.end(failure.body);
}

/** The whole body; `undefined` if the client has broken it off. */
async function bodyOf(incoming: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks);
  } catch {
    return undefined;
  }
}

const fieldsOf = (headers: IncomingMessage['headers']): Record<string, string | string[]> =>
  Object.fromEntries(
    Object.entries(headers).filter(
      (field): field is [string, string | string[]] => field[1] !== undefined && !OF_CONNECTION.has(field[0]),
    ),
  );

/** Connections that stay open. One that breaks when it is used again says nothing, so they are for requests that are sent again. */
const KEPT = { 'http:': new HttpAgent({ keepAlive: true }), 'https:': new HttpsAgent({ keepAlive: true }) };

/** One request to the server that writes. */
class Attempt {
  /** `undefined`: the client has its answer. */
  readonly outcome: Promise<Failure | undefined>;
  readonly #sent: ClientRequest;
  #settle: (outcome: Failure | undefined) => void = () => undefined;
  #isConnected = false;

  constructor(
    private readonly incoming: IncomingMessage,
    private readonly outgoing: ServerResponse,
    readonly holder: string,
    private readonly body: IncomingMessage | Buffer,
    private readonly key = '1',
  ) {
    this.outcome = new Promise((resolve) => (this.#settle = resolve));
    const sent = (this.#sent = this.#request(new URL(holder)));
    const onClose = (): void => {
      if (!outgoing.writableFinished) sent.destroy();
    };
    outgoing.once('close', onClose);
    void this.outcome.then(() => outgoing.off('close', onClose));
    if (this.#isHeld) sent.end(body);
    else incoming.pipe(sent);
  }

  /** Breaks it off, unless the answer has begun. */
  leave(): void {
    if (!this.outgoing.headersSent) this.#sent.destroy(new Error('another server writes now'));
  }

  get #isHeld(): boolean {
    return this.body instanceof Uint8Array;
  }

  #request({ protocol, hostname, port }: URL): ClientRequest {
    const { method, url: path } = this.incoming;
    const isSecure = protocol === 'https:';
    const send = isSecure ? requestHttps : requestHttp;
    const host = hostname.replace(/^\[|\]$/g, '');
    const agent = this.#isHeld && KEPT[isSecure ? 'https:' : 'http:'];
    const sent = send({ hostname: host, port, method, path, headers: this.#headers(), agent });
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
    sent.once('error', () => this.#broken(sent));
    return sent;
  }

  #headers(): Record<string, string | string[]> {
    const headers: Record<string, string | string[]> = fieldsOf(this.incoming.headers);
    headers[FORWARDED] = this.key;
    const from = this.incoming.socket.remoteAddress ?? '';
    const before = this.incoming.headers['x-forwarded-for'];
    headers['x-forwarded-for'] = before === undefined ? from : `${String(before)}, ${from}`;
    return headers;
  }

  #broken(sent: ClientRequest): void {
    if (this.outgoing.headersSent) this.outgoing.destroy();
    else if (!this.#isHeld) {
      this.incoming.unpipe(sent);
      this.incoming.resume();
    }
    this.#settle(this.outgoing.headersSent ? undefined : { kind: this.#isConnected ? 'broken' : 'refused' });
  }

  #answered(answer: IncomingMessage): void {
    if (this.#isHeld && answer.statusCode === 503) return void this.#refused(answer);
    this.outgoing.writeHead(answer.statusCode ?? 502, fieldsOf(answer.headers));
    answer.pipe(this.outgoing);
    // An answer that breaks off is not ended as if it were complete.
    answer.once('error', () => this.outgoing.destroy());
    answer.once('close', () => this.#settle(undefined));
  }

  /** Reads the answer, to find out whether the request may be sent again. */
  async #refused(answer: IncomingMessage): Promise<void> {
    const body = await bodyOf(answer);
    if (body === undefined) return this.#settle({ kind: 'broken' });
    const { statusCode: status = 503, headers } = answer;
    const code = body.length <= MOST_REFUSAL ? codeIn(body) : '';
    if (AGAIN.has(code)) return this.#settle({ kind: 'later', code, status, headers, body });
    this.outgoing.writeHead(status, fieldsOf(headers));
    this.outgoing.end(body);
    this.#settle(undefined);
  }
}

function codeIn(body: Buffer): string {
  try {
    return String((JSON.parse(body.toString()) as { code?: unknown }).code);
  } catch {
    return '';
  }
}

const UNKNOWN = 'The server that writes broke the connection, so nobody knows whether this was done. Read to find out.';
const AWAY = 'The server that writes cannot be reached. Nothing was done. Try again.';
export const NO_HOLDER = 'No server writes at this moment. Nothing was done. Try again.';

/** Answers 503. */
export function refuse(outgoing: ServerResponse, code: string, error: string): void {
  if (outgoing.destroyed) return;
  const requestId = crypto.randomUUID();
  outgoing.writeHead(503, {
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'no-store',
    'Access-Control-Allow-Origin': '*',
    'Retry-After': '1',
  });
  outgoing.end(`${JSON.stringify({ error, code, status: 503, requestId })}\n`);
}
