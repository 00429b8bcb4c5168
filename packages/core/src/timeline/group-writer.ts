/**
 * Writes the staged commits of a repository, of all its lines, in the sequence in which they were staged. Commits that
 * wait at the same time share one durable write. Terms of one line may be in the batch of another, so a commit is
 * never written before those staged earlier.
 */
import { StorageError } from '@quadrille/model';
import type { WriteOp } from '@quadrille/storage';
import { uuidText } from '../revision/uuid.js';
import { Tag } from '../format/layout.js';
import type { Keyspace } from '../keyspace/keyspace.js';
import { isUnknown, notWritten } from '../keyspace/not-written.js';
import type { RevisionRecord } from '../revision/record.js';
import { encodeHead } from '../revision/record.js';
import type { Env } from '../runtime/env.js';
import { Pacer } from '../runtime/env.js';

/** Largest size of the commits in one write, in bytes. */
const GROUP_BYTES = 1024 * 1024;

/** Commits in a row hold the event loop for about this long, in milliseconds, where the storage never waits. */
export const TURN_MS = 10;

/** The line of a staged commit. */
export interface WrittenLine {
  readonly keyspace: Keyspace;
  publish(change: { readonly head: RevisionRecord }): void;
  failure: unknown;
  /** Called after each publication. */
  announce(): void;
  /** The writes of the terms that have not been written yet. */
  takeTerms(): WriteOp[];
}

export interface StagedCommit {
  readonly line: WrittenLine;
  readonly record: RevisionRecord;
  readonly ops: readonly WriteOp[];
  readonly bytes: number;
  readonly onPublish: (() => void) | undefined;
  readonly resolve: (record: RevisionRecord) => void;
  readonly reject: (error: unknown) => void;
}

/** What takes the staged commits of a line. */
export interface CommitWriter {
  /** Paces commits that change nothing. */
  readonly turns: Pacer;
  push(commit: StagedCommit): void;
  drain(): Promise<void>;
}

export class GroupWriter implements CommitWriter {
  /** Lowest id of a term that no published revision uses. */
  termMark: number;
  #waiting: StagedCommit[] = [];
  /** Number of commits in the last group. */
  #last = 0;
  #writing: Promise<void> | undefined;
  // Storage that answers at once never lets the event loop turn: timers, sockets and a backup would wait for a caller
  // who makes commits in a loop.
  readonly turns: Pacer;

  constructor(env: Env, termMark: number) {
    this.turns = new Pacer(env, TURN_MS);
    this.termMark = termMark;
  }

  /** Hands over a commit. */
  push(commit: StagedCommit): void {
    this.#waiting.push(commit);
    this.#writing ??= this.#writeAll();
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      // Those who were answered last commit again at once: otherwise the first of them would go alone, and the others after it.
      const { remote } = this.#waiting[0]!.line.keyspace.engine.capabilities;
      if (remote === true || this.#last > 1) await this.turns.pause();
      const group = this.#takeGroup();
      this.#last = group.length;
      let sent = false;
      try {
        const { format } = group[0]!.line.keyspace;
        const raising = format.raise();
        if (raising !== undefined) await raising;
        // Another write of the repository may have failed since these were staged.
        if (group[0]!.line.failure !== undefined) throw group[0]!.line.failure;
        sent = true;
        await this.#write(group);
      } catch (error) {
        // Revisions that were staged on top of a failed write can never be published. All of them fail, and a new
        // timeline is read.
        group[0]!.line.failure = error;
        // `push` keeps the promise of all this. So it must not end in the turn of that call.
        await undefined;
        const waiting = this.#waiting;
        this.#waiting = [];
        for (const { record, reject } of group) reject(sent ? perhapsThere(record, error) : notWritten(error));
        for (const { reject } of waiting) reject(notWritten(error));
      }
      if (this.turns.due()) await this.turns.pause();
    }
    this.#writing = undefined;
  }

  #takeGroup(): StagedCommit[] {
    let bytes = 0;
    let count = 0;
    while (count < this.#waiting.length && (count === 0 || bytes + this.#waiting[count]!.bytes <= GROUP_BYTES)) {
      bytes += this.#waiting[count++]!.bytes;
    }
    return this.#waiting.splice(0, count);
  }

  async #write(group: readonly StagedCommit[]): Promise<void> {
    const heads = new Map<WrittenLine, RevisionRecord>();
    // Taken in the turn of the write: a flush that wrote them meanwhile must not be overwritten.
    const ops = group[0]!.line.takeTerms();
    for (const commit of group) {
      heads.set(commit.line, commit.record);
      for (const op of commit.ops) ops.push(op);
    }
    for (const [{ keyspace }, head] of heads)
      ops.push({ type: 'put', key: keyspace.key(Tag.head), value: encodeHead(head) });
    await group[0]!.line.keyspace.write(ops);
    for (const commit of group) commit.onPublish?.();
    for (const [line, head] of heads) {
      line.publish({ head });
      this.termMark = Math.max(this.termMark, head.termMark);
    }
    for (const commit of group) commit.resolve(commit.record);
    for (const line of heads.keys()) line.announce();
  }

  /** Resolves when all commits are durable or have failed, also those that are staged meanwhile. */
  async drain(): Promise<void> {
    while (this.#writing !== undefined) await this.#writing;
  }
}

/** The error of a commit whose write has failed. Names the revision, so that the caller can look for it. */
function perhapsThere({ id }: RevisionRecord, error: unknown): unknown {
  if (!isUnknown(error)) return error;
  const revision = uuidText(id);
  return new StorageError(
    'COMMIT_UNKNOWN',
    `The store did not say whether revision ${revision} is there. Look for this id before you repeat the change.`,
    { cause: error, details: { revision } },
  );
}
