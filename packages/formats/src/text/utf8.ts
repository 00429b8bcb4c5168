/** UTF-8 for the parsers of bytes: checks a sequence in place, and reads and writes code points. */

/** The length of the UTF-8 sequence at `at`, or 0 if it is not legal (overlong, surrogate, cut off, too large). */
export function utf8Length(bytes: Uint8Array, at: number): number {
  const first = bytes[at]!;
  if (first < 0x80) return 1;
  if (first < 0xc2 || at + 1 >= bytes.length) return 0;
  const second = bytes[at + 1]!;
  if ((second & 0xc0) !== 0x80) return 0;
  if (first < 0xe0) return 2;
  if (at + 2 >= bytes.length || (bytes[at + 2]! & 0xc0) !== 0x80) return 0;
  if (first < 0xf0) {
    if (first === 0xe0) return second >= 0xa0 ? 3 : 0;
    return first === 0xed && second >= 0xa0 ? 0 : 3;
  }
  if (first > 0xf4 || at + 3 >= bytes.length || (bytes[at + 3]! & 0xc0) !== 0x80) return 0;
  if (first === 0xf0) return second >= 0x90 ? 4 : 0;
  return first === 0xf4 && second >= 0x90 ? 0 : 4;
}

/** The code point of the legal sequence of `length` bytes at `at`. */
export function codePointAt(bytes: Uint8Array, at: number, length: number): number {
  const first = bytes[at]!;
  if (length === 1) return first;
  let code = first & (0xff >> (length + 1));
  for (let i = 1; i < length; i++) code = (code << 6) | (bytes[at + i]! & 0x3f);
  return code;
}

/** Writes a code point at `at`, where four bytes must be free; returns the offset behind it. */
export function writeCodePoint(bytes: Uint8Array, at: number, code: number): number {
  if (code < 0x80) {
    bytes[at] = code;
    return at + 1;
  }
  if (code < 0x800) {
    bytes[at] = 0xc0 | (code >> 6);
  } else if (code < 0x10000) {
    bytes[at] = 0xe0 | (code >> 12);
    bytes[++at] = 0x80 | ((code >> 6) & 0x3f);
    bytes[++at] = 0x80 | (code & 0x3f);
    return at + 1;
  } else {
    bytes[at] = 0xf0 | (code >> 18);
    bytes[++at] = 0x80 | ((code >> 12) & 0x3f);
    bytes[++at] = 0x80 | ((code >> 6) & 0x3f);
  }
  bytes[++at] = 0x80 | (code & 0x3f);
  return at + 1;
}

/** Whether a code point may stand in a blank node label behind its first character (PN_CHARS, beyond ASCII). */
export function isLabelCodePoint(code: number, first: boolean): boolean {
  if (isLetterCodePoint(code)) return true;
  return !first && (code === 0xb7 || (code >= 0x300 && code <= 0x36f) || code === 0x203f || code === 0x2040);
}

// PN_CHARS_BASE beyond ASCII.
const LETTER_RANGES = [
  0xc0, 0xd6, 0xd8, 0xf6, 0xf8, 0x2ff, 0x370, 0x37d, 0x37f, 0x1fff, 0x200c, 0x200d, 0x2070, 0x218f, 0x2c00, 0x2fef,
  0x3001, 0xd7ff, 0xf900, 0xfdcf, 0xfdf0, 0xfffd, 0x10000, 0xeffff,
] as const;

function isLetterCodePoint(code: number): boolean {
  for (let i = 0; i < LETTER_RANGES.length; i += 2) {
    if (code >= LETTER_RANGES[i]! && code <= LETTER_RANGES[i + 1]!) return true;
  }
  return false;
}
