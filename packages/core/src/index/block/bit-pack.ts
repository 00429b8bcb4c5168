/**
 * Bit packing of unsigned numbers into 32-bit words. The block codec spends most of its time here, hence the plain
 * loops.
 */

/** Number of bits that a value needs; 0 for the value 0. */
export const bitWidth = (value: number): number => 32 - Math.clz32(value);

/** Number of words that `count` numbers of `bits` bits occupy. */
export const packedWords = (count: number, bits: number): number => (count * bits + 31) >>> 5;

/** Packs `values[0 … count)` into `words` from word `at` on. Returns the word after the last one. */
export function pack(values: Uint32Array, count: number, bits: number, words: Uint32Array, at: number): number {
  if (bits === 0) return at;
  let word = at;
  let current = 0;
  let filled = 0;
  for (let i = 0; i < count; i++) {
    const value = values[i]!;
    current |= value << filled;
    filled += bits;
    if (filled >= 32) {
      words[word++] = current;
      filled -= 32;
      current = filled === 0 ? 0 : value >>> (bits - filled);
    }
  }
  if (filled > 0) words[word++] = current;
  return word;
}

/** Unpacks the number at `index`. */
export function unpackOne(words: Uint32Array, at: number, bits: number, index: number): number {
  if (bits === 0) return 0;
  const bit = index * bits;
  const word = at + (bit >>> 5);
  const shift = bit & 31;
  let value = words[word]! >>> shift;
  if (shift + bits > 32) value |= words[word + 1]! << (32 - shift);
  return bits === 32 ? value >>> 0 : value & ((1 << bits) - 1);
}

/** Unpacks `count` numbers, adds `base` to each and writes them to `out` from `outAt` on. */
export function unpackAdd(
  words: Uint32Array,
  at: number,
  bits: number,
  count: number,
  base: number,
  out: Uint32Array,
  outAt: number,
): void {
  const end = outAt + count;
  if (bits === 0) {
    out.fill(base, outAt, end);
    return;
  }
  const mask = bits === 32 ? -1 : (1 << bits) - 1;
  let word = at;
  let current = words[word]!;
  let left = 32;
  for (let i = outAt; i < end; i++) {
    let value: number;
    if (left >= bits) {
      value = current & mask;
      current = bits === 32 ? 0 : current >>> bits;
      left -= bits;
    } else {
      const next = words[++word]!;
      value = (left === 0 ? next : current | (next << left)) & mask;
      const used = bits - left;
      current = used === 32 ? 0 : next >>> used;
      left = 32 - used;
    }
    out[i] = base + value;
  }
}
