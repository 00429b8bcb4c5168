/**
 * Collects blob files with many dead bytes. It appends their live values to another file, a megabyte at a time
 * between other writes. It removes the old file when nobody reads it any more.
 */

import { CorruptionError, Mutex, StorageError } from '@quadrille/model';
import type { Checksum, WriteOp } from '@quadrille/storage';
import type { StoredValue } from './blob-codec.js';
import type { BlobFiles } from './blob-files.js';
import { LASTING, SEALED } from './blob-ledger.js';
import { decodePointer, encodePointer, isPointer, type BlobPointer } from './blob-pointer.js';
import { readRecords, recordBytes, type BlobRecord } from './blob-record.js';
import type { BlobState } from './blob-state.js';
import type { BlobWriter } from './blob-writer.js';
import type { Readers } from './readers.js';
import type { HasRoom } from '../room.js';

const STEP_BYTES = 1024 * 1024;

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
  #busy = false;
  #failed = false;
  #closed = false;

  constructor(parts: CollectorParts) {
    this.#parts = parts;
    this.#background = { share: 1 / 2, openDeadBytes: parts.openDeadBytes };
  }

  /** Starts collecting in the background if a file meets the conditions. */
  wake(): void {
    if (this.#busy || this.#failed || this.#next(this.#background) === undefined) return;
    this.#busy = true;
    void this.#collectAll(this.#background)
      // The next write, or the read of a damaged value, reports the error.
      .catch(() => (this.#failed = true))
      .then(() => {
        this.#busy = false;
      });
  }

  /** Collects every file of which at least this share is dead. */
  collect(share: number): Promise<void> {
    return this.#collectAll({ share, openDeadBytes: 0 });
  }

  /**
   * Collects every file that has anything but living values, however little. Returns the number of moved bytes.
   * @throws StorageError `STORAGE_FULL` if there is no room for the living values of a file
   */
  purge(): Promise<number> {
    const { state, turn } = this.#parts;
    return this.#alone.run(async () => {
      const impure: number[] = [];
      let moved = 0;
      for (const number of state.ledger.files.keys()) {
        const living = await this.#livingBytes(number);
        if (living === state.ledger.files.get(number)?.bytes) continue;
        // Living values of other files are not appended to it any more.
        await turn.run(() => this.#seal(number));
        impure.push(number);
        moved += living;
      }
      if (!this.#parts.hasRoom(moved))
        throw new StorageError('STORAGE_FULL', 'There is no room to write blob files anew');
      for (const number of impure) await this.#collect(number);
      return moved;
    });
  }

  async #livingBytes(number: number): Promise<number> {
    let living = 0;
    const { bytes } = this.#parts.state.ledger.files.get(number)!;
    for (let position = 0; position < bytes && !this.#closed;) {
      const { records, end } = await this.#recordsAt(number, position);
      for (const { record } of await this.#living(number, records)) living += recordBytes(record.key, record.stored);
      position = end;
    }
    return living;
  }

  /** Frees space without moving values: removes dead files, and cuts off the dead ends of others. */
  release(): Promise<void> {
    return this.#alone.run(async () => {
      for (const [number, { bytes, dead }] of this.#parts.state.ledger.files) {
        if (dead === 0 || this.#closed) continue;
        if (dead >= bytes) await this.#collect(number);
        else await this.#cutEnd(number);
      }
    });
  }

  /** Allows collecting again after an error. */
  restart(): void {
    this.#failed = false;
  }

  /** Resolves when no work is under way. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#alone.run(() => Promise.resolve());
  }

  #collectAll(demand: Demand): Promise<void> {
    return this.#alone.run(async () => {
      for (let file = this.#next(demand); file !== undefined; file = this.#next(demand)) await this.#collect(file);
    });
  }

  /** The number of the next file to collect. */
  #next({ share, openDeadBytes }: Demand): number | undefined {
    if (this.#closed) return undefined;
    for (const [number, { bytes, dead, state }] of this.#parts.state.ledger.files) {
      if (dead === 0 || dead < bytes * share || (state !== SEALED && dead < openDeadBytes)) continue;
      // Collecting needs room for the live bytes, because they are written again before the file is removed.
      if (dead >= bytes || this.#parts.hasRoom(bytes - dead)) return number;
    }
    return undefined;
  }

  async #collect(number: number): Promise<void> {
    const { turn } = this.#parts;
    await turn.run(() => this.#seal(number));
    for (let position: number | undefined = 0; position !== undefined;) {
      if (this.#closed) return;
      const from: number = position;
      position = await turn.run(() => this.#moveSome(number, from));
    }
    await turn.run(() => this.#remove(number));
  }

  /** Seals a file, so that nothing is appended to it any more. */
  async #seal(number: number): Promise<void> {
    const { state } = this.#parts;
    const file = state.ledger.files.get(number)!;
    if (file.state !== SEALED) await state.commit([], state.ledger.with(number, { ...file, state: SEALED }));
  }

  /** Moves the live values of the next megabyte. Returns the position where to continue; undefined at the end. */
  async #moveSome(number: number, from: number): Promise<number | undefined> {
    const { state } = this.#parts;
    state.assertWritable();
    const file = state.ledger.files.get(number)!;
    if (file.dead === file.bytes || from === file.bytes) return undefined;
    const { bytes, records, end } = await this.#recordsAt(number, from);
    const living = await this.#living(number, records);
    const values = living.map(({ record: { key, position, stored }, pointer }): StoredValue => {
      const value = bytes.subarray(position - from, position - from + stored);
      return { key, form: pointer.form, stored: value, length: pointer.length };
    });
    if (values.length > 0) await this.#move(number, values);
    return end;
  }

  /** The records that begin within a megabyte from a position. */
  async #recordsAt(
    number: number,
    from: number,
  ): Promise<{ bytes: Uint8Array; records: readonly BlobRecord[]; end: number }> {
    const { state, files, checksum } = this.#parts;
    const bytes = new Uint8Array(Math.min(STEP_BYTES, state.ledger.files.get(number)!.bytes - from));
    const whole = await files.read(number, bytes, from);
    const { records, end } = readRecords(number, bytes, from, checksum);
    if (!whole || records.length === 0) {
      throw new CorruptionError('CHECKSUM', `Blob file ${number} ends before the record at ${from}.`);
    }
    return { bytes, records, end };
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
      await state.commit(
        [],
        state.ledger.with(number, { ...rest, bytes: end, dead: Math.max(0, dead - (rest.bytes - end)) }),
      );
      await settle();
    });
    let cut: Promise<void> | undefined;
    // Cuts at once if nobody reads the file. Otherwise the last reader does it, and nobody waits for that.
    readers.whenDone(() => {
      state.readUpTo.delete(number);
      cut = turn.run(async () => (this.#closed ? undefined : state.giveBack(files))).catch(() => undefined);
    });
    await cut;
  }

  async #endOfLiving(number: number): Promise<number> {
    let end = 0;
    const { bytes } = this.#parts.state.ledger.files.get(number)!;
    for (let position = 0; position < bytes && !this.#closed;) {
      const next = await this.#recordsAt(number, position);
      const living = await this.#living(number, next.records);
      const last = living.at(-1);
      if (last !== undefined) end = last.record.position + last.record.stored;
      position = next.end;
    }
    return this.#closed ? bytes : end;
  }

  async #move(number: number, values: readonly StoredValue[]): Promise<void> {
    const { state, writer } = this.#parts;
    const { ledger, pointers } = await writer.append(state.ledger, LASTING, values);
    const ops = values.map(({ key }, i): WriteOp => ({ type: 'put', key, value: encodePointer(pointers[i]!) }));
    const dead = values.reduce((sum, { key, stored }) => sum + recordBytes(key, stored.length), 0);
    await state.commit(ops, ledger.withDead(number, dead));
  }

  async #living(
    number: number,
    records: readonly BlobRecord[],
  ): Promise<{ record: BlobRecord; pointer: BlobPointer }[]> {
    const stored = await this.#parts.state.storage.getMany(records.map(({ key }) => key));
    return records.flatMap((record, i) => {
      const value = stored[i];
      if (value === undefined || !isPointer(value)) return [];
      const pointer = decodePointer(value);
      return pointer.file === number && pointer.position === record.position ? [{ record, pointer }] : [];
    });
  }

  /** Removes a file. Syncs first: otherwise a power failure could restore pointers into it. */
  async #remove(number: number): Promise<void> {
    const { state, files, readers, settle } = this.#parts;
    await state.commit([], state.ledger.without(number));
    await settle();
    await files.remove(number);
    readers.whenDone(() => files.forget(number));
  }
}
