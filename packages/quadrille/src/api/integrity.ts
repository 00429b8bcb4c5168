/** Hashes of content and history, and signatures. */
import type { Ref, Revision, VerifyProblem } from '@quadrille/core';
import type { ReadOptions, Results } from './query.js';

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
 * Options of `proof.sign`.
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
 * Options of `proof.verify`.
 * @since 0.1.0
 */
export interface VerifyProofOptions extends ReadOptions {
  /**
   * A public Ed25519 key as PEM (SPKI). At least one revision must have a valid signature of it.
   * @defaultValue signatures are not checked
   */
  readonly key?: string | undefined;
}
/**
 * What `proof.verify` has found.
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
/**
 * Hashes of the content and of the history of a repository, and signatures.
 * @throws StateError `STORE_NOT_OPEN`
 * @throws NotFoundError `REPOSITORY_DELETED`
 * @throws StorageError `STORAGE_IO`
 * @since 0.1.0
 */
export interface Proof {
  /**
   * The digest of the history up to a revision of any branch: 64 lower-case hexadecimal digits. It is the SHA-256 of the digest of the revision before, of what
   * the revision says of itself, and of its content. Equal digests mean equal histories, on every backend, also after an import of history.
   * It goes on from the last known state; without one it hashes the changes of all revisions, about 0.005 ms a quad.
   * @param ref the revision; default the head
   * @throws InvalidArgumentError `INVALID_OPTION`, `INVALID_REF`
   * @throws NotFoundError `REVISION_NOT_FOUND`
   * @throws EvaluationError `ABORTED`
   */
  digest(ref?: Ref, options?: ReadOptions): Promise<string>;
  /**
   * The hash of the quads of a revision of any branch: 64 lower-case hexadecimal digits. It is equal for equal quads with equal labels of blank nodes,
   * whatever their history and the backend. Without a known state it hashes all quads, about 0.005 ms each.
   * @param ref the revision; default the head
   * @throws InvalidArgumentError `INVALID_OPTION`, `INVALID_REF`
   * @throws NotFoundError `REVISION_NOT_FOUND`
   * @throws EvaluationError `ABORTED`
   */
  contentHash(ref?: Ref, options?: ReadOptions): Promise<string>;
  /**
   * Signs the {@link digest} of a revision with Ed25519, and keeps the signature beside it. The signature vouches for the revision and for
   * everything before it. Another one of the same key replaces it.
   * @param signer a private key as PEM (PKCS#8), or what signs
   * @throws InvalidArgumentError `INVALID_OPTION` also for another kind of key; `INVALID_REF`
   * @throws NotFoundError `REVISION_NOT_FOUND`
   * @throws EvaluationError `ABORTED`
   * @throws StateError `READ_ONLY`
   * @throws StorageError `STORAGE_FULL`
   */
  sign(signer: string | Signer, options?: SignOptions): Promise<RevisionSignature>;
  /**
   * The signatures of all revisions, the oldest first. A lazy sequence. They are not checked: {@link verify} does that.
   * @throws InvalidArgumentError `INVALID_OPTION`
   * @throws EvaluationError `ABORTED`
   */
  signatures(options?: ReadOptions): Results<RevisionSignature>;
  /**
   * Computes the digest of every revision, and compares it with the signatures of a key, with kept states, and with what erasures have
   * attested. It hashes all changes: about 0.005 ms a quad. What is wrong is in the report, and no error. {@link Maintenance.verify} checks the indexes.
   * @throws InvalidArgumentError `INVALID_OPTION` also if the key is no public Ed25519 key
   * @throws CorruptionError `LOG_BROKEN`, `CHECKSUM`
   * @throws EvaluationError `ABORTED`
   */
  verify(options?: VerifyProofOptions): Promise<ChainReport>;
}
