/** Requests to the holder over its local socket, as `fetch` would answer them. */
import { readFileSync } from 'node:fs';
import { Agent, type ClientRequest, type IncomingMessage, request as begin } from 'node:http';
import { Lost, type SentShare, unavailable } from './lost.js';

/** A request that can be sent. */
export interface Sent {
  readonly method: string;
  /** With its parameters. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | AsyncIterable<Uint8Array> | undefined;
  readonly signal: AbortSignal | undefined;
}

export interface Exchange {
  readonly answer: Promise<Response>;
  /** Gives up waiting for the answer, which then is lost. */
  leave(cause: Error): void;
}

/** How requests reach the process that holds the store. */
export interface Wire {
  send(sent: Sent): Exchange;
  /** Whether the holder answers, or is gone, which its connections tell. False: it may be suspended. */
  lives(): Promise<boolean>;
  /** Forgets connections to a holder that is gone. @param holder the id of the next one's process */
  renew(holder: number | undefined): void;
  close(): void;
}

/** How long a sign of life may take. */
const PING_MS = 3500;
/** The longest silence of a holder of which it is not known whether it is suspended. */
const MOST_SILENCE_MS = 30_000;

export class SocketWire implements Wire {
  #agent = newAgent();
  #holder: number | undefined;

  /** @param address of the socket */
  constructor(private readonly address: () => string) {}

  send(sent: Sent): Exchange {
    return exchange(this.address(), this.#agent, sent);
  }

  renew(holder: number | undefined): void {
    this.#agent.destroy();
    this.#agent = newAgent();
    this.#holder = holder;
  }

  close(): void {
    this.#agent.destroy();
  }

  /** False for a holder that is suspended. One that has much to do may take its time. */
  async lives(): Promise<boolean> {
    for (const begun = performance.now(); ;) {
      if (await this.#ping()) return true;
      if (isSuspended(this.#holder) || performance.now() - begun > MOST_SILENCE_MS) return false;
    }
  }

  /** Whether the holder answers, or is gone: then the connection tells. */
  #ping(): Promise<boolean> {
    return new Promise((resolve) => {
      const outgoing = begin({
        socketPath: this.address(),
        path: '/health',
        headers: { Host: 'localhost' },
        agent: false,
      });
      const timer = setTimeout(() => {
        resolve(false);
        outgoing.destroy();
      }, PING_MS);
      const told = (): void => {
        clearTimeout(timer);
        resolve(true);
      };
      outgoing.once('response', (incoming) => {
        incoming.resume();
        told();
      });
      outgoing.once('error', told);
      outgoing.end();
    });
  }
}

/** Whether a process was stopped by a signal, as far as the system tells. */
function isSuspended(pid: number | undefined): boolean {
  if (pid === undefined || process.platform !== 'linux') return false;
  try {
    const text = readFileSync(`/proc/${String(pid)}/stat`, 'latin1');
    return /^[Tt]/.test(text.slice(text.lastIndexOf(')') + 2));
  } catch {
    return false;
  }
}

const newAgent = (): Agent => new Agent({ keepAlive: true, maxFreeSockets: 8 });

/** Sends a request. @param address of the socket */
function exchange(address: string, agent: Agent, sent: Sent): Exchange {
  const { method, path, headers, body, signal } = sent;
  const length = body instanceof Uint8Array ? { 'Content-Length': String(body.length) } : {};
  const outgoing = begin({
    socketPath: address,
    agent,
    method,
    path,
    headers: { ...headers, ...length, Host: 'localhost' },
    ...(signal && { signal }),
  });
  let share: SentShare = 'nothing';
  const answer = new Promise<Response>((resolve, reject) => {
    outgoing.once('socket', (socket) => {
      if (!socket.connecting) share = 'part';
      else socket.once('connect', () => (share = 'part'));
    });
    outgoing.once('error', (cause) => reject(signal?.aborted === true ? cause : new Lost(share, cause)));
    outgoing.once('response', (incoming) => {
      responseOf(incoming).then(resolve, (cause: unknown) => reject(new Lost('all', cause)));
    });
    send(outgoing, body).then(
      () => (share = share === 'nothing' ? share : 'all'),
      // The body comes from the caller, who gets the error.
      (cause: unknown) => {
        reject(cause as Error);
        outgoing.destroy();
      },
    );
  });
  return { answer, leave: (cause) => void outgoing.destroy(cause) };
}

async function send(outgoing: ClientRequest, body: Sent['body']): Promise<void> {
  if (body === undefined || body instanceof Uint8Array) {
    await new Promise<void>((done) => outgoing.end(body, done));
    return;
  }
  for await (const chunk of body) {
    if (outgoing.destroyed) return;
    if (!outgoing.write(chunk)) await room(outgoing);
  }
  await new Promise<void>((done) => outgoing.end(done));
}

const room = (outgoing: ClientRequest): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      outgoing.off('drain', done);
      outgoing.off('close', done);
      resolve();
    };
    outgoing.once('drain', done);
    outgoing.once('close', done);
  });

const WITHOUT_BODY = new Set([204, 205, 304]);

/** An answer that is longer comes as it is read. */
const WHOLE_BYTES = 64 * 1024;

/** A short answer is read at once: its connection is free for the next request, and one that breaks off can be asked for again. */
async function responseOf(incoming: IncomingMessage): Promise<Response> {
  const { statusCode: status = 500, rawHeaders } = incoming;
  const headers = new Headers();
  for (let i = 0; i < rawHeaders.length; i += 2) headers.append(rawHeaders[i]!, rawHeaders[i + 1]!);
  if (WITHOUT_BODY.has(status)) {
    incoming.resume();
    return new Response(null, { status, headers });
  }
  const isShort = Number(incoming.headers['content-length'] ?? Infinity) <= WHOLE_BYTES;
  return new Response(isShort ? await whole(incoming) : bodyOf(incoming), { status, headers });
}

async function whole(incoming: IncomingMessage): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return new Uint8Array(Buffer.concat(chunks));
}

/** The answer as it comes. One that breaks off has lost its holder. */
function bodyOf(incoming: IncomingMessage): ReadableStream<Uint8Array> {
  const chunks = incoming[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { value, done } = await chunks.next();
          if (done === true) controller.close();
          else controller.enqueue(new Uint8Array(value.buffer, value.byteOffset, value.length));
        } catch (cause) {
          controller.error(unavailable('the process that holds the store ended within its answer', cause));
        }
      },
      cancel() {
        incoming.destroy();
      },
    },
    { highWaterMark: 0 },
  );
}
