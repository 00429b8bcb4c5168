/** Follows a repository: its revisions as they are published. */
import type { RevisionCursor, RevisionRecord, TermPattern } from '@quadrille/core';
import { toRevision } from '@quadrille/core';
import type { Change, WatchOptions } from '../api/index.js';
import { READ_OPTIONS } from '../options/calls.js';
import { checkOptions, checkSignal } from '../options/check-options.js';
import { bound } from './quads.js';
import { LazyResults } from './results.js';
import { settled } from './snapshot-source.js';
import type { ViewContext } from './view.js';

const END = { value: undefined, done: true } as const;

export class Watch implements AsyncIterableIterator<Change, undefined> {
  /** The number of the revision after which the first one comes. */
  readonly #after: number | Promise<number>;
  #cursor: RevisionCursor | undefined;
  /** Calls of `next` take effect one after the other. */
  #last: Promise<unknown> = Promise.resolve();
  #done = false;
  readonly #pattern: TermPattern | undefined;

  constructor(
    private readonly context: ViewContext,
    private readonly options: WatchOptions,
  ) {
    this.#pattern = options.pattern && bound(options.pattern);
    this.#after = settled(this.#begin());
  }

  // Without `since`, the head of the moment of the call: nothing is awaited before it is read.
  async #begin(): Promise<number> {
    const { since } = this.options;
    const { check, core } = this.context;
    check();
    if (since === undefined) return core.head.number;
    return (await core.resolve(since === 0 ? 1 : since)).number;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<Change, undefined>> {
    const next = this.#last.then(() => this.#next());
    this.#last = next.catch(() => undefined);
    return next;
  }

  async #next(): Promise<IteratorResult<Change, undefined>> {
    if (this.#done) return END;
    try {
      this.#cursor ??= await this.#open();
      // It may have been left while the cursor was opened.
      const record = this.#done ? undefined : await this.#cursor.next();
      if (record !== undefined) return { value: this.#change(record), done: false };
      if (!this.#done) checkSignal(this.options.signal);
    } catch (error) {
      this.#done = true;
      throw error;
    }
    this.#done = true;
    return END;
  }

  async #open(): Promise<RevisionCursor> {
    const after = await this.#after;
    return this.context.core.history.follow({ after, pattern: this.#pattern, signal: this.options.signal });
  }

  #change(record: RevisionRecord): Change {
    const { core, check } = this.context;
    return {
      revision: toRevision(record),
      nonce: record.nonce,
      quads: (options) => {
        checkOptions(options, READ_OPTIONS, 'quads');
        const { signal } = options ?? {};
        const changes = () => core.history.changes(record, this.#pattern, signal);
        return new LazyResults(changes, { signal, check });
      },
    };
  }

  /** Ends the iteration. A call of `next` that waits resolves. */
  async return(): Promise<IteratorResult<Change, undefined>> {
    this.#done = true;
    this.#cursor?.close();
    return END;
  }
}
