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
