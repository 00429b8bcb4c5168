/** ENCODE_FOR_URI: all but the unreserved characters of RFC 3986 as percent-encoded UTF-8. */

const RESERVED = /[!'()*]/g;

/** `undefined` for a text with a lone surrogate. */
export function encodeForUri(text: string): string | undefined {
  try {
    return encodeURIComponent(text).replace(RESERVED, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
  } catch {
    return undefined;
  }
}

/** How many characters each of ASCII makes. */
const ASCII_LENGTHS = Uint8Array.from({ length: 0x80 }, (_, code) =>
  /[\w.~-]/.test(String.fromCharCode(code)) ? 1 : 3,
);

/** The length of the encoded text. */
export function encodedLength(text: string): number {
  let length = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x80) length += ASCII_LENGTHS[code]!;
    // A pair of surrogates makes four bytes.
    else length += code >= 0x800 && (code < 0xd800 || code >= 0xe000) ? 9 : 6;
  }
  return length;
}
