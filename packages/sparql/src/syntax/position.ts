/** Places in a text, as errors tell them. */

/** Line and column (from 1) of an offset in UTF-16 units; the byte offset from 0. */
export function positionOf(text: string, offset: number): { line: number; column: number; offset: number } {
  let line = 1;
  let start = 0;
  for (let at = 0; at < offset; at++) {
    const char = text[at];
    if (char !== '\n' && (char !== '\r' || text[at + 1] === '\n')) continue;
    line++;
    start = at + 1;
  }
  return { line, column: offset - start + 1, offset: new TextEncoder().encode(text.slice(0, offset)).length };
}
