/** Tells compressed documents by their first bytes. */
import { isGzip } from './gzip.js';

/** How a document is compressed. */
export type Packing = 'gzip' | 'bzip2' | 'zstd';

/** `BZh`, the size of blocks, and the start of a block or of the end. */
const BZIP2 = /^BZh[1-9](?:1AY&SY|\x17rE8P\x90)/;
/** A frame, or one to skip, which some programs write first. */
const ZSTD = /^(?:\x28\xb5\x2f\xfd|[\x50-\x5f]\x2a\x4d\x18)/;

/** Bytes that tell each packing. */
export const PACKING_BYTES = 10;

/** How a document that starts with these bytes is compressed; `undefined` where it is not. Needs its first ten bytes. */
export function packingOf(firstBytes: Uint8Array): Packing | undefined {
  if (isGzip(firstBytes)) return 'gzip';
  const start = String.fromCharCode(...firstBytes.subarray(0, PACKING_BYTES));
  if (BZIP2.test(start)) return 'bzip2';
  return ZSTD.test(start) ? 'zstd' : undefined;
}
