/** Decompresses Snappy, which LevelDB uses for its table blocks (github.com/google/snappy, format_description.txt). */

import { ByteCursor } from './byte-cursor.js';

const LITERAL = 0;
const COPY_1 = 1;
const COPY_2 = 2;

/** @throws RangeError if the bytes are not valid Snappy */
// A codec: one case for each kind of element.
export function decompressSnappy(bytes: Uint8Array): Uint8Array {
  const input = new ByteCursor(bytes);
  const length = input.varint();
  // An element of three bytes produces at most 64 bytes.
  if (length > bytes.length * 24) throw new RangeError('a Snappy block has an impossible length');
  const out = new Uint8Array(length);
  let at = 0;
  while (!input.done) {
    const tag = input.u8();
    const kind = tag & 3;
    if (kind === LITERAL) {
      const literal = input.take(literalLength(tag >>> 2, input));
      if (at + literal.length > length) throw overrun();
      out.set(literal, at);
      at += literal.length;
      continue;
    }
    const count = kind === COPY_1 ? ((tag >>> 2) & 7) + 4 : (tag >>> 2) + 1;
    const offset = kind === COPY_1 ? ((tag >>> 5) << 8) | input.u8() : kind === COPY_2 ? input.u16() : input.u32();
    if (offset === 0 || offset > at || at + count > length) throw overrun();
    // Copies byte by byte, because source and target may overlap.
    for (let i = 0; i < count; i++, at++) out[at] = out[at - offset]!;
  }
  if (at !== length) throw overrun();
  return out;
}

/** Codes 60 to 63 give the number of bytes in which the length follows. */
function literalLength(code: number, input: ByteCursor): number {
  if (code < 60) return code + 1;
  let length = 0;
  for (let byte = 0, shift = 0; byte < code - 59; byte++, shift += 8) length += input.u8() * 2 ** shift;
  return length + 1;
}

const overrun = (): RangeError => new RangeError('a Snappy block does not match its length');
