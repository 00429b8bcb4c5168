/** XXH32, the checksum of all data that this layer stores. */

import xxhash from 'xxhash-wasm';

/** The checksum of bytes, an unsigned 32-bit number. The 32-bit seed is 0 by default. */
export type Checksum = (bytes: Uint8Array, seed?: number) => number;

let loading: Promise<Checksum> | undefined;

/** Loads the checksum function. All stores of a process share one WebAssembly instance. */
export function loadChecksum(): Promise<Checksum> {
  loading ??= xxhash().then(
    ({ h32Raw }) => h32Raw,
    (error: unknown) => {
      // Memory may be short only now.
      loading = undefined;
      throw error;
    },
  );
  return loading;
}

/** A 128-bit digest of bytes, in hexadecimal. It detects damage and gives names, but does not detect forgery. */
export type NameDigest = (bytes: Uint8Array) => string;

const SECOND_SEED = 0x51_7c_c1_b7_27_22_0a_95n;

/** Loads the digest: two 64-bit xxHashes with different seeds. */
export async function loadNameDigest(): Promise<NameDigest> {
  const { h64Raw } = await xxhash();
  return (bytes) =>
    [h64Raw(bytes, 0n), h64Raw(bytes, SECOND_SEED)].map((sum) => sum.toString(16).padStart(16, '0')).join('');
}
