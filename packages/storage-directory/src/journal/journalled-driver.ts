/**
 * A driver with a journal in front of an inner driver. A small batch is appended to the journal and kept in memory. That costs
 * one write to a file instead of a call into the backend's thread. Many small batches go to the inner driver together, in the
 * background. A larger batch goes there at once, together with the content of the journal. So the order of all batches is kept.
 */

import { StorageError } from '@quadrille/model';
import {
  equalBytes,
  isFull,
  loadChecksum,
  snapshotOf,
  type Bytes,
  type Checksum,
  type DriverSnapshot,
  type Entry,
  type KeyRange,
  type OnDamage,
  type PurgePauses,
  type RangeOptions,
  type StorageCapabilities,
  type StorageDriver,
  type WriteOp,
  type WriteOptions,
  type WriteOutcome,
} from '@quadrille/storage';
import type { JournalFiles } from './journal-files.js';
import { decodePosition, encodePosition, POSITION_KEY, type JournalPosition } from './journal-position.js';
import { JournalPart } from './journal-part.js';
import { RecordEncoder, recordBytes, type PlainOp } from './journal-record.js';
import { replayJournal } from './journal-replay.js';
import type { HasRoom } from '../room.js';
import { JournalSnapshot } from './journal-snapshot.js';
import { DELETED } from './overlay.js';

const KB = 1024;

/** Options of the journal. */
export interface JournalOptions {
  /**
   * Size at which a journal file is moved to the inner driver, in bytes. There are two files, and their content is
   * also in memory. Default 1 MB.
   */
  readonly fileBytes?: number;
  /** Largest record of the journal, in bytes. Larger batches go to the inner driver at once. Default 64 KB. */
  readonly recordBytes?: number;
  /** Boot id of the machine. If it has changed, the power may have failed. Default: unknown. */
  readonly boot?: string;
  /** Whether nothing may be written. Then the journal is only read. Default false. */
  readonly readOnly?: boolean;
  /** Called before the journal files grow and before the inner driver gets a batch. Default: there is always room. */
  readonly hasRoom?: HasRoom;
  /** Called with descriptions of damage. With it, a damaged journal is read as far as possible. Default: opening fails. */
  readonly onDamage?: OnDamage | undefined;
}

/** Room for new records that is checked at a time, in bytes. */
const GRANTED_BYTES = 64 * KB;

export class JournalledDriver implements StorageDriver {
  readonly #inner: StorageDriver;
  readonly #files: JournalFiles;
  readonly #fileBytes: number;
  readonly #recordBytes: number;
  readonly #boot: string;
  readonly #readOnly: boolean;
  readonly #hasRoom: HasRoom;
  readonly #onDamage: OnDamage | undefined;
  #checksum!: Checksum;
  #encoder!: RecordEncoder;
  /** Undefined until the first write, which goes to the inner driver and stores the session there. */
  #session: number | undefined;
  #filesOpen = false;
  /** Number of the last applied batch, wherever it is stored. */
  #number = 0;
  /** Every batch up to this number is on the disk. */
  #synced = 0;
  /** The file that takes new records. */
  #active = new JournalPart(0);
  /** The file whose content is moving to the inner driver. */
  #frozen: JournalPart | undefined;
  #draining: Promise<void> | undefined;
  /** Whether the inner driver has batches that are not on the disk yet. */
  #unsyncedBelow = false;
  /** The error because of which nothing can be written until the driver is reopened. */
  #failure: Error | undefined;
  #warnings: readonly string[] = [];

  constructor(inner: StorageDriver, files: JournalFiles, options: JournalOptions = {}) {
    this.#inner = inner;
    this.#files = files;
    this.#fileBytes = options.fileBytes ?? 1024 * KB;
    this.#recordBytes = Math.min(options.recordBytes ?? 64 * KB, this.#fileBytes);
    this.#boot = options.boot ?? '';
    this.#onDamage = options.onDamage;
    this.#readOnly = options.readOnly === true || options.onDamage !== undefined;
    this.#hasRoom = options.hasRoom ?? (() => true);
  }

  get name(): string {
    return this.#inner.name;
  }

  get capabilities(): StorageCapabilities {
    return this.#inner.capabilities;
  }

  /** Set if the content of the journal cannot be moved, or the inner driver accepts no writes. Reads work. */
  get failure(): Error | undefined {
    return this.#inner.failure ?? this.#failure;
  }

  /** Descriptions of data that were lost when the driver was opened. */
  get warnings(): readonly string[] {
    return this.#warnings;
  }

  async open(): Promise<void> {
    await this.#inner.open();
    try {
      this.#checksum ??= await loadChecksum();
      this.#encoder ??= new RecordEncoder(this.#checksum, this.#recordBytes);
      await this.#replay();
    } catch (error) {
      await this.#inner.close();
      throw error;
    }
  }

  /** Content that the inner driver does not accept stays in the journal for the next open. */
  async close(): Promise<void> {
    const drained = await this.#drainAll().catch(() => false);
    this.#session = undefined;
    this.#filesOpen = false;
    try {
      await this.#files.close();
    } finally {
      await this.#inner.close();
    }
    // The files can be removed: the position in the inner driver covers all their records.
    if (drained && !this.#readOnly) await this.#files.remove().catch(() => undefined);
  }

  async reopen(): Promise<void> {
    if (this.#inner.reopen !== undefined) await this.#inner.reopen();
    else {
      await this.#inner.close();
      await this.#inner.open();
    }
    await this.resume();
  }

  /**
   * Call it after a failure, when the inner driver was reopened. Moves the acknowledged batches there and starts the
   * journal again.
   */
  async resume(): Promise<void> {
    await this.#draining;
    await this.#files.close();
    this.#filesOpen = false;
    const position = await this.#readPosition();
    if (position !== undefined && position.number > this.#number) {
      // The inner driver has the batch that failed, and with it the content of the journal: an older value must not replace one of that batch.
      this.#number = position.number;
      this.#clear();
    }
    this.#active.leavesWith = undefined;
    const ops = [...(this.#frozen?.overlay.ops() ?? []), ...this.#active.overlay.ops()];
    // Starts a new session, so that the record of a failed batch cannot reappear.
    this.#failure = await this.#tryTakeOver(ops, this.#number);
    if (this.#failure === undefined) this.#clear();
  }

  #clear(): void {
    this.#frozen = undefined;
    this.#active = new JournalPart(0);
  }

  async get(key: Bytes): Promise<Bytes | undefined> {
    const { leavesWith } = this.#active;
    const above = this.#above(key);
    return above === undefined || (await this.#hasBelow(leavesWith)) ? this.#inner.get(key) : presentOf(above);
  }

  getSync(key: Bytes): Bytes | undefined {
    const { leavesWith } = this.#active;
    const above = this.#above(key);
    if (above === undefined) return this.#inner.getSync!(key);
    const isBelow = leavesWith !== undefined && this.#covers(this.#inner.getSync!(POSITION_KEY), leavesWith);
    return isBelow ? this.#inner.getSync!(key) : presentOf(above);
  }

  async getMany(keys: readonly Bytes[]): Promise<(Bytes | undefined)[]> {
    const { leavesWith } = this.#active;
    const values = keys.map((key) => this.#above(key));
    const below = keys.filter((_, i) => values[i] === undefined);
    if (below.length === keys.length || (await this.#hasBelow(leavesWith))) return this.#inner.getMany(keys);
    if (below.length === 0) return values.map((value) => presentOf(value!));
    const read = (await this.#inner.getMany(below)).values();
    return values.map((value) => (value === undefined ? read.next().value : presentOf(value)));
  }

  async *range(range: KeyRange, options: Required<RangeOptions>): AsyncGenerator<readonly Entry[], void, undefined> {
    const snapshot = this.snapshot();
    try {
      yield* snapshot.range(range, options);
    } finally {
      await snapshot.close();
    }
  }

  /**
   * Takes the content of the journal and the state below in one turn. While a batch takes the content to the inner driver, that shows
   * the batch before it answers. Then the position below says whether the inner state has it.
   */
  snapshot(): DriverSnapshot {
    const { leavesWith, overlay } = this.#active;
    const isBelow = (position: Bytes | undefined): boolean => this.#covers(position, leavesWith!);
    return new JournalSnapshot(
      snapshotOf(this.#inner),
      overlay.state(),
      this.#frozen?.overlay.state(),
      leavesWith === undefined ? undefined : isBelow,
    );
  }

  async write(ops: readonly WriteOp[], options: WriteOptions): Promise<WriteOutcome> {
    if (this.#failure !== undefined) throw this.#failure;
    const { precondition } = options;
    if (precondition !== undefined && !equalBytes(await this.get(precondition.key), precondition.value)) {
      return 'conflict';
    }
    try {
      return await this.#write(ops, options);
    } catch (error) {
      this.#failure ??= asError(error);
      throw error;
    }
  }

  async #write(ops: readonly WriteOp[], { durable, frees = false }: WriteOptions): Promise<WriteOutcome> {
    const bytes = recordBytes(ops);
    if (bytes === undefined || bytes > this.#recordBytes) return this.#writeBelow(ops, durable, frees);
    if (this.#active.bytes + bytes > this.#fileBytes) {
      if (!frees && !this.#hasRoom(this.#active.bytes)) return 'full';
      await this.#rotate();
    }
    if (this.#session === undefined || (durable && !this.#canSync())) return this.#writeBelow(ops, durable, frees);
    if (!frees && !this.#hasRoomFor(bytes)) return 'full';
    let applied: readonly PlainOp[];
    try {
      if (!this.#filesOpen) await this.#openFiles();
      applied = this.#append(ops, bytes);
    } catch (error) {
      if (!isFull(error)) throw error;
      // The record is incomplete. Cuts it off to free its space.
      if (this.#filesOpen) this.#files.truncate(this.#active.file, this.#active.bytes);
      return 'full';
    }
    if (durable) await this.#sync();
    this.#apply(applied, durable);
    return 'ok';
  }

  /** Counts only the inner driver. */
  approximateSize(range: KeyRange): Promise<number> {
    return this.#inner.approximateSize(range);
  }

  async compact(range: KeyRange): Promise<void> {
    await this.#inner.compact?.(range);
  }

  /**
   * Moves the content of the journal to the inner driver first: a deleted value in it must not come into the new files. In the end it
   * overwrites the files of the journal.
   */
  async purge(pauses: PurgePauses): Promise<number> {
    const drain = async (): Promise<void> => {
      if (this.#failure !== undefined) throw this.#failure;
      if (!(await this.#drainAll())) throw endedAs('full', this.name);
    };
    await pauses.withoutWrites(drain);
    const bytes = (await this.#inner.purge?.(pauses)) ?? 0;
    await pauses.withoutWrites(async () => {
      await drain();
      // The position in the inner driver covers all records. The files are made again with the next one.
      await this.#openFiles();
      try {
        await this.#files.overwrite();
      } finally {
        this.#filesOpen = false;
        await this.#files.close();
      }
      await this.#files.remove();
    });
    return bytes;
  }

  /** The value of a key in the journal, {@link DELETED}, or undefined if the journal does not have the key. */
  #above(key: Bytes): Bytes | undefined {
    return this.#active.overlay.get(key) ?? this.#frozen?.overlay.get(key);
  }

  /** Whether the inner driver shows the batch with this number, which takes the content of the journal with it. */
  async #hasBelow(number: number | undefined): Promise<boolean> {
    return number !== undefined && this.#covers(await this.#inner.get(POSITION_KEY), number);
  }

  #covers(stored: Bytes | undefined, number: number): boolean {
    return stored !== undefined && decodePosition(stored, this.#checksum).number >= number;
  }

  /** Whether a sync of the active file makes all earlier batches durable. */
  #canSync(): boolean {
    return !this.#unsyncedBelow && this.#frozen?.unsynced !== true;
  }

  async #openFiles(): Promise<void> {
    if (this.#filesOpen) return;
    await this.#files.open();
    this.#filesOpen = true;
  }

  #hasRoomFor(bytes: number): boolean {
    const active = this.#active;
    const end = active.bytes + bytes;
    if (end <= active.granted) return true;
    const asked = Math.max(bytes, GRANTED_BYTES);
    if (!this.#hasRoom(asked)) return false;
    active.granted = active.bytes + asked;
    return true;
  }

  #append(ops: readonly WriteOp[], bytes: number): readonly PlainOp[] {
    const active = this.#active;
    const record = this.#encoder.encode(ops, bytes, this.#session!, this.#number + 1, this.#synced);
    this.#files.write(active.file, record.bytes, active.bytes);
    active.bytes += bytes;
    active.unsynced = true;
    return record.ops;
  }

  async #sync(): Promise<void> {
    await this.#files.sync(this.#active.file);
    this.#active.unsynced = false;
    this.#synced = this.#number + 1;
  }

  #apply(ops: readonly PlainOp[], durable: boolean): void {
    const active = this.#active;
    for (const op of ops) active.overlay.apply(op);
    active.last = ++this.#number;
    active.durable ||= durable;
  }

  /** Writes `ops` and the content of the journal to the inner driver as one batch. */
  async #writeBelow(ops: readonly WriteOp[], durable: boolean, frees: boolean): Promise<WriteOutcome> {
    await this.#drained();
    const active = this.#active;
    if (!frees && !this.#hasRoom(active.bytes + valueBytesOf(ops))) return 'full';
    const session = this.#session ?? newSession();
    const number = this.#number + 1;
    const sync = durable || active.durable;
    // If this throws or is unknown, the content of the journal stays where it is: reads ask which of both is newer.
    active.leavesWith = number;
    const outcome = await this.#put([...active.overlay.ops(), ...ops], { session, number, boot: this.#boot }, sync);
    if (outcome === 'unknown') this.#failure = endedAs(outcome, this.name);
    else active.leavesWith = undefined;
    if (outcome !== 'ok') return outcome;
    this.#session = session;
    this.#number = number;
    this.#active = new JournalPart(active.file);
    return 'ok';
  }

  /**
   * Directs new records to the other file. The content of the full file moves to the inner driver in the background.
   */
  async #rotate(): Promise<void> {
    // The inner driver may be behind by one file only.
    await this.#drained();
    const full = this.#active;
    this.#frozen = full;
    this.#active = new JournalPart(full.file === 0 ? 1 : 0);
    this.#draining = this.#drain(full).catch((error: unknown) => {
      this.#failure ??= asError(error);
    });
  }

  async #drain(part: JournalPart): Promise<void> {
    const position = { session: this.#session!, number: part.last, boot: this.#boot };
    const outcome = await this.#put(part.overlay.ops(), position, part.durable);
    if (outcome !== 'ok') throw endedAs(outcome, this.name);
    this.#frozen = undefined;
  }

  async #drained(): Promise<void> {
    await this.#draining;
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Moves the whole journal to the inner driver. Returns false if that is impossible now. */
  async #drainAll(): Promise<boolean> {
    await this.#drained();
    const active = this.#active;
    if (active.overlay.empty) return true;
    if (this.#readOnly || !this.#hasRoom(active.bytes)) return false;
    await this.#drain(active);
    this.#active = new JournalPart(0);
    return true;
  }

  /** Writes ops and the position that covers them to the inner driver. */
  async #put(ops: readonly WriteOp[], position: JournalPosition, durable: boolean): Promise<WriteOutcome> {
    const value = encodePosition(position, this.#checksum);
    const outcome = await this.#inner.write([...ops, { type: 'put', key: POSITION_KEY, value }], { durable });
    if (outcome !== 'ok') return outcome;
    this.#unsyncedBelow = !durable;
    if (durable) this.#synced = Math.max(this.#synced, position.number);
    return 'ok';
  }

  async #replay(): Promise<void> {
    this.#active = new JournalPart(0);
    this.#frozen = this.#draining = this.#failure = undefined;
    const position = await this.#readPosition();
    const files = await this.#files.read();
    if (position === undefined) return this.#assertUnused(files);
    this.#number = position.number;
    if (files.every(({ length }) => length === 0)) return;
    const options = { boot: this.#boot, name: this.#files.name, onDamage: this.#onDamage };
    const { ops, number, warnings } = replayJournal(files, position, this.#checksum, options);
    this.#warnings = warnings;
    this.#number = number;
    if (!this.#readOnly) this.#failure = await this.#tryTakeOver(ops, number);
    // Content that cannot be moved is read from memory and stays in the files.
    if (this.#readOnly || this.#failure !== undefined) for (const op of ops) this.#active.overlay.apply(op);
  }

  async #readPosition(): Promise<JournalPosition | undefined> {
    try {
      const stored = await this.#inner.get(POSITION_KEY);
      return stored && decodePosition(stored, this.#checksum);
    } catch (error) {
      if (this.#onDamage === undefined) throw error;
      return undefined;
    }
  }

  /** Without a position it is unknown which records the inner driver has already, so none of them is used. */
  #assertUnused(files: readonly Bytes[]): void {
    if (files.every(({ length }) => length === 0)) return;
    const message = `${this.#files.name}: the position of the journal is lost; these files were not used.`;
    this.#onDamage?.({ message, missing: 'anywhere' });
  }

  /** Starts a session and moves the content of the one before. Returns the error if that is impossible now. */
  async #tryTakeOver(ops: readonly PlainOp[], number: number): Promise<Error | undefined> {
    if (this.#inner.failure !== undefined) return this.#inner.failure;
    if (!this.#hasRoom(valueBytesOf(ops))) return endedAs('full', this.name);
    const session = newSession();
    try {
      const outcome = await this.#put(ops, { session, number, boot: this.#boot }, true);
      if (outcome !== 'ok') return endedAs(outcome, this.name);
    } catch (error) {
      if (isFull(error)) return asError(error);
      throw error;
    }
    this.#session = session;
    return undefined;
  }
}

const presentOf = (value: Bytes): Bytes | undefined => (value === DELETED ? undefined : value);

function valueBytesOf(ops: readonly WriteOp[]): number {
  let bytes = 0;
  for (const op of ops) if (op.type === 'put') bytes += op.key.length + op.value.length;
  return bytes;
}

const endedAs = (outcome: WriteOutcome, name: string): StorageError =>
  outcome === 'full'
    ? new StorageError('STORAGE_FULL', `There is no space left for a write to ${name}`)
    : new StorageError('STORAGE_IO', `The storage answered "${outcome}" to a write to ${name}`);

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

/** A random session number. It cannot be guessed, so that a stored value cannot imitate a record. */
function newSession(): number {
  return crypto.getRandomValues(new Uint32Array(1))[0]!;
}
