/** A transaction that remains open across calls until its holder commits or rolls it back. */
import type { StagedTransaction } from '@quadrille/core';
import type { Revision } from '../api/index.js';
import type { HeldTransaction, HostCommitOptions } from '../host/host-types.js';
import { COMMIT_OPTIONS } from '../options/calls.js';
import { checkOptions } from '../options/check-options.js';
import type { ViewContext } from '../read/view.js';
import { OpenTransaction } from './transaction.js';

/** Runs a commit through the repository. */
type RunCommit = (signal: AbortSignal | undefined, work: () => Promise<Revision>) => Promise<Revision>;

export class OpenHeldTransaction extends OpenTransaction implements HeldTransaction {
  private constructor(
    staged: StagedTransaction,
    context: ViewContext,
    prefixes: Readonly<Record<string, string>>,
    private readonly runCommit: RunCommit,
    private readonly onEnd: (transaction: OpenHeldTransaction) => void,
  ) {
    super(staged, context, prefixes);
  }

  static async begin(
    context: ViewContext,
    runCommit: RunCommit,
    onEnd: (transaction: OpenHeldTransaction) => void,
  ): Promise<OpenHeldTransaction> {
    const prefixes = await context.prefixes();
    return new OpenHeldTransaction(await context.core.begin(), context, prefixes, runCommit, onEnd);
  }

  get memoryBytes(): number {
    return this.isOpen ? this.staged.bytes : 0;
  }

  async commit(options: HostCommitOptions = {}): Promise<Revision> {
    checkOptions(options, COMMIT_OPTIONS, 'commit');
    const { signal, ...info } = options;
    return this.runCommit(signal, async () => {
      this.checkOpen();
      this.end();
      try {
        return await this.context.core.commitTransaction(this.staged, info);
      } finally {
        this.#close();
      }
    });
  }

  async rollback(): Promise<void> {
    if (!this.isOpen) return;
    this.end();
    this.#close();
  }

  #close(): void {
    this.staged.close();
    this.onEnd(this);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.rollback();
  }
}
