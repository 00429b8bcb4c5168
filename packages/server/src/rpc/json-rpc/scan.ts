/**
 * Scans JSON before it is parsed: its depth, and the text of its ids. JSON.parse would change an id such as
 * 12345678901234567890.
 */
import { RPC, RpcError } from '../calls/rpc-error.js';

const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const BACKSLASH = 92;
const OPEN_ARRAY = 91;
const CLOSE_ARRAY = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;

/**
 * The texts of the ids: of the object, or by place of the objects of the array. Of text that is no JSON they mean nothing.
 * @throws RpcError for arrays and objects that nest more deeply
 */
export function scanJson(text: string, maxDepth: number): readonly (string | undefined)[] {
  const ids: (string | undefined)[] = [];
  const messageDepth = text.charCodeAt(skipSpace(text, 0)) === OPEN_ARRAY ? 2 : 1;
  let depth = 0;
  let place = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) {
      const end = endOfString(text, i);
      if (depth === messageDepth && end - i === 4 && text.startsWith('id', i + 1)) {
        const id = scalarAfterColon(text, end);
        if (id !== undefined) ids[place] = id;
      }
      i = end - 1;
    } else if (code === OPEN_OBJECT || code === OPEN_ARRAY) {
      if (++depth > maxDepth) {
        throw new RpcError(RPC.PARSE_ERROR, `arrays and objects may nest ${String(maxDepth)} deep`);
      }
    } else if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) {
      depth--;
    } else if (code === COMMA && depth === messageDepth - 1) {
      place++;
    }
  }
  return ids;
}

/** Behind the quote that ends the string whose first quote stands at `start`. */
function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(quote - 1 - backslashes) === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return quote + 1;
  }
  return text.length;
}

/** The string, number or word that a colon here leads to; `undefined` where there is no colon, or an array or an object. */
function scalarAfterColon(text: string, from: number): string | undefined {
  const colon = skipSpace(text, from);
  if (text.charCodeAt(colon) !== COLON) return undefined;
  const start = skipSpace(text, colon + 1);
  if (text.charCodeAt(start) === QUOTE) return text.slice(start, endOfString(text, start));
  let end = start;
  while (end < text.length && !/[\s,}\]{[":]/.test(text[end]!)) end++;
  return end === start ? undefined : text.slice(start, end);
}

function skipSpace(text: string, from: number): number {
  let i = from;
  while (text.charCodeAt(i) <= 32) i++;
  return i;
}
