/** The hash functions of the content hash and of the chain. */
import { platform } from '#platform';
import { loadSha256, type Sha256 } from '../history/sha256.js';
import type { LineHash, LineThread } from './line-hash.js';
import { loadLineHash } from './line-hash.js';

export interface Hashes {
  /** SHA-256 of the parts, one after the other: 32 bytes. */
  sha256(...parts: readonly Uint8Array[]): Uint8Array;
  readonly changeBy: LineHash;
  /** Opens a thread that hashes lines. Missing where there are none; undefined where it would not help. */
  readonly openThread?: (() => Promise<LineThread | undefined>) | undefined;
}

/** Loads the hash functions. */
export async function loadHashes(): Promise<Hashes> {
  return { sha256: ofParts(await loadSha256()), changeBy: await loadLineHash(), openThread: platform.openHashThread };
}

const ofParts =
  (create: () => Sha256): Hashes['sha256'] =>
  (...parts) => {
    const hash = create();
    for (const part of parts) hash.update(part);
    return hash.bytes();
  };
