/** Signs each revision of a repository after it was published. */
import type { Repository as CoreRepository, RevisionCursor } from '@quadrille/core';
import type { Logger, Signer } from '../api/index.js';
import { signRevision } from './sign.js';

/**
 * It follows the log, so commits do not wait for it. Revisions that a crash left unsigned are signed when the repository is next used.
 * A failure is logged, and the next revision is tried: its signature vouches for those before it.
 */
export class CommitSigner {
  #done = 0;
  #cursor: RevisionCursor | undefined;
  #ended = false;
  #settled = false;
  #progress: (() => void) | undefined;

  constructor(
    private readonly core: CoreRepository,
    private readonly signer: Signer,
    private readonly logger: Logger | undefined,
  ) {}

  async run(): Promise<void> {
    try {
      this.#reached(await this.#signedUpTo());
      this.#cursor = await this.core.history.follow({ after: this.#done });
      if (this.#settled) this.#cursor.close();
      for (let record = await this.#cursor.next(); record !== undefined; record = await this.#cursor.next()) {
        await signRevision(this.core, record, this.signer).catch((error: unknown) => this.#report(error));
        this.#reached(record.number);
      }
    } catch (error) {
      if (!this.#settled) this.#report(error);
    } finally {
      this.#ended = true;
      this.#progress?.();
    }
  }

  #reached(number: number): void {
    this.#done = number;
    this.#progress?.();
  }

  #report(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    this.logger?.error('a revision was not signed', { repository: this.core.name, error: message });
  }

  // A repository that this key never signed begins with the revisions to come.
  async #signedUpTo(): Promise<number> {
    await this.core.ready();
    const head = this.core.head.number;
    let last: number | undefined;
    for await (const { number, keyId } of (await this.core.history.attestations()).signatures(1, head))
      if (keyId === this.signer.keyId) last = number;
    return last ?? head;
  }

  /** Resolves when all published revisions are signed. The database is closing. */
  async settle(): Promise<void> {
    while (!this.#ended && this.#done < this.core.head.number)
      await new Promise<void>((next) => (this.#progress = next));
    this.#settled = true;
    this.#cursor?.close();
  }
}
