/** The fields that form 2 of the revision record has added, and their encoding. */
import { CorruptionError } from '@quadrille/model';
import type { ByteReader, ByteWriter } from '../format/byte-codec.js';

/**
 * How a revision was made. `commit`: by a commit, a load or an update. `merge`: it joins two branches. `erase`: data were erased
 * from history. `squash`: it also has the changes of revisions before it, which were trimmed.
 */
export type RevisionKind = 'commit' | 'merge' | 'erase' | 'squash';

/** The proof of the revision as it was before an erasure. */
export interface IntegrityPart {
  /** Number of quads that the revision added. */
  readonly addedCount: number;
  /** Number of quads that it removed. */
  readonly removedCount: number;
  /** Number of quads after it. */
  readonly size: number;
  /** Digest of the content, 32 bytes. */
  readonly content: Uint8Array;
  /** Digest of the chain up to this revision, 32 bytes. */
  readonly chain: Uint8Array;
}

export interface Signature {
  readonly keyId: string;
  /** Ed25519, 64 bytes. */
  readonly bytes: Uint8Array;
}

/** The fields that the record has had since form 2. */
export interface LaterFields {
  /** Records of form 1 have none of the other fields. */
  readonly form: 1 | 2;
  /** Whether an erasure, a trim or an import has written the record anew: it has another digest than the next record names. */
  readonly rewritten: boolean;
  /** How the revision was made. */
  readonly kind: RevisionKind;
  /** Id of the revision that a merge has merged, 16 bytes. */
  readonly mergedParent: Uint8Array | undefined;
  /** Id of the revision whose changes this one repeats, 16 bytes. */
  readonly origin: Uint8Array | undefined;
  /** Violations of the shapes of the repository that it was committed with; `undefined` if none. */
  readonly violations: number | undefined;
  /** 16 random bytes, which keep others from guessing the content by its digest. Zeros if they were dropped. */
  readonly nonce: Uint8Array | undefined;
  /** Sums by which an erased history can still be checked. */
  readonly integrity: IntegrityPart | undefined;
  /** The signature of the revision. */
  readonly signature: Signature | undefined;
  /** Of a squash: the revision from which its changes begin; 0 if there is none before it. Others begin at the one before. */
  readonly since?: number | undefined;
}

/** Size of a nonce, in bytes. */
export const NONCE_BYTES = 16;
const HASH_BYTES = 32;
const SIGNATURE_BYTES = 64;
/** In the order of their numbers in a record. */
const KINDS: readonly RevisionKind[] = ['commit', 'merge', 'erase', 'squash'];

/** The fields of an ordinary commit. */
export function commitFields(nonce: Uint8Array): LaterFields {
  return {
    form: 2,
    rewritten: false,
    kind: 'commit',
    mergedParent: undefined,
    origin: undefined,
    violations: undefined,
    nonce,
    integrity: undefined,
    signature: undefined,
  };
}

/** A copy of the fields that are read of a record which is kept for long. It shares no memory with the record. */
export function keptFields({
  form,
  rewritten,
  kind,
  since,
  mergedParent,
  origin,
  violations,
}: LaterFields): LaterFields {
  return {
    form,
    rewritten,
    kind,
    since,
    mergedParent: mergedParent?.slice(),
    origin: origin?.slice(),
    violations,
    nonce: undefined,
    integrity: undefined,
    signature: undefined,
  };
}

export type Lineage = Pick<LaterFields, 'kind' | 'mergedParent' | 'origin'>;
type Description = Lineage & Pick<LaterFields, 'violations'>;
type Attestation = Pick<LaterFields, 'nonce' | 'integrity' | 'signature'>;

export const NO_LINEAGE: Description = {
  kind: 'commit',
  mergedParent: undefined,
  origin: undefined,
  violations: undefined,
};
/** Added to the kind in a record that has a number of violations. */
const WITH_VIOLATIONS = 8;
export const NO_ATTESTATION: Attestation = { nonce: undefined, integrity: undefined, signature: undefined };

export function writeOptionalId(writer: ByteWriter, id: Uint8Array | undefined): void {
  if (id === undefined) writer.u8(0);
  else writer.u8(1).bytes(id);
}

export const readOptionalId = (reader: ByteReader): Uint8Array | undefined =>
  reader.u8() === 1 ? reader.bytes(16) : undefined;

export function writeLineage(writer: ByteWriter, { kind, mergedParent, origin, violations }: Description): void {
  writer.varint(KINDS.indexOf(kind) + (violations === undefined ? 0 : WITH_VIOLATIONS));
  writeOptionalId(writer, mergedParent);
  writeOptionalId(writer, origin);
  if (violations !== undefined) writer.varint(violations);
}

export function readLineage(reader: ByteReader): Description {
  const number = reader.varint();
  const hasViolations = number >= WITH_VIOLATIONS;
  const kind = KINDS[hasViolations ? number - WITH_VIOLATIONS : number];
  if (kind === undefined) throw new CorruptionError('LOG_BROKEN', 'a revision record has an unknown kind');
  return {
    kind,
    mergedParent: readOptionalId(reader),
    origin: readOptionalId(reader),
    violations: hasViolations ? reader.varint() : undefined,
  };
}

export function writeAttestation(writer: ByteWriter, { nonce, integrity, signature }: Attestation): void {
  writer.bytes(nonce ?? NO_NONCE);
  if (integrity === undefined) writer.u8(0);
  else {
    writer.u8(1).varint(integrity.addedCount).varint(integrity.removedCount).varint(integrity.size);
    writer.bytes(integrity.content).bytes(integrity.chain);
  }
  if (signature === undefined) writer.u8(0);
  else writer.u8(1).text(signature.keyId).bytes(signature.bytes);
}

const NO_NONCE = new Uint8Array(NONCE_BYTES);

export function readAttestation(reader: ByteReader): Attestation {
  return {
    nonce: reader.bytes(NONCE_BYTES),
    integrity: reader.u8() === 1 ? readIntegrity(reader) : undefined,
    signature: reader.u8() === 1 ? { keyId: reader.text(), bytes: reader.bytes(SIGNATURE_BYTES) } : undefined,
  };
}

function readIntegrity(reader: ByteReader): IntegrityPart {
  return {
    addedCount: reader.varint(),
    removedCount: reader.varint(),
    size: reader.varint(),
    content: reader.bytes(HASH_BYTES),
    chain: reader.bytes(HASH_BYTES),
  };
}
