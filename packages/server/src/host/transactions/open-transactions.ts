/** Transactions that stay open between requests. One request at a time uses a transaction; an idle one is rolled back. */
import { AccessError, EvaluationError, LimitError, Mutex, NotFoundError } from '@quadrille/model';
import type { Repository } from 'quadrille';
import { hostOf, type HeldTransaction } from 'quadrille/host';
import type { ServiceLimits } from '../options.js';
import { unref } from '../platform/timers.js';

/** A transaction is rolled back after so many milliseconds without a call. */
export const TRANSACTION_IDLE_MS = 60_000;
/** Each transaction holds a snapshot, and its staged changes in memory. */
const MAX_OPEN = 100;
const RETRY_AFTER_SECONDS = 10;

/** The repository of a transaction, and the account that began it; `undefined` on a server without accounts. */
export interface Holder {
  /** `account/repository`. */
  readonly repository: string;
  /** The account that has begun it. */
  readonly account: string | undefined;
}

/** The work of one request within a transaction. */
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
  /** The size of the documents and updates that were sent to it. */
  bytes: number;
  /** Memory of its staged changes. */
  memory: number;
  timer: ReturnType<typeof setTimeout> | undefined;
}

/** The transactions that stay open between requests. */
export class OpenTransactions {
  readonly #entries = new Map<string, Entry>();
  /** The sums over all entries. */
  #bytes = 0;
  #memory = 0;
  /** Transactions that are not entries yet. */
  #beginning = 0;

  constructor(
    private readonly limits: Pick<
      ServiceLimits,
      'transactionBytes' | 'openTransactionsBytes' | 'openTransactionsMemory'
    >,
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
    const transaction = await hostOf(repository)
      .begin()
      .finally(() => this.#beginning--);
    const id = crypto.randomUUID();
    const entry: Entry = {
      id,
      holder: { repository: repository.name, account },
      repository,
      transaction,
      lock: new Mutex(),
      users: 0,
      bytes: 0,
      memory: 0,
      timer: undefined,
    };
    this.#entries.set(id, entry);
    this.#startTimer(entry);
    return id;
  }

  /**
   * Runs a step that receives a document or an update. `run` reports the bytes as they arrive. The bytes of a failed step are
   * not counted.
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

  /**
   * Runs one step.
   * @throws NotFoundError `TRANSACTION_NOT_FOUND`; LimitError `INPUT_TOO_LARGE` where the staged changes take too much memory: the
   * transaction has been rolled back then
   */
  async use<T>(id: string, holder: Holder, step: Step<T>): Promise<T> {
    const { entry, leave } = await this.#enter(id, holder);
    try {
      const result = await step(entry.transaction).catch((error: unknown) => this.#endWhereFull(entry, error));
      await this.#checkMemory(entry);
      return result;
    } finally {
      leave();
    }
  }

  // Where the process has no memory for more changes, the step has staged some of its changes: nobody shall commit these.
  async #endWhereFull(entry: Entry, error: unknown): Promise<never> {
    if (!(error instanceof EvaluationError) || error.details['transactionBytes'] === undefined) throw error;
    this.#remove(entry);
    await entry.transaction.rollback();
    throw new LimitError('INPUT_TOO_LARGE', `${error.message}; this one was rolled back`, { cause: error });
  }

  async #checkMemory(entry: Entry): Promise<void> {
    if (!this.#entries.has(entry.id)) return;
    const { memoryBytes } = entry.transaction;
    this.#memory += memoryBytes - entry.memory;
    entry.memory = memoryBytes;
    const { openTransactionsMemory } = this.limits;
    if (this.#memory <= openTransactionsMemory) return;
    this.#remove(entry);
    await entry.transaction.rollback();
    throw new LimitError(
      'INPUT_TOO_LARGE',
      `the changes of the open transactions take more than ${String(openTransactionsMemory)} bytes of memory; this one was ` +
        'rolled back. Commit it in parts, or send a long document alone',
    );
  }

  /** Runs a step whose result is streamed. The transaction is in use until the result was read to its end. */
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

  /** Runs the last step. The transaction has ended afterwards, also if the step failed. */
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

  /** The repository that a transaction was begun on: on its branch. @throws NotFoundError `TRANSACTION_NOT_FOUND` */
  repositoryOf(id: string, holder: Holder): Repository {
    return this.#find(id, holder).repository;
  }

  /** Rolls back the transactions of a repository on all its branches, or all, each after the step that is running. */
  async end(repository?: Repository): Promise<void> {
    const ending = [...this.#entries.values()].filter(
      (entry) => repository === undefined || entry.repository.name === repository.name,
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
    if (!this.#entries.delete(entry.id)) return;
    this.#bytes -= entry.bytes;
    this.#memory -= entry.memory;
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

  /** Rolls the transaction back if no request comes in time: the client has probably gone away. */
  #startTimer(entry: Entry): void {
    entry.timer = setTimeout(() => {
      this.#remove(entry);
      void entry.transaction.rollback();
    }, this.idleMs);
    unref(entry.timer);
  }
}

/** Resolves with the release of a lock when the lock is held. */
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
