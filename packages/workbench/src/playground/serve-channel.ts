/** The end of a channel that answers. */
import { type Channel, type FromServer, type PortRequest, type ToServer } from '../api/port/messages.js';

export interface PortReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | ReadableStream<Uint8Array> | null;
}

export interface Asked {
  readonly request: PortRequest;
  /** Aborted when nobody waits any more. */
  readonly signal: AbortSignal;
  /** Is to be told how many bytes of the body were taken so far. */
  readonly onTaken: (bytes: number) => void;
}

export type AnswerRequest = (asked: Asked) => Promise<PortReply>;

/** The bytes of a body after which its sender gets a report of progress. */
const TAKEN_BYTES = 256 * 1024;

/**
 * Answers what comes by a channel. `lock` is held as long as this side lives.
 * @returns ends all that is being answered
 */
export function serveChannel(channel: Channel, answer: AnswerRequest, lock: string | undefined): () => void {
  const running = new Map<number, Exchange>();
  const post = (message: FromServer): void => channel.post(message);
  channel.listen((data) => {
    const message = data as ToServer;
    if (message.type === 'request') {
      const exchange = new Exchange(message.id, post, () => running.delete(message.id));
      running.set(message.id, exchange);
      void exchange.run(answer, message.request);
    } else if (message.type === 'more') void running.get(message.id)?.more();
    else if (message.type === 'cancel') running.get(message.id)?.cancel();
  });
  post({ type: 'hello', lock });
  return () => {
    for (const exchange of running.values()) exchange.cancel();
  };
}

/** One request and its answer. */
class Exchange {
  readonly #aborting = new AbortController();
  #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;

  constructor(
    private readonly id: number,
    private readonly post: (message: FromServer) => void,
    private readonly over: () => void,
  ) {}

  async run(answer: AnswerRequest, request: PortRequest): Promise<void> {
    const { id } = this;
    const { signal } = this.#aborting;
    try {
      const { status, headers, body } = await answer({ request, signal, onTaken: this.#countTaken() });
      const isStream = body instanceof ReadableStream;
      if (isStream) this.#reader = body.getReader();
      if (signal.aborted) return this.#end();
      this.post({ type: 'head', id, status, headers, body: isStream ? undefined : body });
      if (!isStream) this.over();
    } catch (error) {
      this.#break(error);
    }
  }

  async more(): Promise<void> {
    try {
      const { done, value } = await this.#reader!.read();
      if (this.#aborting.signal.aborted) return;
      if (!done) return this.post({ type: 'piece', id: this.id, bytes: ownBytes(value) });
      this.over();
      this.post({ type: 'end', id: this.id });
    } catch (error) {
      this.#break(error);
    }
  }

  cancel(): void {
    this.#aborting.abort(new DOMException('nobody waits for the answer', 'AbortError'));
    this.#end();
  }

  #end(): void {
    this.over();
    this.#reader?.cancel().catch(() => undefined);
  }

  #break(error: unknown): void {
    this.#end();
    this.post({ type: 'broken', id: this.id, message: error instanceof Error ? error.message : String(error) });
  }

  #countTaken(): (bytes: number) => void {
    let told = 0;
    return (bytes) => {
      if (bytes - told < TAKEN_BYTES) return;
      told = bytes;
      this.post({ type: 'taken', id: this.id, bytes });
    };
  }
}

/** A message copies the whole memory of an array, not the part that it shows. */
const ownBytes = (bytes: Uint8Array): Uint8Array =>
  bytes.byteLength === bytes.buffer.byteLength ? bytes : bytes.slice();
