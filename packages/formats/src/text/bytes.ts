/** Names of bytes. */
export const TAB = 0x09;
export const LF = 0x0a;
export const CR = 0x0d;
export const SPACE = 0x20;
export const QUOTE = 0x22;
export const HASH = 0x23;
export const PERCENT = 0x25;
export const APOSTROPHE = 0x27;
export const OPEN_PAREN = 0x28;
export const CLOSE_PAREN = 0x29;
export const PLUS = 0x2b;
export const COMMA = 0x2c;
export const HYPHEN = 0x2d;
export const DOT = 0x2e;
export const SLASH = 0x2f;
export const COLON = 0x3a;
export const SEMICOLON = 0x3b;
export const LESS = 0x3c;
export const GREATER = 0x3e;
export const QUESTION = 0x3f;
export const AT = 0x40;
export const OPEN_BRACKET = 0x5b;
export const BACKSLASH = 0x5c;
export const CLOSE_BRACKET = 0x5d;
export const CARET = 0x5e;
export const UNDERSCORE = 0x5f;
export const OPEN_BRACE = 0x7b;
export const PIPE = 0x7c;
export const CLOSE_BRACE = 0x7d;
export const TILDE = 0x7e;

/** The value of a hexadecimal digit, or -1 if the byte is not one. */
export function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}

export const isLineEnd = (byte: number | undefined): boolean => byte === LF || byte === CR;
