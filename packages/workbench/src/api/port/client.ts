/** The end of a channel that asks: `fetch` over messages. */
import { type Channel, type FromServer, type PortRequest, type ToServer, untilFree } from './messages.js';

/** Gets how many bytes of a body the other end has taken so far. */
export type OnTaken = (bytes: number) => void;

interface Waiting {
  head(message: Extract<FromServer, { type: 'head' }>): void;
  piece(bytes: Uint8Array): void;
  end(): void;
  fail(error: unknown): void;
  readonly onTaken: OnTaken | undefined;
}

/** Statuses whose answers have no body. */
const BODILESS: ReadonlySet<number> = new Set([101, 204, 205, 304]);
const GONE = 'the worker with the data has ended';

export class PortClient {
  /** Called once, when the other end is gone. */
  onLost: () => void = () => undefined;
  /** Whether the other end has said that it is there. */
  heard = false;
  readonly #waiting = new Map<number, Waiting>();
  #count = 0;
  #lost: TypeError | undefined;

  constructor(private readonly channel: Channel) {
    channel.listen((message) => this.#take(message as FromServer));
  }

  /**
   * As `fetch`.
   * @throws TypeError where the other end is gone; the reason of the signal
   */
  async send(url: string, init: RequestInit = {}, onTaken?: OnTaken): Promise<Response> {
    const { signal } = init;
    signal?.throwIfAborted();
    const request = await portRequest(url, init);
    signal?.throwIfAborted();
    if (this.#lost !== undefined) throw this.#lost;
    const id = this.#count++;
    return new Promise((resolve, reject) => {
      const answer = new Answering(id, (message) => this.channel.post(message), { resolve, reject, onTaken });
      const onAbort = (): void => answer.abort(signal?.reason);
      answer.onOver = () => {
        this.#waiting.delete(id);
        signal?.removeEventListener('abort', onAbort);
      };
      this.#waiting.set(id, answer);
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#post({ type: 'request', id, request });
    });
  }

  /** The other end is gone: what waits fails as if a connection was lost, and so do later requests. */
  lose(message = GONE): void {
    if (this.#lost !== undefined) return;
    this.#lost = new TypeError(message);
    for (const waiting of this.#waiting.values()) waiting.fail(this.#lost);
    this.onLost();
  }

  #post(message: ToServer): void {
    this.channel.post(message);
  }

  #take(message: FromServer): void {
    if (message.type === 'hello') {
      this.heard = true;
      if (message.lock !== undefined) void untilFree(message.lock).then(() => this.lose());
      return;
    }
    const waiting = this.#waiting.get(message.id);
    if (waiting === undefined) return;
    if (message.type === 'taken') waiting.onTaken?.(message.bytes);
    else if (message.type === 'head') waiting.head(message);
    else if (message.type === 'piece') waiting.piece(message.bytes);
    else if (message.type === 'end') waiting.end();
    else waiting.fail(new TypeError(message.message));
  }
}

interface Settle {
  readonly resolve: (response: Response) => void;
  readonly reject: (error: unknown) => void;
  readonly onTaken: OnTaken | undefined;
}

/** One request that is being answered. */
class Answering implements Waiting {
  onOver: () => void = () => undefined;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #pulled: (() => void) | undefined;

  constructor(
    private readonly id: number,
    private readonly post: (message: ToServer) => void,
    private readonly settle: Settle,
  ) {}

  get onTaken(): OnTaken | undefined {
    return this.settle.onTaken;
  }

  head({ status, headers, body }: Extract<FromServer, { type: 'head' }>): void {
    const whole = BODILESS.has(status) ? null : body;
    const content = whole === undefined ? this.#stream() : (whole as BodyInit | null);
    const response = new Response(content, { status, headers });
    if (whole !== undefined) this.onOver();
    this.settle.resolve(response);
  }

  piece(bytes: Uint8Array): void {
    this.#controller?.enqueue(bytes);
    this.#pulled?.();
  }

  end(): void {
    this.onOver();
    this.#controller?.close();
    this.#pulled?.();
  }

  fail(error: unknown): void {
    this.onOver();
    this.#controller?.error(error);
    this.#pulled?.();
    this.settle.reject(error);
  }

  abort(reason: unknown): void {
    this.post({ type: 'cancel', id: this.id });
    this.fail(reason);
  }

  #stream(): ReadableStream<Uint8Array> {
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => void (this.#controller = controller),
        pull: () =>
          new Promise((resolve) => {
            this.#pulled = resolve;
            this.post({ type: 'more', id: this.id });
          }),
        cancel: () => {
          this.post({ type: 'cancel', id: this.id });
          this.onOver();
        },
      },
      { highWaterMark: 1 },
    );
  }
}

/** Bodies other than texts and files become files. */
async function portRequest(url: string, { method = 'GET', headers, body }: RequestInit): Promise<PortRequest> {
  const fields = new Headers(headers);
  let content: string | Blob | null = null;
  if (typeof body === 'string' || body instanceof Blob) content = body;
  else if (body !== undefined && body !== null) content = await new Response(body).blob();
  const type = typeof content === 'string' ? 'text/plain;charset=UTF-8' : content?.type;
  if (type !== undefined && type !== '' && !fields.has('Content-Type')) fields.set('Content-Type', type);
  return { method: method.toUpperCase(), url, headers: Object.fromEntries(fields), body: content };
}
