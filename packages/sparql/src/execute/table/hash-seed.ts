/**
 * The seed of all hashes of ids, a random number of the process. Without it, whoever chooses the data could make ids collide: the
 * ids of numbers follow from their values.
 */
export const HASH_SEED = globalThis.crypto.getRandomValues(new Int32Array(1))[0]!;
