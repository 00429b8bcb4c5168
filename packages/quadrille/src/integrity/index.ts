/** Hashes and signatures of a repository. Loaded with the first call. */
import type { Repository as CoreRepository } from '@quadrille/core';
import { EvaluationError, QuadrilleError } from '@quadrille/model';
import type {
  ChainReport,
  ReadOptions,
  Ref,
  RevisionSignature,
  Signer,
  SignOptions,
  VerifyProofOptions,
} from '../api/index.js';
import { contentHashAt, digestsAt } from './digests.js';
import { hexOf } from '../history/hex.js';
import { asSigner, signRevision } from './sign.js';
import { verifyChain } from './verify-chain.js';

export { CommitSigner } from './commit-signer.js';
export { asSigner, storedSignatures } from './sign.js';

export const digestOf = (core: CoreRepository, ref: Ref, { signal }: ReadOptions): Promise<string> =>
  abortable(signal, async () => {
    const record = await core.locate(ref);
    return hexOf((await digestsAt(core.ownerOf(record), record, signal)).chain);
  });

export const contentHashOf = (core: CoreRepository, ref: Ref, { signal }: ReadOptions): Promise<string> =>
  abortable(signal, async () => {
    const record = await core.locate(ref);
    return hexOf(await contentHashAt(core.ownerOf(record), record, signal));
  });

export const sign = (
  core: CoreRepository,
  given: string | Signer,
  { ref = 'HEAD', signal }: SignOptions,
): Promise<RevisionSignature> =>
  abortable(signal, async () => {
    const record = await core.locate(ref);
    return signRevision(core.ownerOf(record), record, await asSigner(given), signal);
  });

export const chainReport = (core: CoreRepository, options: VerifyProofOptions): Promise<ChainReport> =>
  abortable(options.signal, () => verifyChain(core, options));

export async function abortable<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
  try {
    signal?.throwIfAborted();
    return await work();
  } catch (error) {
    if (signal?.aborted !== true) throw error;
    if (signal.reason instanceof QuadrilleError) throw signal.reason;
    throw new EvaluationError('ABORTED', 'the caller aborted the call', { cause: signal.reason });
  }
}
