/**
 * What differs between Node.js and browsers. `#host-platform` is node.ts, or browser.ts under the condition `browser` of bundlers
 * (`imports` in package.json): everything else in this package runs in both, and so do HTTP's parts, which take these functions from here.
 */
export interface Platform {
  /** The length of a text in UTF-8. */
  byteLength(text: string): number;
  /** One array of all bytes. */
  concat(chunks: readonly Uint8Array[]): Uint8Array;
  /** Where a pattern begins; -1 where it does not occur. */
  indexOf(bytes: Uint8Array, pattern: Uint8Array): number;
  /** Of either alphabet. Characters that have no meaning are skipped. */
  fromBase64(text: string): Uint8Array;
  toBase64(bytes: Uint8Array): string;
  /** Without padding, for addresses. */
  toBase64Url(bytes: Uint8Array): string;
  /** Two lower-case digits a byte. */
  toHex(bytes: Uint8Array): string;
  randomBytes(count: number): Uint8Array;
  /** A random UUID, version 4. */
  randomUuid(): string;
  /** The digest of a text in UTF-8. */
  sha256(text: string): Uint8Array;
  /** A digest of bytes that come one after the other. */
  newSha256(): RunningDigest;
  /** Whether two digests of the same length are equal. Takes the same time for all of them. */
  equalDigests(one: Uint8Array, other: Uint8Array): boolean;
  /** How many threads can run at the same time. */
  parallelism(): number;
  /** The most that the heap may have, where the platform tells. */
  heapBytes(): number | undefined;
}

/** A digest that is being computed. */
export interface RunningDigest {
  update(bytes: Uint8Array): unknown;
  /** The end: nothing more is added. */
  digest(): Uint8Array;
}
