/**
 * What hashes of ids begin with, another number in each process: whoever chooses the data (numbers are ids by themselves) must not
 * be able to make them collide.
 */
export const HASH_SEED = globalThis.crypto.getRandomValues(new Int32Array(1))[0]!;
