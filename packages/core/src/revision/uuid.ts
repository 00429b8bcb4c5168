/**
 * UUIDs (RFC 9562) that grow with the revisions. Ours are of version 7: time, then a counter, then chance. Those that replicas
 * bring may also be of version 1, which holds the time as well, in another order of bytes.
 */
import { parse, v7 } from 'uuid';
import type { Env } from '../runtime/env.js';

/** A version 7 UUID that is greater than `after`, where one is given. */
export function revisionUuid(env: Env, time: number, after: Uint8Array | undefined): Uint8Array {
  const random = env.random(new Uint8Array(16));
  const id = v7({ msecs: time, random }, new Uint8Array(16));
  if (after === undefined || compareUuids(after, id) < 0) return id;
  if (isTimeBased(after)) return v7({ msecs: uuidTime(after), random }, new Uint8Array(16));
  // Two in one millisecond: count on from the one before, in the bits that version and variant leave.
  const next = after.slice();
  for (let i = 15; i >= 9; i--) {
    next[i] = (next[i]! + 1) & 0xff;
    if (next[i] !== 0) return next;
  }
  return v7({ msecs: uuidTime(after) + 1, random }, new Uint8Array(16));
}

/** How far the clock of another machine may be ahead. */
const MAX_AHEAD_MS = 60_000;

/** Whether a UUID that somebody else made can follow `after`: version 7 or 1, later, and not of a time to come. */
export function canFollow(id: Uint8Array, after: Uint8Array, now: number): boolean {
  const isKnown = (versionOf(id) === 7 || versionOf(id) === 1) && id[8]! >> 6 === 2;
  return isKnown && compareUuids(after, id) < 0 && uuidTime(id) <= now + MAX_AHEAD_MS;
}

const versionOf = (id: Uint8Array): number => id[6]! >> 4;
/** Of version 1. */
const isTimeBased = (id: Uint8Array): boolean => versionOf(id) === 1;

const TICKS_PER_MS = 10_000n;
/** From the beginning of the Gregorian calendar to 1970. */
const GREGORIAN_MS = 12_219_292_800_000;

/** The 100 ns since 1582 that a version 1 UUID holds. */
function ticksOf(id: Uint8Array): bigint {
  const view = new DataView(id.buffer, id.byteOffset, 16);
  const high = (view.getUint16(6) & 0xfff) * 0x1_0000 + view.getUint16(4);
  return (BigInt(high) << 32n) | BigInt(view.getUint32(0));
}

/** Milliseconds since 1970 that a UUID of version 7 or 1 holds. */
export function uuidTime(id: Uint8Array): number {
  if (isTimeBased(id)) return Number(ticksOf(id) / TICKS_PER_MS) - GREGORIAN_MS;
  let time = 0;
  for (let i = 0; i < 6; i++) time = time * 256 + id[i]!;
  return time;
}

/** By time; within a millisecond those of version 1 come first. */
export function compareUuids(a: Uint8Array, b: Uint8Array): number {
  if (isTimeBased(a) || isTimeBased(b)) {
    const apart = uuidTime(a) - uuidTime(b) || Number(isTimeBased(b)) - Number(isTimeBased(a));
    const ticks = apart === 0 ? Number(ticksOf(a) - ticksOf(b)) : apart;
    if (ticks !== 0) return ticks;
  }
  for (let i = 0; i < 16; i++) if (a[i] !== b[i]) return a[i]! - b[i]!;
  return 0;
}

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** The bytes of a UUID's text, in any case; `undefined` if it is none. */
export const parseUuid = (text: string): Uint8Array | undefined => (UUID.test(text) ? parse(text) : undefined);
