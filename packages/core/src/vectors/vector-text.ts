/** Vectors as literals: numbers of 32 bits, little-endian, as base64. */

/** The datatype of vectors. */
export const VECTOR_DATATYPE = 'urn:quadrille:vector#float32';
/** Most numbers of a vector. */
export const MOST_DIMENSIONS = 4096;
const utf8 = new TextEncoder();
const END = utf8.encode(`"^^<${VECTOR_DATATYPE}>`);
const QUOTE = 0x22;
const EQUALS = 0x3d;
const NO_DIGIT = 0xff;

const DIGITS = new Uint8Array(256).fill(NO_DIGIT);
for (const [value, byte] of utf8.encode('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/').entries())
  DIGITS[byte] = value;

/** The base64 of a term, as a view of its canonical text; `undefined`: it has another datatype. */
export function vectorIn(term: Uint8Array): Uint8Array | undefined {
  const end = term.length - END.length;
  if (end < 1 || term[0] !== QUOTE) return undefined;
  for (let i = END.length - 1; i >= 0; i--) if (term[end + i] !== END[i]) return undefined;
  return term.subarray(1, end);
}

/** The numbers of base64, or what is wrong with it. */
export function readVector(base64: Uint8Array, dimension: number): Float32Array | string {
  const { length } = base64;
  let padding = 0;
  while (padding < 2 && base64[length - 1 - padding] === EQUALS) padding++;
  const bytes = (length / 4) * 3 - padding;
  const vector = new Float32Array(dimension);
  if (length % 4 !== 0) return 'is no base64';
  if (bytes !== vector.byteLength) {
    const isBase64 = base64.subarray(0, length - padding).every((byte) => DIGITS[byte] !== NO_DIGIT);
    return isBase64
      ? `has ${bytes} bytes, and ${dimension} numbers of 32 bits have ${vector.byteLength}`
      : 'is no base64';
  }
  if (!decode(base64, length - padding, new Uint8Array(vector.buffer))) return 'is no base64';
  let isZero = true;
  for (const number of vector) {
    if (!Number.isFinite(number)) return 'has a number that is not finite';
    if (number !== 0) isZero = false;
  }
  return isZero ? 'has no direction: all its numbers are 0' : vector;
}

/** The numbers of a term; `undefined`: it is no vector of the dimension. */
export function vectorOf(term: Uint8Array, dimension: number): Float32Array | undefined {
  const base64 = vectorIn(term);
  // Most literals of another dimension have another length.
  if (base64?.length !== Math.ceil((dimension * 4) / 3) * 4) return undefined;
  const vector = readVector(base64, dimension);
  return typeof vector === 'string' ? undefined : vector;
}

/** Returns false if something else stands there. */
function decode(base64: Uint8Array, digits: number, out: Uint8Array): boolean {
  let at = 0;
  let wrong = 0;
  for (let i = 0; i + 3 < digits; i += 4) {
    const a = DIGITS[base64[i]!]!;
    const b = DIGITS[base64[i + 1]!]!;
    const c = DIGITS[base64[i + 2]!]!;
    const d = DIGITS[base64[i + 3]!]!;
    wrong |= a | b | c | d;
    out[at++] = (a << 2) | (b >>> 4);
    out[at++] = (b << 4) | (c >>> 2);
    out[at++] = (c << 6) | d;
  }
  const left = digits % 4;
  if (left > 1) {
    const a = DIGITS[base64[digits - left]!]!;
    const b = DIGITS[base64[digits - left + 1]!]!;
    const c = left === 3 ? DIGITS[base64[digits - 1]!]! : 0;
    wrong |= a | b | c;
    out[at++] = (a << 2) | (b >>> 4);
    if (left === 3) out[at++] = (b << 4) | (c >>> 2);
  }
  return (wrong & 0xc0) === 0;
}

/** The length of a vector. */
export function normOf(vector: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < vector.length; i++) sum += vector[i]! * vector[i]!;
  return Math.sqrt(sum);
}

/** The cosine of the angle between two vectors of these lengths. */
export function cosine(left: Float32Array, leftNorm: number, right: Float32Array): number {
  let sum = 0;
  let square = 0;
  for (let i = 0; i < left.length; i++) {
    const number = right[i]!;
    sum += left[i]! * number;
    square += number * number;
  }
  return sum / leftNorm / Math.sqrt(square);
}
