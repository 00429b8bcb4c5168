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

export class Digest {
  readonly #low = api!.create64(0n);
  readonly #high = api!.create64(0x51_7c_c1_b7_27_22_0a_95n);

  update(bytes: Uint8Array): this {
    this.#low.update(bytes);
    this.#high.update(bytes);
    return this;
  }

  finish(): Uint8Array {
    const out = new Uint8Array(DIGEST_BYTES);
    const view = new DataView(out.buffer);
    view.setBigUint64(0, this.#low.digest(), true);
    view.setBigUint64(8, this.#high.digest(), true);
    return out;
  }
}
