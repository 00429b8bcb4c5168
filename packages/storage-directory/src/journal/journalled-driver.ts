/**
 * A driver with a journal before it. A small batch costs one write to a file instead of a way through the storage's thread:
 * it is appended to the journal and kept in memory, and goes below together with many others, in the background. Larger
 * ones go below at once, and take along what the journal holds, so that the order of all batches stays.
 */

import { StorageError } from '@quadrille/model';
import {
  equalBytes,
  loadChecksum,
  type Bytes,
  isFull,
  type Checksum,
  type Entry,
  type KeyRange,
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
import { DELETED, mergeEntries, overlaidRange } from './overlay.js';

const KB = 1024;

export interface JournalOptions {
  /** A file with so many bytes is taken over. There are two, and what they hold is in memory too. Default 1 MB. */
  readonly fileBytes?: number;
  /** Batches whose record is longer go to the storage below at once. Default 64 KB. */
  readonly recordBytes?: number;
  /** Names one run of the machine: from one to the next the power may have failed. Default: cannot be told. */
  readonly boot?: string;
  /** Nothing is written: what the journal holds is only read. Default false. */
  readonly readOnly?: boolean;
  /** Asked before the files grow and before something goes below. Default: there is room for all. */
  readonly hasRoom?: HasRoom;
}

/** For so many bytes of new records at a time it is asked whether there is room. */
const GRANTED_BYTES = 64 * KB;

export class JournalledDriver implements StorageDriver {
  readonly #inner: StorageDriver;
  readonly #files: JournalFiles;
  readonly #fileBytes: number;
  readonly #recordBytes: number;
  readonly #boot: string;
  readonly #readOnly: boolean;
  readonly #hasRoom: HasRoom;
  #checksum!: Checksum;
  #encoder!: RecordEncoder;
  /** Undefined until the first write: that goes below, and tells there what the session is. */
  #session: number | undefined;
  #filesOpen = false;
  /** Of the last batch that was applied, wherever. */
  #number = 0;
  /** Every batch up to this one is on the disk. */
  #synced = 0;
  /** Takes new records. */
  #active = new JournalPart(0);
  /** Is being taken over. */
  #frozen: JournalPart | undefined;
  #draining: Promise<void> | undefined;
  /** The storage below holds batches that have not reached the disk. */
  #unsyncedBelow = false;
  /** Why nothing can be written until it is reopened. */
  #failure: Error | undefined;
  #warnings: readonly string[] = [];

  constructor(inner: StorageDriver, files: JournalFiles, options: JournalOptions = {}) {
    this.#inner = inner;
    this.#files = files;
    this.#fileBytes = options.fileBytes ?? 1024 * KB;
    this.#recordBytes = Math.min(options.recordBytes ?? 64 * KB, this.#fileBytes);
    this.#boot = options.boot ?? '';
    this.#readOnly = options.readOnly === true;
    this.#hasRoom = options.hasRoom ?? (() => true);
  }

  get name(): string {
    return this.#inner.name;
  }

  get capabilities(): StorageCapabilities {
    return this.#inner.capabilities;
  }

  /** What the journal holds cannot go below, or the storage below takes nothing: it can be read alone. */
  get failure(): Error | undefined {
    return this.#inner.failure ?? this.#failure;
  }

  /** What was lost when it was opened. */
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

  /** What the storage below does not take stays in the journal for the next opening. */
  async close(): Promise<void> {
    const drained = await this.#drainAll().catch(() => false);
    this.#session = undefined;
    this.#filesOpen = false;
    try {
      await this.#files.close();
    } finally {
      await this.#inner.close();
    }
    // Files that stay hold nothing that the storage below does not say it has.
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

  /** After a failure, when the storage below has been reopened: what was acknowledged goes there, the journal begins anew. */
  async resume(): Promise<void> {
    await this.#draining;
    await this.#files.close();
    this.#filesOpen = false;
    const ops = [...(this.#frozen?.overlay.ops() ?? []), ...this.#active.overlay.ops()];
    // A new session: the record of a batch that failed must not turn up any more.
    this.#failure = await this.#tryTakeOver(ops, this.#number);
    if (this.#failure !== undefined) return;
    this.#frozen = undefined;
    this.#active = new JournalPart(0);
  }

  async get(key: Bytes): Promise<Bytes | undefined> {
    const above = this.#above(key);
    return above === undefined ? this.#inner.get(key) : presentOf(above);
  }

  getSync(key: Bytes): Bytes | undefined {
    const above = this.#above(key);
    return above === undefined ? this.#inner.getSync!(key) : presentOf(above);
  }

  async getMany(keys: readonly Bytes[]): Promise<(Bytes | undefined)[]> {
    const values = keys.map((key) => this.#above(key));
    const below = keys.filter((_, i) => values[i] === undefined);
    if (below.length === 0) return values.map((value) => presentOf(value!));
    const read = (await this.#inner.getMany(below)).values();
    return values.map((value) => (value === undefined ? read.next().value : presentOf(value)));
  }

  /** What lies above is collected in the same turn in which the storage below begins to read: they are one state. */
  async *range(range: KeyRange, options: Required<RangeOptions>): AsyncGenerator<readonly Entry[], void, undefined> {
    const below = { ...range, lt: range.lt ?? POSITION_KEY };
    const newer = this.#active.overlay.entries(range);
    const above = mergeEntries(newer, this.#frozen?.overlay.entries(range) ?? [], range.reverse === true);
    yield* above.length === 0 ? this.#inner.range(below, options) : overlaidRange(above, this.#inner, below, options);
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
    try {
      if (!this.#filesOpen) await this.#openFiles();
      this.#append(ops, bytes);
    } catch (error) {
      if (!isFull(error)) throw error;
      // No record was made whole: what of it stands in the file is given back.
      if (this.#filesOpen) this.#files.truncate(this.#active.file, this.#active.bytes);
      return 'full';
    }
    if (durable) await this.#sync();
    this.#apply(ops, durable);
    return 'ok';
  }

  /** Of table files alone, as below. */
  approximateSize(range: KeyRange): Promise<number> {
    return this.#inner.approximateSize(range);
  }

  async compact(range: KeyRange): Promise<void> {
    await this.#inner.compact?.(range);
  }

  /** {@link DELETED}, or undefined where only the storage below can know. */
  #above(key: Bytes): Bytes | undefined {
    return this.#active.overlay.get(key) ?? this.#frozen?.overlay.get(key);
  }

  /** Whether syncing the active file makes all that came before durable. */
  #canSync(): boolean {
    return !this.#unsyncedBelow && this.#frozen?.unsynced !== true;
  }

  async #openFiles(): Promise<void> {
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

  #append(ops: readonly WriteOp[], bytes: number): void {
    const active = this.#active;
    const record = this.#encoder.encode(ops, bytes, this.#session!, this.#number + 1, this.#synced);
    this.#files.write(active.file, record, active.bytes);
    active.bytes += bytes;
    active.unsynced = true;
  }

  async #sync(): Promise<void> {
    await this.#files.sync(this.#active.file);
    this.#active.unsynced = false;
    this.#synced = this.#number + 1;
  }

  #apply(ops: readonly WriteOp[], durable: boolean): void {
    const active = this.#active;
    for (const op of ops) if (op.type !== 'deleteRange') active.overlay.apply(op);
    active.last = ++this.#number;
    active.durable ||= durable;
  }

  /** One batch for all that the journal holds and for `ops`. */
  async #writeBelow(ops: readonly WriteOp[], durable: boolean, frees: boolean): Promise<WriteOutcome> {
    await this.#drained();
    const active = this.#active;
    if (!frees && !this.#hasRoom(active.bytes + valueBytesOf(ops))) return 'full';
    const session = this.#session ?? newSession();
    const number = this.#number + 1;
    const sync = durable || active.durable;
    const outcome = await this.#put([...active.overlay.ops(), ...ops], { session, number, boot: this.#boot }, sync);
    if (outcome !== 'ok') return outcome;
    this.#session = session;
    this.#number = number;
    this.#active = new JournalPart(active.file);
    return 'ok';
  }

  /** The other file takes new records; what stands in this one goes below in the background. */
  async #rotate(): Promise<void> {
    // The storage below must not fall behind by more than one file.
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

  /** Whether nothing stands in the journal alone any more. */
  async #drainAll(): Promise<boolean> {
    await this.#drained();
    const active = this.#active;
    if (active.overlay.empty) return true;
    if (this.#readOnly || !this.#hasRoom(active.bytes)) return false;
    await this.#drain(active);
    this.#active = new JournalPart(0);
    return true;
  }

  /** Writes below what the position then speaks of. */
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
    const stored = await this.#inner.get(POSITION_KEY);
    const files = await this.#files.read();
    if (stored === undefined) return;
    const position = decodePosition(stored, this.#checksum);
    this.#number = position.number;
    if (files.every(({ length }) => length === 0)) return;
    const { name } = this.#files;
    const { ops, number, warnings } = replayJournal(files, position, this.#boot, this.#checksum, name);
    this.#warnings = warnings;
    this.#number = number;
    if (!this.#readOnly) this.#failure = await this.#tryTakeOver(ops, number);
    // What cannot go below is read from memory, and stays in the files.
    if (this.#readOnly || this.#failure !== undefined) for (const op of ops) this.#active.overlay.apply(op);
  }

  /** Begins a session with what the one before it left. The answer: why that is not possible now. */
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
    : new StorageError('STORAGE_IO', `A write to ${name} ended as ${outcome}`);

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

/** Not to be guessed: a value that a user stored must not pass for a record. */
function newSession(): number {
  return crypto.getRandomValues(new Uint32Array(1))[0]!;
}
