/**
 * The numbers of revisions that trimming has removed, with their ids and times. The storage has them in pieces: a key tells the first
 * number and how many follow, its value the ids and times. Numbers are known without reading the values.
 */
import { NotFoundError } from '@quadrille/model';
import type { WriteOp } from '@quadrille/storage';
import { ByteReader, ByteWriter } from '../format/byte-codec.js';
import { readU32, Tag } from '../format/layout.js';
import type { Keyspace } from '../keyspace/keyspace.js';

/** A revision that was removed. */
export interface TrimmedRevision {
  readonly number: number;
  /** 16 bytes. */
  readonly id: Uint8Array;
  /** Milliseconds since 1970. */
  readonly time: number;
}

interface Piece {
  readonly first: number;
  readonly count: number;
}

const VERSION = 1;
const ENTRY_BYTES = 24;
/** Revisions of one piece: its value stays below the largest value. */
export const PIECE_REVISIONS = 2048;

type Maybe<T> = T | Promise<T>;

/** Of each line. A trim forgets what it changes. */
const known = new WeakMap<Keyspace, Maybe<TrimmedNumbers>>();

export class TrimmedNumbers {
  private constructor(
    private readonly keyspace: Keyspace,
    /** In ascending order. */
    private readonly pieces: readonly Piece[],
  ) {}

  /** The numbers of the line that has a revision. */
  static at(keyspace: Keyspace, number: number): Maybe<TrimmedNumbers> {
    return TrimmedNumbers.of(keyspace.at(number));
  }

  /** The numbers of a line itself. */
  static of(line: Keyspace): Maybe<TrimmedNumbers> {
    const found = known.get(line);
    if (found !== undefined) return found;
    const read = TrimmedNumbers.#read(line).then(
      (numbers) => {
        if (known.get(line) === read) known.set(line, numbers);
        return numbers;
      },
      (error: unknown) => {
        if (known.get(line) === read) known.delete(line);
        throw error;
      },
    );
    known.set(line, read);
    return read;
  }

  /** The numbers of all lines in the history of a revision. */
  static ofLines(keyspace: Keyspace, number: number): Maybe<{ next: (number: number) => number }> {
    const lines: { readonly end: number; readonly trimmed: TrimmedNumbers }[] = [];
    for (let at = 1; at <= number;) {
      const end = keyspace.endAt(at);
      const trimmed = TrimmedNumbers.of(keyspace.at(at));
      if (trimmed instanceof Promise) return trimmed.then(() => TrimmedNumbers.ofLines(keyspace, number));
      lines.push({ end, trimmed });
      at = end + 1;
    }
    return { next: (at) => lines.find(({ end }) => at <= end)?.trimmed.next(at) ?? at };
  }

  /** What the storage has is not the same any more. */
  static forget(line: Keyspace): void {
    known.delete(line);
  }

  static async #read(line: Keyspace): Promise<TrimmedNumbers> {
    const pieces: Piece[] = [];
    for await (const chunk of line.range(line.tagRange(Tag.trimmed), { read: 'keys' }))
      for (const { key } of chunk) pieces.push({ first: line.numberIn(key), count: readU32(key, line.tagEnd + 4) });
    return new TrimmedNumbers(line, pieces);
  }

  get size(): number {
    return this.pieces.reduce((sum, { count }) => sum + count, 0);
  }

  has(number: number): boolean {
    return this.#piece(number) !== undefined;
  }

  /** The first number from this one on that was not removed: its revision has the changes of this one. */
  next(number: number): number {
    let at = number;
    for (let piece = this.#piece(at); piece !== undefined; piece = this.#piece(at)) at = piece.first + piece.count;
    return at;
  }

  /** The last number up to this one that was not removed; 0 if there is none. */
  previous(number: number): number {
    let at = number;
    for (let piece = this.#piece(at); piece !== undefined; piece = this.#piece(at)) at = piece.first - 1;
    return at;
  }

  /** The last number up to this one that was removed; 0 if there is none. */
  lastRemoved(number: number): number {
    const { first, count } = this.pieces[this.#place(number)] ?? { first: 0, count: 1 };
    return Math.min(number, first + count - 1);
  }

  #piece(number: number): Piece | undefined {
    const piece = this.pieces[this.#place(number)];
    return piece !== undefined && number < piece.first + piece.count ? piece : undefined;
  }

  // Of the last piece that begins up to a number; -1 if there is none.
  #place(number: number): number {
    let low = 0;
    let high = this.pieces.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.pieces[middle]!.first <= number) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  /** What is known of a removed revision; `undefined` if the history was imported without it. */
  async find(number: number): Promise<TrimmedRevision | undefined> {
    const piece = this.#piece(number);
    if (piece === undefined) return undefined;
    const value = await this.keyspace.get(Tag.trimmed, piece.first, piece.count);
    return value && entryOf(value, piece.first, number);
  }

  /** What is known of the removed revisions from a number on, in ascending order. */
  async *from(number: number): AsyncGenerator<TrimmedRevision> {
    for (const { first, count } of this.pieces) {
      if (first + count <= number) continue;
      const value = await this.keyspace.get(Tag.trimmed, first, count);
      if (value === undefined) continue;
      // Of numbers that an import has left out there are no entries.
      const end = first + Math.min(count, Math.floor((value.length - 1) / ENTRY_BYTES));
      for (let at = Math.max(first, number); at < end; at++) {
        const entry = entryOf(value, first, at);
        if (entry !== undefined) yield entry;
      }
    }
  }
}

function entryOf(value: Uint8Array, first: number, number: number): TrimmedRevision | undefined {
  const start = 1 + (number - first) * ENTRY_BYTES;
  if (value[0] !== VERSION || value.length < start + ENTRY_BYTES) return undefined;
  const reader = new ByteReader(value.slice(start, start + ENTRY_BYTES));
  return { number, id: reader.bytes(16), time: reader.f64() };
}

/** The writes that note removed revisions, whose numbers follow one another. */
export function trimmedOps(line: Keyspace, revisions: readonly TrimmedRevision[]): WriteOp[] {
  const ops: WriteOp[] = [];
  for (let at = 0; at < revisions.length; at += PIECE_REVISIONS) {
    const piece = revisions.slice(at, at + PIECE_REVISIONS);
    const writer = new ByteWriter(1 + piece.length * ENTRY_BYTES).u8(VERSION);
    for (const { id, time } of piece) writer.bytes(id).f64(time);
    const key = line.key(Tag.trimmed, piece[0]!.number, piece.length);
    ops.push({ type: 'put', key, value: writer.finish().slice() });
  }
  return ops;
}

/** The write that notes numbers of which nothing else is known. */
export function unknownOp(line: Keyspace, first: number, count: number): WriteOp {
  return { type: 'put', key: line.key(Tag.trimmed, first, count), value: Uint8Array.of(VERSION) };
}

/** The number of the revision that has the changes of this one: itself, or the next one that was not removed. */
export const keptNumber = async (keyspace: Keyspace, number: number): Promise<number> =>
  (await TrimmedNumbers.at(keyspace, number)).next(number);

/** The error for a revision that is not there, if it was removed. */
export async function trimmedError(keyspace: Keyspace, number: number): Promise<NotFoundError | undefined> {
  const line = keyspace.at(number);
  let trimmed = await TrimmedNumbers.of(line);
  if (!trimmed.has(number)) {
    // It may have been removed a moment ago.
    TrimmedNumbers.forget(line);
    trimmed = await TrimmedNumbers.of(line);
    if (!trimmed.has(number)) return undefined;
  }
  const [before, after] = [trimmed.previous(number), trimmed.next(number)];
  const message =
    `repository ${keyspace.name}: revision ${number} was removed when its history was trimmed; ` +
    `revision ${after} is the next one that was kept`;
  return new NotFoundError('REVISION_TRIMMED', message, {
    details: { repository: keyspace.name, revision: number, before, after },
  });
}
