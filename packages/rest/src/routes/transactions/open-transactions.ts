/** Transactions that clients hold open between requests: found by id, used by one request at a time, dropped when idle. */
import { HttpError } from '@quadrille/http';
import { AccessError } from '@quadrille/model';
import type { ServiceLimits } from '@quadrille/service';
import type { HeldTransaction, Repository } from 'quadrille';
import { tooMuchHeld } from '../../http/body.js';

export const IDLE_TIMEOUT_MS = 60_000;
/** Each holds a snapshot, and what it has staged in memory. */
const MAX_OPEN = 100;
const RETRY_AFTER_SECONDS = 10;

/** Whose a transaction is: its repository, and the account that began it, where there are accounts. */
export interface Holder {
  readonly repository: string;
  readonly account: string | undefined;
}

interface Entry {
  readonly holder: Holder;
  readonly transaction: HeldTransaction;
  /** Of the documents that came for it. */
  bytes: number;
  /** Ends when the request that has it is done. */
  turn: Promise<void>;
  timer: ReturnType<typeof setTimeout> | undefined;
}

export class OpenTransactions {
  readonly #entries = new Map<string, Entry>();

  constructor(
    private readonly limits: Pick<ServiceLimits, 'transactionBytes' | 'openTransactionsBytes'>,
    private readonly idleTimeoutMs = IDLE_TIMEOUT_MS,
  ) {}

  /** Begins one and gives its id. */
  async begin(repository: Repository, holder: Holder): Promise<string> {
    if (this.#entries.size >= MAX_OPEN) {
      throw tooMany(`${String(MAX_OPEN)} transactions are open already`);
    }
    const id = crypto.randomUUID();
    const transaction = await repository.begin();
    const entry: Entry = { holder, transaction, bytes: 0, turn: Promise.resolve(), timer: undefined };
    this.#entries.set(id, entry);
    this.#wait(id, entry);
    return id;
  }

  /**
   * For a step that brings a document: `run` tells of its bytes as they come. Those of a step that failed do not count.
   * @throws HttpError 413; AccessError `RATE_LIMITED` where the open transactions together hold too much
   */
  async holding<T>(id: string, holder: Holder, run: (hold: (bytes: number) => void) => Promise<T>): Promise<T> {
    const entry = this.#find(id, holder);
    let held = 0;
    try {
      return await run((bytes) => {
        held += bytes;
        entry.bytes += bytes;
        this.#checkHeld(entry);
      });
    } catch (error) {
      entry.bytes -= held;
      throw error;
    }
  }

  #checkHeld(entry: Entry): void {
    const { transactionBytes, openTransactionsBytes } = this.limits;
    if (entry.bytes > transactionBytes) throw tooMuchHeld(transactionBytes);
    let all = 0;
    for (const { bytes } of this.#entries.values()) all += bytes;
    if (all > openTransactionsBytes) {
      throw tooMany(`the open transactions hold ${String(openTransactionsBytes)} bytes already`);
    }
  }

  /** Runs one step. */
  async use<T>(id: string, holder: Holder, step: (transaction: HeldTransaction) => Promise<T>): Promise<T> {
    const { entry, leave } = await this.#enter(id, holder);
    try {
      return await step(entry.transaction);
    } finally {
      leave();
    }
  }

  /** A step of which the result is read bit by bit; the transaction is in use until it has been read. */
  async *read<T>(
    id: string,
    holder: Holder,
    step: (transaction: HeldTransaction) => AsyncIterable<T>,
  ): AsyncGenerator<T> {
    const { entry, leave } = await this.#enter(id, holder);
    try {
      yield* step(entry.transaction);
    } finally {
      leave();
    }
  }

  /** The last step: whatever comes of it, the transaction has ended. */
  async finish<T>(id: string, holder: Holder, step: (transaction: HeldTransaction) => Promise<T>): Promise<T> {
    const { entry, leave } = await this.#enter(id, holder);
    this.#entries.delete(id);
    try {
      return await step(entry.transaction);
    } finally {
      await entry.transaction.rollback();
      leave();
    }
  }

  async #enter(id: string, holder: Holder): Promise<{ entry: Entry; leave: () => void }> {
    const entry = this.#find(id, holder);
    const before = entry.turn;
    let leave = (): void => undefined;
    entry.turn = new Promise((resolve) => (leave = resolve));
    await before;
    clearTimeout(entry.timer);
    if (!this.#entries.has(id)) {
      leave();
      throw noTransaction(id);
    }
    const turn = entry.turn;
    return {
      entry,
      leave: () => {
        leave();
        if (entry.turn === turn && this.#entries.has(id)) this.#wait(id, entry);
      },
    };
  }

  #find(id: string, { repository, account }: Holder): Entry {
    const entry = this.#entries.get(id);
    if (entry !== undefined && entry.holder.repository === repository && entry.holder.account === account) return entry;
    throw noTransaction(id);
  }

  /** A client that is not heard of for so long has gone away. */
  #wait(id: string, entry: Entry): void {
    clearTimeout(entry.timer);
    entry.timer = setTimeout(() => {
      this.#entries.delete(id);
      void entry.transaction.rollback();
    }, this.idleTimeoutMs);
    entry.timer.unref();
  }
}

const tooMany = (message: string): AccessError =>
  new AccessError('RATE_LIMITED', message, { details: { retryAfter: RETRY_AFTER_SECONDS } });

const noTransaction = (id: string): HttpError =>
  new HttpError('NOT_FOUND', `there is no open transaction ${id.slice(0, 50)}; it may have been idle for too long`);
