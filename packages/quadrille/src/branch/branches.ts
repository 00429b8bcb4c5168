/** The branches of a repository: opened, made, merged and deleted. What the first call needs is loaded by it. */
import type { Repository as CoreRepository } from '@quadrille/core';
import { InvalidArgumentError } from '@quadrille/model';
import type {
  BranchInfo,
  Branches,
  CommitOptions,
  DeleteBranchOptions,
  MergeOptions,
  MergePreview,
  OpenBranchOptions,
  ReadOptions,
  Ref,
  Repository,
  Results,
  Revision,
} from '../api/index.js';
import {
  COMMIT_OPTIONS,
  CREATE_BRANCH_OPTIONS,
  DELETE_BRANCH_OPTIONS,
  MERGE_OPTIONS,
  OPEN_BRANCH_OPTIONS,
  PICK_OPTIONS,
  READ_OPTIONS,
} from '../options/calls.js';
import { checkOptions, checkSignal } from '../options/check-options.js';
import { LazyResults, listed } from '../read/results.js';
import { endsFor, type ViewContext } from '../read/view.js';
import type { RunningWrites } from '../write/running-writes.js';

export interface BranchesContext extends ViewContext {
  /** What the library shows of the engine's repository on another branch. */
  onBranch(core: CoreRepository): Repository;
}

export class RepositoryBranches implements Branches {
  readonly #context: BranchesContext;
  readonly #writes: RunningWrites;

  constructor(context: BranchesContext, writes: RunningWrites) {
    this.#context = context;
    this.#writes = writes;
  }

  #stored(): Promise<typeof import('./stored-branches.js')> {
    this.#context.check();
    return import('./stored-branches.js');
  }

  list(): Results<BranchInfo> {
    return listed(async () => (await this.#stored()).listBranches(this.#context.core));
  }

  async get(name: string): Promise<BranchInfo | undefined> {
    return (await this.#stored()).findBranch(this.#context.core, name);
  }

  async open(name: string, options: OpenBranchOptions = {}): Promise<Repository> {
    checkOptions(options, OPEN_BRANCH_OPTIONS, 'branches.open');
    const { openBranch } = await this.#stored();
    return this.#context.onBranch(await openBranch(this.#context.core, name, options));
  }

  async create(name: string, options: { readonly from?: Ref | undefined } = {}): Promise<BranchInfo> {
    checkOptions(options, CREATE_BRANCH_OPTIONS, 'branches.create');
    return (await this.#stored()).createBranch(this.#context.core, name, options.from);
  }

  async rename(name: string, to: string): Promise<void> {
    return (await this.#stored()).renameBranch(this.#context.core, name, to);
  }

  async delete(name: string, options: DeleteBranchOptions = {}): Promise<boolean> {
    checkOptions(options, DELETE_BRANCH_OPTIONS, 'branches.delete');
    return (await this.#stored()).deleteBranch(this.#context.core, name, options);
  }

  merge(source: Ref, options?: MergeOptions & { readonly dryRun?: false | undefined }): Promise<Revision>;
  merge(source: Ref, options: MergeOptions & { readonly dryRun: true }): Promise<MergePreview>;
  async merge(
    source: Ref,
    options: MergeOptions & { readonly dryRun?: boolean | undefined } = {},
  ): Promise<Revision | MergePreview> {
    checkOptions(options, MERGE_OPTIONS, 'branches.merge');
    const { dryRun = false, ...merge } = options;
    checkOnConflict(merge.onConflict);
    if (dryRun) return this.#preview(source, merge);
    return this.#writes.run(merge.signal, () => this.#context.core.merge(source, merge, merge));
  }

  async #preview(source: Ref, options: MergeOptions): Promise<MergePreview> {
    checkSignal(options.signal);
    const preview = await this.#context.core.previewMerge(source, options);
    return {
      ...preview,
      changes: (reading?: ReadOptions) => {
        checkOptions(reading, READ_OPTIONS, 'changes');
        return new LazyResults(() => preview.changes(), endsFor(this.#context, reading));
      },
    };
  }

  async cherryPick(ref: Ref, options: Omit<MergeOptions, 'strategy' | 'fastForward'> = {}): Promise<Revision> {
    checkOptions(options, PICK_OPTIONS, 'branches.cherryPick');
    checkOnConflict(options.onConflict);
    return this.#writes.run(options.signal, () => this.#context.core.cherryPick(ref, options, options));
  }

  async reset(ref: Ref, options: CommitOptions = {}): Promise<Revision> {
    checkOptions(options, COMMIT_OPTIONS, 'branches.reset');
    return this.#writes.run(options.signal, () => this.#context.core.reset(ref, options));
  }
}

function checkOnConflict(value: unknown): void {
  if (value === undefined || typeof value === 'function' || ['fail', 'ours', 'theirs'].includes(value as string))
    return;
  throw new InvalidArgumentError('INVALID_OPTION', 'merge: onConflict is fail, ours, theirs or a function', {
    details: { option: 'onConflict' },
  });
}
