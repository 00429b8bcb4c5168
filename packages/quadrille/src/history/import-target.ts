/** The branch to which an import of history appends: first `main` or the one that was asked for, then each branch of the file. */
import type { HistoryFaults, HistoryImport, Repository as CoreRepository, SharedHistory } from '@quadrille/core';
import { NotFoundError } from '@quadrille/model';
import type { HostImportOptions } from '../host/host-types.js';
import { uuidOf } from './history-headers.js';
import type { BranchStart } from './history-sink.js';

/** Tracking branches of remotes, whose names are reserved. */
const RESERVED = 'remote/';

export class ImportTarget {
  #imported = 0;
  #skipped = 0;
  #isOpen = true;

  private constructor(
    /** The repository on the branch with which the file begins. */
    readonly main: CoreRepository,
    private readonly type: typeof HistoryImport,
    private readonly faults: HistoryFaults,
    private readonly options: HostImportOptions,
    /** Appends to the present branch. */
    public load: HistoryImport,
  ) {}

  static async begin(
    main: CoreRepository,
    type: typeof HistoryImport,
    faults: HistoryFaults,
    options: HostImportOptions,
  ): Promise<ImportTarget> {
    return new ImportTarget(main, type, faults, options, await type.begin(main, faults, options.signal));
  }

  /** Revisions of all branches so far that were appended. */
  get imported(): number {
    return this.#imported + this.load.imported;
  }

  /** Revisions of all branches so far that the repository had already. */
  get skipped(): number {
    return this.#skipped + this.load.skipped;
  }

  /** Appends to a branch from now on. Creates it where there is none. */
  async moveTo(start: BranchStart): Promise<HistoryImport> {
    await this.load.flush();
    await this.close();
    await this.options.onBranch?.(start.branch);
    const branch = await this.#branch(start);
    const shared = await this.#shared(start);
    const [imported, skipped] = [this.imported, this.skipped];
    this.load = await this.type.begin(branch, this.faults, this.options.signal, shared);
    this.#isOpen = true;
    [this.#imported, this.#skipped] = [imported, skipped];
    return this.load;
  }

  async #branch({ branch: name, base, line }: BranchStart): Promise<CoreRepository> {
    const lines = await this.main.lines();
    // The merges before this line may have revisions of this branch as their second parents.
    lines.ancestors++;
    const uuid = uuidOf(base);
    try {
      if (name !== 'main' && (await lines.branchRecord(name)) === undefined) {
        const record = await this.main.locate(uuid);
        const { keyspace } = this.main.ownerOf(record).handle;
        const branches = await this.main.branches();
        await branches.create(name, { keyspace, record }, { reserved: name.startsWith(RESERVED) });
      }
    } catch (error) {
      throw this.#refused(error, line);
    }
    const branch = await lines.branch(name);
    try {
      await branch.resolve(uuid);
      return branch;
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
      throw this.faults.diverged(line, `branch ${name} of the repository has not the revision ${uuid}`);
    }
  }

  /** What another branch has in its history too. @throws CorruptionError `LOG_BROKEN` if it has not */
  async #shared({ branch, shared, line: row }: BranchStart): Promise<SharedHistory | undefined> {
    if (shared === undefined) return undefined;
    const { name, until } = shared;
    const lines = await this.main.lines();
    const line = name === branch ? undefined : await this.#lineOf(name);
    if (line !== undefined && (await lines.head(line)).number >= until) return { lines, line, until };
    throw this.faults.broken(row, `branch ${branch} cannot share revision ${String(until)} with branch ${name}`);
  }

  async #lineOf(name: string): Promise<number | undefined> {
    const lines = await this.main.lines();
    return name === 'main' ? lines.lineOf(name) : (await lines.branchRecord(name))?.line;
  }

  #refused(error: unknown, line: number): unknown {
    const { code, message } = error as { code?: unknown; message: string };
    if (code === 'ALREADY_EXISTS') return this.faults.diverged(line, message);
    const isOfFile = code === 'INVALID_NAME' || code === 'REVISION_NOT_FOUND' || code === 'REVISION_TRIMMED';
    return isOfFile ? this.faults.broken(line, message, error) : error;
  }

  /** Call it at the end in any case. */
  async close(): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    await this.load.close();
    // What the merges of other branches have as second parents may be there now.
    (await this.main.lines()).ancestors++;
  }
}
