/** Ends answers that take long as soon as their client may not read any more. */
import type { Context } from './context.js';
import { unref } from './host/index.js';

/** How often long answers are looked at. A lost right ends an answer at the second look at the latest, hence within 5 s. */
const LOOK_MS = 2000;

export type Refused = (refusal: unknown) => void;

interface Watched {
  readonly context: Context;
  readonly refused: Refused;
  /** Whether a look has passed it. Answers that are younger are not checked: nearly all are sent before. */
  seen: boolean;
  checking: boolean;
}

/** The answers under way. They share one timer, so that a short answer costs an entry in a set and nothing else. */
export class RightsWatch {
  readonly #watched = new Set<Watched>();
  #timer: NodeJS.Timeout | undefined;

  /** `check` rejects with the error for the client where it may not read what it reads. */
  constructor(private readonly check: (context: Context) => Promise<void>) {}

  /** Calls `refused` once if the client may not read any more, until the returned function is called. */
  enter(context: Context, refused: Refused): () => void {
    const entry: Watched = { context, refused, seen: false, checking: false };
    this.#watched.add(entry);
    this.#timer ??= unref(setInterval(() => this.#look(), LOOK_MS));
    return () => void this.#watched.delete(entry);
  }

  /** Watches the stream of a body: it fails with the refusal, also while its reader takes nothing. */
  guarded(context: Context, body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
    const enter = (refused: Refused): (() => void) => this.enter(context, refused);
    return new ReadableStream(new GuardedSource(body.getReader(), enter), { highWaterMark: 0 });
  }

  #look(): void {
    if (this.#watched.size === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
    for (const entry of this.#watched) {
      if (entry.seen && !entry.checking) void this.#ask(entry);
      entry.seen = true;
    }
  }

  /** Refuses the answer if the check fails. The client can try again. */
  async #ask(entry: Watched): Promise<void> {
    entry.checking = true;
    try {
      await this.check(entry.context);
    } catch (error) {
      if (!this.#watched.delete(entry)) return;
      entry.refused(error);
      // Stops what the answer waits for.
      entry.context.request.abandon?.(error);
    }
    entry.checking = false;
  }
}

class GuardedSource implements UnderlyingDefaultSource<Uint8Array> {
  #over = false;
  #leave: (() => void) | undefined;

  constructor(
    private readonly reader: ReadableStreamDefaultReader<Uint8Array>,
    private readonly enter: (refused: Refused) => () => void,
  ) {}

  start(controller: ReadableStreamDefaultController<Uint8Array>): void {
    const fail = (error: unknown): void => {
      if (this.#end()) controller.error(error);
    };
    this.#leave = this.enter((refusal) => {
      fail(refusal);
      this.reader.cancel(refusal).catch(() => undefined);
    });
    // The source may fail while nobody reads.
    this.reader.closed.catch(fail);
  }

  async pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    const { done, value } = await this.reader.read();
    if (this.#over) return;
    if (!done) controller.enqueue(value);
    else if (this.#end()) controller.close();
  }

  async cancel(reason: unknown): Promise<void> {
    this.#end();
    await this.reader.cancel(reason);
  }

  /** Whether this is the first end. */
  #end(): boolean {
    if (this.#over) return false;
    this.#over = true;
    this.#leave?.();
    return true;
  }
}
