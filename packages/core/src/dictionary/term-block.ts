/**
 * Stored terms, in blocks of up to 128 consecutive ids. An entry is the canonical N-Triples text (first byte `<`, `_` or
 * `"`) or one of the two forms below. It is empty if no term has the id.
 *
 *   01 subject predicate object     a triple term: three ids (u32)
 *   02 length digest                a long text: length (u32) and 128-bit digest; the text is stored in parts elsewhere
 *
 * A block is the number of entries (u16), then the length of each entry (u16), then the entries.
 */
import { copySpan, viewOf } from '../runtime/byte-views.js';
import { ByteReader, ByteWriter, equalBytes } from '../format/byte-codec.js';
import { LONG_TERM_BYTES } from '../format/layout.js';
import { Digest } from '../format/digest.js';

export const TRIPLE_ENTRY = 1;
export const LONG_ENTRY = 2;

/** Encodes a triple term of three ids. */
export function tripleEntry(s: number, p: number, o: number): Uint8Array {
  return new ByteWriter(13).u8(TRIPLE_ENTRY).u32(s).u32(p).u32(o).finish();
}

export function readTripleEntry(entry: Uint8Array): [number, number, number] {
  const reader = new ByteReader(entry);
  reader.u8();
  return [reader.u32(), reader.u32(), reader.u32()];
}

const LONG_ENTRY_BYTES = 21;

export const isLong = (text: Uint8Array): boolean => text.length > LONG_TERM_BYTES;

/** The length of the entry of a text with this length, in bytes. */
export const storedLength = (length: number): number => (length > LONG_TERM_BYTES ? LONG_ENTRY_BYTES : length);

/** The entry that a block holds for a text. */
export function storedEntry(text: Uint8Array): Uint8Array {
  if (!isLong(text)) return text;
  return new ByteWriter(LONG_ENTRY_BYTES)
    .u8(LONG_ENTRY)
    .u32(text.length)
    .bytes(new Digest().update(text).finish())
    .finish();
}

export function longLength(entry: Uint8Array): number {
  const reader = new ByteReader(entry);
  reader.u8();
  return reader.u32();
}

/** Whether an entry is the entry of this text. */
export function matchesEntry(entry: Uint8Array, text: Uint8Array): boolean {
  return entry[0] === LONG_ENTRY ? isLong(text) && equalBytes(entry, storedEntry(text)) : equalBytes(entry, text);
}

/** Builds blocks of `count` entries, one after the other. Reuses its memory. */
export class TermBlockBuilder {
  #bytes: Uint8Array;
  #view: DataView;
  #entry = 0;
  #end: number;

  constructor(
    private readonly count: number,
    textBytes = INITIAL_TEXT_BYTES,
  ) {
    this.#end = 2 + count * 2;
    this.#bytes = new Uint8Array(this.#end + textBytes);
    this.#view = new DataView(this.#bytes.buffer);
  }

  /** Adds an entry. Copies the bytes. */
  add(bytes: Uint8Array, start: number, end: number): void {
    const length = end - start;
    if (this.#end + length > this.#bytes.length) this.#grow(length);
    copySpan(viewOf(bytes), start, this.#view, this.#end, length);
    this.#view.setUint16(2 + this.#entry * 2, length, true);
    this.#entry++;
    this.#end += length;
  }

  /** Ends the block and returns it. It is valid until the next entry is added. */
  finish(): Uint8Array {
    this.#view.setUint16(0, this.count, true);
    const block = this.#bytes.subarray(0, this.#end);
    this.#entry = 0;
    this.#end = 2 + this.count * 2;
    return block;
  }

  #grow(length: number): void {
    const grown = new Uint8Array(Math.max(this.#end + length, this.#bytes.length * 2));
    grown.set(this.#bytes.subarray(0, this.#end));
    this.#bytes = grown;
    this.#view = new DataView(grown.buffer);
  }
}

/** Size of the texts of most blocks, in bytes. */
const INITIAL_TEXT_BYTES = 32 * 1024;

export function encodeTermBlock(entries: readonly Uint8Array[]): Uint8Array {
  const builder = new TermBlockBuilder(
    entries.length,
    entries.reduce((sum, entry) => sum + entry.length, 0),
  );
  for (const entry of entries) builder.add(entry, 0, entry.length);
  return builder.finish();
}

/**
 * Returns the start of entry `index` in the block that begins at `at`, and sets `termEntryEnd` to its end. Sets it to
 * 0 if the block has no such entry.
 */
export function termEntryStart(bytes: Uint8Array, at: number, index: number): number {
  const count = bytes[at]! | (bytes[at + 1]! << 8);
  if (index >= count) {
    termEntryEnd = 0;
    return 0;
  }
  let start = at + 2 + count * 2;
  let length = at + 2;
  for (const last = length + index * 2; length < last; length += 2) start += bytes[length]! | (bytes[length + 1]! << 8);
  termEntryEnd = start + (bytes[length]! | (bytes[length + 1]! << 8));
  return start;
}

/** The end of the entry of the last {@link termEntryStart}. */
export let termEntryEnd = 0;

/** The entries of a block, as views of it. */
export function termBlockEntries(block: Uint8Array): Uint8Array[] {
  const entries = new Array<Uint8Array>(block[0]! | (block[1]! << 8));
  let start = 2 + entries.length * 2;
  for (let index = 0, at = 2; index < entries.length; index++, at += 2) {
    const end = start + (block[at]! | (block[at + 1]! << 8));
    entries[index] = block.subarray(start, end);
    start = end;
  }
  return entries;
}
