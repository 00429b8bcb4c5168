/**
 * A line of a repository in memory. It stages the commits, one at a time, each on the staged head; the group writer makes them durable; then
 * they are published. Nothing else stages, writes and publishes what the state consists of. A reader or writer uses one timeline
 * from its beginning to its end. A failed write, an erasure and an unload replace the timeline as a whole. So ids and rows of
 * different timelines are never mixed.
 */
import type { IdQuads } from '../index/quad-columns.js';
import { ConflictError } from '@quadrille/model';
import type { Mutex, QuadrilleError } from '@quadrille/model';
import { checkOps } from '@quadrille/storage';
import type { WriteOp } from '@quadrille/storage';
import type { TermDecoder } from '../dictionary/term-decoder.js';
import type { TermEncoder } from '../dictionary/term-encoder.js';
import type { Dictionary } from '../dictionary/dictionary.js';
import type { IndexVersion } from '../index/index-version.js';
import { POSG, SPOG } from '../index/orders.js';
import { LanePool, SeekerPool } from '../index/read/seeker-pool.js';
import type { RunNumbers } from '../index/run/run-session.js';
import type { KnownSettings, StoredSettings } from '../keyspace/stored-settings.js';
import type { Keyspace } from '../keyspace/keyspace.js';
import { notWritten } from '../keyspace/not-written.js';
import { Tag } from '../format/layout.js';
import { DIGEST_BYTES } from '../format/digest.js';
import { checkNumber, NEW_REPOSITORY } from '../format/numbers.js';
import type { Run } from '../index/run/run.js';
import type { EndedQuads, RevisionRecord, RunPayload } from '../revision/record.js';
import { encodeRecord } from '../revision/record.js';
import { NONCE_BYTES } from '../revision/record-fields.js';
import { RevisionStatistics } from '../revision/revision-statistics.js';
import { DistinctCounts } from '../index/statistics.js';
import type { Statistics } from '../index/statistics.js';
import type { Checkpoint, Checkpoints } from '../revision/checkpoints.js';
import { canFollow, revisionUuid } from '../revision/uuid.js';
import type { Env, Pacer } from '../runtime/env.js';
import { Gate } from '../runtime/gate.js';
import {
  applyDelta,
  type CommitMeta,
  type NextRevision,
  type SmallChange,
  type Staged,
  type Switch,
  type NetChange,
  type Found,
  type ProposedChange,
} from './change.js';
import type { CommitWriter, WrittenLine } from './group-writer.js';
import { RecentChanges } from './recent-changes.js';
import type { ManifestHead } from './manifest.js';
import { manifestOps } from './manifest.js';
import { SharedState } from './shared-state.js';
import type { State, StateChange } from './state.js';

const NO_OPS: readonly WriteOp[] = [];
/** Of a record that is being encoded. A copy of the record with its digest would cost as much as encoding it. */
const NOT_YET: Uint8Array = new Uint8Array(DIGEST_BYTES);

/** What a handle gives to each of its timelines. */
export interface RepositoryParts {
  readonly keyspace: Keyspace;
  readonly env: Env;
  /** Held while a commit is staged, not while it is written. */
  readonly writeLock: Mutex;
  /** Held by each flush, merge, rebuild and compaction of any line. It is taken before the write lock. */
  readonly maintenance: Mutex;
  /** Readers, writers and jobs. The repository stays in memory while there are any. */
  readonly users: Gate;
  readonly numbers: RunNumbers;
  /** Numbers of runs that the manifest does not name any more, but that readers still use. */
  readonly retiring: Set<number>;
  /** Whether an erasure is in effect that the storage did not let end. It still reads retired runs. Default false. */
  readonly erasureRests?: boolean;
  /** Called after each publication. */
  announce(): void;
  /** Waits until the memtable takes more rows; `undefined` if it takes them now. */
  room(): Promise<void> | undefined;
  /** Absent where they cannot be read. */
  readonly settings?: KnownSettings;
  /** Checks a change of a state before it is staged: see {@link Timeline.guard}. */
  guard(change: ProposedChange, on: Timeline): Promise<Found | undefined> | undefined;
}

/** Where a line begins. */
export interface LineBase {
  readonly timeline: Timeline;
  /** The last revision of the base that belongs to the line. */
  readonly fork: number;
  /** The rewrites of the base when the line was read. */
  readonly rewrites: number;
  /** The index version of the line over that of its base. */
  over(own: Pick<IndexVersion, 'runs' | 'memtables'>, base: IndexVersion): IndexVersion;
}

/** What a new timeline begins with, as it was read from the storage. */
export interface TimelineState {
  readonly dictionary: Dictionary;
  /** Lowest id of a term that no revision uses. Default: that of the published one. */
  readonly termMark?: number;
  readonly base?: LineBase | undefined;
  /** Default: that of the base, or a new one. */
  readonly shared?: SharedState;
  readonly index: IndexVersion;
  readonly statistics: Statistics;
  readonly published: RevisionRecord;
  readonly flushed: number;
  readonly checkpoints: Checkpoints;
  /** The number of values in which the manifest is stored. Default 1. */
  readonly manifestParts?: number;
}

export class Timeline implements WrittenLine {
  readonly keyspace: Keyspace;
  readonly env: Env;
  readonly users: Gate;
  readonly numbers: RunNumbers;
  readonly retiring: Set<number>;
  readonly maintenance: Mutex;
  /** Held while a commit is staged, not while it is written. */
  readonly writeLock: Mutex;
  /** The predicates that were changed since the line was read. */
  readonly recent: RecentChanges;
  readonly dictionary: Dictionary;
  readonly decoder: TermDecoder;
  /** What all lines of the repository share. */
  readonly shared: SharedState;
  /** The line on which this one begins; `undefined` for `main`. */
  readonly base: LineBase | undefined;
  /** The timelines of lines that begin on this one and are in memory. */
  readonly above = new Set<Timeline>();
  readonly lookups = new SeekerPool();
  /** The same, of lookups that also read revisions. */
  readonly datedLookups = new SeekerPool();
  /** Of seekers that look up many patterns. */
  readonly lanes = new LanePool();
  readonly revisionStatistics: RevisionStatistics;
  /**
   * Records of published revisions that were read most recently, by number. Readers often ask for the same revision
   * again.
   */
  readonly recentRecords = new Map<number, RevisionRecord>();
  /** Numbers of published revisions that were requested by UUID. */
  readonly recentNumbers = new Map<string, number>();
  /** The revision on which the next commit builds. It may not be durable yet. */
  staged: RevisionRecord;
  /** Statistics of the staged revision. */
  statistics: Statistics;
  /** The stored statistics on which the next ones build. */
  checkpoints: Checkpoints;
  /** Why nothing may be written any more, if the branch was deleted. */
  ended: QuadrilleError | undefined;
  /** The snapshots that are open. */
  readonly readers = new Gate();
  /** The error with which an erasure has ended them. */
  readersEnded: QuadrilleError | undefined;
  /** How often published revisions have got other records or were removed. */
  rewrites = 0;
  #state: State;
  #manifestParts: number;
  #lastStaged: Promise<unknown> | undefined;

  constructor(
    private readonly parts: RepositoryParts,
    state: TimelineState,
  ) {
    this.keyspace = parts.keyspace;
    this.env = parts.env;
    this.users = parts.users;
    this.numbers = parts.numbers;
    this.retiring = parts.retiring;
    this.maintenance = parts.maintenance;
    this.base = state.base;
    this.shared =
      state.shared ??
      state.base?.timeline.shared ??
      new SharedState(parts, state.dictionary, state.termMark ?? state.published.termMark);
    this.dictionary = this.shared.dictionary;
    this.decoder = this.shared.decoder;
    this.#state = { head: state.published, index: state.index, flushed: state.flushed };
    this.staged = state.published;
    this.statistics = state.statistics;
    this.checkpoints = state.checkpoints;
    this.#manifestParts = state.manifestParts ?? 1;
    this.revisionStatistics = new RevisionStatistics(this);
    this.writeLock = parts.writeLock;
    this.recent = new RecentChanges(this.staged.number);
  }

  /** What readers see. */
  get state(): State {
    return this.#state;
  }

  /** The newest durable revision. */
  get published(): RevisionRecord {
    return this.#state.head;
  }

  get index(): IndexVersion {
    return this.#state.index;
  }

  /** The small deltas up to this revision are in runs. */
  get flushed(): number {
    return this.#state.flushed;
  }

  get encoder(): TermEncoder {
    return this.shared.encoder;
  }

  set encoder(encoder: TermEncoder) {
    this.shared.encoder = encoder;
  }

  /** The changes under way that hold ids: see {@link SharedState}. */
  get changes(): Gate {
    return this.shared.changes;
  }

  get writer(): CommitWriter {
    return this.shared.writer;
  }

  /** The settings of the repository, which are read once; none where they cannot be read. */
  readSettings(): Promise<StoredSettings> {
    const { settings } = this.parts;
    return settings === undefined ? Promise.resolve({}) : settings.read();
  }

  /** Tells the repository of a publication. */
  announce(): void {
    this.parts.announce();
  }

  /** Waits until the memtable takes more rows; returns `undefined` if it takes them now. */
  room(): Promise<void> | undefined {
    return this.parts.room();
  }

  /**
   * Checks a change before it is staged, under the write lock. Returns `undefined` if nothing asks for that; rejects if
   * the change must not be made. `on`: the state that it changes, if not this one.
   */
  guard(change: ProposedChange, on: Timeline = this): Promise<Found | undefined> | undefined {
    return this.parts.guard(change, on);
  }

  takeTerms(): WriteOp[] {
    return this.dictionary.takeUnwritten();
  }

  /**
   * The error of a failed write. The state in memory may then be ahead of the storage, so nothing more is written
   * from it.
   */
  get failure(): unknown {
    return this.shared.failure;
  }

  set failure(error: unknown) {
    this.shared.failure = error;
  }

  /** The first revision that the line itself has made. */
  get firstOwn(): number {
    return this.base === undefined ? 1 : this.base.fork + 1;
  }

  /** For readers. @throws the error with which the repository or its readers were ended */
  check(): void {
    this.keyspace.check();
    if (this.readersEnded !== undefined) throw this.readersEnded;
  }

  /** @throws the error with which the repository was ended, or the error of the failed write */
  checkWritable(): void {
    this.keyspace.check();
    if (this.ended !== undefined) throw this.ended;
    this.checkFailure();
  }

  /** For maintenance, also of a deleted branch. @throws the error with which the repository was ended, or the error of the failed write */
  checkFailure(): void {
    this.keyspace.check();
    if (this.failure !== undefined) throw notWritten(this.failure);
  }

  /** The writes of the manifest as it would be now, with these runs. */
  manifestOps(runs: readonly Pick<Run, 'entry'>[], change: Partial<ManifestHead> = {}): WriteOp[] {
    const { flushed, checkpoints, keyspace, numbers } = this;
    const entries = runs.map(({ entry }) => entry);
    const root = { flushed, checkpoint: checkpoints.number, nextRun: numbers.next, runs: entries, ...change };
    const ops = manifestOps(keyspace, root, this.#manifestParts);
    this.#manifestParts = Math.max(this.#manifestParts, ops.length);
    return ops;
  }

  /** Estimated number of distinct subjects and objects by predicate. Adds up the runs, and leaves out the memtables. */
  distinctCounts(): DistinctCounts {
    const counts = new DistinctCounts();
    for (const { entry, table } of this.index.present(this.published.number).flatMap(({ index }) => index.runs)) {
      if (entry.order === SPOG) counts.add('subjects', table.distinct);
      else if (entry.order === POSG) counts.add('objects', table.distinct);
    }
    return counts;
  }

  /** Replaces the state. If nothing is staged after its head, the next commit builds on that. */
  publish(change: StateChange): void {
    const old = this.#state;
    const { head = old.head, index = old.index, flushed = old.flushed } = change;
    this.#state = { head, index, flushed };
    if (head.number >= this.staged.number) this.staged = head;
    if (change.statistics !== undefined) this.statistics = change.statistics;
    if (change.checkpoints !== undefined) this.checkpoints = change.checkpoints;
    if (index === old.index) return;
    for (const line of this.above) line.publish({ index: line.base!.over(line.index, index) });
    old.index.supersede();
  }

  // ── Commits and switches ────────────────────────────────────────────────────────────────────────────────────────

  /**
   * @throws the error of `meta.validate`; ConflictError `REVISION_CONFLICT` if the staged head is not
   * `meta.ifRevision`
   */
  checkCondition(meta: CommitMeta): void {
    meta.validate?.();
    const { staged } = this;
    if (meta.ifRevision === undefined || meta.ifRevision === staged.number) return;
    throw new ConflictError(
      'REVISION_CONFLICT',
      `the head is revision ${staged.number}, not ${meta.ifRevision}: read it and try again`,
      { details: { expected: meta.ifRevision, head: staged.number } },
    );
  }

  /**
   * Makes a revision of a small change: takes the write lock, and stages what `prepare` gives. Resolves to `undefined` if that gives nothing.
   * @throws the errors of {@link stage}
   */
  change(change: SmallChange): Promise<Staged | undefined> {
    const alone = (): Promise<Staged | undefined> => this.writeLock.run(() => this.stage(change));
    return this.room()?.then(alone) ?? alone();
  }

  /**
   * As {@link change}, under the write lock. The condition is checked first, because preparing may take long. Whether
   * something has failed is looked at again in the turn in which the revision is staged.
   * @throws StorageError `STORAGE_LIMIT`: what cannot be written would fail the other commits of its group. ConflictError `REVISION_CONFLICT`.
   * The error of a write that has failed
   */
  async stage({ meta, pacer, prepare, check, always = false }: SmallChange): Promise<Staged | undefined> {
    this.writeLock.assertHeld();
    this.checkCondition(meta);
    check?.();
    this.checkWritable();
    const due = this.#dueCheckpoint(pacer);
    const checkpoint = due && (await due);
    const prepared = prepare();
    const change = prepared instanceof Promise ? await prepared : prepared;
    if (change === undefined) return undefined;
    const guarded = this.guard(change);
    const found = guarded && (await guarded);
    if (meta.locked !== undefined) await meta.locked();
    check?.();
    this.checkWritable();
    const isEmpty = change.added.length + change.removed.length === 0;
    if (isEmpty && !always && meta.lineage?.kind !== 'merge') return { durable: this.#unchanged() };
    return { durable: this.#append(change, meta, checkpoint, found) };
  }

  #append(
    change: NetChange,
    meta: CommitMeta,
    checkpoint: Checkpoint | undefined,
    found: Found | undefined,
  ): Promise<RevisionRecord> {
    const next = this.nextRevision(change.added, change.removed, meta, found);
    const also = meta.also?.(next.record) ?? NO_OPS;
    checkOps(next.ops);
    checkOps(also);
    applyDelta(this.index.active, next.record);
    this.statistics.apply(change.added, 1);
    this.statistics.apply(change.removed, -1);
    if (checkpoint === undefined) return this.enqueue(next, also);
    this.checkpoints = checkpoint.checkpoints;
    return this.enqueue(next, [...this.checkpointOps(checkpoint, this.index.runs), ...also]);
  }

  /**
   * The one door to all changes that are no small commit, under the write lock. Waits until nothing is staged, and prepares the change. In
   * the turn of the write it looks again whether another one has failed. `undefined` from `prepare` ends it without effect.
   * @returns whether the change was made
   * @throws the error of a write that has failed
   */
  async switch(prepare: () => Promise<Switch | undefined>): Promise<boolean> {
    this.writeLock.assertHeld();
    await this.drain();
    this.checkFailure();
    const change = await prepare();
    if (change === undefined) return false;
    const { ops, next } = change;
    const publish = (): void => this.publish(change.publish());
    if (next === undefined) {
      this.checkFailure();
      await this.keyspace.write(ops);
      publish();
    } else await this.enqueue(next, ops, publish);
    return true;
  }

  // A commit without a net change makes no revision. It resolves when the head that it has seen is durable.
  async #unchanged(): Promise<RevisionRecord> {
    const head = this.staged;
    if (head.number > this.published.number) await this.settled();
    const { turns } = this.writer;
    if (turns.due()) await turns.pause();
    this.checkWritable();
    return head;
  }

  /** The statistics of the staged head, if a checkpoint is due. */
  #dueCheckpoint(pacer: Pacer): Promise<Checkpoint> | undefined {
    const { checkpoints, statistics, staged } = this;
    const { checkpointRevisions, wholeStatistics } = this.keyspace.tuning;
    if (staged.number - checkpoints.number < checkpointRevisions) return undefined;
    return checkpoints.next(staged.number, statistics, wholeStatistics, pacer);
  }

  /** The writes of a statistics checkpoint, and of the manifest that names it and these runs. The line has the checkpoint when they are made. */
  checkpointOps({ number, encoded }: Checkpoint, runs: readonly Run[]): WriteOp[] {
    this.writeLock.assertHeld();
    const { keyspace } = this;
    return [
      ...keyspace.putParts(encoded, (part) => keyspace.key(Tag.statistics, number, part)),
      ...this.manifestOps(runs, { checkpoint: number }),
    ];
  }

  /**
   * Builds the revision that follows the staged head. `large` gives the counts of a change whose delta is in runs.
   * @throws StorageError `STORAGE_LIMIT` if there is no number for it
   */
  nextRevision(
    added: IdQuads,
    removed: EndedQuads,
    meta: CommitMeta,
    found?: Found,
    large?: { payload: RunPayload; addedCount: number; removedCount: number },
  ): NextRevision {
    const { staged } = this;
    const addedCount = large?.addedCount ?? added.length;
    const removedCount = large?.removedCount ?? removed.length;
    const time = Math.max(this.env.now(), staged.time);
    // All members are listed: a spread of this many makes an object that is several times slower to make and to read.
    const made = {
      form: 2 as const,
      rewritten: false,
      kind: meta.lineage?.kind ?? 'commit',
      mergedParent: meta.lineage?.mergedParent,
      origin: meta.lineage?.origin,
      violations: found?.violations,
      nonce: this.env.random(new Uint8Array(NONCE_BYTES)),
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
      termMark: this.dictionary.nextId,
      added,
      removed,
      payload: large?.payload,
      parentDigest: staged.digest,
      digest: NOT_YET,
    };
    const record = meta.describe === undefined ? made : { ...meta.describe(made), digest: NOT_YET };
    checkNumber(record.number, `revisions of repository ${this.keyspace.name}`, NEW_REPOSITORY);
    const { bytes, digest } = encodeRecord(record);
    record.digest = digest;
    return { record, ops: this.keyspace.recordOps(record, bytes) };
  }

  #nextId(time: number, wanted: Uint8Array | undefined): Uint8Array {
    const { env, staged } = this;
    if (wanted !== undefined && canFollow(wanted, staged.id, time)) return wanted;
    return revisionUuid(env, time, staged.id);
  }

  /**
   * Stages a revision and hands it to the group writer. `more` belongs in its batch; `onPublish` makes it visible. A write
   * that has failed since the caller looked ends it here: the revision would follow one that was never written.
   */
  private enqueue(next: NextRevision, more: readonly WriteOp[], onPublish?: () => void): Promise<RevisionRecord> {
    this.writeLock.assertHeld();
    this.checkWritable();
    const { record } = next;
    this.staged = record;
    this.recent.note(record);
    const ops = more.length === 0 ? next.ops : [...next.ops, ...more];
    let bytes = 0;
    for (const op of ops) if (op.type === 'put') bytes += op.value.length;
    const staged = new Promise<RevisionRecord>((resolve, reject) => {
      this.writer.push({ line: this, record, ops, bytes, onPublish, resolve, reject });
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
    return this.writer.drain();
  }
}
