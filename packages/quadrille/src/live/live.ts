/** Follows the answer of a query. What does the work is loaded with the first answer. */
import { StateError } from '@quadrille/model';
import type { LiveUpdate, SparqlText } from '../api/index.js';
import type { HostLiveOptions } from '../host/host-types.js';
import type { ViewContext } from '../read/view.js';
import { checkSignal } from '../options/check-options.js';
import type { AnswerSource } from './answer-source.js';

const END = { value: undefined, done: true } as const;

export class Live implements AsyncIterableIterator<LiveUpdate, undefined> {
  readonly #left = new AbortController();
  #begun = false;
  #updates: Promise<AsyncGenerator<LiveUpdate>> | undefined;

  constructor(
    private readonly repository: AnswerSource['repository'],
    private readonly context: ViewContext,
    private readonly text: SparqlText,
    private readonly options: HostLiveOptions,
  ) {}

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<LiveUpdate, undefined>> {
    const { signal } = this.options;
    this.#updates ??= this.#open();
    try {
      const { value, done } = await (await this.#updates).next();
      this.#begun = true;
      return done === true ? END : { value: value as LiveUpdate, done: false };
    } catch (error) {
      // Leaving and the end of the database end it as they end `watch`.
      if (this.#left.signal.aborted) return END;
      checkSignal(signal);
      if (this.#begun && error instanceof StateError && error.code === 'STORE_NOT_OPEN') return END;
      throw error;
    }
  }

  async #open(): Promise<AsyncGenerator<LiveUpdate>> {
    const { answerSource, liveAnswers } = await import('./index.js');
    const { signal } = this.options;
    const both = signal === undefined ? this.#left.signal : AbortSignal.any([signal, this.#left.signal]);
    return liveAnswers(answerSource(this.repository, this.context), this.text, this.options, both);
  }

  async return(): Promise<IteratorResult<LiveUpdate, undefined>> {
    // It may wait for a revision.
    this.#left.abort();
    return END;
  }
}
