/**
 * The module: adds the hashes of lines to a sum, or takes them away, in AssemblyScript. A hash is 2,048 bytes of SHAKE128, taken as
 * 1,024 numbers of 16 bits. `npm run line-hash` makes src/integrity/line-hash-module.ts of it.
 *
 * Two lines are hashed at once, each in a lane of its own. When one is done, its lane takes the next line.
 */
import { clear, permute, STATES, STRIDE } from './keccak';

/** Bytes that a permutation takes in, or gives. */
const RATE: usize = 168;
const OUTPUT_BYTES: usize = 2048;
const SUM: usize = memory.data(2048, 16);
/** The last block of a line, with its padding. */
const LAST: usize = memory.data(168, 8);
/** SHAKE's suffix and the first bit of the padding, and the last bit of the padding. */
const SUFFIX: u8 = 0x1f;
const PADDING: u8 = 0x80;

/** What the lanes are at: places in memory of four words for each. The lines themselves are behind, as many as the memory holds. */
const LANES: usize = memory.data(32, 16);
const LANE_BYTES: usize = 16;
/** Words of a lane: bytes that were not taken in yet, or ABSORBED; where they begin; bytes that it has given; whether its line is taken away. */
const LEFT: usize = 0;
const FROM: usize = 4;
const GIVEN: usize = 8;
const MINUS: usize = 12;
const ABSORBED: i32 = -1;

/** The next line: where its length is and where it begins. */
let nextLength: usize = 0;
let endOfLengths: usize = 0;
let nextLine: usize = 0;

/** Where the sum is. */
export function sumStart(): usize {
  return SUM;
}

/** Where memory is free. */
export function freeStart(): usize {
  return __heap_base;
}

/** `lengths` has a number for each line, negative if it is taken away. The lines stand one behind the other. */
export function hashLines(lengths: usize, count: usize, lines: usize): void {
  nextLength = lengths;
  endOfLengths = lengths + count * 4;
  nextLine = lines;
  let first = begin(0);
  let second = begin(1);
  while (first || second) {
    permute();
    first = first && proceed(0);
    second = second && proceed(1);
  }
}

/** Begins the next line. Returns `false` if there is none. */
function begin(lane: usize): bool {
  if (nextLength == endOfLengths) return false;
  const length = load<i32>(nextLength);
  const bytes = abs(length);
  const at = LANES + lane * LANE_BYTES;
  store<i32>(at, bytes, LEFT);
  store<u32>(at, <u32>nextLine, FROM);
  store<u32>(at, 0, GIVEN);
  store<u32>(at, length < 0 ? 1 : 0, MINUS);
  nextLength += 4;
  nextLine += bytes;
  clear(lane * 8);
  absorb(lane);
  return true;
}

/** After a permutation. Returns whether the lane needs another one. */
function proceed(lane: usize): bool {
  const at = LANES + lane * LANE_BYTES;
  if (load<i32>(at, LEFT) != ABSORBED) {
    absorb(lane);
    return true;
  }
  const given = <usize>load<u32>(at, GIVEN);
  const bytes = min(RATE, OUTPUT_BYTES - given);
  if (load<u32>(at, MINUS) == 0) add(lane, SUM + given, bytes);
  else subtract(lane, SUM + given, bytes);
  store<u32>(at, <u32>(given + bytes), GIVEN);
  return given + bytes < OUTPUT_BYTES || begin(lane);
}

function absorb(lane: usize): void {
  const at = LANES + lane * LANE_BYTES;
  const left = <usize>load<u32>(at, LEFT);
  let from = <usize>load<u32>(at, FROM);
  if (left >= RATE) {
    store<u32>(at, <u32>(from + RATE), FROM);
    store<u32>(at, <u32>(left - RATE), LEFT);
  } else {
    memory.fill(LAST, 0, RATE);
    memory.copy(LAST, from, left);
    store<u8>(LAST + left, SUFFIX);
    store<u8>(LAST + RATE - 1, load<u8>(LAST + RATE - 1) | PADDING);
    from = LAST;
    store<i32>(at, ABSORBED, LEFT);
  }
  let word = STATES + lane * 8;
  for (const end = from + RATE; from < end; from += 8) {
    store<u64>(word, load<u64>(word) ^ load<u64>(from));
    word += STRIDE;
  }
}

function add(lane: usize, sum: usize, bytes: usize): void {
  let word = STATES + lane * 8;
  for (const end = sum + bytes; sum < end; sum += 8) {
    v128.store64_lane(sum, i16x8.add(v128.load64_zero(sum), v128.load64_zero(word)), 0);
    word += STRIDE;
  }
}

function subtract(lane: usize, sum: usize, bytes: usize): void {
  let word = STATES + lane * 8;
  for (const end = sum + bytes; sum < end; sum += 8) {
    v128.store64_lane(sum, i16x8.sub(v128.load64_zero(sum), v128.load64_zero(word)), 0);
    word += STRIDE;
  }
}
