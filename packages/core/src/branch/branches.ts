/** Creates, names and deletes the branches of a repository. */
import { ConflictError, StorageError } from '@quadrille/model';
import type { WriteOp } from '@quadrille/storage';
import { Tag, textKey } from '../format/layout.js';
import { checkNumber } from '../format/numbers.js';
import { LineKeyspace } from '../keyspace/line-keyspace.js';
import type { Keyspace } from '../keyspace/keyspace.js';
import { recovered } from '../keyspace/write-alone.js';
import { encodeManifest } from '../timeline/manifest.js';
import { readRecord } from '../revision/log.js';
import type { Revision, RevisionRecord } from '../revision/record.js';
import { encodeHead, toRevision } from '../revision/record.js';
import { LineHandle } from './line-handle.js';
import { encodeBranch, encodeLine, MAIN, MAIN_LINE } from '../timeline/line-record.js';
import type { Lines, OpenLine } from './lines.js';
import { branchExists, branchNotFound, checkBranchName, checkReservedName, checkNotDefault } from './names.js';

/** A branch: a line of history with a name. */
export interface BranchInfo {
  /** Its name. */
  readonly name: string;
  /** Its newest revision. */
  readonly head: Revision;
  /** The revision with which it begins. Absent of `main`. */
  readonly fork?: Revision;
}

/** Where a revision is. */
export interface RevisionPlace {
  /** The keyspace of a line that has it. */
  readonly keyspace: Keyspace;
  readonly record: RevisionRecord;
}

/** Whether a revision is in the history of a branch that stays. */
export type IsMerged = (line: number, head: RevisionRecord) => Promise<boolean>;

export class Branches<R extends OpenLine> {
  constructor(
    private readonly lines: Lines<R>,
    private readonly isMerged: IsMerged,
  ) {}

  get #keyspace(): Keyspace {
    return this.lines.handle.keyspace;
  }

  /** All branches, sorted by name. */
  async list(): Promise<BranchInfo[]> {
    const found = [await this.#describe(MAIN, MAIN_LINE)];
    for (const [name, { line }] of await this.lines.branches()) found.push(await this.#describe(name, line));
    return found.toSorted((x, y) => (x.name < y.name ? -1 : 1));
  }

  /** @throws NotFoundError `BRANCH_NOT_FOUND` */
  async get(name: string): Promise<BranchInfo> {
    return this.#describe(name, await this.lines.lineOf(name));
  }

  async #describe(name: string, line: number): Promise<BranchInfo> {
    const head = toRevision(await this.lines.head(line));
    if (line === MAIN_LINE) return { name, head };
    const keyspace = (await this.lines.keyspace(line)) as LineKeyspace;
    return { name, head, fork: toRevision(await readRecord(keyspace, keyspace.fork)) };
  }

  /**
   * Creates a branch that begins with a revision. Its size does not matter: four small values are written.
   * @throws InvalidArgumentError `INVALID_NAME`, ConflictError `ALREADY_EXISTS`
   */
  async create(
    name: string,
    { keyspace, record }: RevisionPlace,
    { reserved = false }: { readonly reserved?: boolean } = {},
  ): Promise<BranchInfo> {
    if (reserved) checkReservedName(name);
    else checkBranchName(name);
    await this.#change(async () => {
      await this.#checkFree(name);
      // A line without the revision itself would be one layer more for every read.
      const base = keyspace.at(record.number);
      // A trim or an erasure may have come since the caller has read it.
      const present = await readRecord(base, record.number);
      const line = (await this.lines.newest()) + 1;
      checkNumber(line, `branches of repository ${this.#keyspace.name}`, 'delete the newest ones and compact');
      await this.#write(this.#creation(name, line, base, present));
    });
    return this.get(name);
  }

  #creation(name: string, line: number, base: Keyspace, { number: fork, id, digest }: RevisionRecord): WriteOp[] {
    const own = new LineKeyspace(this.#keyspace, base, line, fork);
    const below = base instanceof LineKeyspace ? base.line : MAIN_LINE;
    const root = encodeManifest({ flushed: fork, checkpoint: fork, nextRun: 1, runs: [] });
    const created = this.lines.handle.env.now();
    return [
      {
        type: 'put',
        key: own.key(Tag.line, line),
        value: encodeLine({ base: below, fork, forkId: id, materialised: false }),
      },
      { type: 'put', key: own.key(Tag.head), value: encodeHead({ number: fork, digest }) },
      { type: 'put', key: own.key(Tag.root), value: root },
      { type: 'put', key: this.lines.branchKey(name), value: encodeBranch({ line, created }) },
    ];
  }

  /**
   * Gives a branch another name.
   * @throws NotFoundError `BRANCH_NOT_FOUND`; InvalidArgumentError `INVALID_NAME`; ConflictError `ALREADY_EXISTS`,
   * `BRANCH_DEFAULT`
   */
  async rename(name: string, to: string): Promise<void> {
    checkBranchName(to);
    await this.#change(async () => {
      await this.#checkNotDefault(name, 'renamed');
      const record = await this.lines.branchRecord(name);
      if (record === undefined) throw branchNotFound(this.#keyspace.name, name);
      if (name === to) return;
      await this.#checkFree(to);
      await this.#write([
        { type: 'delete', key: this.lines.branchKey(name) },
        { type: 'put', key: this.lines.branchKey(to), value: encodeBranch(record) },
      ]);
      const opened = await this.lines.opened(record.line);
      if (opened !== undefined) opened.handle.branch = to;
    });
  }

  /**
   * Deletes a branch, and leaves its revisions. Returns false if there is none.
   * @param expected the head that it has to have
   * @throws ConflictError `REVISION_CONFLICT`; `BRANCH_DEFAULT`; `BRANCH_NOT_MERGED` unless `force`
   */
  async delete(name: string, force: boolean, expected?: RevisionRecord): Promise<boolean> {
    return this.#change(async () => {
      await this.#checkNotDefault(name, 'deleted');
      const record = await this.lines.branchRecord(name);
      if (record === undefined) return false;
      const { line } = record;
      const head = await this.lines.head(line);
      if (expected !== undefined && toRevision(head).id !== toRevision(expected).id)
        throw otherHead(this.#keyspace.name, name, head);
      if (!force && !(await this.isMerged(line, head))) throw notMerged(this.#keyspace.name, name, head);
      await this.#write([{ type: 'delete', key: this.lines.branchKey(name) }]);
      const opened = await this.lines.opened(line);
      if (opened?.handle instanceof LineHandle) opened.handle.end(name);
      this.lines.handle.publications.announce();
      return true;
    });
  }

  // Settings change under the same lock.
  async #checkNotDefault(name: string, verb: 'deleted' | 'renamed'): Promise<void> {
    checkNotDefault(this.#keyspace.name, name, verb, await this.lines.handle.readSettings());
  }

  async #checkFree(name: string): Promise<void> {
    const { name: repository } = this.#keyspace;
    if (name === MAIN || (await this.lines.branchRecord(name)) !== undefined)
      throw branchExists(repository, name, 'branch');
    const tag = await this.#keyspace.getKey(textKey(this.#keyspace.key(Tag.tag), name));
    if (tag !== undefined) throw branchExists(repository, name, 'tag');
  }

  // Under the write lock, with nothing staged: what is read then is what the change is made on.
  #change<T>(work: () => Promise<T>): Promise<T> {
    const { handle } = this.lines;
    handle.check();
    handle.keyspace.assertWritable();
    handle.users.enter();
    return handle.writeLock
      .run(async () => {
        await handle.load();
        await handle.timeline.drain();
        await recovered(handle.keyspace.engine);
        return work();
      })
      .finally(() => handle.users.leave());
  }

  async #write(ops: readonly WriteOp[]): Promise<void> {
    const { handle } = this.lines;
    await this.#keyspace.format.raise();
    try {
      await this.#keyspace.writeAlone(ops);
    } catch (error) {
      // It may have been made all the same. The next writer reads the lines again, and their names.
      if (error instanceof StorageError) {
        handle.branchDoubts++;
        this.#keyspace.onWriteFailure?.(error);
      }
      throw error;
    }
  }
}

/**
 * A tag that has the name of a branch from before stays as it is.
 * @throws ConflictError `ALREADY_EXISTS` if a branch has the name of a new tag
 */
export async function checkTagName(
  lines: Lines<OpenLine>,
  name: string,
  present: () => Promise<Uint8Array | undefined>,
): Promise<void> {
  const isBranch = name === MAIN || (await lines.branchRecord(name)) !== undefined;
  if (isBranch && (await present()) === undefined) throw branchExists(lines.handle.keyspace.name, name, 'branch');
}

const notMerged = (repository: string, name: string, head: RevisionRecord): ConflictError =>
  new ConflictError(
    'BRANCH_NOT_MERGED',
    `branch ${name} of repository ${repository} has revisions that no other branch has; its head is ${head.number}: ` +
      'merge it first, or delete it by force',
    { details: { repository, branch: name, head: toRevision(head).id } },
  );

const otherHead = (repository: string, name: string, head: RevisionRecord): ConflictError =>
  new ConflictError(
    'REVISION_CONFLICT',
    `the head of branch ${name} of repository ${repository} is ${head.number} by now: it stays as it is`,
    { details: { repository, branch: name, head: toRevision(head).id } },
  );
