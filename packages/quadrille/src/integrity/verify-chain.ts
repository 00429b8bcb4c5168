/** Checks the chain of revisions against what attests it: signatures, kept states, and the records of erasures. */
import type { Repository as CoreRepository, RevisionRecord, StoredSignature, VerifyProblem } from '@quadrille/core';
import { toRevision } from '@quadrille/core';
import type { ChainReport, VerifyProofOptions } from '../api/index.js';
import { ChainPoint, walkChain } from './chain-walk.js';
import { verifierOf } from './ed25519.js';
import { hexOf } from '../history/hex.js';
import type { Hashes } from './hashes.js';
import { loadHashes } from './hashes.js';
import { contentDigest } from './revision-chain.js';

const MOST_PROBLEMS = 1000;
const OTHER_REVISION = 'the revision or one before it is not the one that the last erasure has attested';
const OTHER_CONTENT = 'the content is not the one that the revision had before the history was trimmed';

export async function verifyChain(core: CoreRepository, options: VerifyProofOptions): Promise<ChainReport> {
  const hashes = await loadHashes();
  const { key, signal } = options;
  const verifier = key === undefined ? undefined : await verifierOf(key, hashes);
  const snapshot = await core.snapshotAt('HEAD');
  const problems: VerifyProblem[] = [];
  const problem = (code: string, message: string, number: number): void => {
    if (problems.length < MOST_PROBLEMS)
      problems.push({ code, message, where: `${core.name} revision ${String(number)}` });
  };
  try {
    const head = snapshot.record;
    const beside = await core.history.attestations();
    const signatures = await byRevision(beside.signatures(1, head.number));
    let revisions = 0;
    const signed = { valid: 0, unchecked: 0, last: undefined as number | undefined };
    const point = new ChainPoint(hashes);
    const range = { first: 1, last: head.number };
    for await (const { record, chain, content } of walkChain(core, snapshot, point, range, signal)) {
      revisions++;
      const { number, integrity } = record;
      if (integrity !== undefined && hexOf(integrity.chain) !== hexOf(chain))
        problem('CHAIN_BROKEN', OTHER_REVISION, number);
      if (!hasItsContent(hashes, record, content.hash())) problem('CHAIN_BROKEN', OTHER_CONTENT, number);
      const kept = await beside.checkpoint(number);
      if (
        kept?.number === number &&
        (hexOf(kept.chain) !== hexOf(chain) || hexOf(kept.content) !== hexOf(content.bytes()))
      )
        problem('CHAIN_BROKEN', 'the kept state of the hashes differs from that of the history', number);
      for (const { keyId, bytes } of signatures.get(number) ?? []) {
        if (keyId !== verifier?.keyId) signed.unchecked++;
        else if (await verifier.verify(chain, bytes)) [signed.valid, signed.last] = [signed.valid + 1, number];
        else problem('SIGNATURE_INVALID', `the signature with key ${keyId} is not of this history`, number);
      }
    }
    if (verifier !== undefined && signed.valid === 0)
      problem('SIGNATURE_MISSING', `no revision has a valid signature with key ${verifier.keyId}`, head.number);
    return {
      ok: problems.length === 0,
      revision: toRevision(head),
      digest: hexOf(point.chain!),
      contentHash: hexOf(point.content.hash()),
      revisions,
      validSignatures: signed.valid,
      uncheckedSignatures: signed.unchecked,
      signedUpTo: signed.last === undefined ? undefined : toRevision(await core.resolve(signed.last)),
      problems,
    };
  } finally {
    snapshot.close();
  }
}

// The content of a squash, which a trim has attested, can still be hashed.
function hasItsContent(hashes: Hashes, record: RevisionRecord, contentHash: Uint8Array): boolean {
  const { kind, integrity, nonce } = record;
  if (kind !== 'squash' || integrity === undefined || nonce?.some((byte) => byte !== 0) !== true) return true;
  return hexOf(contentDigest(hashes, { ...record, integrity: undefined }, contentHash)) === hexOf(integrity.content);
}

async function byRevision(stored: AsyncIterable<StoredSignature>): Promise<ReadonlyMap<number, StoredSignature[]>> {
  const found = new Map<number, StoredSignature[]>();
  for await (const signature of stored) {
    const of = found.get(signature.number);
    if (of === undefined) found.set(signature.number, [signature]);
    else of.push(signature);
  }
  return found;
}
