/**
 * Stages the commits of a line, one at a time, each on the staged head. The group writer makes them durable. Then they
 * are published and acknowledged.
 */
import { ConflictError } from '@quadrille/model';
import type { Mutex } from '@quadrille/model';
import { checkOps } from '@quadrille/storage';
import type { WriteOp } from '@quadrille/storage';
import { FOREVER, Tag } from '../format/layout.js';
import type { Dictionary } from '../dictionary/dictionary.js';
import type { IndexVersion, Memtable } from '../index/index-version.js';
import type { NetChange } from './net-change.js';
import { RecentChanges } from './recent-changes.js';
import type { EndedQuads, IdQuads, RevisionRecord, RunPayload } from '../revision/record.js';
import { encodeRecord } from '../revision/record.js';
import type { Lineage } from '../revision/record-fields.js';
import { NONCE_BYTES } from '../revision/record-fields.js';
import { canFollow, revisionUuid } from '../revision/uuid.js';
import type { Run } from '../index/run/run.js';
import type { Keyspace } from '../keyspace/keyspace.js';
import type { Statistics } from '../revision/statistics.js';
import type { Env } from '../runtime/env.js';
import type { Pacer } from '../runtime/env.js';
import type { GroupWriter } from './group-writer.js';

/** A record whose digest is not computed yet. */
export type RevisionBody = Omit<RevisionRecord, 'digest'>;

/** The checked description of a commit. */
export interface CommitMeta {
  readonly author?: string | undefined;
  readonly message?: string | undefined;
  /** The UUID of the revision, if it can follow the head's. */
  readonly id?: Uint8Array | undefined;
  /** Number that the head must have. Otherwise the commit fails with `REVISION_CONFLICT`. */
  readonly ifRevision?: number | undefined;
  /** Throws if the commit may not follow the staged head. Called under the write lock. */
  readonly validate?: (() => void) | undefined;
  /** Called under the write lock, before {@link also}. */
  readonly locked?: (() => Promise<void>) | undefined;
  /** For imported histories: replaces the description of the revision, or throws if the revision must not be. */
  readonly describe?: ((body: RevisionBody) => RevisionBody) | undefined;
  /** How the revision was made, if not by an ordinary commit. A merge is a revision even where no quad changes. */
  readonly lineage?: Lineage | undefined;
  /** Further writes for the batch that publishes the revision. They take precedence over those of its record. */
  readonly also?: ((record: RevisionRecord) => readonly WriteOp[]) | undefined;
}

/** The part of a generation that the committer reads and changes. */
export interface CommitState {
  readonly keyspace: Keyspace;
  readonly env: Env;
  readonly dictionary: Dictionary;
  readonly index: IndexVersion;
  readonly statistics: Statistics;
  published: RevisionRecord;
  staged: RevisionRecord;
  checkpoint: number;
  failure: unknown;
  readonly onPublished: (() => void) | undefined;
  /** Writes the commits of all lines. */
  readonly writer: GroupWriter;
  encodeRoot(runs: readonly Run['entry'][]): Uint8Array;
}

/** The revision that follows the staged head, and its encoded record. */
export interface NextRevision {
  readonly record: RevisionRecord;
  /** The writes of its record. */
  readonly ops: readonly WriteOp[];
}

/** Encoded statistics of a revision. */
export interface Checkpoint {
  readonly number: number;
  readonly encoded: Uint8Array;
}

export class Committer {
  #lastStaged: Promise<unknown> | undefined;
  /** The predicates that were changed since the generation was opened. */
  readonly recent: RecentChanges;

  constructor(
    private readonly state: CommitState,
    /** Held while a commit is staged, not while it is written. */
    readonly writeLock: Mutex,
  ) {
    this.recent = new RecentChanges(state.staged.number);
  }

  /**
   * @throws the error of `meta.validate`; ConflictError `REVISION_CONFLICT` if the staged head is not
   * `meta.ifRevision`
   */
  checkCondition(meta: CommitMeta): void {
    meta.validate?.();
    const { staged } = this.state;
    if (meta.ifRevision === undefined || meta.ifRevision === staged.number) return;
    throw new ConflictError(
      'REVISION_CONFLICT',
      `the head is revision ${staged.number}, not ${meta.ifRevision}: read it and try again`,
      { details: { expected: meta.ifRevision, head: staged.number } },
    );
  }

  /**
   * Stages a small change, which must be net against the staged head. The caller holds the write lock. Resolves when
   * the change is durable. Refuses here what cannot be written, because it would fail the other commits of its group.
   * @throws StorageError `STORAGE_LIMIT`
   */
  stage(change: NetChange, meta: CommitMeta, checkpoint?: Checkpoint): Promise<RevisionRecord> {
    const { state } = this;
    if (change.added.length + change.removed.length === 0 && meta.lineage?.kind !== 'merge') return this.#unchanged();
    const next = this.nextRevision(change.added, change.removed, meta);
    const also = meta.also?.(next.record) ?? [];
    checkOps(next.ops);
    if (also.length > 0) checkOps(also);
    applyDelta(state.index.active, next.record);
    state.statistics.apply(change.added, 1);
    state.statistics.apply(change.removed, -1);
    const checkpointOps = checkpoint === undefined ? [] : this.checkpointOps(checkpoint, state.index.runs);
    return this.enqueue(next, [...checkpointOps, ...also]);
  }

  // A commit without a net change makes no revision. It resolves when the head that it has seen is durable.
  async #unchanged(): Promise<RevisionRecord> {
    const head = this.state.staged;
    if (head.number > this.state.published.number) await this.settled();
    const { turns } = this.state.writer;
    if (turns.due()) await turns.pause();
    if (this.state.failure !== undefined) throw this.state.failure;
    return head;
  }

  /** The statistics of the staged head, if a checkpoint is due. The caller holds the write lock. */
  dueCheckpoint(pacer: Pacer): Promise<Checkpoint> | undefined {
    const { state } = this;
    const { number } = state.staged;
    const due = Math.max(state.keyspace.tuning.checkpointRevisions, state.statistics.entries / 16);
    if (number - state.checkpoint < due) return undefined;
    return state.statistics.encode(pacer).then((encoded) => ({ number, encoded }));
  }

  /** The writes of a statistics checkpoint, and of the manifest that names it and these runs. */
  checkpointOps({ number, encoded }: Checkpoint, runs: readonly Run[]): WriteOp[] {
    const { state } = this;
    const { keyspace } = state;
    state.checkpoint = number;
    return [
      ...keyspace.putParts(encoded, (part) => keyspace.key(Tag.statistics, number, part)),
      { type: 'put', key: keyspace.key(Tag.root), value: state.encodeRoot(runs.map((run) => run.entry)) },
    ];
  }

  /** Builds the revision that follows the staged head. `large` gives the counts of a change whose delta is in runs. */
  nextRevision(
    added: IdQuads,
    removed: EndedQuads,
    meta: CommitMeta,
    large?: { payload: RunPayload; addedCount: number; removedCount: number },
  ): NextRevision {
    const { state } = this;
    const { staged } = state;
    const addedCount = large?.addedCount ?? added.length;
    const removedCount = large?.removedCount ?? removed.length;
    const time = Math.max(state.env.now(), staged.time);
    // All members are listed: a spread of this many makes an object that is several times slower to make and to read.
    const made: RevisionBody = {
      version: 2,
      kind: meta.lineage?.kind ?? 'commit',
      mergedParent: meta.lineage?.mergedParent,
      origin: meta.lineage?.origin,
      nonce: state.env.random(new Uint8Array(NONCE_BYTES)),
      integrity: undefined,
      signature: undefined,
      number: staged.number + 1,
      id: this.#nextId(time, meta.id),
      parentId: staged.id,
      time,
      author: meta.author,
      message: meta.message,
      addedCount,
      removedCount,
      size: staged.size + addedCount - removedCount,
      termMark: state.dictionary.nextId,
      added,
      removed,
      payload: large?.payload,
      parentDigest: staged.digest,
    };
    const body = meta.describe?.(made) ?? made;
    const { bytes, digest } = encodeRecord(body);
    return { record: { ...body, digest }, ops: state.keyspace.recordOps(body, bytes) };
  }

  #nextId(time: number, wanted: Uint8Array | undefined): Uint8Array {
    const { env, staged } = this.state;
    if (wanted !== undefined && canFollow(wanted, staged.id, time)) return wanted;
    return revisionUuid(env, time, staged.id);
  }

  /** Stages a revision and hands it to the group writer. `more` belongs in its batch; `onPublish` makes it visible. */
  enqueue(next: NextRevision, more: readonly WriteOp[], onPublish?: () => void): Promise<RevisionRecord> {
    const { state } = this;
    const { record } = next;
    state.staged = record;
    this.recent.note(record);
    const ops: WriteOp[] = [...state.dictionary.takeUnwritten(), ...next.ops, ...more];
    const bytes = ops.reduce((sum, op) => sum + (op.type === 'put' ? op.value.length : 0), 0);
    const staged = new Promise<RevisionRecord>((resolve, reject) => {
      state.writer.push({ line: state, record, ops, bytes, onPublish, resolve, reject });
    });
    this.#lastStaged = staged;
    return staged;
  }

  /** Resolves when what is staged now is durable or has failed. Later commits do not delay it. */
  async settled(): Promise<void> {
    await this.#lastStaged?.catch(() => undefined);
  }

  /** Resolves when all commits of the repository are durable or have failed, also those that are staged meanwhile. */
  drain(): Promise<void> {
    return this.state.writer.drain();
  }
}

/** Applies the delta of a record to a memtable. Commits use it, and the replay of the log. */
export function applyDelta(memtable: Memtable, record: Pick<RevisionRecord, 'number' | 'added' | 'removed'>): void {
  const { added, removed, number } = record;
  for (let i = 0; i < removed.length; i++) {
    const [s, p, o, g, from] = [removed.s[i]!, removed.p[i]!, removed.o[i]!, removed.g[i]!, removed.from[i]!];
    const row = memtable.added.latest(s, p, o, g);
    if (row !== -1 && memtable.added.columns[4][row] === from) memtable.added.end(row, number);
    else memtable.removed.add(s, p, o, g, from, number);
  }
  for (let i = 0; i < added.length; i++) {
    memtable.added.add(added.s[i]!, added.p[i]!, added.o[i]!, added.g[i]!, number, FOREVER);
  }
}
