/** Signs revisions. A signature is of the chain, so it vouches for the revision and for everything before it. */
import type { Repository as CoreRepository, RevisionRecord } from '@quadrille/core';
import { toRevision } from '@quadrille/core';
import { InvalidArgumentError } from '@quadrille/model';
import type { RevisionSignature, Signer } from '../api/index.js';
import { digestsAt } from './digests.js';
import { signerOf } from './ed25519.js';
import { hexOf } from '../history/hex.js';
import { loadHashes } from './hashes.js';

const SIGNATURE_BYTES = 64;
/** It is a part of a key in the storage. */
const KEY_ID = /^[\w.:-]{1,100}$/;

/** A signer as given, or the one of a private key. */
export async function asSigner(given: string | Signer): Promise<Signer> {
  const signer = typeof given === 'string' ? await signerOf(given, await loadHashes()) : given;
  if (typeof signer?.sign === 'function' && typeof signer.keyId === 'string' && KEY_ID.test(signer.keyId))
    return signer;
  const problem = 'a signer is a private key as PEM, or has sign() and a keyId of 1 to 100 letters, digits, _ . : -';
  throw new InvalidArgumentError('INVALID_OPTION', problem);
}

/** Signs a revision, and keeps the signature beside its record. */
export async function signRevision(
  core: CoreRepository,
  record: RevisionRecord,
  signer: Signer,
  signal?: AbortSignal,
): Promise<RevisionSignature> {
  const { chain } = await digestsAt(core, record, signal);
  const bytes = await signer.sign(chain);
  if (!(bytes instanceof Uint8Array) || bytes.length !== SIGNATURE_BYTES)
    throw new InvalidArgumentError('INVALID_OPTION', `the signer ${signer.keyId} returned no signature of 64 bytes`);
  const { keyId } = signer;
  await (await core.history.attestations()).saveSignature({ number: record.number, keyId, bytes });
  return { revision: toRevision(record), keyId, signature: hexOf(bytes) };
}

/** The signatures of revisions, in ascending order. */
export async function* storedSignatures(core: CoreRepository): AsyncGenerator<RevisionSignature> {
  const stored = (await core.history.attestations()).signatures(1, core.head.number);
  for await (const { number, keyId, bytes } of stored)
    yield { revision: toRevision(await core.resolve(number)), keyId, signature: hexOf(bytes) };
}
