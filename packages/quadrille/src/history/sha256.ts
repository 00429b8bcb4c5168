/** SHA-256 in steps: that of Node.js, or one in JavaScript where there is none. */
import { hexOf } from './hex.js';

export interface Sha256 {
  update(data: string | Uint8Array): unknown;
  /** 32 bytes. */
  bytes(): Uint8Array;
}

/** Loads what makes hashes. */
export async function loadSha256(): Promise<() => Sha256> {
  // Not an import: bundlers of pages could not leave it out.
  const crypto = globalThis.process?.getBuiltinModule?.('node:crypto');
  if (crypto !== undefined) {
    return () => {
      const hash = crypto.createHash('sha256');
      return { update: (data) => hash.update(data), bytes: () => hash.digest() };
    };
  }
  return portableSha256();
}

/** The same without Node.js. */
export async function portableSha256(): Promise<() => Sha256> {
  const { sha256 } = await import('@noble/hashes/sha2.js');
  const utf8 = new TextEncoder();
  return () => {
    const hash = sha256.create();
    return {
      update: (data) => hash.update(typeof data === 'string' ? utf8.encode(data) : data),
      bytes: () => hash.digest(),
    };
  };
}

/**
 * The chain of a history file: the value of each part is the SHA-256 of the value before it, as 64 hexadecimal digits, and of the bytes
 * of the part. Nothing comes before the first one.
 */
export class HashChain {
  #hash: Sha256;

  constructor(private readonly create: () => Sha256) {
    this.#hash = create();
  }

  update(data: string | Uint8Array): void {
    this.#hash.update(data);
  }

  /** The value of the part that ends here. */
  next(): string {
    const value = hexOf(this.#hash.bytes());
    this.#hash = this.create();
    this.#hash.update(value);
    return value;
  }
}
