/** Hashes of content and history, and signatures. */
import type { Ref, Revision, VerifyProblem } from '@quadrille/core';
import type { ReadOptions } from './query.js';

/**
 * Signs the chain of revisions with a private key, for example one in a hardware module.
 * @since 0.1.0
 */
export interface Signer {
  /** Identifies the public key: the first 16 hexadecimal digits of the SHA-256 of its SPKI (DER), for keys that `sign` gets as PEM. */
  readonly keyId: string;
  /** The Ed25519 signature of the 32 bytes: 64 bytes. */
  sign(chain: Uint8Array): Uint8Array | Promise<Uint8Array>;
}
/**
 * Options of `sign`.
 * @since 0.1.0
 */
export interface SignOptions extends ReadOptions {
  /**
   * The revision to sign.
   * @defaultValue the head
   */
  readonly ref?: Ref | undefined;
}
/**
 * A signature that stands beside a revision.
 * @since 0.1.0
 */
export interface RevisionSignature {
  /** The revision that was signed, with everything before it. */
  readonly revision: Revision;
  /** Identifies the public key. */
  readonly keyId: string;
  /** 128 lower-case hexadecimal digits. */
  readonly signature: string;
}
/**
 * Options of `verifyChain`.
 * @since 0.1.0
 */
export interface VerifyChainOptions extends ReadOptions {
  /**
   * A public Ed25519 key as PEM (SPKI). At least one revision must have a valid signature of it.
   * @defaultValue signatures are not checked
   */
  readonly key?: string | undefined;
}
/**
 * What `verifyChain` has found.
 * @since 0.1.0
 */
export interface ChainReport {
  /** Whether there are no problems. */
  readonly ok: boolean;
  /** The revision up to which the chain was checked: the head. */
  readonly revision: Revision;
  /** The digest of its history. */
  readonly digest: string;
  /** The hash of its content. */
  readonly contentHash: string;
  /** Number of checked revisions. */
  readonly revisions: number;
  /** Number of valid signatures of the key. */
  readonly validSignatures: number;
  /** Number of signatures of other keys. They were not checked. */
  readonly uncheckedSignatures: number;
  /** The last revision with a valid signature of the key. It vouches for all revisions up to it. */
  readonly signedUpTo: Revision | undefined;
  /** `CHAIN_BROKEN`, `SIGNATURE_INVALID`, `SIGNATURE_MISSING`; at most 1,000. */
  readonly problems: readonly VerifyProblem[];
}
