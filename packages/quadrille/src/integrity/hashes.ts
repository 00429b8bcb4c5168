/** The hash functions of the content hash and of the chain: those of Node.js, or ones in JavaScript where there are none. */

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
    sha256: (...parts) => {
      const hash = crypto.createHash('sha256');
      for (const part of parts) hash.update(part);
      return hash.digest();
    },
    shake128: (text, length) => crypto.createHash('shake128', { outputLength: length }).update(text, 'utf8').digest(),
  };
}

/** The same without Node.js. */
export async function portableHashes(): Promise<Hashes> {
  const { sha256 } = await import('@noble/hashes/sha2.js');
  const { shake128 } = await import('@noble/hashes/sha3.js');
  const utf8 = new TextEncoder();
  return {
    sha256: (...parts) => {
      const hash = sha256.create();
      for (const part of parts) hash.update(part);
      return hash.digest();
    },
    shake128: (text, length) => shake128(utf8.encode(text), { dkLen: length }),
  };
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** Lower-case hexadecimal digits, two for each byte. */
export function hexOf(bytes: Uint8Array): string {
  let hex = '';
  for (const byte of bytes) hex += HEX[byte]!;
  return hex;
}
