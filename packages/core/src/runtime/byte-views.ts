/**
 * Compares and copies spans of bytes four bytes at a time. Hashing, comparing and copying short texts needs this
 * speed.
 */

let lastBytes = new Uint8Array(0);
let lastView = new DataView(lastBytes.buffer);

/** Returns a DataView over `bytes`. Caches the most recent one: consecutive calls usually pass the same array. */
export function viewOf(bytes: Uint8Array): DataView {
  if (bytes !== lastBytes) {
    lastBytes = bytes as Uint8Array<ArrayBuffer>;
    lastView = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength) as DataView<ArrayBuffer>;
  }
  return lastView;
}

/** Whether two spans of `length` bytes are equal. */
export function equalSpans(a: DataView, aStart: number, b: DataView, bStart: number, length: number): boolean {
  let i = 0;
  for (; i + 4 <= length; i += 4) if (a.getInt32(aStart + i, true) !== b.getInt32(bStart + i, true)) return false;
  for (; i < length; i++) if (a.getUint8(aStart + i) !== b.getUint8(bStart + i)) return false;
  return true;
}

/** Copies `length` bytes. Use it for short texts; `set` is faster for spans of kilobytes. */
export function copySpan(from: DataView, start: number, to: DataView, at: number, length: number): void {
  let i = 0;
  for (; i + 4 <= length; i += 4) to.setInt32(at + i, from.getInt32(start + i, true), true);
  for (; i < length; i++) to.setUint8(at + i, from.getUint8(start + i));
}
