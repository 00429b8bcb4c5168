/**
 * The classes of each byte in the grammar of N-Triples and N-Quads, one bit for each class. Bytes from 0x80 on have no class;
 * utf8.ts handles them.
 */

/** Legal in an IRI without an escape (IRIREF). */
export const IRI_BYTE = 1;
/** Canonical in a quoted string without an escape. */
export const STRING_BYTE = 2;
/** Legal after the first letter of a scheme. */
export const SCHEME_BYTE = 4;
/** An ASCII letter. */
export const LETTER = 8;
/** An ASCII digit. */
export const DIGIT = 16;
/** PN_CHARS: inside of a blank node label. */
export const LABEL_BYTE = 32;
/** Space or tab. */
export const BLANK = 64;
/** LF or CR. */
export const LINE_END = 128;

/** The class bits of every byte. */
export const BYTE_CLASS = buildClasses();

function buildClasses(): Uint8Array {
  const classes = new Uint8Array(256);
  for (let byte = 0; byte < 0x80; byte++) classes[byte] = classOf(byte);
  return classes;
}

function classOf(byte: number): number {
  const char = String.fromCharCode(byte);
  let bits = 0;
  if (byte > 0x20 && !'<>"{}|^`\\'.includes(char)) bits |= IRI_BYTE;
  if (byte >= 0x20 && byte !== 0x7f && char !== '"' && char !== '\\') bits |= STRING_BYTE;
  if (/[A-Za-z0-9+.-]/.test(char)) bits |= SCHEME_BYTE;
  if (/[A-Za-z]/.test(char)) bits |= LETTER;
  if (/[0-9]/.test(char)) bits |= DIGIT;
  if (/[A-Za-z0-9_-]/.test(char)) bits |= LABEL_BYTE;
  if (byte === 0x20 || byte === 0x09) bits |= BLANK;
  if (byte === 0x0a || byte === 0x0d) bits |= LINE_END;
  return bits;
}
