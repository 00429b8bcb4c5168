/** The classes of characters that the grammar names (SPARQL 1.2, rules PN_CHARS_BASE to PN_LOCAL_ESC). */

const WORD = 1;
const NAME = 2;
const DIGIT = 4;
const NOT_IN_IRI = 8;
/** The classes of each ASCII character. */
const CLASSES = new Uint8Array(128);
for (let code = 0; code <= 0x20; code++) CLASSES[code] = NOT_IN_IRI;
for (let code = 0x30; code <= 0x39; code++) CLASSES[code] = WORD | NAME | DIGIT;
for (let code = 0x41; code <= 0x5a; code++) CLASSES[code] = CLASSES[code + 0x20] = WORD | NAME;
CLASSES[0x5f] = WORD | NAME;
CLASSES[0x2d] = NAME;
for (const char of '<>"{}|^`\\') CLASSES[char.charCodeAt(0)] = NOT_IN_IRI;

/** Past the end of a text the code is NaN, which is in no class. */
export const isBlank = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
export const isLineEnd = (code: number): boolean => code === 0x0a || code === 0x0d;
export const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;
export const isLetter = (code: number): boolean => (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a);
/** A letter, a digit or `_`: what keywords consist of. */
export const isWord = (code: number): boolean => code < 128 && (CLASSES[code]! & WORD) !== 0;
export const isInIri = (code: number): boolean => (code < 128 ? (CLASSES[code]! & NOT_IN_IRI) === 0 : code >= 128);
export const isSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdfff;

export function isHex(code: number): boolean {
  return isDigit(code) || (code >= 0x61 && code <= 0x66) || (code >= 0x41 && code <= 0x46);
}

/** Whether two surrogates stand here that make one character. */
export const isPair = (text: string, at: number): boolean =>
  (text.charCodeAt(at) & 0xfc00) === 0xd800 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00;

/** PN_CHARS: the length of the character here, 0 where a name cannot contain it. */
export function nameLength(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code < 128) return (CLASSES[code]! & NAME) === 0 ? 0 : 1;
  if (code === 0xb7 || (code >= 0x300 && code <= 0x36f) || code === 0x203f || code === 0x2040) return 1;
  return otherBaseLength(text, at, code);
}

/** PN_CHARS_BASE: the length of the character here, 0 where a prefix cannot begin with it. */
export function baseLength(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code < 128 ? Number(isLetter(code)) : otherBaseLength(text, at, code);
}

/** The characters of VARNAME behind its first one, as {@link nameLength}. */
export const variableLength = (text: string, at: number): number =>
  text.charCodeAt(at) === 0x2d ? 0 : nameLength(text, at);

/** PN_CHARS_U or a digit: what a variable, a label or a local name begins with. */
export function startLength(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code < 128 ? Number(isWord(code)) : otherBaseLength(text, at, code);
}

function otherBaseLength(text: string, at: number, code: number): number {
  // Past the end of the text the code is NaN.
  if (!(code >= 0xc0) || code === 0xd7 || code === 0xf7) return 0;
  if (code <= 0x2ff) return 1;
  if (code <= 0x1fff) return code >= 0x370 && code !== 0x37e ? 1 : 0;
  if (code <= 0x2fef) {
    return code === 0x200c || code === 0x200d || (code >= 0x2070 && code <= 0x218f) || code >= 0x2c00 ? 1 : 0;
  }
  if (code < 0xd800) return code >= 0x3001 ? 1 : 0;
  // U+10000 to U+EFFFF
  if (code < 0xdc00) return code <= 0xdb7f && isPair(text, at) ? 2 : 0;
  if (code < 0xf900) return 0;
  return code <= 0xfdcf || (code >= 0xfdf0 && code <= 0xfffd) ? 1 : 0;
}
