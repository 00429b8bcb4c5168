/**
 * The one writer of a log. A server becomes it by a take-over: it replaces the root, and appends a fence. Whoever wrote
 * before finds the fence at the position of its next append, and knows that it was replaced. No clock decides.
 */

import { StorageError } from '@quadrille/model';
import type { Bytes } from '@quadrille/storage';
import type { AppendOutcome, LogEntry } from '../contract.js';
import { historyLost, type LogReader } from './log-reader.js';
import { replaceRoot } from './replace-root.js';
import { decodeRoot } from './root-record.js';

/** Options of a take-over. */
export interface WriterOptions {
  /** UUID of this server process. */
  readonly server: string;
  /** A new UUID. Default: `crypto.randomUUID`. */
  readonly newId?: () => string;
  /** How long an append whose outcome is unknown is tried again, in milliseconds. Default 10,000. */
  readonly resolveMs?: number;
  /** Waits between such attempts. Default: by a timer, 50 ms and longer each time. */
  readonly pause?: (attempt: number) => Promise<void>;
}

const EMPTY: Bytes = new Uint8Array(0);
const defaultPause = (attempt: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, Math.min(50 * 2 ** attempt, 1000)));

/** The right to append to a log, until another server takes over. Calls must not overlap. */
export class LogWriter {
  readonly #reader: LogReader;
  readonly #epoch: number;
  readonly #options: Required<WriterOptions>;
  #lost: StorageError | undefined;

  private constructor(reader: LogReader, epoch: number, options: Required<WriterOptions>) {
    this.#reader = reader;
    this.#epoch = epoch;
    this.#options = options;
  }

  /**
   * Takes over the log that `reader` reads, and reads it to its end. The former writer appends nothing from then on.
   * @throws StorageError `LEASE_LOST` if yet another server takes over at the same time; `HISTORY_LOST`,
   * `COMMIT_UNKNOWN`
   */
  static async takeOver(reader: LogReader, options: WriterOptions): Promise<LogWriter> {
    const all = { newId: () => crypto.randomUUID(), resolveMs: 10_000, pause: defaultPause, ...options };
    await reader.catchUp();
    const before = reader.root.epoch;
    // A root that its service has lost may be older than the entries.
    const epoch = Math.max(before, reader.epoch) + 1;
    while (!(await replaceRoot(reader, { ...reader.root, epoch, holder: all.server }))) {
      if (reader.root.epoch !== before) throw lost(reader.log, 'taken');
    }
    const writer = new LogWriter(reader, epoch, all);
    await writer.#fence();
    return writer;
  }

  /** Its epoch. */
  get epoch(): number {
    return this.#epoch;
  }

  /** Whether it can append nothing more, as far as it has noticed. */
  get lost(): boolean {
    return this.#lost !== undefined;
  }

  /** Whether that is because another server has taken over. */
  get replaced(): boolean {
    return this.#lost?.code === 'LEASE_LOST';
  }

  /**
   * Asks whether another server has taken over. If so, this one appends nothing more.
   * @throws StorageError `LEASE_LOST`; `HISTORY_LOST` if the service lacks what was read; `STORE_UNAVAILABLE` while it is not
   * known what became of an entry
   */
  async assertHeld(): Promise<void> {
    this.#assertKnown();
    const { driver, log, position, id, rootVersion } = this.#reader;
    const [change] = await driver.check([{ log, after: position, id, rootVersion }]);
    if (change === undefined) return;
    if (change.lost) throw historyLost(this.#reader);
    const { epoch } = change.root === undefined ? this.#reader.root : decodeRoot(change.root);
    const isOver = epoch > this.#epoch || change.entries.some((entry) => entry.epoch > this.#epoch);
    if (isOver) throw (this.#lost ??= lost(log, 'taken'));
  }

  /**
   * Appends a change. When it resolves, the change is in the log for ever, once.
   * @throws StorageError `LEASE_LOST` if another server has taken over: the change is not in the log. `COMMIT_UNKNOWN`
   * if the service did not say in time whether it is.
   */
  async append(body: Bytes): Promise<LogEntry> {
    this.#assertKnown();
    const entry = this.#entry(body);
    const outcome = await this.#resolve(entry);
    if (outcome !== 'ok') throw (this.#lost = lost(this.#reader.log, outcome));
    await this.#reader.added(entry);
    return entry;
  }

  #assertKnown(): void {
    if (this.#lost?.code === 'COMMIT_UNKNOWN') throw undecided(this.#lost);
    if (this.#lost !== undefined) throw this.#lost;
  }

  /** Appends the fence behind what others have appended meanwhile. */
  async #fence(): Promise<void> {
    const reader = this.#reader;
    for (;;) {
      const fence = this.#entry(EMPTY);
      const outcome = await this.#resolve(fence);
      if (outcome === 'ok') return reader.added(fence);
      await reader.catchUp();
      if (outcome === 'gone' && reader.position < fence.position) throw historyLost(reader);
      if (reader.epoch > this.#epoch) throw lost(reader.log, 'taken');
    }
  }

  /** Appends the entry until it is known whether it is in the log. While the service is away, it is tried again. */
  async #resolve(entry: LogEntry): Promise<Exclude<AppendOutcome, 'unknown'>> {
    const { driver, log, id } = this.#reader;
    const until = performance.now() + this.#options.resolveMs;
    /** Whether an earlier attempt may have appended it. */
    let doubtful = false;
    /** Whether it survives the loss of the primary server, if it is there. */
    let isSafe = false;
    for (let attempt = 0; ; attempt++) {
      let failure: unknown;
      try {
        const outcome = await driver.append({ ...entry, log, previous: id });
        if (outcome === 'unknown') {
          doubtful = true;
          isSafe = false;
        } else if (!doubtful || outcome === 'taken' || (outcome === 'ok' && isSafe)) {
          return outcome;
        } else if (outcome === 'gone') {
          // The entry may have been appended, covered by a checkpoint and trimmed.
          throw (this.#lost = unknown(log, entry));
        } else {
          // It may be on the primary server of the service alone. If that is replaced meanwhile, it is appended to the next one.
          await driver.barrier();
          isSafe = true;
          continue;
        }
      } catch (error) {
        failure = error;
        const isAway = error instanceof StorageError && error.code === 'STORE_UNAVAILABLE';
        if (!isAway) throw doubtful ? (this.#lost ??= unknown(log, entry, error)) : error;
      }
      if (performance.now() > until) throw doubtful ? (this.#lost = unknown(log, entry, failure)) : failure;
      await this.#options.pause(attempt);
    }
  }

  #entry(body: Bytes): LogEntry {
    return { position: this.#reader.position + 1, id: this.#options.newId(), epoch: this.#epoch, body };
  }
}

function lost(log: number, outcome: AppendOutcome): StorageError {
  const why = outcome === 'gone' ? 'the entry before is no longer there' : 'another server has taken over';
  return new StorageError(
    'LEASE_LOST',
    `Nothing was written to log ${log}: ${why}. Read the present state, and try again.`,
  );
}

function unknown(log: number, { id }: LogEntry, cause?: unknown): StorageError {
  return new StorageError(
    'COMMIT_UNKNOWN',
    `The store did not say whether entry ${id} is in log ${log}. Read the present state to find out.`,
    { cause },
  );
}

const undecided = (cause: StorageError): StorageError =>
  new StorageError('STORE_UNAVAILABLE', 'It is not known yet what became of the last commit. Try again.', { cause });
