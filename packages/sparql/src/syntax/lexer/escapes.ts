/** The escapes of strings, IRIs and local names. */
import { isHex, isInIri } from './characters.js';

const MAX_CODE_POINT = 0x10ffff;
const LETTERS = 'tbnrf"\'\\';
const CHARACTERS = '\t\b\n\r\f"\'\\';
/** What may stand behind a backslash in a local name. */
const LOCAL_ESCAPES = "_~.-!$&'()*+,;=/?#@%";

/** The length of the escape `\uXXXX` or `\UXXXXXXXX` here; 0 where it is none, or means no character. */
export function codePointEscapeLength(text: string, at: number): number {
  const letter = text[at + 1];
  const length = letter === 'u' ? 6 : letter === 'U' ? 10 : 0;
  for (let digit = at + 2; digit < at + length; digit++) if (!isHex(text.charCodeAt(digit))) return 0;
  if (length === 0) return 0;
  const code = escapedCodePoint(text, at, length);
  return code > MAX_CODE_POINT || (code >= 0xd800 && code <= 0xdfff) ? 0 : length;
}

/** As {@link codePointEscapeLength}, for a character that an IRI may contain. */
export function iriEscapeLength(text: string, at: number): number {
  const length = codePointEscapeLength(text, at);
  return length > 0 && isInIri(escapedCodePoint(text, at, length)) ? length : 0;
}

/** The length of any escape that a string may have. */
export function stringEscapeLength(text: string, at: number): number {
  return LETTERS.includes(text[at + 1] ?? ' ') ? 2 : codePointEscapeLength(text, at);
}

/** The length of `%41`, or of a backslash with what it escapes, in a local name; 0 where neither stands here. */
export function localEscapeLength(text: string, at: number): number {
  if (text[at] === '%') return isHex(text.charCodeAt(at + 1)) && isHex(text.charCodeAt(at + 2)) ? 3 : 0;
  return text[at] === '\\' && LOCAL_ESCAPES.includes(text[at + 1] ?? ' ') ? 2 : 0;
}

const escapedCodePoint = (text: string, at: number, length: number): number =>
  Number.parseInt(text.slice(at + 2, at + length), 16);

/** What a string or an IRI means. All escapes must be legal. */
export function unescape(raw: string): string {
  let value = '';
  let done = 0;
  for (let at = raw.indexOf('\\'); at !== -1; at = raw.indexOf('\\', done)) {
    value += raw.slice(done, at);
    const letter = LETTERS.indexOf(raw[at + 1]!);
    const length = letter === -1 ? codePointEscapeLength(raw, at) : 2;
    value += letter === -1 ? String.fromCodePoint(escapedCodePoint(raw, at, length)) : CHARACTERS[letter]!;
    done = at + length;
  }
  return value + raw.slice(done);
}

/** A local name without its backslashes. */
export function unescapeLocal(raw: string): string {
  let value = '';
  let done = 0;
  for (let at = raw.indexOf('\\'); at !== -1; at = raw.indexOf('\\', done + 1)) {
    value += raw.slice(done, at);
    done = at + 1;
  }
  return value + raw.slice(done);
}

/** The text of a string with its quotes, one or three on either side. `escaped`: whether it has escapes, which are legal. */
export function unquote(written: string, escaped: boolean): string {
  const isLong = written.length >= 6 && written[1] === written[0] && written[2] === written[0];
  const raw = isLong ? written.slice(3, -3) : written.slice(1, -1);
  return escaped ? unescape(raw) : raw;
}
