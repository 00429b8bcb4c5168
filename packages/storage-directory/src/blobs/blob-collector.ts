/**
 * Collects blob files with many dead bytes. It appends their live values to another file, a megabyte at a time
 * between other writes. It removes the old file when nobody reads it any more. Where a record is damaged, it finds the living
 * values of the rest by their pointers, so that damage of dead data stops nothing.
 */

import { CorruptionError, Mutex, StorageError } from '@quadrille/model';
import type { BackgroundFailures, Bytes, Checksum, WriteOp } from '@quadrille/storage';
import type { StoredValue } from './blob-codec.js';
import type { BlobFiles } from './blob-files.js';
import { END_KEY, LASTING, SEALED } from './blob-ledger.js';
import { decodePointer, encodePointer, isPointer, type BlobPointer } from './blob-pointer.js';
import { readRecords, recordBytes, type BlobRecord } from './blob-record.js';
import type { BlobState } from './blob-state.js';
import type { BlobWriter } from './blob-writer.js';
import type { Readers } from './readers.js';
import type { HasRoom } from '../room.js';

const STEP_BYTES = 1024 * 1024;
/** Names of the work, for monitoring. */
const COLLECTION = 'collection of blob files';
const DAMAGE = 'collection of damaged blob files';
/** After failures in a row the background tries again with every so many batches, at most. */
const LONGEST_WAIT = 1024;

/** A value of a file that may be living. */
interface Candidate extends BlobRecord {
  /** Its stored bytes, if they were read. */
  readonly value?: Bytes;
}

export interface CollectorParts {
  readonly state: BlobState;
  readonly files: BlobFiles;
  readonly writer: BlobWriter;
  readonly readers: Readers;
  readonly checksum: Checksum;
  /** Held during each write. */
  readonly turn: Mutex;
  /** Brings every batch of the inner driver to the disk, also those that were not durable. */
  readonly settle: () => Promise<void>;
  /** Number of dead bytes from which an open file is collected in the background. */
  readonly openDeadBytes: number;
  readonly hasRoom: HasRoom;
  readonly failures: BackgroundFailures;
}

/** The conditions under which a file is collected. */
interface Demand {
  /** Share of the file's bytes that must be dead. */
  readonly share: number;
  readonly openDeadBytes: number;
}

export class BlobCollector {
  readonly #parts: CollectorParts;
  readonly #background: Demand;
  /** Held while a file is collected. */
  readonly #alone = new Mutex();
  /** Files with a living value that cannot be read. They stay as they are. */
  readonly #kept = new Set<number>();
  /** Damaged files that were reported. */
  readonly #damaged = new Set<number>();
  /** Files that the ledger does not have any more, and that are still to be removed. */
  readonly #unnamed = new Set<number>();
  /** Why one of them could not be removed. */
  #unremoved: unknown;
  #busy = false;
  /** Number of batches before the background tries again. */
  #wait = 0;
  #closed = false;

  constructor(parts: CollectorParts) {
    this.#parts = parts;
    this.#background = { share: 1 / 2, openDeadBytes: parts.openDeadBytes };
  }

  /** Starts collecting in the background if a file meets the conditions. */
  wake(): void {
    if (this.#busy || this.#next(this.#background) === undefined) return;
    if (this.#wait-- > 0) return;
    this.#busy = true;
    void this.#collectAll(this.#background)
      .then(() => this.#unremoved === undefined || this.#parts.failures.note(COLLECTION, this.#unremoved))
      .catch((error: unknown) => this.#failed(error))
      .then(() => {
        this.#busy = false;
      });
  }

  #failed(error: unknown): void {
    this.#wait = Math.min(2 ** this.#parts.failures.note(COLLECTION, error), LONGEST_WAIT);
  }

  /** Collects every file of which at least this share is dead. */
  async collect(share: number): Promise<void> {
    await this.#collectAll({ share, openDeadBytes: 0 });
    if (this.#unremoved !== undefined) throw this.#unremoved;
  }

  /**
   * Collects every file that has anything but living values, however little. Returns the number of moved bytes.
   * @throws StorageError `STORAGE_FULL` if there is no room for the living values of a file; CorruptionError if a living value cannot
   * be read. All other files are done then.
   */
  purge(signal: AbortSignal): Promise<number> {
    const { state, turn } = this.#parts;
    return this.#alone.run(async () => {
      const impure: number[] = [];
      let moved = 0;
      for (const number of state.ledger.files.keys()) {
        signal.throwIfAborted();
        const living = await this.#livingBytes(number);
        if (living === state.ledger.files.get(number)?.bytes) continue;
        // Living values of other files are not appended to it any more.
        await turn.run(() => this.#seal(number));
        impure.push(number);
        moved += living;
      }
      if (!this.#parts.hasRoom(moved))
        throw new StorageError('STORAGE_FULL', 'There is no room to write blob files anew');
      const failures: unknown[] = [];
      for (const number of impure) {
        signal.throwIfAborted();
        failures.push(await this.#collectOrKeep(number));
      }
      const failure = [...failures, this.#unremoved].find((each) => each !== undefined);
      if (failure !== undefined) throw failure;
      return moved;
    });
  }

  async #livingBytes(number: number): Promise<number> {
    let living = 0;
    for await (const candidates of this.#candidates(number))
      for (const { key, stored } of await this.#living(number, candidates)) living += recordBytes(key, stored);
    return living;
  }

  /** Frees space without moving values: removes dead files, and cuts off the dead ends of others. It never rejects. */
  async release(): Promise<void> {
    const released = this.#alone.run(async () => {
      for (const [number, { bytes, dead }] of this.#parts.state.ledger.files) {
        if (dead === 0 || this.#closed || this.#kept.has(number)) continue;
        if (dead >= bytes) await this.#collect(number);
        else await this.#cutEnd(number);
      }
    });
    await released.catch((error: unknown) => this.#failed(error));
  }

  /** Tries again at once: the storage was reopened. */
  restart(): void {
    // What the ledger does not have is removed at reopening.
    this.#unnamed.clear();
    this.#unremoved = undefined;
    this.#wait = 0;
    this.#kept.clear();
  }

  /** Resolves when no work is under way. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#alone.run(() => Promise.resolve());
  }

  #collectAll(demand: Demand): Promise<void> {
    return this.#alone.run(async () => {
      const { turn, failures } = this.#parts;
      if (this.#unnamed.size > 0) await turn.run(() => this.#removeUnnamed());
      for (let file = this.#next(demand); file !== undefined; file = this.#next(demand))
        await this.#collectOrKeep(file);
      this.#wait = 0;
      if (this.#unremoved === undefined) failures.succeeded(COLLECTION);
    });
  }

  /** Returns the damage because of which the file stays. */
  async #collectOrKeep(file: number): Promise<CorruptionError | undefined> {
    try {
      await this.#collect(file);
      return undefined;
    } catch (error) {
      if (!(error instanceof CorruptionError)) throw error;
      this.#kept.add(file);
      this.#reportDamage(file, error);
      return error;
    }
  }

  /** The number of the next file to collect. */
  #next({ share, openDeadBytes }: Demand): number | undefined {
    if (this.#closed) return undefined;
    for (const [number, { bytes, dead, state }] of this.#parts.state.ledger.files) {
      if (dead === 0 || dead < bytes * share || (state !== SEALED && dead < openDeadBytes)) continue;
      if (this.#kept.has(number)) continue;
      // Collecting needs room for the live bytes, because they are written again before the file is removed.
      if (dead >= bytes || this.#parts.hasRoom(bytes - dead)) return number;
    }
    return undefined;
  }

  async #collect(number: number): Promise<void> {
    const { turn } = this.#parts;
    await turn.run(() => this.#seal(number));
    for await (const candidates of this.#candidates(number)) await turn.run(() => this.#move(number, candidates));
    if (!this.#closed) await turn.run(() => this.#remove(number));
  }

  /** Seals a file, so that nothing is appended to it any more. */
  async #seal(number: number): Promise<void> {
    const { state } = this.#parts;
    const file = state.ledger.files.get(number)!;
    if (file.state !== SEALED) await state.commit([], state.ledger.with(number, { ...file, state: SEALED }));
  }

  /**
   * The values of a file that may be living, about a megabyte at a time. Ends early if there are none any more for certain, or at closing.
   */
  async *#candidates(number: number): AsyncGenerator<readonly Candidate[], void, undefined> {
    const { state } = this.#parts;
    const { bytes } = state.ledger.files.get(number)!;
    for (let position = 0; position < bytes && !this.#closed;) {
      const file = state.ledger.files.get(number)!;
      if (file.dead >= file.bytes && state.countsExactly(number)) return;
      let step;
      try {
        step = await this.#recordsAt(number, position, bytes);
      } catch (error) {
        this.#reportDamage(number, error);
        return yield* this.#pointedTo(number, position);
      }
      yield step.records;
      position = step.end;
    }
  }

  /** The records that begin within a megabyte from a position. */
  async #recordsAt(
    number: number,
    from: number,
    until: number,
  ): Promise<{ records: readonly Candidate[]; end: number }> {
    const { files, checksum } = this.#parts;
    const bytes = new Uint8Array(Math.min(STEP_BYTES, until - from));
    const whole = await files.read(number, bytes, from);
    const { records, end } = readRecords(number, bytes, from, checksum);
    if (!whole || records.length === 0) {
      throw new CorruptionError('CHECKSUM', `Blob file ${number} ends before the record at ${from}.`);
    }
    const valueOf = ({ position, stored }: BlobRecord): Bytes =>
      bytes.subarray(position - from, position - from + stored);
    return { records: records.map((record) => ({ ...record, value: valueOf(record) })), end };
  }

  /** The values of a file, from a position on, to which the storage points. It looks at all keys. */
  async *#pointedTo(number: number, from: number): AsyncGenerator<readonly Candidate[], void, undefined> {
    let found: Candidate[] = [];
    let bytes = 0;
    for await (const chunk of this.#parts.state.storage.range({ lt: END_KEY }, { read: 'entries' })) {
      for (const { key, value } of chunk) {
        if (!isPointer(value)) continue;
        const { file, position, stored } = decodePointer(value);
        if (file !== number || position < from) continue;
        found.push({ key, position, stored });
        bytes += stored;
      }
      if (this.#closed) return;
      if (bytes < STEP_BYTES) continue;
      yield found;
      found = [];
      bytes = 0;
    }
    if (found.length > 0) yield found;
  }

  #reportDamage(number: number, error: unknown): void {
    if (this.#damaged.has(number)) return;
    this.#damaged.add(number);
    this.#parts.failures.note(DAMAGE, error);
  }

  /** Seals a file and cuts off the dead bytes after its last live value. */
  async #cutEnd(number: number): Promise<void> {
    const { turn, state, files, readers, settle } = this.#parts;
    await turn.run(() => this.#seal(number));
    // The file is sealed: nothing is appended, and dead values stay dead.
    const end = await this.#endOfLiving(number);
    const file = state.ledger.files.get(number)!;
    if (end === file.bytes) return;
    await turn.run(async () => {
      const { dead, ...rest } = state.ledger.files.get(number)!;
      state.readUpTo.set(number, Math.max(state.readUpTo.get(number) ?? 0, rest.bytes));
      await settle();
      await state.commit(
        [],
        state.ledger.with(number, { ...rest, bytes: end, dead: Math.max(0, dead - (rest.bytes - end)) }),
      );
    });
    let cut: Promise<void> | undefined;
    // Cuts at once if nobody reads the file. Otherwise the last reader does it, and nobody waits for that.
    readers.whenDone(() => {
      state.readUpTo.delete(number);
      cut = turn
        .run(async () => (this.#closed ? undefined : state.giveBack(files)))
        .catch((error: unknown) => this.#failed(error));
    });
    await cut;
  }

  async #endOfLiving(number: number): Promise<number> {
    let end = 0;
    for await (const candidates of this.#candidates(number))
      for (const { position, stored } of await this.#living(number, candidates)) end = Math.max(end, position + stored);
    return this.#closed ? this.#parts.state.ledger.files.get(number)!.bytes : end;
  }

  /** Moves the living values among some. */
  async #move(number: number, candidates: readonly Candidate[]): Promise<void> {
    const { state, writer } = this.#parts;
    state.assertWritable();
    const values: StoredValue[] = [];
    for (const candidate of await this.#living(number, candidates)) {
      const { form, length } = candidate.pointer;
      values.push({ key: candidate.key, form, stored: await this.#valueOf(number, candidate), length });
    }
    if (values.length === 0 || this.#closed) return;
    const { ledger, pointers } = await writer.append(state.ledger, LASTING, values);
    const ops = values.map(({ key }, i): WriteOp => ({ type: 'put', key, value: encodePointer(pointers[i]!) }));
    const dead = values.reduce((sum, { key, stored }) => sum + recordBytes(key, stored.length), 0);
    await state.commit(ops, ledger.withDead(number, dead));
  }

  async #living(number: number, candidates: readonly Candidate[]): Promise<(Candidate & { pointer: BlobPointer })[]> {
    const stored = await this.#parts.state.storage.getMany(candidates.map(({ key }) => key));
    return candidates.flatMap((candidate, i) => {
      const value = stored[i];
      if (value === undefined || !isPointer(value)) return [];
      const pointer = decodePointer(value);
      return pointer.file === number && pointer.position === candidate.position ? [{ ...candidate, pointer }] : [];
    });
  }

  async #valueOf(number: number, { position, stored, value }: Candidate): Promise<Bytes> {
    if (value !== undefined) return value;
    const bytes = new Uint8Array(stored);
    let cause: unknown;
    const whole = await this.#parts.files.read(number, bytes, position).catch((error: unknown) => {
      cause = error;
      return false;
    });
    if (whole) return bytes;
    throw new CorruptionError('CHECKSUM', `The value at ${position} of blob file ${number} cannot be read.`, { cause });
  }

  /**
   * Removes a file. Syncs before the ledger forgets it: otherwise a power failure could restore pointers into it, and the next opening
   * removes what the ledger does not name.
   */
  async #remove(number: number): Promise<void> {
    const { state, settle } = this.#parts;
    await settle();
    await state.commit([], state.ledger.without(number));
    this.#unnamed.add(number);
    await this.#removeUnnamed();
  }

  /** One that cannot be removed waits for the next collection, or for the next opening, and stops no others. */
  async #removeUnnamed(): Promise<void> {
    const { files, readers } = this.#parts;
    this.#unremoved = undefined;
    for (const number of this.#unnamed) {
      try {
        await files.remove(number);
        this.#unnamed.delete(number);
        readers.whenDone(() => files.forget(number));
      } catch (error) {
        this.#unremoved ??= error;
      }
    }
  }
}
