/** XXH32, the checksum of all data that this layer stores. */

import xxhash from 'xxhash-wasm';

/** The checksum of bytes, an unsigned 32-bit number. The 32-bit seed is 0 by default. */
export type Checksum = (bytes: Uint8Array, seed?: number) => number;

/** Loads the checksum function. Each call creates one WebAssembly instance. */
export async function loadChecksum(): Promise<Checksum> {
  return (await xxhash()).h32Raw;
}
