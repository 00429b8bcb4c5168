/** A query that a thread evaluates, as its reader sees it: the pieces of the answer in their order. */
import { encodedStatistics, openIndexes, transfersOf } from '@quadrille/core/share';
import {
  type AnswerPiece,
  meaningOf,
  type OfferedQuery,
  sendRequest,
  sendTerm,
  type SentTerm,
  type TakenQuery,
} from '@quadrille/sparql';
import type { DocumentOrder } from './answer-threads.js';
import type { QueryMessage } from './messages.js';
import type { ThreadHandle, ThreadJob } from './thread-handle.js';

interface Reader {
  resolve(piece: AnswerPiece | undefined): void;
  reject(error: Error): void;
}

export class ThreadQuery implements TakenQuery, ThreadJob {
  readonly memory: { readonly used: number };
  readonly #pieces: AnswerPiece[] = [];
  #thread: ThreadHandle | undefined;
  #state: 'new' | 'running' | 'ended' = 'new';
  #error: Error | undefined;
  #closed = false;
  #reader: Reader | undefined;
  #stopListening: (() => void) | undefined;
  #release: (() => void) | undefined;

  /** `acquire` gives a thread that is reserved for this query. */
  constructor(
    private readonly query: OfferedQuery,
    private readonly order: DocumentOrder,
    private readonly acquire: () => ThreadHandle | Promise<ThreadHandle>,
  ) {
    const bytes = (): number => (this.#state === 'running' ? (this.#thread?.usedBytes ?? 0) : 0);
    this.memory = {
      get used() {
        return bytes();
      },
    };
  }

  async next(): Promise<AnswerPiece | undefined> {
    if (this.#state === 'new') await this.#begin();
    const piece = this.#pieces.shift();
    if (piece !== undefined) {
      if (this.#state === 'running') this.#thread!.post({ type: 'taken' });
      return piece;
    }
    if (this.#error !== undefined) throw this.#error;
    if (this.#state === 'ended') return undefined;
    return new Promise((resolve, reject) => (this.#reader = { resolve, reject }));
  }

  async #begin(): Promise<void> {
    await openIndexes(this.order.snapshot);
    const thread = await this.#acquired();
    if (this.#closed) {
      thread.release();
      return this.ended(undefined);
    }
    this.#thread = thread;
    this.#state = 'running';
    try {
      const { session, release } = thread.describer.describe(this.order.snapshot);
      this.#release = release;
      thread.run(this, this.#message(session), transfersOf(session));
    } catch (error) {
      // The thread would lack what was described in vain.
      void thread.end();
      this.ended(undefined);
      throw error;
    }
    // While the reader waits, nothing else looks at the signal and the clock.
    this.#stopListening = this.query.control.onFailure((error) => this.#fail(error));
  }

  /** A thread, unless the query ends while it waits for one. */
  async #acquired(): Promise<ThreadHandle> {
    const acquired = this.acquire();
    if (!(acquired instanceof Promise)) return acquired;
    try {
      return await this.query.control.whileRunning(acquired);
    } catch (error) {
      acquired.then(
        (thread) => thread.release(),
        () => undefined,
      );
      throw error;
    }
  }

  #message(session: QueryMessage['session']): QueryMessage {
    const { request, options } = this.query;
    const { defaultGraphUris, namedGraphUris, unionDefaultGraph, memoryBytes, maxRows, bindings } = options;
    const { prefixes, baseIRI } = meaningOf(request, options);
    const sent = bindings && Object.entries(bindings).map(([name, term]): [string, SentTerm] => [name, sendTerm(term)]);
    return {
      type: 'query',
      session,
      request: sendRequest(request),
      bindings: sent && Object.fromEntries(sent),
      options: { prefixes, baseIRI, defaultGraphUris, namedGraphUris, unionDefaultGraph, memoryBytes, maxRows },
      mediaType: this.order.mediaType,
      prefixes: this.order.prefixes,
    };
  }

  #fail(error: Error): void {
    this.#error ??= error;
    this.#reader?.reject(this.#error);
    this.#reader = undefined;
  }

  /** Does not wait for the thread: what it reads is held until it has ended the query. */
  close(): void {
    this.#closed = true;
    this.#pieces.length = 0;
    if (this.#state === 'running') this.#thread!.cancel();
  }

  // ── Calls of the thread ─────────────────────────────────────────────────────────────────────────────────────────

  piece(piece: AnswerPiece): void {
    if (this.#closed) return;
    if (this.#reader === undefined) {
      this.#pieces.push(piece);
      return;
    }
    this.#thread!.post({ type: 'taken' });
    this.#reader.resolve(piece);
    this.#reader = undefined;
  }

  statistics(): Promise<Uint8Array> {
    return encodedStatistics(this.order.snapshot);
  }

  ended(error: Error | undefined): void {
    this.#state = 'ended';
    this.#stopListening?.();
    this.#release?.();
    if (error !== undefined) this.#fail(this.#cause(error));
    this.#reader?.resolve(undefined);
    this.#reader = undefined;
  }

  // A value may be missing because the repository was deleted.
  #cause(error: Error): Error {
    try {
      this.order.check();
      return error;
    } catch (ending) {
      return ending as Error;
    }
  }
}
