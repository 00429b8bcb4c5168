/**
 * The side of a link that forwards. A link is one request whose body and answer stay open and carry frames, so that several forwarded
 * requests share a piece of each. It is used once its first frame has come back: a proxy between may hold a body back.
 */
import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Socket } from 'node:net';
import { frameOf, type Frame, FrameQueue, FrameReader, Kind } from './frames.js';

/** On the request that opens a link: what proves that it comes from a server of the store. */
export const LINK = 'quadrille-link';
/** Longest body of a request on a link. Larger ones gain nothing, and would delay others. In bytes. */
export const MOST_LINKED = 64 * 1024;

/** Longest time until a link can be used, in milliseconds. */
const OPEN_MS = 2000;
/** Time between two looks at a link, and time without requests after which it ends, in milliseconds. */
const LOOK_MS = 5000;
const IDLE_MS = 15_000;
/** A request whose body makes no progress is ended by its server. While answers are awaited, this is sent. */
const PADDING = 'x'.repeat(2048);
const HOST = /^(?:[\w.~%-]+|\[[\da-fA-F:.]+\])(?::\d{1,5})?$/;
/** Requests of these types may be queries, whose answers have any length. */
const FORM = /^\s*(?:application\/x-www-form-urlencoded|multipart\/|$)/i;

export interface LinkedRequest {
  readonly method: string;
  /** A path. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[]>>;
}

export interface LinkedAnswer {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
}

/** `broken`: nobody knows whether it was done. `elsewhere`: it has to be sent without a link. */
export type LinkOutcome = LinkedAnswer | 'broken' | 'elsewhere';

/** Whether a request may go over a link. Others have connections of their own. */
export function fitsLink({ url = '', headers }: Pick<IncomingMessage, 'url' | 'headers'>): boolean {
  return (
    Number(headers['content-length'] ?? 0) <= MOST_LINKED &&
    url.startsWith('/') &&
    HOST.test(headers.host ?? '') &&
    headers.expect === undefined &&
    (headers['content-length'] === undefined || !FORM.test(headers['content-type'] ?? ''))
  );
}

export class LinkClient {
  #state: 'opening' | 'ready' | 'ended' = 'opening';
  readonly #sent: ClientRequest;
  readonly #queue: FrameQueue;
  readonly #pending = new Map<number, (outcome: LinkOutcome) => void>();
  /** The other server has one signal for all requests of a client's connection. */
  readonly #clients = new Map<Socket, { readonly number: number; readonly onClose: () => void }>();
  readonly #timers: NodeJS.Timeout[];
  #number = 0;
  #used = performance.now();

  /**
   * @param holder URL of the server that writes
   * @param path where it takes links
   * @param proof what shows the other server that this one is of the store
   */
  constructor(
    readonly holder: string,
    path: string,
    proof: string,
  ) {
    const send = holder.startsWith('https:') ? requestHttps : requestHttp;
    const sent = (this.#sent = send(new URL(path, holder), {
      method: 'POST',
      headers: { [LINK]: proof },
      agent: false,
    }));
    this.#queue = new FrameQueue((bytes) => {
      if (!sent.destroyed && !sent.writableEnded) sent.write(bytes);
    });
    sent.setNoDelay(true);
    sent.once('response', (answer) => this.#opened(answer));
    sent.once('error', () => this.#end());
    sent.once('close', () => this.#end());
    sent.write(frameOf(Kind.ping, 0));
    const late = setTimeout(() => {
      if (this.#state === 'opening') this.close();
    }, OPEN_MS);
    this.#timers = [late, setInterval(() => this.#look(), LOOK_MS)];
    for (const timer of this.#timers) timer.unref();
  }

  get isReady(): boolean {
    return this.#state === 'ready';
  }

  get hasEnded(): boolean {
    return this.#state === 'ended';
  }

  /** Sends a request. The client's connection tells when nobody wants its answer any more. */
  async request({ method, url, headers }: LinkedRequest, body: Uint8Array, client: Socket): Promise<LinkOutcome> {
    if (this.hasEnded) return 'elsewhere';
    const number = (this.#number = (this.#number + 1) >>> 0);
    this.#used = performance.now();
    return new Promise((resolve) => {
      this.#pending.set(number, resolve);
      const head = JSON.stringify([method, url, headers, this.#clientOf(client)]);
      this.#queue.add(frameOf(Kind.message, number, head, body));
    });
  }

  /** Ends it. What is under way is `broken`. */
  close(): void {
    this.#sent.destroy();
    this.#end();
  }

  #clientOf(socket: Socket): number {
    const known = this.#clients.get(socket);
    if (known !== undefined) return known.number;
    const number = this.#number;
    const onClose = (): void => {
      this.#clients.delete(socket);
      this.#queue.add(frameOf(Kind.gone, number));
    };
    this.#clients.set(socket, { number, onClose });
    socket.once('close', onClose);
    return number;
  }

  #opened(answer: IncomingMessage): void {
    if (answer.statusCode !== 200) return this.close();
    const reader = new FrameReader();
    answer.on('data', (piece: Buffer) => {
      try {
        for (const frame of reader.take(piece)) this.#received(frame);
      } catch {
        this.close();
      }
    });
    answer.once('error', () => this.close());
    answer.once('close', () => this.close());
  }

  #received({ kind, number, head, body }: Frame): void {
    if (kind === Kind.ping) {
      if (this.#state === 'opening') this.#state = 'ready';
      return;
    }
    const settle = this.#pending.get(number);
    // Its client has gone.
    if (settle === undefined) return;
    this.#pending.delete(number);
    if (kind !== Kind.message) return settle('elsewhere');
    const [status, headers] = JSON.parse(head) as [number, (readonly [string, string])[]];
    settle({ status, headers, body });
  }

  #look(): void {
    if (this.#pending.size > 0) this.#queue.add(frameOf(Kind.ping, 0, PADDING));
    else if (performance.now() - this.#used > IDLE_MS && this.isReady) this.close();
  }

  #end(): void {
    if (this.#state === 'ended') return;
    this.#state = 'ended';
    for (const timer of this.#timers) clearInterval(timer);
    for (const [socket, { onClose }] of this.#clients) socket.off('close', onClose);
    this.#clients.clear();
    const pending = [...this.#pending.values()];
    this.#pending.clear();
    for (const settle of pending) settle('broken');
  }
}
