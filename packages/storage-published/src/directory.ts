/**
 * The directory of a published store: the first key of each chunk, and where the chunk is. It has two levels. The pages stand in packs
 * like chunks; their first keys and places stand in the start file.
 */
import type { Bytes } from '@quadrille/storage';
import type { Place } from './layout.js';
import { sharedLength, VarintReader, VarintWriter } from './varints.js';

/** Where each chunk, or each page, begins. The keys ascend. */
export interface Located {
  readonly key: Bytes;
  readonly place: Place;
}

/** A page, or the list of pages: column by column, because like bytes together become short when they are packed. */
export function encodeLocated(list: readonly Located[]): Uint8Array {
  const writer = new VarintWriter().number(list.length);
  let before: Bytes = new Uint8Array(0);
  const rests: Uint8Array[] = [];
  for (const { key } of list) {
    const shared = sharedLength(before, key);
    writer.number(shared).number(key.length - shared);
    rests.push(key.subarray(shared));
    before = key;
  }
  for (const rest of rests) writer.raw(rest);
  let next: Place = { file: 0, at: 0, bytes: 0 };
  // Most chunks begin where the one before ends: 0 says so.
  for (const { place } of list) {
    if (place.file === next.file && place.at === next.at) writer.number(0);
    else writer.number(place.file + 1).number(place.at);
    next = { ...place, at: place.at + place.bytes };
  }
  for (const { place } of list) writer.number(place.bytes);
  return writer.finish();
}

/** @throws RangeError if the bytes are no list */
export function decodeLocated(bytes: Uint8Array): Located[] {
  const reader = new VarintReader(bytes);
  const count = reader.number();
  const lengths = Array.from({ length: count }, () => ({ shared: reader.number(), rest: reader.number() }));
  const keys: Bytes[] = [];
  for (const { shared, rest } of lengths) {
    const before = keys.at(-1) ?? new Uint8Array(0);
    if (shared > before.length) throw new RangeError('a key begins like one that is shorter');
    const key = new Uint8Array(shared + rest);
    key.set(before.subarray(0, shared));
    key.set(reader.raw(rest), shared);
    keys.push(key);
  }
  const jumps = keys.map(() => {
    const file = reader.number();
    return file === 0 ? undefined : { file: file - 1, at: reader.number() };
  });
  let next = { file: 0, at: 0 };
  return keys.map((key, i) => {
    const { file, at } = jumps[i] ?? next;
    const length = reader.number();
    next = { file, at: at + length };
    return { key, place: { file, at, bytes: length } };
  });
}
