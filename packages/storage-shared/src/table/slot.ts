/** The places of values. */

import { equalBytes, type Bytes } from '@quadrille/storage';
import type { PackSlice } from '../contract.js';
import type { PackRef } from './change.js';

/** Values of up to this length, in bytes, are read with their neighbours, and gathered in packs. */
export const SMALL_BYTES = 1024;

/** A pack, and how much of it is in use. */
export interface HeldPack extends PackRef {
  used: number;
}

/** Where a long value is. Snapshots keep the pack, also when the present state has no use for it any more. */
export type HeldPlace = Omit<PackSlice, 'pack'> & { readonly pack: HeldPack };

/** What a table has for a key: a short value itself, or the place of a long one. */
export type Slot = Bytes | HeldPlace;

/** Whether a slot has the value itself. */
export const isValue = (slot: Slot): slot is Bytes => slot instanceof Uint8Array;

/** Whether a slot is what it was: the same value, or the same place. No two long values ever have the same one. */
export function isSame(now: Slot | undefined, before: Slot): boolean {
  if (now === undefined || isValue(now) !== isValue(before)) return false;
  if (isValue(now) || isValue(before)) return equalBytes(now as Bytes, before as Bytes);
  return now.pack === before.pack && now.from === before.from;
}
