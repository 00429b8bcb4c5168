/** Node.js: its buffers and its cryptography. */
import { createHash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import type { Platform } from './platform.js';

/** The same memory as a buffer. */
const viewOf = (bytes: Uint8Array): Buffer =>
  Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** The parts that differ between Node.js and browsers. */
export const platform: Platform = {
  byteLength: (text) => Buffer.byteLength(text),
  concat: (chunks) => Buffer.concat(chunks),
  indexOf: (bytes, pattern) => viewOf(bytes).indexOf(pattern),
  fromBase64: (text) => Buffer.from(text, 'base64'),
  toBase64: (bytes) => viewOf(bytes).toString('base64'),
  toBase64Url: (bytes) => viewOf(bytes).toString('base64url'),
  toHex: (bytes) => viewOf(bytes).toString('hex'),
  randomBytes,
  randomUuid: () => randomUUID(),
  sha256: (text) => createHash('sha256').update(text).digest(),
  newSha256: () => createHash('sha256'),
  equalDigests: (one, other) => timingSafeEqual(one, other),
  parallelism: availableParallelism,
  heapBytes: () => getHeapStatistics().heap_size_limit,
};
