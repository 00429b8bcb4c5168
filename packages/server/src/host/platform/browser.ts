/** Browsers: what their standards have, and SHA-256 that needs no promise. */
import { sha256 } from '@noble/hashes/sha2.js';
import type { Platform } from './platform.js';

const encoder = new TextEncoder();
/** Arguments of one call of `fromCharCode`. */
const PIECE = 4096;
/** Where a browser does not tell. */
const USUAL_PARALLELISM = 4;

export const platform: Platform = {
  byteLength: (text) => encoder.encode(text).length,
  concat,
  indexOf,
  fromBase64(text) {
    const digits = text
      .replace(/=.*$/s, '')
      .replaceAll('-', '+')
      .replaceAll('_', '/')
      .replace(/[^A-Za-z0-9+/]/g, '');
    // A single digit at the end is less than a byte.
    const whole = digits.length % 4 === 1 ? digits.slice(0, -1) : digits;
    return Uint8Array.from(atob(whole), (character) => character.charCodeAt(0));
  },
  toBase64,
  toBase64Url: (bytes) => toBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, ''),
  toHex,
  randomBytes,
  randomUuid() {
    const bytes = randomBytes(16);
    // Version 4 of the variant of RFC 9562. `crypto.randomUUID` is missing in pages without https.
    bytes[6] = (bytes[6]! & 0x0f) | 0x40;
    bytes[8] = (bytes[8]! & 0x3f) | 0x80;
    return toHex(bytes).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  },
  sha256: (text) => sha256(encoder.encode(text)),
  newSha256: () => sha256.create(),
  equalDigests(one, other) {
    if (one.length !== other.length) throw new RangeError('digests of different lengths');
    let difference = 0;
    for (const [at, byte] of one.entries()) difference |= byte ^ other[at]!;
    return difference === 0;
  },
  heapBytes: () => undefined,
  parallelism: () => globalThis.navigator?.hardwareConcurrency || USUAL_PARALLELISM,
};

function randomBytes(count: number): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(count));
}

function concat(chunks: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(chunks.reduce((length, chunk) => length + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

function indexOf(bytes: Uint8Array, pattern: Uint8Array): number {
  const last = bytes.length - pattern.length;
  if (pattern.length === 0) return 0;
  for (let at = bytes.indexOf(pattern[0]!); at >= 0 && at <= last; at = bytes.indexOf(pattern[0]!, at + 1)) {
    if (pattern.every((byte, i) => bytes[at + i] === byte)) return at;
  }
  return -1;
}

function toBase64(bytes: Uint8Array): string {
  let characters = '';
  for (let at = 0; at < bytes.length; at += PIECE) characters += String.fromCharCode(...bytes.subarray(at, at + PIECE));
  return btoa(characters);
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
