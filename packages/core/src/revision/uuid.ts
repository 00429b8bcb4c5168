/** UUIDs of version 7 (RFC 9562) that grow with the revisions: time, then a counter, then chance. */
import { parse, v7 } from 'uuid';
import type { Env } from '../env.js';

/** A version 7 UUID that is greater than `after`, where one is given. */
export function revisionUuid(env: Env, time: number, after: Uint8Array | undefined): Uint8Array {
  const random = env.random(new Uint8Array(16));
  const id = v7({ msecs: time, random }, new Uint8Array(16));
  if (after === undefined || compareUuids(after, id) < 0) return id;
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

/** Whether a UUID that somebody else made can follow `after`: version 7, greater, and not of a time to come. */
export function canFollow(id: Uint8Array, after: Uint8Array, now: number): boolean {
  const isVersion7 = id[6]! >> 4 === 7 && id[8]! >> 6 === 2;
  return isVersion7 && compareUuids(after, id) < 0 && uuidTime(id) <= now + MAX_AHEAD_MS;
}

/** Milliseconds that a version 7 UUID holds. */
export function uuidTime(id: Uint8Array): number {
  let time = 0;
  for (let i = 0; i < 6; i++) time = time * 256 + id[i]!;
  return time;
}

export function compareUuids(a: Uint8Array, b: Uint8Array): number {
  for (let i = 0; i < 16; i++) if (a[i] !== b[i]) return a[i]! - b[i]!;
  return 0;
}

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** The bytes of a UUID's text, in any case; `undefined` if it is none. */
export const parseUuid = (text: string): Uint8Array | undefined => (UUID.test(text) ? parse(text) : undefined);
