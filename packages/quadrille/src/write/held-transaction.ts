/** A transaction that stays open until its holder ends it, for those who cannot do their work inside one call. */
import type { Repository as CoreRepository } from '@quadrille/core';
import type { CommitOptions, HeldTransaction, Revision } from '../api/index.js';
import type { LazyEngine } from '../sparql/lazy-engine.js';
import { COMMIT_OPTIONS } from '../options/calls.js';
import { checkOptions } from '../options/check-options.js';
import { OpenTransaction } from './transaction.js';

/** Runs a commit as the repository runs all of them. */
type RunCommit = (signal: AbortSignal | undefined, work: () => Promise<Revision>) => Promise<Revision>;

export class OpenHeldTransaction extends OpenTransaction implements HeldTransaction {
  private constructor(
    staged: Awaited<ReturnType<CoreRepository['begin']>>,
    private readonly core: CoreRepository,
    engine: LazyEngine,
    prefixes: Readonly<Record<string, string>>,
    private readonly runCommit: RunCommit,
    private readonly onEnd: (transaction: OpenHeldTransaction) => void,
  ) {
    super(staged, core, engine, prefixes);
  }

  static async begin(
    core: CoreRepository,
    engine: LazyEngine,
    prefixes: Readonly<Record<string, string>>,
    runCommit: RunCommit,
    onEnd: (transaction: OpenHeldTransaction) => void,
  ): Promise<OpenHeldTransaction> {
    return new OpenHeldTransaction(await core.begin(), core, engine, prefixes, runCommit, onEnd);
  }

  async commit(options: CommitOptions = {}): Promise<Revision> {
    checkOptions(options, COMMIT_OPTIONS, 'commit');
    const { signal, ...info } = options;
    return this.runCommit(signal, async () => {
      this.checkOpen();
      this.end();
      try {
        return await this.core.commitTransaction(this.staged, info);
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
