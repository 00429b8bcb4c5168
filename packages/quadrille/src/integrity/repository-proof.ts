/** Hashes and signatures of a repository. What the first call needs is loaded by it. */
import { lazySequence } from '@quadrille/model';
import type {
  ChainReport,
  Proof,
  ReadOptions,
  Ref,
  Results,
  RevisionSignature,
  Signer,
  SignOptions,
  VerifyProofOptions,
} from '../api/index.js';
import { READ_OPTIONS, SIGN_OPTIONS, VERIFY_PROOF_OPTIONS } from '../options/calls.js';
import { checkOptions } from '../options/check-options.js';
import { LazyResults, oneByOne } from '../read/results.js';
import { endsFor, type ViewContext } from '../read/view.js';

const integrity = (): Promise<typeof import('./index.js')> => import('./index.js');

export class RepositoryProof implements Proof {
  readonly #context: ViewContext;

  constructor(context: ViewContext) {
    this.#context = context;
  }

  async digest(ref: Ref = 'HEAD', options: ReadOptions = {}): Promise<string> {
    checkOptions(options, READ_OPTIONS, 'proof.digest');
    return (await integrity()).digestOf(this.#context.core, ref, options);
  }

  async contentHash(ref: Ref = 'HEAD', options: ReadOptions = {}): Promise<string> {
    checkOptions(options, READ_OPTIONS, 'proof.contentHash');
    return (await integrity()).contentHashOf(this.#context.core, ref, options);
  }

  async sign(signer: string | Signer, options: SignOptions = {}): Promise<RevisionSignature> {
    checkOptions(options, SIGN_OPTIONS, 'proof.sign');
    return (await integrity()).sign(this.#context.core, signer, options);
  }

  signatures(options: ReadOptions = {}): Results<RevisionSignature> {
    checkOptions(options, READ_OPTIONS, 'proof.signatures');
    const stored = async (): Promise<AsyncIterable<RevisionSignature>> =>
      (await integrity()).storedSignatures(this.#context.core);
    return new LazyResults(() => oneByOne(lazySequence(stored)), endsFor(this.#context, options));
  }

  async verify(options: VerifyProofOptions = {}): Promise<ChainReport> {
    checkOptions(options, VERIFY_PROOF_OPTIONS, 'proof.verify');
    return (await integrity()).chainReport(this.#context.core, options);
  }
}
