/**
 * Collects blob files of which much is dead: what lives in them is appended to another one, a megabyte at a time between the
 * writes of others, and the file is removed when nobody reads it any more.
 */

import { CorruptionError, Mutex } from '@quadrille/model';
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
  /** Held by whoever writes. */
  readonly turn: Mutex;
  /** Brings every batch below to the disk, also those that were not durable. */
  readonly settle: () => Promise<void>;
  /** A file that still takes values is collected in the background from so many dead bytes on. */
  readonly openDeadBytes: number;
  readonly hasRoom: HasRoom;
}

/** What is worth collecting. */
interface Demand {
  /** Of a file is dead. */
  readonly share: number;
  readonly openDeadBytes: number;
}

export class BlobCollector {
  readonly #parts: CollectorParts;
  readonly #background: Demand;
  /** One file at a time, whoever asks. */
  readonly #alone = new Mutex();
  #busy = false;
  #failed = false;
  #closed = false;

  constructor(parts: CollectorParts) {
    this.#parts = parts;
    this.#background = { share: 1 / 2, openDeadBytes: parts.openDeadBytes };
  }

  /** Begins in the background where there is something worth it. */
  wake(): void {
    if (this.#busy || this.#failed || this.#next(this.#background) === undefined) return;
    this.#busy = true;
    void this.#collectAll(this.#background)
      // The next write, or whoever reads what is damaged, is told.
      .catch(() => (this.#failed = true))
      .then(() => {
        this.#busy = false;
      });
  }

  /** Collects every file of which this share is dead. */
  collect(share: number): Promise<void> {
    return this.#collectAll({ share, openDeadBytes: 0 });
  }

  /** Gives back what can be had without moving anything: files that are dead, and the dead ends of others. */
  release(): Promise<void> {
    return this.#alone.run(async () => {
      for (const [number, { bytes, dead }] of this.#parts.state.ledger.files) {
        if (dead === 0 || this.#closed) continue;
        if (dead >= bytes) await this.#collect(number);
        else await this.#cutEnd(number);
      }
    });
  }

  /** What made it fail may be over. */
  restart(): void {
    this.#failed = false;
  }

  /** Resolves when nothing is under way any more. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#alone.run(() => Promise.resolve());
  }

  #collectAll(demand: Demand): Promise<void> {
    return this.#alone.run(async () => {
      for (let file = this.#next(demand); file !== undefined; file = this.#next(demand)) await this.#collect(file);
    });
  }

  /** The number of a file. */
  #next({ share, openDeadBytes }: Demand): number | undefined {
    if (this.#closed) return undefined;
    for (const [number, { bytes, dead, state }] of this.#parts.state.ledger.files) {
      if (dead === 0 || dead < bytes * share || (state !== SEALED && dead < openDeadBytes)) continue;
      // What lives is written anew before the file goes.
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

  /** Nothing may be appended to it from now on. */
  async #seal(number: number): Promise<void> {
    const { state } = this.#parts;
    const file = state.ledger.files.get(number)!;
    if (file.state !== SEALED) await state.commit([], state.ledger.with(number, { ...file, state: SEALED }));
  }

  /** Moves what lives in the next megabyte. The answer: where to go on; undefined at the end. */
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

  /** The records that begin in the megabyte from a position on. */
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

  /** Seals a file, and takes away what stands behind the last of it that lives. */
  async #cutEnd(number: number): Promise<void> {
    const { turn, state, files, readers, settle } = this.#parts;
    await turn.run(() => this.#seal(number));
    // Sealed: nothing is added, and what is dead stays so.
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
    // At once where nobody reads it; nobody waits for those who do.
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

  /** Until the batches that took its pointers away are on the disk, the power could bring back who points into it. */
  async #remove(number: number): Promise<void> {
    const { state, files, readers, settle } = this.#parts;
    await state.commit([], state.ledger.without(number));
    await settle();
    await files.remove(number);
    readers.whenDone(() => files.forget(number));
  }
}
