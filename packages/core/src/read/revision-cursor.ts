/**
 * A position in the log of a repository that moves with it: it reads the published revisions one by one, each once and
 * without a gap, and waits for the next one. It holds a number and no data, so it costs nothing while nobody asks.
 */
import { QuadrilleError } from '@quadrille/model';
import type { RepositoryHandle } from '../open/handle.js';
import { readRecord, readRecords } from '../revision/log.js';
import type { RevisionRecord } from '../revision/record.js';
import { baseOf } from '../revision/record.js';
import { resolveRef } from '../timeline/refs.js';
import { Pacer } from '../runtime/env.js';
import { touchesPattern } from './revision-changes.js';
import type { TermPattern } from './snapshot.js';

export interface CursorOptions {
  /** Number of the revision after which to begin. */
  readonly after: number;
  /** Skips revisions that change no matching quad. Default: none is skipped. */
  readonly pattern?: TermPattern | undefined;
  /** Ends the cursor. */
  readonly signal?: AbortSignal | undefined;
}

/** Yields revisions as they are published, and waits for the next one. */
export class RevisionCursor {
  #at: number;
  #closed = false;
  #wake: (() => void) | undefined;
  readonly #pacer: Pacer;

  constructor(
    private readonly handle: RepositoryHandle,
    private readonly options: CursorOptions,
  ) {
    this.#at = options.after;
    this.#pacer = new Pacer(handle.env);
  }

  /**
   * The record of the next revision; waits until there is one. `undefined` when the cursor was closed, its signal
   * aborted, or the store closed. Call it again only after it has resolved.
   * @throws NotFoundError `REPOSITORY_DELETED`; CorruptionError
   */
  async next(): Promise<RevisionRecord | undefined> {
    try {
      return await this.#next();
    } catch (error) {
      const wasOver = this.#over;
      this.#closed = true;
      const storeClosed = error instanceof QuadrilleError && error.code === 'STORE_NOT_OPEN';
      if (wasOver || storeClosed) return undefined;
      throw error;
    }
  }

  /** Ends the cursor: a call of {@link next} that waits resolves with `undefined`. */
  close(): void {
    this.#closed = true;
    this.#wake?.();
  }

  get #over(): boolean {
    return this.#closed || this.options.signal?.aborted === true;
  }

  async #next(): Promise<RevisionRecord | undefined> {
    const { handle } = this;
    while (!this.#over) {
      handle.check();
      if (this.#at >= handle.head.number) {
        handle.checkBranch();
        await this.#published();
        continue;
      }
      const record = await this.#read(this.#at + 1);
      // What this cursor has read last was trimmed, and the changes since then are not known any more.
      if (baseOf(record) !== this.#at && this.#at > 0) await readRecord(handle.keyspace, this.#at);
      const wanted = await this.#isWanted(record);
      // The signal may have aborted meanwhile.
      if (this.#over) return undefined;
      this.#at = record.number;
      if (wanted) return record;
      if (this.#pacer.due()) await this.#pacer.pause();
    }
    return undefined;
  }

  // Does not load the repository into memory only to read its log.
  async #read(number: number): Promise<RevisionRecord> {
    const { handle } = this;
    try {
      return await (handle.inMemory ? resolveRef(handle.timeline, number) : readRecord(handle.keyspace, number));
    } catch (error) {
      if (!(error instanceof QuadrilleError) || error.code !== 'REVISION_TRIMMED') throw error;
      // The next one that was kept, if its changes begin where this cursor stands.
      for await (const record of readRecords(handle.keyspace, number, handle.head.number)) return record;
      throw error;
    }
  }

  async #isWanted(record: RevisionRecord): Promise<boolean> {
    const { pattern } = this.options;
    if (pattern === undefined) return true;
    const { handle } = this;
    handle.users.enter();
    try {
      await handle.ready();
      return await touchesPattern(handle.timeline, record, pattern, this.#pacer);
    } finally {
      handle.users.leave();
    }
  }

  // Resolves when more was published, and when there may be a reason to end.
  #published(): Promise<void> {
    const { publications } = this.handle;
    const { signal } = this.options;
    return new Promise((resolve) => {
      const wake = (): void => {
        publications.delete(wake);
        signal?.removeEventListener('abort', wake);
        this.#wake = undefined;
        resolve();
      };
      this.#wake = wake;
      signal?.addEventListener('abort', wake, { once: true });
      publications.add(wake);
    });
  }
}
