/**
 * UUIDs (RFC 9562) that grow with the revisions. Quadrille makes version 7: time, then a counter, then random bits.
 * UUIDs from replicas can also have version 1, which stores the time in another byte order.
 */
import { parse, v7 } from 'uuid';
import type { Env } from '../runtime/env.js';

/** Length of the greatest step from one UUID to the next in a millisecond. */
const STEP_BYTES = 5;

/** A version 7 UUID that is greater than `after`, if `after` is given. */
export function revisionUuid(env: Env, time: number, after: Uint8Array | undefined): Uint8Array {
  const random = env.random(new Uint8Array(16));
  const id = v7({ msecs: time, random }, new Uint8Array(16));
  if (after === undefined || compareUuids(after, id) < 0) return id;
  if (isTimeBased(after)) return v7({ msecs: uuidTime(after), random }, new Uint8Array(16));
  // Two revisions in one millisecond: adds to the UUID before, without its version and variant bits. The step is random,
  // because another branch or another copy may follow the same revision in the same millisecond.
  const next = after.slice();
  let carry = 1;
  for (let i = 15; i >= 9; i--) {
    const sum = next[i]! + carry + (i > 15 - STEP_BYTES ? random[i]! : 0);
    next[i] = sum & 0xff;
    carry = sum >> 8;
  }
  if (carry === 0) return next;
  return v7({ msecs: uuidTime(after) + 1, random }, new Uint8Array(16));
}

/** Largest accepted difference of another machine's clock to ours, in milliseconds. */
const MAX_AHEAD_MS = 60_000;

/** Whether a foreign UUID can follow `after`: it has version 7 or 1, is greater, and its time is not in the future. */
export function canFollow(id: Uint8Array, after: Uint8Array, now: number): boolean {
  const isKnown = (versionOf(id) === 7 || versionOf(id) === 1) && id[8]! >> 6 === 2;
  return isKnown && compareUuids(after, id) < 0 && uuidTime(id) <= now + MAX_AHEAD_MS;
}

const versionOf = (id: Uint8Array): number => id[6]! >> 4;
const isTimeBased = (id: Uint8Array): boolean => versionOf(id) === 1;

const TICKS_PER_MS = 10_000n;
/** Milliseconds from the beginning of the Gregorian calendar to 1970. */
const GREGORIAN_MS = 12_219_292_800_000;

/** The time of a version 1 UUID: units of 100 ns since 1582. */
function ticksOf(id: Uint8Array): bigint {
  const view = new DataView(id.buffer, id.byteOffset, 16);
  const high = (view.getUint16(6) & 0xfff) * 0x1_0000 + view.getUint16(4);
  return (BigInt(high) << 32n) | BigInt(view.getUint32(0));
}

/** The time of a UUID of version 7 or 1, in milliseconds since 1970. */
export function uuidTime(id: Uint8Array): number {
  if (isTimeBased(id)) return Number(ticksOf(id) / TICKS_PER_MS) - GREGORIAN_MS;
  let time = 0;
  for (let i = 0; i < 6; i++) time = time * 256 + id[i]!;
  return time;
}

/** Compares by time. Within a millisecond, version 1 comes first. */
export function compareUuids(a: Uint8Array, b: Uint8Array): number {
  if (isTimeBased(a) || isTimeBased(b)) {
    const apart = uuidTime(a) - uuidTime(b) || Number(isTimeBased(b)) - Number(isTimeBased(a));
    const ticks = apart === 0 ? Number(ticksOf(a) - ticksOf(b)) : apart;
    if (ticks !== 0) return ticks;
  }
  for (let i = 0; i < 16; i++) if (a[i] !== b[i]) return a[i]! - b[i]!;
  return 0;
}

const DIGITS = [...'0123456789abcdef'].map((digit) => digit.charCodeAt(0));
/** The codes of a text of a UUID, and where the digits of each byte stand in it. */
const codes = Array.from({ length: 36 }, () => '-'.charCodeAt(0));
const PLACES = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34];

/** The text of the UUID that begins at an index. Every commit makes two. A text that is joined of parts takes several times the memory. */
export function uuidText(bytes: Uint8Array, at = 0): string {
  for (let i = 0; i < 16; i++) {
    const [byte, place] = [bytes[at + i]!, PLACES[i]!];
    codes[place] = DIGITS[byte >> 4]!;
    codes[place + 1] = DIGITS[byte & 15]!;
  }
  return String.fromCharCode(...codes);
}

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** Parses the text of a UUID in any case to 16 bytes; `undefined` if it is no UUID. */
export const parseUuid = (text: string): Uint8Array | undefined => (UUID.test(text) ? parse(text) : undefined);
