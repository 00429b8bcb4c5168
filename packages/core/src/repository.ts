/** One repository: snapshots read its revisions; commits, loads and transactions add revisions. */
import { type IdQuads, NO_QUADS } from './index/quad-columns.js';
import type * as RDF from '@rdfjs/types';
import type { BulkLoader, BulkLoadOptions } from './write/bulk-load/bulk-load.js';
import { toHex } from './format/byte-codec.js';
import { InvalidArgumentError, NotFoundError } from '@quadrille/model';
import type { LazySequence } from '@quadrille/model';
import type { Branches } from './branch/branches.js';
import type { Lines } from './branch/lines.js';
import type { Place } from './branch/diff-across.js';
import type { MergeChoice, Merger } from './branch/merge.js';
import type { CoreMergePreview } from './branch/preview-merge.js';
import { type EndSignal, Pacer } from './runtime/env.js';
import type { Candidate } from './write/candidate.js';
import type { CommitMeta, Found } from './timeline/change.js';
import { commitIds, commitQuads } from './write/commit.js';
import { checkCommitInfo } from './write/commit-info.js';
import { Tag } from './format/layout.js';
import { RepositoryMaintenance } from './repository-maintenance.js';
import type { RepositoryMetadata } from './catalogue/repository-metadata.js';
import { NamedValues } from './catalogue/named-values.js';
import { checkQuads, quadIds } from './dictionary/encode-quads.js';
import type { SettingsChange } from './write/change-settings.js';
import type { StoredSettings } from './keyspace/stored-settings.js';
import type { OpenRepositories } from './open/pool.js';
import { RepositoryAccess } from './open/repository-access.js';
import type { RepositoryHandle } from './open/handle.js';
import type { Revision, RevisionRecord } from './revision/record.js';
import { toRevision } from './revision/record.js';
import type { Ref } from './timeline/refs.js';
import { uuidText } from './revision/uuid.js';
import type { Bytes, StorageEngine, WriteOp } from '@quadrille/storage';
import { followRepository } from './follow/follow-repository.js';
import type { FollowStep } from './follow/follower.js';
import type { TouchedRepository } from './follow/touched.js';
import {
  isTrimmed,
  mayBeElsewhere,
  notInHistory,
  resolveRef,
  resolveRefAtOnce,
  tryResolveRef,
} from './timeline/refs.js';
import { parseUuid } from './revision/uuid.js';
import { recordOps } from './catalogue/service-records.js';
import type { RecordChange } from './catalogue/service-records.js';
import type { DiffEntry } from './read/diff-quads.js';
import { EntryReader } from './read/entry-reader.js';
import type { EntrySource } from './read/entry-reader.js';
import type { LogFilter } from './read/filtered-log.js';
import { RepositoryHistory } from './repository-history.js';
import { Snapshot } from './read/snapshot.js';
import type { EmbedTexts } from './write/embed-new.js';
import type { TermPattern } from './read/snapshot.js';
import type { PatchRows, PatchRowsOptions } from './write/patch/patch-rows.js';
import type { StagedTransaction } from './write/transaction/transaction.js';

const ID_BYTES = 16;

/** The caller's description of a commit. Every member is optional. */
export interface CommitInfo {
  /** The author of the change. */
  readonly author?: string | undefined;
  /** Why the change is made. */
  readonly message?: string | undefined;
  /** The head that the commit requires. */
  readonly ifRevision?: Ref | undefined;
  /** The UUID of the revision. An id that cannot follow the head's id is ignored, and the commit gets a new one. */
  readonly id?: string | undefined;
  /** The id of the patch that the commit applies. {@link Repository.revisionOfPatch} finds the revision by it. */
  readonly patch?: string | undefined;
  /**
   * Records of the server that the commit writes in the batch of its revision: both become durable, or neither does.
   */
  readonly records?: ((revision: Revision) => readonly RecordChange[]) | undefined;
}

export interface TransactionOptions {
  /**
   * Whether the transaction can be committed on a newer head, if no commit since its base has changed quads that it
   * has read. Default false.
   */
  readonly rebases?: boolean | undefined;
  /** Aborts the changes of the transaction, and its commit until the revision is staged. */
  readonly signal?: EndSignal | undefined;
}

/** Code of transactions, loads and removals. Each import of a module takes microseconds, also of one that is loaded. */
let transactions: typeof import('./write/transaction/transaction.js') | undefined;
let onRequest: typeof import('./on-request.js') | undefined;

/** The repositories, on their lines, of records that were found on another line than the caller's. */
const owners = new WeakMap<RevisionRecord, Repository>();

/** The ids of revisions, and one more behind them. */
function withId(ids: Bytes | undefined, id: Bytes): Bytes {
  const all = new Uint8Array((ids?.length ?? 0) + ID_BYTES);
  if (ids !== undefined) all.set(ids);
  all.set(id, all.length - ID_BYTES);
  return all;
}

/** A repository, on one of its branches: reading, writing and its history by terms and ids. */
export class Repository {
  /** Prefix → IRI, as UTF-8. */
  readonly namespaces: NamedValues;
  /** Name → revision id, 16 bytes. */
  readonly tags: NamedValues;
  /** Name → where another copy is, JSON. */
  readonly remotes: NamedValues;
  /** Id of a patch → ids of the revisions that have applied it, 16 bytes each. */
  readonly #patches: NamedValues;
  /** Its revisions and their changes. */
  readonly history: RepositoryHistory;
  /** Checks, compaction and rebuilding. */
  readonly maintenance: RepositoryMaintenance<Repository>;
  readonly #access: RepositoryAccess;
  #lines: Lines<Repository> | undefined;
  #blankPrefix = '';
  #loads = 0;

  constructor(
    /** `account/repository`. */
    readonly name: string,
    /** Its identity, whether it is in memory, unloaded or deleted. */
    readonly handle: RepositoryHandle,
    /** The catalogue record of the repository: its title and other metadata. */
    readonly metadata: RepositoryMetadata,
    /** Of a branch: the lines of its repository. Of a repository: where its lines are kept while they are in memory. */
    private readonly pooled?: {
      readonly lines?: Lines<Repository> | undefined;
      readonly pool?: Pick<OpenRepositories<Repository>, 'add' | 'discard' | 'forget'>;
    },
  ) {
    const { keyspace } = handle;
    this.namespaces = new NamedValues(keyspace, keyspace.key(Tag.namespace));
    this.tags = new NamedValues(keyspace, keyspace.key(Tag.tag));
    this.remotes = new NamedValues(keyspace, keyspace.key(Tag.remote));
    this.#patches = new NamedValues(keyspace, keyspace.key(Tag.patch));
    this.#access = new RepositoryAccess(handle, async (keyspace, termMark, env) => {
      const { truncateTerms } = await import('./on-request.js');
      return truncateTerms(keyspace, termMark, env);
    });
    const resolve = (ref: Ref): Promise<RevisionRecord> => this.resolve(ref);
    this.history = new RepositoryHistory(handle, resolve);
    this.maintenance = new RepositoryMaintenance(handle, this.#access, () => this.lines(), resolve);
  }

  /**
   * The lines of history of the repository, which all its branches share. Loaded with the first call.
   */
  async lines(): Promise<Lines<Repository>> {
    if (this.pooled?.lines !== undefined) return this.pooled.lines;
    const { Lines: Loaded } = await import('./on-request.js');
    return (this.#lines ??= new Loaded<Repository>(this, {
      make: (handle) => {
        const repository = new Repository(this.name, handle, this.metadata, { lines: this.#lines });
        this.pooled?.pool?.add(repository);
        return repository;
      },
      forget: (handle) => this.pooled?.pool?.forget(handle.key),
      discard: (line) => this.pooled?.pool?.discard(line) ?? true,
    }));
  }

  /** Reads what another process has written. Only for the repository itself, which stays in memory until `end`. */
  follow(view: StorageEngine, touched: TouchedRepository): Promise<FollowStep> {
    return followRepository(this.handle, () => this.#lines, view, touched);
  }

  /** Its branches: lists, creates and deletes them. */
  async branches(): Promise<Branches<Repository>> {
    const lines = await this.lines();
    const { Branches: Loaded, isMergedIn } = await import('./on-request.js');
    return new Loaded(lines, isMergedIn(lines));
  }

  /**
   * Tags a revision. Under the write lock: a trim or a new branch could otherwise come between the look and the write.
   * @throws ConflictError `ALREADY_EXISTS` if a branch has the name
   */
  async setTag(name: string, ref: Ref): Promise<Revision> {
    const { checkTagName } = await import('./on-request.js');
    const lines = await this.lines();
    return this.handle.writeLock.run(async () => {
      const record = await this.locate(ref);
      await checkTagName(lines, name, () => this.tags.get(name));
      await this.tags.set(name, record.id);
      return toRevision(record);
    });
  }

  /** The settings of the owner. */
  settings(): Promise<StoredSettings> {
    return this.handle.readSettings();
  }

  /**
   * Gives the literals their vectors that the settings ask a function for, at all revisions of the line so far.
   * @throws InvalidArgumentError `INVALID_VECTOR` for what is no vector, and errors of the function; what was done before stays
   */
  async embedNew(embed: EmbedTexts, isEnded: () => boolean): Promise<void> {
    const { handle } = this;
    // Not as a writer: the function may take long.
    handle.users.enter();
    try {
      await this.ready();
      await (await import('./write/embed-new.js')).embedNew(handle, embed, isEnded);
    } finally {
      handle.users.leave();
    }
  }

  /** The share of all terms that the indexes have, from 0 to 1. */
  async searchProgress(): Promise<number> {
    const { searchProgress } = await import('./maintenance/search-progress.js');
    if (this.handle.keyspace.readOnly) return this.#access.using(searchProgress);
    const { timeline, leave } = await this.#access.enter();
    try {
      return await searchProgress(timeline);
    } finally {
      await leave();
      this.handle.scheduler.start();
    }
  }

  /** Changes the settings between two commits. Returns them as they are then. */
  async changeSettings(change: SettingsChange): Promise<StoredSettings> {
    const { changeSettings } = await import('./on-request.js');
    const settings = await changeSettings(this.handle, this.#access, change);
    // An index that they ask for is begun.
    this.handle.announce();
    return settings;
  }

  /** Checks with this each change from now on, while the settings name shapes. */
  guardWith(check: (candidate: Candidate, settings: StoredSettings) => Promise<Found | undefined>): void {
    this.handle.root.checkShapes = async (timeline, change, settings) => {
      const { Candidate: Made } = await import('./on-request.js');
      const candidate = new Made(timeline, change);
      try {
        return await check(candidate, settings);
      } finally {
        candidate.close();
      }
    };
  }

  /** The newest published revision. While the repository is unloaded, the record has no delta. */
  get head(): RevisionRecord {
    return this.handle.head;
  }

  /** The newest revision. */
  get revision(): Revision {
    return toRevision(this.head);
  }

  /** Name of the branch. Empty for a line whose branch was deleted. */
  get branchName(): string {
    return this.handle.branch ?? '';
  }

  /**
   * Loads the repository into memory if it is unloaded. Returns `undefined` if it is in memory; otherwise a promise.
   * After that it stays in memory until the event loop's next turn. Methods that return a promise call this
   * themselves.
   */
  ready(): Promise<void> | undefined {
    return this.handle.ready();
  }

  /** A snapshot of the newest revision. The repository must be in memory: call {@link ready} first. */
  snapshot(): Snapshot {
    return this.snapshotOf(this.handle.head);
  }

  /** A snapshot of the revision of this record. The repository must be in memory: call {@link ready} first. */
  snapshotOf(record: RevisionRecord): Snapshot {
    const owner = owners.get(record);
    if (owner !== undefined && owner !== this) return owner.snapshotOf(record);
    this.handle.check();
    return new Snapshot(this.handle.timeline, record);
  }

  /** The repository, on the line of a record that {@link locate} has found. */
  ownerOf(record: RevisionRecord): Repository {
    return owners.get(record) ?? this;
  }

  /** A snapshot of the revision that `ref` names. Loads the repository into memory if necessary. */
  async snapshotAt(ref: Ref): Promise<Snapshot> {
    const record = await this.locate(ref);
    await this.ownerOf(record).ready();
    return this.snapshotOf(record);
  }

  /** Like {@link resolve}, without waiting. Returns `undefined` if the answer must be read from the storage. */
  tryResolve(ref: Ref): RevisionRecord | undefined {
    const { handle } = this;
    handle.check();
    return handle.inMemory ? tryResolveRef(handle.timeline, ref) : undefined;
  }

  /**
   * Like {@link locate}, without waiting. Returns `undefined` if the answer cannot be given at once: the repository is not in memory, the
   * storage must be waited for, or other branches must be asked.
   */
  locateAtOnce(ref: Ref): RevisionRecord | undefined {
    const { handle } = this;
    handle.check();
    if (!handle.inMemory) return undefined;
    try {
      return resolveRefAtOnce(handle.timeline, ref);
    } catch (error) {
      if (mayBeElsewhere(error)) return undefined;
      throw error;
    }
  }

  /** The record of the revision that a ref names. It is in the history of this branch. */
  async resolve(ref: Ref): Promise<RevisionRecord> {
    const record = await this.locate(ref);
    if (this.ownerOf(record) === this) return record;
    // This branch may have had it before a trim.
    const own: unknown = await resolveRef(this.handle.timeline, ref).catch((error: unknown) => error);
    throw isTrimmed(own) ? own : notInHistory(this.name, ref);
  }

  /**
   * The record of the revision that a ref names, on any line of the repository. It is only good for {@link snapshotOf}
   * and {@link ownerOf}, because other lines have other revisions of the same number.
   */
  async locate(ref: Ref): Promise<RevisionRecord> {
    const ready = this.ready();
    if (ready !== undefined) await ready;
    try {
      return await resolveRef(this.handle.timeline, ref);
    } catch (error) {
      if (!mayBeElsewhere(error)) throw error;
      const { locateElsewhere } = await import('./on-request.js');
      const { on, record } = await locateElsewhere(await this.lines(), this, ref, error);
      if (on !== this) owners.set(record, on);
      return record;
    }
  }

  /** The changes from one revision to another, in batches, with a pattern those that match. The records are from {@link locate}. */
  diff(from: RevisionRecord, to: RevisionRecord, pattern?: TermPattern, signal?: EndSignal): LazySequence<DiffEntry[]> {
    const [first, second] = [this.ownerOf(from), this.ownerOf(to)];
    if (first === second) return first.history.diff(from.number, to.number, pattern, signal);
    const open = async (): Promise<EntrySource<DiffEntry>> => {
      const { quadsAcross } = await import('./on-request.js');
      await first.ready();
      await second.ready();
      const [left, right] = [first.handle.timeline, second.handle.timeline];
      return quadsAcross({ timeline: left, record: from }, { timeline: right, record: to }, signal);
    };
    return new EntryReader(open, pattern);
  }

  /** The revisions of all branches, the newest first, each before its parents. */
  async *graphLog(
    before: Ref | undefined,
    filter: Pick<LogFilter, 'author' | 'message'>,
    signal?: AbortSignal,
  ): AsyncGenerator<Revision> {
    const { graphLog } = await import('./on-request.js');
    const from = before === undefined ? undefined : await this.locate(before);
    yield* graphLog(await this.lines(), from, filter, signal);
  }

  /** Merges a revision of another branch. Returns the head if its history has the revision already. */
  async merge(ref: Ref, choice: Omit<MergeChoice, 'functional'>, info: CommitInfo = {}): Promise<Revision> {
    const message = info.message ?? `Merge ${String(typeof ref === 'object' ? 'a revision' : ref)}`;
    const record = await this.#otherSide(ref);
    return this.#withMerger(record, choice, { ...info, message }, (merger, theirs, wanted, meta) =>
      merger.merge(theirs, wanted, meta),
    );
  }

  /** Repeats the changes of a revision of another branch, or of this one. */
  async cherryPick(ref: Ref, choice: Omit<MergeChoice, 'functional'>, info: CommitInfo = {}): Promise<Revision> {
    return this.#withMerger(await this.locate(ref), choice, info, (merger, picked, wanted, meta) =>
      merger.cherryPick(picked, wanted, { ...meta, message: info.message ?? picked.record.message }),
    );
  }

  async #withMerger(
    record: RevisionRecord,
    choice: Omit<MergeChoice, 'functional'>,
    info: CommitInfo,
    work: (merger: Merger, theirs: Place, choice: MergeChoice, meta: CommitMeta) => Promise<Revision>,
  ): Promise<Revision> {
    const { Merger: Loaded } = await import('./on-request.js');
    const lines = await this.lines();
    const owner = this.ownerOf(record);
    const { functional = [] } = await this.settings();
    return this.#access.asWriter(async (timeline) =>
      owner.#access.using(async (other) =>
        work(
          new Loaded(lines, timeline),
          { timeline: other, record },
          { ...choice, functional },
          await this.#meta(info),
        ),
      ),
    );
  }

  async #otherSide(ref: Ref): Promise<RevisionRecord> {
    if (ref !== this.branchName && ref !== 'HEAD') return this.locate(ref);
    throw new InvalidArgumentError('INVALID_OPTION', `branch ${this.branchName} cannot be merged into itself`);
  }

  /** What {@link merge} would do now. It changes nothing. */
  async previewMerge(ref: Ref, choice: Omit<MergeChoice, 'functional'>): Promise<CoreMergePreview> {
    const { previewMerge } = await import('./on-request.js');
    const lines = await this.lines();
    const record = await this.#otherSide(ref);
    const owner = this.ownerOf(record);
    const { functional = [] } = await this.settings();
    return this.#access.using((timeline) =>
      owner.#access.using((other) =>
        previewMerge(lines, timeline, { timeline: other, record }, { ...choice, functional }),
      ),
    );
  }

  /**
   * The revision in the history of this branch that has applied the patch with an id, or has this UUID itself.
   * @param prev the UUID before it: a revision with another parent is not the one that the patch describes
   */
  async revisionOfPatch(id: string, prev?: string): Promise<Revision | undefined> {
    const applied = (await this.#patches.get(id)) ?? new Uint8Array(0);
    for (let at = 0; at < applied.length; at += ID_BYTES) {
      const revision = await this.#inHistory(uuidText(applied, at));
      if (revision !== undefined) return revision;
    }
    const own = parseUuid(id) === undefined ? undefined : await this.#inHistory(id);
    return prev === undefined || prev === own?.parent ? own : undefined;
  }

  /** A revision by its UUID. Undefined where it is on another branch, was trimmed or never was. */
  async #inHistory(id: string): Promise<Revision | undefined> {
    try {
      return toRevision(await this.resolve(id));
    } catch (error) {
      if (error instanceof NotFoundError) return undefined;
      throw error;
    }
  }

  #meta(info: CommitInfo): CommitMeta | Promise<CommitMeta> {
    checkCommitInfo(info);
    return info.patch === undefined && info.ifRevision === undefined ? this.#metaWith(info) : this.#readMeta(info);
  }

  async #readMeta(info: CommitInfo): Promise<CommitMeta> {
    const { patch, ifRevision } = info;
    const applied = patch === undefined ? undefined : await this.#patches.get(patch);
    return this.#metaWith(
      info,
      ifRevision === undefined ? undefined : (await this.resolve(ifRevision)).number,
      applied,
    );
  }

  /** @param applied ids of the revisions that have applied the patch */
  #metaWith({ author, message, id, patch, records }: CommitInfo, ifRevision?: number, applied?: Bytes): CommitMeta {
    const origin = patch === undefined ? undefined : parseUuid(patch);
    const also = (record: RevisionRecord): WriteOp[] => [
      ...recordOps(records?.(toRevision(record)) ?? []),
      ...(patch === undefined ? [] : [this.#patches.put(patch, withId(applied, record.id))]),
    ];
    return {
      author,
      message,
      id: id === undefined ? undefined : parseUuid(id),
      lineage: origin && { kind: 'commit', mergedParent: undefined, origin },
      also: records === undefined && patch === undefined ? undefined : also,
      ifRevision,
    };
  }

  /** Removes and adds quads as one revision. Returns the present head if nothing changes. */
  async commit(added: readonly RDF.Quad[], removed: readonly RDF.Quad[], info: CommitInfo = {}): Promise<Revision> {
    return this.#access.asWriter(async (timeline) => {
      const known = this.#meta(info);
      const meta = known instanceof Promise ? await known : known;
      const pacer = new Pacer(timeline.env);
      const checking = checkQuads(added, pacer);
      if (checking !== undefined) await checking;
      const addedIds = await quadIds(timeline, added, true, pacer);
      if (removed.length === 0) return commitIds(timeline, addedIds, NO_QUADS, meta, pacer);
      const removedIds = (intern: boolean): Promise<IdQuads> => quadIds(timeline, removed, intern, pacer);
      return commitQuads(timeline, addedIds, removed.length, removedIds, meta, pacer);
    });
  }

  /** Removes all quads that match the pattern, as one revision. */
  async removeMatches(pattern: TermPattern, info: CommitInfo = {}): Promise<Revision> {
    // Before a timeline is entered, which a failure of the storage in the meantime would end.
    const { removeMatches } = (onRequest ??= await import('./on-request.js'));
    return this.#access.asWriter(async (timeline) => {
      const meta = await this.#meta(info);
      return removeMatches(new Snapshot(timeline, timeline.published), pattern, meta);
    });
  }

  /** Begins a load. The caller parses into the loader and ends it with {@link finishLoad}. */
  async beginLoad(
    options: {
      graph?: RDF.Quad_Graph | undefined;
      replace?: boolean | undefined;
      signal?: AbortSignal | undefined;
    } = {},
  ): Promise<BulkLoader> {
    // Before a timeline is entered, which a failure of the storage in the meantime would end.
    const { BulkLoader: Loader } = (onRequest ??= await import('./on-request.js'));
    const { timeline, leave } = await this.#access.enter();
    try {
      const { graph, signal, replace } = options;
      let load: BulkLoadOptions = signal === undefined ? { onClose: leave } : { onClose: leave, signal };
      if (graph !== undefined) {
        const id = await timeline.dictionary.lock.run(() => timeline.encoder.intern(graph));
        load = { ...load, graph: id };
      }
      if (replace === true) load = { ...load, replaces: { s: 0, p: 0, o: 0, g: load.graph ?? 0 } };
      return new Loader(timeline, load, this.freshBlankPrefix());
    } catch (error) {
      await leave();
      throw error;
    }
  }

  /** Commits a load and closes it, also if the commit fails. */
  async finishLoad(load: BulkLoader, info: CommitInfo): Promise<Revision> {
    try {
      const meta = await this.#meta(info);
      return await this.#access.settling(() => load.commit(meta));
    } finally {
      await load.close();
    }
  }

  /** Begins to take rows of patches. The caller parses into them, commits them with {@link commitPatch}, and closes them. */
  async beginPatch(options: PatchRowsOptions): Promise<PatchRows> {
    // Before a timeline is entered, which a failure of the storage in the meantime would end.
    const { PatchRows: Rows } = await import('./write/patch/patch-rows.js');
    const { timeline, leave } = await this.#access.enter();
    return new Rows(timeline, options, leave);
  }

  /**
   * Commits the first `count` rows as one revision, and drops them.
   * @throws ConflictError `PATCH_CONFLICT` with the line of the first row that has no effect
   */
  async commitPatch(rows: PatchRows, count: number, info: CommitInfo): Promise<Revision> {
    const meta = await this.#meta(info);
    return this.#access.settling(() => rows.commit(count, meta));
  }

  /** A new prefix for blank node labels. It is random, so it differs from all earlier ones and nobody can guess it. */
  freshBlankPrefix(): string {
    if (this.#blankPrefix === '') this.#blankPrefix = toHex(this.handle.env.random(new Uint8Array(8)));
    this.#loads++;
    return `b${this.#blankPrefix}x${this.#loads.toString(36)}x`;
  }

  /** Begins a staged transaction on the newest revision. */
  async begin({ rebases, signal }: TransactionOptions = {}): Promise<StagedTransaction> {
    // Before a timeline is entered, which a failure of the storage in the meantime would end.
    const { StagedTransaction: Transaction } = (transactions ??= await import('./write/transaction/transaction.js'));
    const { timeline, leave } = await this.#access.enter();
    return new Transaction(new Snapshot(timeline, timeline.published), rebases, signal, () => void leave());
  }

  /** Commits the changes of a transaction as one revision. */
  async commitTransaction(transaction: StagedTransaction, info: CommitInfo): Promise<Revision> {
    const meta = await this.#meta(info);
    return this.#access.settling(() => transaction.commit(meta));
  }

  /**
   * Undoes a revision as a new one: removes those of its additions that are still present, and adds those of its
   * removals that are still absent.
   */
  revert(ref: Ref, info: CommitInfo = {}): Promise<Revision> {
    return this.#access.asWriter(async (timeline) => {
      const record = await this.locate(ref);
      const { revertRevision } = await import('./on-request.js');
      const message = info.message ?? `Revert revision ${record.number}`;
      // The ids of terms are the same on all lines.
      return revertRevision(
        timeline,
        { keyspace: this.ownerOf(record).handle.keyspace, record },
        await this.#meta({ ...info, message }),
      );
    });
  }

  /** Restores the content of a revision of any branch as a new revision. Returns the present head if nothing changes. */
  reset(ref: Ref, info: CommitInfo = {}): Promise<Revision> {
    return this.#access.asWriter(async (timeline) => {
      const record = await this.locate(ref);
      const { resetToRevision } = await import('./on-request.js');
      const message = info.message ?? `Reset to revision ${record.number}`;
      const meta = await this.#meta({ ...info, message });
      return this.ownerOf(record).#access.using((owner) =>
        resetToRevision(timeline, { timeline: owner, record }, meta),
      );
    });
  }
}
