/** The hash functions of the content hash and of the chain: those of Node.js, or ones in JavaScript where there are none. */
import { loadSha256, portableSha256, type Sha256 } from '../history/sha256.js';

export interface Hashes {
  /** SHA-256 of the parts, one after the other: 32 bytes. */
  sha256(...parts: readonly Uint8Array[]): Uint8Array;
  /** SHAKE128 of a text as UTF-8, with an output of `length` bytes. */
  shake128(text: string, length: number): Uint8Array;
}

/** Loads the hash functions. */
export async function loadHashes(): Promise<Hashes> {
  // Not an import: bundlers of pages could not leave it out.
  const crypto = globalThis.process?.getBuiltinModule?.('node:crypto');
  if (crypto === undefined) return portableHashes();
  return {
    sha256: ofParts(await loadSha256()),
    shake128: (text, length) => crypto.createHash('shake128', { outputLength: length }).update(text, 'utf8').digest(),
  };
}

/** The same without Node.js. */
export async function portableHashes(): Promise<Hashes> {
  const { shake128 } = await import('@noble/hashes/sha3.js');
  const utf8 = new TextEncoder();
  return {
    sha256: ofParts(await portableSha256()),
    shake128: (text, length) => shake128(utf8.encode(text), { dkLen: length }),
  };
}

const ofParts =
  (create: () => Sha256): Hashes['sha256'] =>
  (...parts) => {
    const hash = create();
    for (const part of parts) hash.update(part);
    return hash.bytes();
  };
