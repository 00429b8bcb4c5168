/**
 * A block holds up to 2,048 rows of one order, column by column. A column is constant, or encoded in groups of 128
 * rows. A group has the cheapest of these encodings, bit-packed: one value, offsets from the least value (frame of
 * reference), or differences to the row before (ascending or zigzag). A group can be decoded alone.
 *
 * Layout in little-endian 32-bit words (frozen; docs/reference/file-format.md):
 *    0       version (8 bits), columns (8), rows (16)
 *    1 … 4   least and greatest `from`, least and greatest `to`
 *    5 …     two words a column: [kind << 24 | word offset of its directory, value if constant]
 *    then    per encoded column a directory of two words a group: [base, mode << 30 | bits << 24 | word offset of the data]
 *    then    the packed data
 */
import { BLOCK_ROWS, GROUP_ROWS } from '../../format/layout.js';
import { bitWidth, pack, packedWords, unpackAdd, unpackOne } from './bit-pack.js';

const VERSION = 1;
/** The columns a, b, c, d in the sequence of the order, then `from` and `to` of the validity interval. */
export const COLUMNS = 6;
export const FROM = 4;
export const TO = 5;
const HEADER_WORDS = 5 + COLUMNS * 2;
const KIND_CONSTANT = 0;
const KIND_GROUPS = 1;
const MODE_OFFSETS = 0;
const MODE_ASCENDING = 1;
const MODE_ZIGZAG = 2;

/** The columns of rows in one order: a, b, c, d, `from`, `to`. */
export type RowColumns = readonly [Uint32Array, Uint32Array, Uint32Array, Uint32Array, Uint32Array, Uint32Array];

export function newRowColumns(rows: number): RowColumns {
  const column = (): Uint32Array => new Uint32Array(rows);
  return [column(), column(), column(), column(), column(), column()];
}

const scratch = new Uint32Array(GROUP_ROWS);
// Room for the largest possible block: header, six directories and six columns of full words.
const output = new Uint32Array(HEADER_WORDS + COLUMNS * (2 * (BLOCK_ROWS / GROUP_ROWS) + BLOCK_ROWS + GROUP_ROWS));

/** Encodes the rows `start` to `end`, which are sorted and at most 2,048. The result is valid until the next call. */
export function encodeBlock(columns: RowColumns, start: number, end: number): Uint8Array {
  const rows = end - start;
  output[0] = VERSION | (COLUMNS << 8) | (rows << 16);
  writeBounds(columns[FROM], start, end, 1);
  writeBounds(columns[TO], start, end, 3);
  let at = HEADER_WORDS;
  for (let column = 0; column < COLUMNS; column++) {
    const values = columns[column]!;
    const entry = 5 + column * 2;
    if (isConstant(values, start, end)) {
      output[entry] = KIND_CONSTANT << 24;
      output[entry + 1] = values[start]!;
    } else {
      output[entry] = (KIND_GROUPS << 24) | at;
      output[entry + 1] = 0;
      at = encodeGroups(values, start, end, at);
    }
  }
  return new Uint8Array(output.buffer, 0, at * 4);
}

function writeBounds(values: Uint32Array, start: number, end: number, at: number): void {
  let least = values[start]!;
  let greatest = least;
  for (let i = start + 1; i < end; i++) {
    const value = values[i]!;
    if (value < least) least = value;
    if (value > greatest) greatest = value;
  }
  output[at] = least;
  output[at + 1] = greatest;
}

function isConstant(values: Uint32Array, start: number, end: number): boolean {
  const first = values[start]!;
  for (let i = start + 1; i < end; i++) if (values[i] !== first) return false;
  return true;
}

function encodeGroups(values: Uint32Array, start: number, end: number, directory: number): number {
  const groups = Math.ceil((end - start) / GROUP_ROWS);
  let at = directory + groups * 2;
  for (let group = 0; group < groups; group++) {
    const from = start + group * GROUP_ROWS;
    at = encodeGroup(values, from, Math.min(from + GROUP_ROWS, end), directory + group * 2, at);
  }
  return at;
}

function encodeGroup(values: Uint32Array, from: number, to: number, entry: number, at: number): number {
  let least = 0xffff_ffff;
  let greatest = 0;
  let ascending = true;
  let greatestStep = 0;
  let zigzagBits = 0;
  let previous = values[from]!;
  for (let i = from; i < to; i++) {
    const value = values[i]!;
    if (value < least) least = value;
    if (value > greatest) greatest = value;
    if (value < previous) ascending = false;
    else if (value - previous > greatestStep) greatestStep = value - previous;
    zigzagBits |= zigzag((value - previous) | 0);
    previous = value;
  }
  const count = to - from;
  const offsetBits = bitWidth(greatest - least);
  const stepBits = ascending ? bitWidth(greatestStep) : bitWidth(zigzagBits);
  if (offsetBits <= stepBits) {
    for (let i = 0; i < count; i++) scratch[i] = values[from + i]! - least;
    return writeGroup(entry, at, least, MODE_OFFSETS, offsetBits, count);
  }
  previous = values[from]!;
  for (let i = 0; i < count; i++) {
    const step = (values[from + i]! - previous) | 0;
    scratch[i] = ascending ? step : zigzag(step);
    previous = values[from + i]!;
  }
  return writeGroup(entry, at, values[from]!, ascending ? MODE_ASCENDING : MODE_ZIGZAG, stepBits, count);
}

const zigzag = (step: number): number => ((step << 1) ^ (step >> 31)) >>> 0;

// Six bits hold the width: it is at most 32.
function writeGroup(entry: number, at: number, base: number, mode: number, bits: number, count: number): number {
  output[entry] = base;
  output[entry + 1] = (mode << 30) | (bits << 24) | at;
  if (packedWords(count, bits) === 0) return at;
  return pack(scratch, count, bits, output, at);
}

/** Number of rows of the encoded block that begins at word `at`. */
export const blockRows = (words: Uint32Array, at: number): number => words[at]! >>> 16;

export interface BlockBounds {
  readonly minFrom: number;
  readonly maxFrom: number;
  readonly minTo: number;
  readonly maxTo: number;
}

export function blockBounds(words: Uint32Array, at: number): BlockBounds {
  return { minFrom: words[at + 1]!, maxFrom: words[at + 2]!, minTo: words[at + 3]!, maxTo: words[at + 4]! };
}

/** Whether these words can be a block. The storage has verified the checksum of the bytes before. */
export function isBlock(words: Uint32Array, at: number): boolean {
  return (words[at]! & 0xffff) === (VERSION | (COLUMNS << 8)) && blockRows(words, at) <= BLOCK_ROWS;
}

/** The value of a constant column; -1 if the column is not constant. */
export function constantValue(words: Uint32Array, at: number, column: number): number {
  const entry = at + 5 + column * 2;
  return words[entry]! >>> 24 === KIND_CONSTANT ? words[entry + 1]! : -1;
}

/** Decodes the groups `firstGroup` to `lastGroup` (exclusive) of a column into `out`, from index 0 on. */
export function decodeColumn(
  words: Uint32Array,
  at: number,
  column: number,
  firstGroup: number,
  lastGroup: number,
  out: Uint32Array,
): void {
  const rows = blockRows(words, at);
  const entry = at + 5 + column * 2;
  if (words[entry]! >>> 24 === KIND_CONSTANT) {
    out.fill(words[entry + 1]!, 0, Math.min(lastGroup * GROUP_ROWS, rows) - firstGroup * GROUP_ROWS);
    return;
  }
  const directory = at + (words[entry]! & 0xff_ffff);
  for (let group = firstGroup; group < lastGroup; group++) {
    const count = Math.min(GROUP_ROWS, rows - group * GROUP_ROWS);
    decodeGroup(words, at, directory + group * 2, count, out, (group - firstGroup) * GROUP_ROWS);
  }
}

/**
 * Decodes the rows `from` to `to` of one group of a column into the same indexes of `out`. Returns the first decoded row. It is 0 if the
 * encoding stores differences, because each row then depends on the rows before it.
 */
export function decodeRows(
  words: Uint32Array,
  at: number,
  column: number,
  group: number,
  from: number,
  to: number,
  out: Uint32Array,
): number {
  const place = at + 5 + column * 2;
  if (words[place]! >>> 24 === KIND_CONSTANT) {
    out.fill(words[place + 1]!, from, to);
    return from;
  }
  const entry = at + (words[place]! & 0xff_ffff) + group * 2;
  const head = words[entry + 1]!;
  if (head >>> 30 !== MODE_OFFSETS) {
    decodeGroup(words, at, entry, to, out, 0);
    return 0;
  }
  const base = words[entry]!;
  const bits = (head >>> 24) & 63;
  const data = at + (head & 0xff_ffff);
  for (let row = from; row < to; row++) out[row] = base + unpackOne(words, data, bits, row);
  return from;
}

function decodeGroup(words: Uint32Array, at: number, entry: number, count: number, out: Uint32Array, to: number): void {
  const base = words[entry]!;
  const head = words[entry + 1]!;
  const mode = head >>> 30;
  const bits = (head >>> 24) & 63;
  const data = at + (head & 0xff_ffff);
  if (mode === MODE_OFFSETS) {
    unpackAdd(words, data, bits, count, base, out, to);
    return;
  }
  unpackAdd(words, data, bits, count, 0, out, to);
  let value = base;
  const end = to + count;
  if (mode === MODE_ASCENDING) {
    for (let i = to; i < end; i++) out[i] = value += out[i]!;
  } else {
    for (let i = to; i < end; i++) {
      const step = out[i]!;
      out[i] = value = (value + ((step >>> 1) ^ -(step & 1))) >>> 0;
    }
  }
}

/** The value of a column in the first row of a group. Does not decode the group. */
export function groupStart(words: Uint32Array, at: number, column: number, group: number): number {
  const entry = at + 5 + column * 2;
  if (words[entry]! >>> 24 === KIND_CONSTANT) return words[entry + 1]!;
  const slot = at + (words[entry]! & 0xff_ffff) + group * 2;
  const base = words[slot]!;
  const head = words[slot + 1]!;
  if (head >>> 30 !== MODE_OFFSETS) return base;
  return (base + unpackOne(words, at + (head & 0xff_ffff), (head >>> 24) & 63, 0)) >>> 0;
}

/** The rows that {@link findEqual} found. */
export interface FoundRows {
  start: number;
  end: number;
}

/**
 * Finds the rows of a group in which a column has an id, between the rows `found.start` and `found.end`, where it ascends; none: where they
 * would stand. Does not decode the group: most keys of a seeker are in another group than the last one.
 */
export function findEqual(
  words: Uint32Array,
  at: number,
  column: number,
  group: number,
  id: number,
  found: FoundRows,
): void {
  const entry = at + 5 + column * 2;
  if (words[entry]! >>> 24 === KIND_CONSTANT) {
    const value = words[entry + 1]!;
    if (value < id) found.start = found.end;
    else if (value > id) found.end = found.start;
    return;
  }
  const slot = at + (words[entry]! & 0xff_ffff) + group * 2;
  const head = words[slot + 1]!;
  const bits = (head >>> 24) & 63;
  const data = at + (head & 0xff_ffff);
  if (head >>> 30 === MODE_OFFSETS) findOffset(words, data, bits, id - words[slot]!, found);
  else findByStepping(words, data, bits, words[slot]!, head >>> 30 === MODE_ZIGZAG, id, found);
}

function findOffset(words: Uint32Array, data: number, bits: number, offset: number, found: FoundRows): void {
  let low = found.start;
  let high = found.end;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (unpackOne(words, data, bits, middle) < offset) low = middle + 1;
    else high = middle;
  }
  found.start = low;
  // Most keys have few rows, so the steps to their end grow.
  let step = 1;
  for (; low + step <= found.end && unpackOne(words, data, bits, low + step - 1) === offset; step *= 2) low += step;
  for (high = Math.min(found.end, low + step); low < high;) {
    const middle = (low + high) >>> 1;
    if (unpackOne(words, data, bits, middle) === offset) low = middle + 1;
    else high = middle;
  }
  found.end = low;
}

// Each row depends on the rows before it. The first step is 0.
function findByStepping(
  words: Uint32Array,
  data: number,
  bits: number,
  base: number,
  isZigzag: boolean,
  id: number,
  found: FoundRows,
): void {
  const { start, end } = found;
  const mask = bits === 32 ? -1 : (1 << bits) - 1;
  let value = base;
  let first = -1;
  let row = 0;
  let word = data;
  let shift = 0;
  for (; row < end; row++) {
    let step = words[word]! >>> shift;
    if (shift + bits > 32) step |= words[word + 1]! << (32 - shift);
    step &= mask;
    shift += bits;
    word += shift >>> 5;
    shift &= 31;
    value = isZigzag ? (value + ((step >>> 1) ^ -(step & 1))) >>> 0 : value + (step >>> 0);
    if (row < start || value < id) continue;
    if (first === -1) first = row;
    if (value > id) break;
  }
  found.start = first === -1 ? end : first;
  found.end = row;
}
