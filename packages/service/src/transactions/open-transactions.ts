/** Transactions that clients hold open between requests: found by id, used by one request at a time, rolled back when idle. */
import { AccessError, LimitError, Mutex, NotFoundError } from '@quadrille/model';
import type { HeldTransaction, Repository } from 'quadrille';
import type { ServiceLimits } from '../options.js';

export const TRANSACTION_IDLE_MS = 60_000;
/** Each holds a snapshot, and what it has staged in memory. */
const MAX_OPEN = 100;
const RETRY_AFTER_SECONDS = 10;

/** Whose a transaction is: its repository by name, and the account that began it, where there are accounts. */
export interface Holder {
  readonly repository: string;
  readonly account: string | undefined;
}

/** A step that one request makes. */
type Step<T> = (transaction: HeldTransaction) => Promise<T>;

interface Entry {
  readonly id: string;
  readonly holder: Holder;
  readonly repository: Repository;
  readonly transaction: HeldTransaction;
  /** Held by the request that uses the transaction. */
  readonly lock: Mutex;
  /** Requests that use it, or wait for it. */
  users: number;
  /** Of the documents and updates that came for it. */
  bytes: number;
  timer: ReturnType<typeof setTimeout> | undefined;
}

export class OpenTransactions {
  readonly #entries = new Map<string, Entry>();
  /** Of all entries. */
  #bytes = 0;
  /** Transactions that are not entries yet. */
  #beginning = 0;

  constructor(
    private readonly limits: Pick<ServiceLimits, 'transactionBytes' | 'openTransactionsBytes'>,
    private readonly idleMs = TRANSACTION_IDLE_MS,
  ) {}

  /**
   * Begins a transaction and gives its id.
   * @throws AccessError `RATE_LIMITED` where too many are open
   */
  async begin(repository: Repository, account: string | undefined): Promise<string> {
    if (this.#entries.size + this.#beginning >= MAX_OPEN) {
      throw tooMany(`${String(MAX_OPEN)} transactions are open already`);
    }
    this.#beginning++;
    const transaction = await repository.begin().finally(() => this.#beginning--);
    const id = crypto.randomUUID();
    const entry: Entry = {
      id,
      holder: { repository: repository.name, account },
      repository,
      transaction,
      lock: new Mutex(),
      users: 0,
      bytes: 0,
      timer: undefined,
    };
    this.#entries.set(id, entry);
    this.#startTimer(entry);
    return id;
  }

  /**
   * For a step that brings a document or an update: `run` tells of its bytes as they come. Those of a step that failed do
   * not count.
   * @throws LimitError `INPUT_TOO_LARGE`; AccessError `RATE_LIMITED` where the open transactions together hold too much
   */
  async holding<T>(id: string, holder: Holder, run: (hold: (bytes: number) => void) => Promise<T>): Promise<T> {
    const entry = this.#find(id, holder);
    let held = 0;
    try {
      return await run((bytes) => {
        held += bytes;
        this.#count(entry, bytes);
        this.#checkHeld(entry);
      });
    } catch (error) {
      this.#count(entry, -held);
      throw error;
    }
  }

  /** Runs one step. @throws NotFoundError `TRANSACTION_NOT_FOUND` */
  async use<T>(id: string, holder: Holder, step: Step<T>): Promise<T> {
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
  async finish<T>(id: string, holder: Holder, step: Step<T>): Promise<T> {
    const { entry, leave } = await this.#enter(id, holder);
    this.#remove(entry);
    try {
      return await step(entry.transaction);
    } finally {
      await entry.transaction.rollback();
      leave();
    }
  }

  /** Ends the transactions of a repository, or all. A step that is under way ends before its transaction does. */
  async end(repository?: Repository): Promise<void> {
    const ending = [...this.#entries.values()].filter(
      (entry) => repository === undefined || entry.repository === repository,
    );
    for (const entry of ending) this.#remove(entry);
    await Promise.all(ending.map(({ lock, transaction }) => lock.run(() => transaction.rollback())));
  }

  async #enter(id: string, holder: Holder): Promise<{ entry: Entry; leave: () => void }> {
    const entry = this.#find(id, holder);
    clearTimeout(entry.timer);
    entry.users++;
    const release = await acquire(entry.lock);
    const leave = (): void => {
      release();
      entry.users--;
      if (entry.users === 0 && this.#entries.has(id)) this.#startTimer(entry);
    };
    if (this.#entries.has(id)) return { entry, leave };
    leave();
    throw noTransaction(id);
  }

  #find(id: string, { repository, account }: Holder): Entry {
    const entry = this.#entries.get(id);
    if (entry !== undefined && entry.holder.repository === repository && entry.holder.account === account) return entry;
    throw noTransaction(id);
  }

  #remove(entry: Entry): void {
    clearTimeout(entry.timer);
    if (this.#entries.delete(entry.id)) this.#bytes -= entry.bytes;
  }

  #count(entry: Entry, bytes: number): void {
    entry.bytes += bytes;
    if (this.#entries.has(entry.id)) this.#bytes += bytes;
  }

  #checkHeld({ bytes }: Entry): void {
    const { transactionBytes, openTransactionsBytes } = this.limits;
    if (bytes > transactionBytes) {
      throw new LimitError(
        'INPUT_TOO_LARGE',
        `a transaction is held in memory until it is committed: ${String(transactionBytes)} bytes at most. ` +
          'Commit it in parts, or send a long document alone',
      );
    }
    if (this.#bytes > openTransactionsBytes) {
      throw tooMany(`the open transactions hold ${String(openTransactionsBytes)} bytes already`);
    }
  }

  /** A client that sends nothing for so long has gone away. */
  #startTimer(entry: Entry): void {
    entry.timer = setTimeout(() => {
      this.#remove(entry);
      void entry.transaction.rollback();
    }, this.idleMs);
    entry.timer.unref();
  }
}

/** Waits for a lock and gives what releases it. */
function acquire(lock: Mutex): Promise<() => void> {
  return new Promise((acquired) => {
    void lock.run(() => new Promise<void>(acquired));
  });
}

const tooMany = (message: string): AccessError =>
  new AccessError('RATE_LIMITED', message, { details: { retryAfter: RETRY_AFTER_SECONDS } });

const noTransaction = (id: string): NotFoundError =>
  new NotFoundError(
    'TRANSACTION_NOT_FOUND',
    `there is no open transaction ${id.slice(0, 50)}; it may have been idle for too long`,
  );
