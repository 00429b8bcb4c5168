/** Reads a shared log from its latest checkpoint to its end, and from then on what is new. */

import { StorageError } from '@quadrille/model';
import type { Bytes } from '@quadrille/storage';
import type { Change, LogEntry, SharedDriver } from '../contract.js';
import { decodeRoot, NO_ROOT, type Checkpoint, type RootRecord } from './root-record.js';

/** What the entries of a log add up to. */
export interface Fold {
  /** Begins anew, from the parts of a checkpoint, or from nothing. */
  reset(parts: readonly Bytes[]): void | Promise<void>;
  /** Adds an entry, in the order of the log. It may read packs of the entry. */
  apply(entry: LogEntry): void | Promise<void>;
}

/** How often a checkpoint is looked for again after a newer one has replaced it. */
const CHECKPOINT_ATTEMPTS = 8;

/** The state of one log in this process. Calls must not overlap. */
export class LogReader {
  #root: RootRecord = NO_ROOT;
  #rootVersion = 0;
  #position = 0;
  #id: string | undefined;
  #epoch = 0;

  constructor(
    /** Where it reads. */
    readonly driver: SharedDriver,
    /** The number of the log. */
    readonly log: number,
    /** What gets the entries. */
    readonly fold: Fold,
  ) {}

  /** The last position that it has read. */
  get position(): number {
    return this.#position;
  }

  /** The id of the entry there; `undefined` at position 0. */
  get id(): string | undefined {
    return this.#id;
  }

  /** The greatest epoch of all entries so far. */
  get epoch(): number {
    return this.#epoch;
  }

  /** The root that it has read last. */
  get root(): RootRecord {
    return this.#root;
  }

  /** The version of that root; 0: there is none. */
  get rootVersion(): number {
    return this.#rootVersion;
  }

  /**
   * Reads what is new, until nothing is. Afterwards it has every entry whose append ended before the call.
   * @throws StorageError `HISTORY_LOST` if the service no longer has an entry that was read before
   */
  async catchUp(): Promise<void> {
    if (this.#position === 0) {
      await this.readRoot();
      if (this.#root.checkpoint !== undefined) await this.#loadCheckpoint();
    }
    for (;;) {
      const [change] = await this.driver.check([
        { log: this.log, after: this.#position, id: this.#id, rootVersion: this.#rootVersion },
      ]);
      if (change === undefined) return;
      await this.#take(change);
      if (!change.more) return;
    }
  }

  async #take(change: Change): Promise<void> {
    if (change.lost) throw historyLost(this);
    if (change.root !== undefined) {
      this.#root = decodeRoot(change.root);
      this.#rootVersion = change.root.version;
    }
    const [first] = change.entries;
    if (first !== undefined && first.position > this.#position + 1) await this.#loadCheckpoint();
    for (const entry of change.entries) {
      if (entry.position > this.#position) await this.#add(entry);
    }
  }

  /** Adds an entry that this process has appended itself. */
  async added(entry: LogEntry): Promise<void> {
    await this.#add(entry);
  }

  /** Notes a root that this process has written itself. */
  replacedRoot(root: RootRecord): void {
    this.#root = root;
    this.#rootVersion++;
  }

  async #add(entry: LogEntry): Promise<void> {
    if (entry.position !== this.#position + 1) throw historyLost(this);
    // A writer that was replaced cannot know the fence behind which it would have to append.
    const isVoid = entry.epoch < this.#epoch;
    if (!isVoid && entry.body.length > 0) await this.fold.apply(entry);
    this.#position = entry.position;
    this.#id = entry.id;
    this.#epoch = Math.max(this.#epoch, entry.epoch);
  }

  async #loadCheckpoint(): Promise<void> {
    for (let attempt = 0; attempt < CHECKPOINT_ATTEMPTS; attempt++) {
      const { checkpoint } = this.#root;
      if (checkpoint === undefined || checkpoint.position < this.#position) throw historyLost(this);
      const parts = await this.#parts(checkpoint);
      if (parts !== undefined) {
        await this.fold.reset(parts);
        this.#position = checkpoint.position;
        this.#id = checkpoint.id;
        this.#epoch = checkpoint.epoch;
        return;
      }
      await this.readRoot();
    }
    throw new StorageError(
      'SNAPSHOT_EXPIRED',
      `The checkpoint of log ${this.log} was replaced while it was being read. Open the store again.`,
    );
  }

  /** The packs of a checkpoint; `undefined` if one was deleted, because there is a newer checkpoint. */
  async #parts({ packs }: Checkpoint): Promise<readonly Bytes[] | undefined> {
    const slices = packs.map(({ pack, length }) => ({ pack, from: 0, length }));
    const parts = await this.driver.getPacks(this.log, slices);
    return parts.every((part) => part !== undefined) ? parts : undefined;
  }

  /** Reads the root alone. */
  async readRoot(): Promise<void> {
    const [change] = await this.driver.check([
      { log: this.log, after: Number.MAX_SAFE_INTEGER - 1, rootVersion: this.#rootVersion },
    ]);
    if (change?.root === undefined) return;
    this.#root = decodeRoot(change.root);
    this.#rootVersion = change.root.version;
  }
}

/** The service no longer has what a reader has read. */
export function historyLost({ log, position }: Pick<LogReader, 'log' | 'position'>): StorageError {
  return new StorageError(
    'HISTORY_LOST',
    `The store has lost entry ${position} of log ${log}, which was there before. It was restored, or replaced by a server that lags behind.`,
  );
}
