/**
 * Where terms end, sixteen bytes at a time. Each function returns the place behind what starts at `start`, or 0 where that is
 * none, or not a simple one. The bytes that are read end with one at which every loop stops.
 */

export const QUOTE: u8 = 0x22;
export const PLUS: u8 = 0x2b;
export const HYPHEN: u8 = 0x2d;
export const DOT: u8 = 0x2e;
export const COLON: u8 = 0x3a;
export const LESS: u8 = 0x3c;
export const AT: u8 = 0x40;
export const CARET: u8 = 0x5e;
export const UNDERSCORE: u8 = 0x5f;
/** The last letters of the datatypes that need a closer look: xsd:string, rdf:langString, rdf:dirLangString. */
export const ING_GREATER: u32 = 0x3e676e69;
const GREATER: u8 = 0x3e;
const BACKSLASH: u8 = 0x5c;
/** Longer ones are left to the parser, which knows the limit. */
const LONG_IRI_BYTES: usize = 4096;
const MAX_SUBTAG: usize = 8;
const MAX_LANGUAGE_TAG: usize = 255;

export function iriEnd(start: usize): usize {
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

/** A string with canonical characters and escapes, without language or datatype. */
export function stringEnd(start: usize): usize {
  let at = start + 1;
  while (true) {
    at = skipStringBytes(at);
    const byte = load<u8>(at);
    if (byte == QUOTE) return at + 1;
    const length = byte == BACKSLASH ? escapeLength(at) : characterLength(at);
    if (length == 0) return 0;
    at += length;
  }
}

export function languageEnd(sign: usize): usize {
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

/** Moves behind letters, digits, "_" and "-". */
export function skipLabelBytes(from: usize): usize {
  let at = from;
  while (true) {
    const bytes = v128.load(at);
    const letters = i8x16.sub(v128.or(bytes, i8x16.splat(0x20)), i8x16.splat(0x61));
    let label = i8x16.lt_u(letters, i8x16.splat(26));
    label = v128.or(label, i8x16.lt_u(i8x16.sub(bytes, i8x16.splat(0x30)), i8x16.splat(10)));
    label = v128.or(label, i8x16.eq(bytes, i8x16.splat(0x5f)));
    label = v128.or(label, i8x16.eq(bytes, i8x16.splat(0x2d)));
    const mask = ~i8x16.bitmask(label) & 0xffff;
    if (mask != 0) return at + <usize>ctz(mask);
    at += 16;
  }
}

export function sameBytes(a: usize, b: usize, length: usize): bool {
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

export function isLetter(byte: u8): bool {
  return isLowerCase(byte | 0x20);
}

export function isDigit(byte: u8): bool {
  return <u8>(byte - 0x30) < 10;
}

function isSchemeByte(byte: u8): bool {
  return isLetter(byte) || isDigit(byte) || byte == 0x2b || byte == HYPHEN || byte == DOT;
}

export function isLabelByte(byte: u8): bool {
  return isLetter(byte) || isDigit(byte) || byte == UNDERSCORE || byte == HYPHEN;
}

function isContinuation(byte: u8): bool {
  return (byte & 0xc0) == 0x80;
}

/** Copies sixteen bytes at a time, and may write up to fifteen more. */
export function copyBytes(from: usize, to: usize, length: usize): void {
  for (let i: usize = 0; i < length; i += 16) v128.store(to + i, v128.load(from + i));
}
