/** A chunk: neighbouring entries of the store, packed together. It is what a reader fetches at least. */
import { compareBytes, type Bytes, type Entry } from '@quadrille/storage';
import { sharedLength, VarintReader, VarintWriter } from './varints.js';

/** Entries as bytes: of each key what differs from the one before, and the value as it is stored. */
export function encodeChunk(entries: readonly Entry[]): Uint8Array {
  const writer = new VarintWriter();
  let before: Bytes = new Uint8Array(0);
  for (const { key, value } of entries) {
    const shared = sharedLength(before, key);
    writer.number(shared).bytes(key.subarray(shared)).bytes(value);
    before = key;
  }
  return writer.finish();
}

/** The entries of a chunk, in the order of their keys. */
export class Chunk {
  private constructor(
    readonly keys: readonly Bytes[],
    readonly values: readonly Bytes[],
    /** Of the keys and values together. */
    readonly bytes: number,
  ) {}

  /** @throws RangeError if the bytes are no chunk */
  static decode(bytes: Uint8Array): Chunk {
    const reader = new VarintReader(bytes);
    const keys: Bytes[] = [];
    const values: Bytes[] = [];
    let before: Bytes = new Uint8Array(0);
    while (!reader.atEnd) {
      const shared = reader.number();
      const rest = reader.bytes();
      if (shared > before.length) throw new RangeError('a key begins like one that is shorter');
      const key = new Uint8Array(shared + rest.length);
      key.set(before.subarray(0, shared));
      key.set(rest, shared);
      keys.push(key);
      values.push(reader.bytes());
      before = key;
    }
    return new Chunk(keys, values, bytes.length);
  }

  get(key: Bytes): Bytes | undefined {
    const at = this.indexOf(key);
    return at < this.keys.length && compareBytes(this.keys[at]!, key) === 0 ? this.values[at] : undefined;
  }

  /** The index of the first entry that is not below a key. */
  indexOf(key: Bytes): number {
    return firstNotBelow(this.keys, key);
  }
}

/** The index of the first of sorted keys that is not below a key. */
export function firstNotBelow(keys: readonly Bytes[], key: Bytes): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareBytes(keys[middle]!, key) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
