/** Shows a token of a document in a message. Characters that nobody can see become escapes. */

const BYTE_ORDER_MARK = '\uFEFF';
// Format characters, such as zero-width spaces and byte order marks; controls of C1; spaces other than the ordinary one.
const INVISIBLE = /[\p{Cf}\u0080-\u009f\u00a0\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/gu;

/** The token within quotes, for "found …". */
export function shownToken(bytes: Uint8Array): string {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  const shown = JSON.stringify(text).replaceAll(
    INVISIBLE,
    (char) => `\\u${char.codePointAt(0)!.toString(16).padStart(4, '0')}`,
  );
  return text.startsWith(BYTE_ORDER_MARK) ? `${shown}, a byte order mark: were files joined?` : shown;
}
