/** The side of links that writes: it answers the requests that other servers forward, each on its own. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TLSSocket } from 'node:tls';
import type { Handler } from '../../handler.js';
import type { HttpRequest } from '../../message/request.js';
import type { Reply, ReplyBody } from '../../message/reply.js';
import { frameOf, type Frame, FrameQueue, FrameReader, Kind } from './frames.js';
import { fitsLink, LINK } from './link-client.js';
import { refusalOf } from './refusal.js';

/** A link whose requests have more bytes than this under way is not read further. */
const MOST_UNDER_WAY = 8 * 1024 * 1024;
/** Bytes of memory that a request takes besides its body, roughly. */
const REQUEST_BYTES = 4096;
/** Connections of clients that a link knows. Requests of others are sent on connections of their own. */
const MOST_CLIENTS = 4096;
/** Longest answer that is sent over a link, in bytes. */
const MOST_ANSWER = 1024 * 1024;

/** Who answers. */
export interface Answering {
  readonly reply: Handler['reply'];
  /** Why requests are not answered now: code and text of the error. */
  readonly refusal: () => readonly [code: string, error: string] | undefined;
}

/** What a server shows that asks for a link; `undefined` for other requests. */
export const shownProof = ({ method, headers }: IncomingMessage): string | undefined =>
  method === 'POST' ? headers[LINK]?.toString() : undefined;

export class LinkHost {
  readonly #links = new Set<Link>();

  constructor(private readonly answering: Answering) {}

  accept(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const link = new Link(incoming, outgoing, this.answering);
    this.#links.add(link);
    outgoing.once('close', () => this.#links.delete(link));
  }

  /** Ends each link after the answers that are under way. */
  leave(): void {
    for (const link of this.#links) link.leave();
  }
}

class Link {
  readonly #queue: FrameQueue;
  readonly #clients = new Map<number, LinkedConnection>();
  #running = 0;
  #underWay = 0;
  #ends = false;

  constructor(
    private readonly incoming: IncomingMessage,
    private readonly outgoing: ServerResponse,
    private readonly answering: Answering,
  ) {
    this.#queue = new FrameQueue((bytes) => {
      if (!outgoing.destroyed && !outgoing.writableEnded) outgoing.write(bytes);
      if (this.#ends && this.#running === 0) outgoing.end();
    });
    outgoing.writeHead(200, {
      'Content-Type': 'application/octet-stream',
      'Cache-Control': 'no-store',
      'X-Accel-Buffering': 'no',
    });
    outgoing.flushHeaders();
    const reader = new FrameReader();
    incoming.on('data', (piece: Buffer) => {
      try {
        for (const frame of reader.take(piece)) this.#received(frame);
      } catch {
        outgoing.destroy();
      }
    });
    incoming.once('end', () => this.leave());
    incoming.once('error', () => outgoing.destroy());
    outgoing.once('close', () => {
      for (const client of this.#clients.values()) client.gone();
      this.#clients.clear();
    });
  }

  leave(): void {
    this.#ends = true;
    if (this.#running === 0) this.outgoing.end();
  }

  #received({ kind, number, head, body }: Frame): void {
    if (kind === Kind.ping) this.#queue.add(frameOf(Kind.ping, number));
    else if (kind === Kind.gone) this.#gone(number);
    else if (kind === Kind.message) void this.#answer(number, head, body);
    else throw new RangeError('a frame of an unknown kind');
  }

  #gone(client: number): void {
    this.#clients.get(client)?.gone();
    this.#clients.delete(client);
  }

  async #answer(number: number, head: string, body: Buffer): Promise<void> {
    const bytes = body.length + REQUEST_BYTES;
    this.#begin(bytes);
    try {
      const refusal = this.answering.refusal();
      const request = this.#requestOf(head, body);
      if (refusal !== undefined) this.#queue.add(refused(number, refusal));
      else if (request === undefined) this.#queue.add(frameOf(Kind.elsewhere, number));
      else {
        const reply = await this.answering.reply(request, { address: this.incoming.socket.remoteAddress });
        this.#queue.add(await answered(number, reply));
      }
    } catch {
      // Whoever forwards it finds the same error on a connection of its own.
      this.#queue.add(frameOf(Kind.elsewhere, number));
    } finally {
      this.#end(bytes);
    }
  }

  #begin(bytes: number): void {
    this.#running++;
    this.#underWay += bytes;
    if (this.#underWay > MOST_UNDER_WAY) this.incoming.pause();
  }

  #end(bytes: number): void {
    this.#running--;
    this.#underWay -= bytes;
    if (this.incoming.isPaused() && this.#underWay <= MOST_UNDER_WAY / 2) this.incoming.resume();
  }

  #requestOf(head: string, body: Buffer): HttpRequest | undefined {
    const [method, url, headers, client] = JSON.parse(head) as [string, string, IncomingMessage['headers'], number];
    if (!fitsLink({ url, headers })) return undefined;
    let connection = this.#clients.get(client);
    if (connection === undefined && this.#clients.size >= MOST_CLIENTS) return undefined;
    if (connection === undefined) this.#clients.set(client, (connection = new LinkedConnection()));
    const isSecure = (this.incoming.socket as Partial<TLSSocket>).encrypted === true;
    return new LinkedRequest(
      method,
      `${isSecure ? 'https' : 'http'}://${headers.host}${url}`,
      headers,
      body,
      connection,
    );
  }
}

/** The connection of a client to the server that forwards. Its requests have one signal: making one takes long. */
class LinkedConnection {
  #controller = new AbortController();

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  abandon(reason: unknown): void {
    this.#controller.abort(reason);
    this.#controller = new AbortController();
  }

  gone(): void {
    this.#controller.abort(new Error('the client closed the connection'));
  }
}

class LinkedRequest implements HttpRequest {
  readonly headers: HttpRequest['headers'];
  readonly signal: AbortSignal;

  constructor(
    readonly method: string,
    readonly url: string,
    headers: IncomingMessage['headers'],
    private readonly bytes: Buffer,
    private readonly connection: LinkedConnection,
  ) {
    const valueOf = (name: string): string | string[] | undefined => headers[name.toLowerCase()];
    this.headers = {
      get(name) {
        const value = valueOf(name);
        return value === undefined ? null : Array.isArray(value) ? value.join(', ') : value;
      },
      has: (name) => valueOf(name) !== undefined,
    };
    this.signal = connection.signal;
  }

  get body(): AsyncIterable<Uint8Array> | null {
    return this.bytes.length === 0 ? null : pieceOf(this.bytes);
  }

  abandon(reason: unknown): void {
    this.connection.abandon(reason);
  }
}

async function* pieceOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

async function answered(number: number, reply: Reply): Promise<Buffer> {
  const body = reply.body instanceof ReadableStream ? await gathered(reply.body) : (reply.body ?? '');
  if (body === undefined) {
    reply.onSent?.(0);
    return frameOf(Kind.elsewhere, number);
  }
  if (reply.body instanceof ReadableStream) reply.onSent?.(body.length);
  return frameOf(Kind.message, number, JSON.stringify([reply.status, [...reply.headers]]), body);
}

/** The bytes of a stream; `undefined` if they are too many. */
async function gathered(stream: Exclude<ReplyBody, string | Uint8Array | null>): Promise<Uint8Array | undefined> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of stream) {
    length += piece.length;
    // Leaving the loop cancels the stream.
    if (length > MOST_ANSWER) return undefined;
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

function refused(number: number, [code, error]: readonly [string, string]): Buffer {
  const { headers, body } = refusalOf(code, error);
  return frameOf(Kind.message, number, JSON.stringify([503, Object.entries(headers)]), body);
}
