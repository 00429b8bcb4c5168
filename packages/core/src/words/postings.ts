/**
 * The postings of a word: the literals that have it, ascending, and where. For each place one varint: 16 times the distance to the literal
 * of the place before, which is 0 in the same literal, and the place; in the same literal the distance to the place before. What is 15 or
 * more of it follows as a second varint. The distance of the first literal is that to the id before the run, so it is not 0. The postings of
 * a language have the distance of each literal.
 */
import { type ByteWriter, varintBytes } from '../format/byte-codec.js';

/** First byte of the key of a language, which no word has. */
export const LANGUAGE_KEY = 0;

/** Literals, ascending, and how often each of them has a word. */
export interface Postings {
  readonly ids: Uint32Array;
  readonly counts: Uint32Array;
  readonly length: number;
  /** Places of the word in all literals, one literal after the other. Absent if they were not asked for. */
  readonly places?: Uint32Array | undefined;
}

export const NO_POSTINGS: Postings = { ids: new Uint32Array(0), counts: new Uint32Array(0), length: 0 };

/** Places below it stand beside the distance. */
const FAR = 15;
const PLACES = FAR + 1;

let at = 0;
/** The number of bytes of a place. */
export const placeBytes = (distance: number, place: number): number =>
  place < FAR
    ? varintBytes(distance * PLACES + place)
    : varintBytes(distance * PLACES + FAR) + varintBytes(place - FAR);

/** Writes a place. Returns where the next one goes. */
export const putPlace = (bytes: Uint8Array, start: number, distance: number, place: number): number =>
  place < FAR
    ? putVarint(bytes, start, distance * PLACES + place)
    : putVarint(bytes, putVarint(bytes, start, distance * PLACES + FAR), place - FAR);

export function putVarint(bytes: Uint8Array, start: number, value: number): number {
  let at = start;
  let rest = value;
  for (; rest > 0x7f; rest = Math.floor(rest / 0x80)) bytes[at++] = (rest % 0x80) | 0x80;
  bytes[at++] = rest;
  return at;
}

function varint(bytes: Uint8Array): number {
  let byte = bytes[at++]!;
  if (byte < 0x80) return byte;
  let value = byte & 0x7f;
  for (let factor = 0x80; ; factor *= 0x80) {
    byte = bytes[at++]!;
    if (byte < 0x80) return value + byte * factor;
    value += (byte & 0x7f) * factor;
  }
}

/** Decodes postings of `count` literals, those before `mark`. `first`: where the run begins. */
export function readPostings(
  bytes: Uint8Array,
  { count, first, mark }: { readonly count: number; readonly first: number; readonly mark: number },
  withPlaces: boolean,
  start = 0,
  end = bytes.length,
): Postings {
  at = start;
  const ids = new Uint32Array(count);
  const counts = new Uint32Array(count);
  // A place has at least one byte.
  const places = withPlaces ? new Uint32Array(end - start) : undefined;
  let placed = 0;
  let last = -1;
  let before = 0;
  for (let id = first - 1; at < end;) {
    const both = varint(bytes);
    const distance = Math.floor(both / PLACES);
    const place = both % PLACES === FAR ? FAR + varint(bytes) : both % PLACES;
    if (distance > 0) {
      id += distance;
      if (id >= mark) break;
      ids[++last] = id;
      before = place;
    } else before += place;
    counts[last]!++;
    if (places !== undefined) places[placed++] = before;
  }
  return { ids, counts, length: last + 1, places: places?.subarray(0, placed) };
}

/** Sets the bits of the literals before `mark`; the first bit is that of `first`, where the run begins. */
export function markPostings(
  bytes: Uint8Array,
  start: number,
  end: number,
  { first, mark }: { readonly first: number; readonly mark: number },
  bits: Uint32Array,
): void {
  at = start;
  for (let id = first - 1; at < end;) {
    const both = varint(bytes);
    if (both % PLACES === FAR) varint(bytes);
    id += Math.floor(both / PLACES);
    if (id >= mark) return;
    const bit = id - first;
    bits[bit >>> 5]! |= 1 << (bit & 31);
  }
}

/** The numbers of the bits that are set, at most `most`, ascending from `first` on. */
export function markedIds(bits: Uint32Array, first: number, most: number): Uint32Array {
  const ids = new Uint32Array(most);
  let length = 0;
  for (let word = 0; word < bits.length; word++) {
    for (let left = bits[word]!; left !== 0; left &= left - 1)
      ids[length++] = first + word * 32 + 31 - Math.clz32(left & -left);
  }
  return ids.subarray(0, length);
}

/** The literals of a language before `mark`. */
export function readLanguage(
  bytes: Uint8Array,
  { count, first, mark }: { readonly count: number; readonly first: number; readonly mark: number },
): Uint32Array {
  at = 0;
  const ids = new Uint32Array(count);
  let length = 0;
  for (let id = first - 1; length < count; length++) {
    id += varint(bytes);
    if (id >= mark) break;
    ids[length] = id;
  }
  return ids.subarray(0, length);
}

/** The last literal of postings. */
export function lastPosting(bytes: Uint8Array, first: number, isLanguage: boolean): number {
  at = 0;
  let id = first - 1;
  while (at < bytes.length) {
    const both = varint(bytes);
    if (!isLanguage && both % PLACES === FAR) varint(bytes);
    id += isLanguage ? both : Math.floor(both / PLACES);
  }
  return id;
}

/** Adds postings of a run that begins at `first` to those of a run before, whose last literal is `last`. */
export function appendPostings(
  writer: ByteWriter,
  bytes: Uint8Array,
  first: number,
  last: number,
  isLanguage: boolean,
): void {
  at = 0;
  const began = varint(bytes);
  writer.varint(began + (first - 1 - last) * (isLanguage ? 1 : PLACES)).bytes(bytes.subarray(at));
}

/** Lengths up to this one are exact as a {@link lengthByte}. */
const EXACT = 24;

/** The number of words of a literal in a byte, as Lucene rounds it. */
export function lengthByte(words: number): number {
  if (words < EXACT) return words;
  const rest = words - EXACT;
  const bits = 32 - Math.clz32(rest);
  if (bits < 4) return EXACT + rest;
  return EXACT + (((rest >>> (bits - 4)) & 7) | ((bits - 3) << 3));
}

/** The numbers of words that the bytes of lengths stand for. */
export const LENGTHS: Float64Array = Float64Array.from({ length: 256 }, (_, byte) => {
  if (byte < EXACT) return byte;
  const coded = byte - EXACT;
  const shift = (coded >>> 3) - 1;
  return EXACT + (shift === -1 ? coded & 7 : ((coded & 7) | 8) * 2 ** shift);
});
