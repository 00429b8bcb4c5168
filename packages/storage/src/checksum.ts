/** XXH32, the checksum of everything that this layer stores. */

import xxhash from 'xxhash-wasm';

/** Of bytes, with a seed of 32 bits (default 0); an unsigned number of 32 bits. */
export type Checksum = (bytes: Uint8Array, seed?: number) => number;

/** Each caller gets one WebAssembly instance of its own. */
export async function loadChecksum(): Promise<Checksum> {
  return (await xxhash()).h32Raw;
}
