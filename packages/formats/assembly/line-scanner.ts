/**
 * Finds the terms of N-Triples and N-Quads, sixteen bytes at a time. AssemblyScript: `npm run scanner` makes
 * src/line-scanner-module.ts of it.
 *
 * It knows only lines as programs write them, with canonical terms, and stops at every other one: line-parser.ts reads
 * that one, and is where the grammar stands in full. So nothing is refused here, and whatever is taken is what the
 * parser would have taken.
 *
 * The bytes that are read end with a line end, at which every loop stops.
 */

/** Slots for predicates and graph names. Slot 0 stands for those that are too long to be kept. */
const SLOTS: u32 = 1024;
const SLOT_BYTES: usize = 256;
/** A slot: length of the IRI (0: free), the slot that came next the last time, the IRI. */
const NEXT: usize = 4;
const TEXT: usize = 8;
const MAX_TEXT: usize = SLOT_BYTES - TEXT;
/** Added to a slot's number where the IRI has just come in. */
const FRESH: u32 = 0x8000_0000;

const RECORD_BYTES: usize = 40;
const MAX_RECORDS: i32 = 4096;

const KNOWN: usize = memory.data(262144, 16);
const RECORDS: usize = memory.data(163840, 16);
const INPUT_BYTES: usize = 262144;
/** Loads of sixteen bytes may begin at the last one. */
const INPUT: usize = memory.data(262208, 16);

const LF: u8 = 0x0a;
const CR: u8 = 0x0d;
const QUOTE: u8 = 0x22;
const DOT: u8 = 0x2e;
const HYPHEN: u8 = 0x2d;
const COLON: u8 = 0x3a;
const LESS: u8 = 0x3c;
const GREATER: u8 = 0x3e;
const AT: u8 = 0x40;
const BACKSLASH: u8 = 0x5c;
const CARET: u8 = 0x5e;
const UNDERSCORE: u8 = 0x5f;
/** The last letters of the datatypes that need a closer look: xsd:string, rdf:langString, rdf:dirLangString. */
const ING_GREATER: u32 = 0x3e676e69;
/** Longer ones are left to the parser, which knows the limit. */
const LONG_IRI_BYTES: usize = 4096;
const MAX_SUBTAG: usize = 8;
const MAX_LANGUAGE_TAG: usize = 255;

/** Where the scan stopped: the start of a line that it does not know, or the end. */
export let stopped: usize = 0;

/** The subject of the line before, with the space behind it, so that no longer term begins like it; 0 bytes: none. */
let subject: usize = 0;
let subjectBytes: usize = 0;
/** The slots that the line before named, {@link FRESH} where it filled them. */
let predicate: u32 = 0;
let graph: u32 = 0;
/** Where the IRI ends that {@link known} was asked for; 0 where it is none. */
let knownEnd: usize = 0;

export function inputStart(): usize {
  return INPUT;
}

export function inputBytes(): usize {
  return INPUT_BYTES;
}

/** Where {@link scan} leaves its statements, each as the ten words of {@link scanStatement}. */
export function records(): usize {
  return RECORDS;
}

/** Reads lines from `from` on and returns how many statements it found; `quads`: lines may name a graph. */
export function scan(from: usize, to: usize, quads: bool): i32 {
  let count = 0;
  let line = from;
  subjectBytes = 0;
  while (line < to && count < MAX_RECORDS) {
    const end = scanStatement(RECORDS + <usize>count * RECORD_BYTES, line, quads);
    const next: usize = end == 0 ? 0 : lineEnd(end, to);
    if (next == 0) {
      // Nobody hears of the slots that this line filled.
      if ((predicate & FRESH) != 0) forget(predicate);
      if ((graph & FRESH) != 0) forget(graph);
      break;
    }
    line = next;
    count++;
  }
  stopped = line;
  return count;
}

/**
 * Ten words: subject from and to (0: that of the statement before), slot of the predicate, predicate from and to, object
 * from and to, slot of the graph, graph from (0: none) and to. Returns where the statement ends, 0 where it is none.
 */
function scanStatement(record: usize, line: usize, quads: bool): usize {
  let at = scanSubject(record, skipBlanks(line));
  if (at == 0) return 0;
  at = skipBlanks(at);
  if (load<u8>(at) != LESS) return 0;
  const before = slotOf(predicate);
  predicate = known(at, load<u32>(before, NEXT));
  if (knownEnd == 0) return 0;
  store<u32>(before, predicate & ~FRESH, NEXT);
  storeSpan(record + 8, predicate, at, knownEnd);

  at = skipBlanks(knownEnd);
  const end = load<u8>(at) == QUOTE ? literalEnd(at) : resourceEnd(at);
  if (end == 0) return 0;
  store<u32>(record, <u32>at, 20);
  store<u32>(record, <u32>end, 24);

  at = skipBlanks(end);
  if (quads && load<u8>(at) == LESS) {
    graph = known(at, graph & ~FRESH);
    if (knownEnd == 0) return 0;
    storeSpan(record + 28, graph, at, knownEnd);
    at = skipBlanks(knownEnd);
  } else storeSpan(record + 28, 0, 0, 0);
  return load<u8>(at) == DOT ? skipBlanks(at + 1) : 0;
}

/** Returns where the subject ends, which is the same as in the line before or a new one. */
function scanSubject(record: usize, start: usize): usize {
  if (subjectBytes > 0 && sameBytes(start, subject, subjectBytes)) {
    store<u32>(record, 0);
    return start + subjectBytes;
  }
  const end = resourceEnd(start);
  store<u32>(record, <u32>start);
  store<u32>(record, <u32>end, 4);
  subject = start;
  subjectBytes = load<u8>(end) == 0x20 ? end + 1 - start : 0;
  return end;
}

function storeSpan(at: usize, slot: u32, start: usize, end: usize): void {
  store<u32>(at, slot);
  store<u32>(at, <u32>start, 4);
  store<u32>(at, <u32>end, 8);
}

function skipBlanks(from: usize): usize {
  let at = from;
  while (load<u8>(at) == 0x20 || load<u8>(at) == 0x09) at++;
  return at;
}

/** Behind the line end at `at`; 0 where none is there, or half of one. */
function lineEnd(at: usize, to: usize): usize {
  const byte = load<u8>(at);
  if (byte == LF) return at + 1;
  return byte == CR && at + 1 < to && load<u8>(at + 1) == LF ? at + 2 : 0;
}

// Each of these returns where the term that starts at `start` ends, or 0 where it is none, or not a simple one.

function resourceEnd(start: usize): usize {
  const byte = load<u8>(start);
  if (byte == LESS) return iriEnd(start);
  return byte == UNDERSCORE ? blankNodeEnd(start) : 0;
}

function iriEnd(start: usize): usize {
  let at = start + 1;
  if (!isLetter(load<u8>(at))) return 0;
  do at++;
  while (isSchemeByte(load<u8>(at)));
  if (load<u8>(at) != COLON) return 0;
  while (true) {
    at = skipIriBytes(at);
    const byte = load<u8>(at);
    if (byte == GREATER) return at - start > LONG_IRI_BYTES ? 0 : at + 1;
    const length = sequenceLength(at);
    if (length == 0) return 0;
    at += length;
  }
}

function blankNodeEnd(start: usize): usize {
  let at = start + 2;
  if (load<u8>(start + 1) != COLON || load<u8>(at) == HYPHEN) return 0;
  while (isLabelByte(load<u8>(at))) at++;
  // A label may go on behind a dot, and with other letters: not here.
  const byte = load<u8>(at);
  if (at == start + 2 || byte >= 0x80) return 0;
  if (byte != DOT) return at;
  const behind = load<u8>(at + 1);
  return behind == DOT || behind >= 0x80 || isLabelByte(behind) ? 0 : at;
}

function literalEnd(start: usize): usize {
  let at = start + 1;
  while (true) {
    at = skipStringBytes(at);
    const byte = load<u8>(at);
    if (byte == QUOTE) break;
    const length = byte == BACKSLASH ? escapeLength(at) : characterLength(at);
    if (length == 0) return 0;
    at += length;
  }
  const byte = load<u8>(++at);
  if (byte == AT) return languageEnd(at);
  if (byte != CARET) return at;
  if (load<u8>(at + 1) != CARET || load<u8>(at + 2) != LESS) return 0;
  const end = iriEnd(at + 2);
  return end == 0 || load<u32>(end - 4) == ING_GREATER ? 0 : end;
}

function languageEnd(sign: usize): usize {
  let at = sign;
  do {
    const from = at + 1;
    at = from == sign + 1 ? skipLetters(from) : skipLettersAndDigits(from);
    if (at == from || at - from > MAX_SUBTAG) return 0;
  } while (load<u8>(at) == HYPHEN);
  return at - sign > MAX_LANGUAGE_TAG || isLetter(load<u8>(at)) ? 0 : at;
}

function skipLetters(from: usize): usize {
  let at = from;
  while (isLowerCase(load<u8>(at))) at++;
  return at;
}

function skipLettersAndDigits(from: usize): usize {
  let at = from;
  while (isLowerCase(load<u8>(at)) || isDigit(load<u8>(at))) at++;
  return at;
}

/** An escape that is canonical: 2, or 0. */
function escapeLength(at: usize): usize {
  switch (load<u8>(at + 1)) {
    case 0x74: // t
    case 0x62: // b
    case 0x6e: // n
    case 0x72: // r
    case 0x66: // f
    case QUOTE:
    case BACKSLASH:
      return 2;
    default:
      return 0;
  }
}

/** A character beyond ASCII that stands in a canonical string as it is; 0 for U+FFFE and U+FFFF, EF BF BE and EF BF BF. */
function characterLength(at: usize): usize {
  const length = sequenceLength(at);
  return length == 3 && load<u16>(at) == 0xbfef && load<u8>(at + 2) >= 0xbe ? 0 : length;
}

/** The length of the legal UTF-8 sequence of several bytes at `at`, or 0. */
function sequenceLength(at: usize): usize {
  const first = load<u8>(at);
  const second = load<u8>(at + 1);
  if (first < 0xc2 || first > 0xf4 || !isContinuation(second)) return 0;
  if (first < 0xe0) return 2;
  if (!isContinuation(load<u8>(at + 2))) return 0;
  if (first < 0xf0) return first == 0xe0 ? (second >= 0xa0 ? 3 : 0) : first == 0xed && second >= 0xa0 ? 0 : 3;
  if (!isContinuation(load<u8>(at + 3))) return 0;
  return first == 0xf0 ? (second >= 0x90 ? 4 : 0) : first == 0xf4 && second >= 0x90 ? 0 : 4;
}

/** Moves behind what an IRI may hold as it is: all of ASCII but controls, the space and <>"{}|^`\. */
function skipIriBytes(from: usize): usize {
  let at = from;
  while (true) {
    const bytes = v128.load(at);
    // Without their second bit < is >, and \ is ^.
    const folded = v128.or(bytes, i8x16.splat(2));
    let other = i8x16.lt_s(bytes, i8x16.splat(0x21));
    other = v128.or(other, i8x16.eq(folded, i8x16.splat(0x3e)));
    other = v128.or(other, i8x16.eq(folded, i8x16.splat(0x5e)));
    other = v128.or(other, i8x16.eq(bytes, i8x16.splat(0x22)));
    other = v128.or(other, i8x16.eq(bytes, i8x16.splat(0x60)));
    // { | }
    other = v128.or(other, i8x16.le_u(i8x16.sub(bytes, i8x16.splat(0x7b)), i8x16.splat(2)));
    const mask = i8x16.bitmask(other);
    if (mask != 0) return at + <usize>ctz(mask);
    at += 16;
  }
}

/** Moves behind what a string may hold as it is: all of ASCII but controls, " and \. */
function skipStringBytes(from: usize): usize {
  let at = from;
  while (true) {
    const bytes = v128.load(at);
    let other = i8x16.lt_s(bytes, i8x16.splat(0x20));
    other = v128.or(other, i8x16.eq(bytes, i8x16.splat(0x22)));
    other = v128.or(other, i8x16.eq(bytes, i8x16.splat(0x5c)));
    other = v128.or(other, i8x16.eq(bytes, i8x16.splat(0x7f)));
    const mask = i8x16.bitmask(other);
    if (mask != 0) return at + <usize>ctz(mask);
    at += 16;
  }
}

/** The slot of the IRI at `start`, which may well be the one in `expected`; {@link knownEnd} is 0 where it is none. */
function known(start: usize, expected: u32): u32 {
  const guess = slotOf(expected);
  const length = <usize>load<u32>(guess);
  if (length > 0 && sameBytes(start, guess + TEXT, length)) {
    knownEnd = start + length;
    return expected;
  }
  knownEnd = iriEnd(start);
  return knownEnd == 0 ? 0 : slotFor(start, knownEnd);
}

function slotFor(start: usize, end: usize): u32 {
  const length = end - start;
  if (length > MAX_TEXT) return FRESH;
  // Names of one vocabulary share their start: the end tells them apart.
  const letters = load<u32>(end - 5) ^ (load<u32>(end - 9) * 0x85ebca6b) ^ load<u32>(start + (length >> 1));
  const number = 1 + ((((letters + <u32>length) * 0x9e3779b1) >> 12) % (SLOTS - 1));
  const slot = slotOf(number);
  if (<usize>load<u32>(slot) == length && sameBytes(start, slot + TEXT, length)) return number;
  store<u32>(slot, <u32>length);
  store<u32>(slot, 0, NEXT);
  memory.copy(slot + TEXT, start, length);
  return number | FRESH;
}

function forget(number: u32): void {
  store<u32>(slotOf(number), 0);
}

function slotOf(number: u32): usize {
  return KNOWN + <usize>(number & ~FRESH) * SLOT_BYTES;
}

function sameBytes(a: usize, b: usize, length: usize): bool {
  if (length < 16) {
    for (let i: usize = 0; i < length; i++) if (load<u8>(a + i) != load<u8>(b + i)) return false;
    return true;
  }
  const last = length - 16;
  for (let i: usize = 0; i < last; i += 16) if (differ(a + i, b + i)) return false;
  return !differ(a + last, b + last);
}

function differ(a: usize, b: usize): bool {
  return v128.any_true(v128.xor(v128.load(a), v128.load(b)));
}

function isLowerCase(byte: u8): bool {
  return <u8>(byte - 0x61) < 26;
}

function isLetter(byte: u8): bool {
  return isLowerCase(byte | 0x20);
}

function isDigit(byte: u8): bool {
  return <u8>(byte - 0x30) < 10;
}

function isSchemeByte(byte: u8): bool {
  return isLetter(byte) || isDigit(byte) || byte == 0x2b || byte == HYPHEN || byte == DOT;
}

function isLabelByte(byte: u8): bool {
  return isLetter(byte) || isDigit(byte) || byte == UNDERSCORE || byte == HYPHEN;
}

function isContinuation(byte: u8): bool {
  return (byte & 0xc0) == 0x80;
}
