/**
 * Lexical forms of literals as canonical N-Triples writes them: escaped, without the quotes. Long ones are worked on as
 * bytes: a text that consists of escapes takes a twentieth of the time that it takes as a string.
 */
import { isWellFormed } from './well-formed.js';

// oxlint-disable-next-line no-control-regex
const NEEDS_ESCAPE = /[\u0000-\u001F"\\\u007F\uFFFE\uFFFF]/;
// oxlint-disable-next-line no-control-regex
const NEEDS_ESCAPE_ALL = /[\u0000-\u001F"\\\u007F\uFFFE\uFFFF]/g;
const SHORT_ESCAPES: Readonly<Record<string, string>> = {
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\f': '\\f',
  '\r': '\\r',
  '"': '\\"',
  '\\': '\\\\',
};
const SHORT_UNESCAPES: Readonly<Record<string, string>> = {
  b: '\b',
  t: '\t',
  n: '\n',
  f: '\f',
  r: '\r',
  '"': '"',
  '\\': '\\',
};

/** The platform's text coders are faster from this number of characters or bytes on. */
const LONG_TEXT = 4096;
const BACKSLASH = 0x5c;
const LETTER_U = 0x75;
const QUOTE = 0x22;

const encoder = new TextEncoder();
// A text may begin with what elsewhere marks the order of bytes.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** By byte: 0 stands for itself, `\u` has no short escape, `NONCHARACTER` may begin U+FFFE or U+FFFF, else the escape's letter. */
const ESCAPE_OF = new Uint8Array(256);
const NONCHARACTER = 1;
/** By the letter of a short escape: the byte that it means. */
const MEANT_BY = new Uint8Array(256);
const HEX_DIGITS = encoder.encode('0123456789ABCDEF');
ESCAPE_OF.fill(LETTER_U, 0, 0x20);
ESCAPE_OF[0x7f] = LETTER_U;
ESCAPE_OF[0xef] = NONCHARACTER;
for (const [char, escape] of Object.entries(SHORT_ESCAPES)) {
  ESCAPE_OF[char.charCodeAt(0)] = escape.charCodeAt(1);
  MEANT_BY[escape.charCodeAt(1)] = char.charCodeAt(0);
}
/** Bytes of `\u00XX`. */
const CODE_LENGTH = 6;

/** The lexical form of a literal, escaped as canonical N-Triples writes it, without the quotes. */
export function escapeLexicalForm(value: string): string {
  if (!NEEDS_ESCAPE.test(value)) return value;
  // UTF-8 has no lone surrogates: the text would become another one.
  if (value.length >= LONG_TEXT && isWellFormed(value)) return decoder.decode(escapedBytes(encoder.encode(value)));
  return value.replace(
    NEEDS_ESCAPE_ALL,
    (char) => SHORT_ESCAPES[char] ?? `\\u${char.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`,
  );
}

function escapedBytes(bytes: Uint8Array): Uint8Array {
  const escaped = new Uint8Array(escapedLength(bytes));
  let at = 0;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]!;
    const escape = ESCAPE_OF[byte]!;
    if (escape === 0 || (escape === NONCHARACTER && !isNoncharacter(bytes, i))) {
      escaped[at++] = byte;
      continue;
    }
    escaped[at++] = BACKSLASH;
    escaped[at++] = escape === NONCHARACTER ? LETTER_U : escape;
    if (escape === LETTER_U) at = putCode(escaped, at, byte);
    else if (escape === NONCHARACTER) {
      at = putCode(escaped, at, bytes[i + 2] === 0xbe ? 0xfffe : 0xffff);
      i += 2;
    }
  }
  return escaped;
}

function escapedLength(bytes: Uint8Array): number {
  let length = bytes.length;
  for (let i = 0; i < bytes.length; i++) {
    const escape = ESCAPE_OF[bytes[i]!]!;
    if (escape === 0) continue;
    if (escape === NONCHARACTER) length += isNoncharacter(bytes, i) ? CODE_LENGTH - 3 : 0;
    else length += escape === LETTER_U ? CODE_LENGTH - 1 : 1;
  }
  return length;
}

const isNoncharacter = (bytes: Uint8Array, at: number): boolean => bytes[at + 1] === 0xbf && bytes[at + 2]! >= 0xbe;

function putCode(bytes: Uint8Array, at: number, code: number): number {
  bytes[at] = HEX_DIGITS[code >>> 12]!;
  bytes[at + 1] = HEX_DIGITS[(code >>> 8) & 15]!;
  bytes[at + 2] = HEX_DIGITS[(code >>> 4) & 15]!;
  bytes[at + 3] = HEX_DIGITS[code & 15]!;
  return at + 4;
}

/**
 * Reverses {@link escapeLexicalForm}.
 *
 * Joins the parts between the escapes. A replacement by a function takes twice as long. Concatenation leaves a rope, which takes
 * many times the memory of the text.
 */
export function unescapeLexicalForm(text: string): string {
  let at = text.indexOf('\\');
  if (at === -1) return text;
  if (text.length >= LONG_TEXT && isWellFormed(text)) return unescapeBytes(encoder.encode(text));
  const parts: string[] = [];
  let from = 0;
  for (; at !== -1; at = text.indexOf('\\', from)) {
    const char = text[at + 1]!;
    const isCode = char === 'u';
    const code = isCode ? String.fromCharCode(Number.parseInt(text.slice(at + 2, at + 6), 16)) : undefined;
    parts.push(text.slice(from, at), code ?? SHORT_UNESCAPES[char] ?? char);
    from = at + (isCode ? 6 : 2);
  }
  parts.push(text.slice(from));
  return parts.join('');
}

/** As {@link unescapeLexicalForm}, of a text in UTF-8. */
export function unescapeBytes(bytes: Uint8Array): string {
  let from = bytes.indexOf(BACKSLASH);
  if (from === -1) return decoder.decode(bytes);
  // What an escape means is never longer than the escape.
  const plain = new Uint8Array(bytes.length);
  plain.set(bytes.subarray(0, from));
  let at = from;
  while (from < bytes.length) {
    const byte = bytes[from++]!;
    if (byte !== BACKSLASH) plain[at++] = byte;
    else if (bytes[from] === LETTER_U) {
      at = putCharacter(plain, at, codeAt(bytes, from + 1));
      from += CODE_LENGTH - 1;
    } else {
      const letter = bytes[from++]!;
      plain[at++] = MEANT_BY[letter] || letter;
    }
  }
  return decoder.decode(plain.subarray(0, at));
}

function codeAt(bytes: Uint8Array, at: number): number {
  let code = 0;
  for (let i = at; i < at + 4; i++) {
    const digit = bytes[i]!;
    code = code * 16 + (digit <= 0x39 ? digit - 0x30 : (digit | 0x20) - 0x57);
  }
  return code;
}

function putCharacter(bytes: Uint8Array, at: number, code: number): number {
  if (code < 0x80) {
    bytes[at] = code;
    return at + 1;
  }
  if (code < 0x800) {
    bytes[at] = 0xc0 | (code >>> 6);
    bytes[at + 1] = 0x80 | (code & 0x3f);
    return at + 2;
  }
  bytes[at] = 0xe0 | (code >>> 12);
  bytes[at + 1] = 0x80 | ((code >>> 6) & 0x3f);
  bytes[at + 2] = 0x80 | (code & 0x3f);
  return at + 3;
}

/** Where a literal's lexical form ends in the bytes of its canonical text: the place of the last quote. */
export const endOfForm = (bytes: Uint8Array): number => bytes.lastIndexOf(QUOTE);
/** Whether a canonical text in UTF-8 is that of a long literal. */
export const isLongLiteral = (bytes: Uint8Array): boolean => bytes.length >= LONG_TEXT && bytes[0] === QUOTE;
