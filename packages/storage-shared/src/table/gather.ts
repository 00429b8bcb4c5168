/**
 * Finds the small values of many neighbouring keys, such as the records of revisions. They lie together in packs: then a server keeps
 * 30 bytes in memory for each of them, and no small pack.
 */

import { compareBytes, scanSnapshot, type Bytes, type TableSnapshot } from '@quadrille/storage';
import { encodeChange, MOVE, type PackRef, type StoredOp } from './change.js';
import { Pause } from './pause.js';
import { isValue, SMALL_BYTES, type Slot } from './slot.js';

/** A key with its present value or place. */
export interface Found {
  readonly key: Bytes;
  readonly slot: Slot;
}

/** Shorter values take no more memory than a place in a pack does, or not much. */
const LEAST_BYTES = 64;
/** The length, in bytes, from which a pack is not small. */
const SMALL_PACK_BYTES = 64 * 1024;
/** Values of one pack. */
const MOST = 4096;
/** Neighbouring keys have this length at most, and differ in their last bytes. */
const KEY_BYTES = 32;
const LAST_BYTES = 4;
/** Keys after which the event loop may get its turn. */
const TURN = 1024;

/**
 * The values to move, one pack at a time.
 * @param kept the number of values of each stretch that stay where they are: the newest ones are read most
 */
export async function* gatherable(
  state: TableSnapshot<Slot>,
  kept: number,
): AsyncGenerator<readonly Found[], void, undefined> {
  const pause = new Pause();
  let found: Found[] = [];
  let last: Bytes | undefined;
  let count = 0;
  for (const [key, slot] of scanSnapshot(state, {})) {
    if (last === undefined || !areNeighbours(last, key)) {
      if (found.length >= 2 * kept) yield found.slice(0, -kept);
      found = [];
    }
    last = key;
    if (isSmall(slot) && found.push({ key, slot }) === MOST + kept) yield found.splice(0, MOST);
    if (++count % TURN === 0) await pause.turn();
  }
  if (found.length >= 2 * kept) yield found.slice(0, -kept);
}

/**
 * The body of an entry that moves those values into a pack which still are what they were; `undefined`: none is. Where values leave other packs,
 * which are deleted some time later, followers have to look at the new places.
 */
export function encodeMove(
  found: readonly Found[],
  isCurrent: (found: Found) => boolean,
  pack: PackRef,
): Bytes | undefined {
  const ops: StoredOp[] = [];
  let from = 0;
  for (const each of found) {
    const { length } = each.slot;
    if (isCurrent(each)) ops.push({ type: 'refer', key: each.key, reference: { pack: 1, from, length } });
    from += length;
  }
  return ops.length === 0
    ? undefined
    : encodeChange({ packs: [found.every(({ slot }) => isValue(slot)) ? MOVE : pack, pack], ops });
}

const isSmall = (slot: Slot): boolean =>
  isValue(slot) ? slot.length >= LEAST_BYTES : slot.length <= SMALL_BYTES && slot.pack.length < SMALL_PACK_BYTES;

const areNeighbours = (a: Bytes, b: Bytes): boolean =>
  a.length === b.length &&
  a.length <= KEY_BYTES &&
  compareBytes(a.subarray(0, -LAST_BYTES), b.subarray(0, -LAST_BYTES)) === 0;
