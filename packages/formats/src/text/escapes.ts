/** Escapes of the N-Triples family. */
import { TermFault } from '../terms/term-fault.js';
import type { ByteBuffer } from './byte-buffer.js';
import { BACKSLASH, hexDigit } from './bytes.js';

// ECHAR: the character behind the backslash, and the byte that it stands for.
export const ESCAPES: ReadonlyMap<number, number> = new Map(
  [...'tbnrf"\'\\'].map((char, index) => [char.charCodeAt(0), '\t\b\n\r\f"\'\\'.charCodeAt(index)] as const),
);

/** For each byte the letter of its escape in canonical text, or 0 if it is not escaped. */
export const SHORT_ESCAPE = new Uint8Array(0x80);
for (const [letter, byte] of ESCAPES) if (letter !== 0x27) SHORT_ESCAPE[byte] = letter;

/** The code point of the `\u` or `\U` escape at a place. */
export function unicodeEscape(bytes: Uint8Array, at: number, otherwise: string): number {
  const letter = bytes[at + 1];
  if (letter !== 0x75 && letter !== 0x55) throw new TermFault(at, otherwise, at + 1);
  const digits = letter === 0x75 ? 4 : 8;
  let code = 0;
  for (let i = 0; i < digits; i++) {
    const digit = hexDigit(bytes[at + 2 + i]!);
    if (digit < 0) {
      throw new TermFault(at, `\\${digits === 4 ? 'u' : 'U'} needs ${digits} hexadecimal digits`, at + 2 + i);
    }
    code = code * 16 + digit;
  }
  if (code > 0x10ffff) throw new TermFault(at, 'the escape is beyond U+10FFFF');
  if (code >= 0xd800 && code <= 0xdfff) throw new TermFault(at, 'the escape is a surrogate, which is no character');
  return code;
}

export function illegalInIri(at: number, code: number): TermFault {
  const char =
    code <= 0x20 || code === 0x7f ? `U+${code.toString(16).toUpperCase().padStart(4, '0')}` : String.fromCharCode(code);
  return new TermFault(at, `${char} is not allowed in an IRI`);
}

/** Appends a character of a string in canonical form. */
export function appendEscaped(to: ByteBuffer, code: number): void {
  const letter = code < 0x80 ? SHORT_ESCAPE[code]! : 0;
  if (letter !== 0) {
    to.byte(BACKSLASH);
    to.byte(letter);
  } else if (code >= 0x20 && code !== 0x7f && code !== 0xfffe && code !== 0xffff) to.codePoint(code);
  else {
    const hex = `\\u${code.toString(16).toUpperCase().padStart(4, '0')}`;
    for (let i = 0; i < hex.length; i++) to.byte(hex.charCodeAt(i));
  }
}
