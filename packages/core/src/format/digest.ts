/**
 * 128-bit digests that chain the revisions: two 64-bit xxHashes with different seeds
 * (https://github.com/Cyan4973/xxHash). They detect damage and gaps, but not forgery.
 */
import xxhash from 'xxhash-wasm';
import type { XXHashAPI } from 'xxhash-wasm';

export const DIGEST_BYTES = 16;

let api: XXHashAPI | undefined;

/** Loads the hash functions. Await it before the first {@link Digest} is made. */
export async function loadDigest(): Promise<void> {
  api ??= await xxhash();
}

const LOW_SEED = 0n;
const HIGH_SEED = 0x51_7c_c1_b7_27_22_0a_95n;

/** The digest of bytes that are there as a whole. For a record this takes a tenth of the time of a {@link Digest}. */
export const digestOf = (bytes: Uint8Array): Uint8Array =>
  written(api!.h64Raw(bytes, LOW_SEED), api!.h64Raw(bytes, HIGH_SEED));

/** The digest of bytes that come one after the other. */
export class Digest {
  readonly #low = api!.create64(LOW_SEED);
  readonly #high = api!.create64(HIGH_SEED);

  update(bytes: Uint8Array): this {
    this.#low.update(bytes);
    this.#high.update(bytes);
    return this;
  }

  finish(): Uint8Array {
    return written(this.#low.digest(), this.#high.digest());
  }
}

const sums = new Uint8Array(DIGEST_BYTES);
const sumsView = new DataView(sums.buffer);

function written(low: bigint, high: bigint): Uint8Array {
  sumsView.setBigUint64(0, low, true);
  sumsView.setBigUint64(8, high, true);
  return sums.slice();
}
