/** One repository: its revisions, read through snapshots and grown by commits. */
import type * as RDF from '@rdfjs/types';
import { BulkLoader } from './write/bulk-load/bulk-load.js';
import type { BulkLoadOptions } from './write/bulk-load/bulk-load.js';
import { toHex } from './format/byte-codec.js';
import { Pacer } from './runtime/env.js';
import { NO_QUADS } from './index/quad-columns.js';
import type { CommitMeta } from './write/committer.js';
import { commitIds } from './write/commit.js';
import { checkCommitInfo } from './write/commit-info.js';
import { Tag } from './format/layout.js';
import { RepositoryMaintenance } from './maintenance/repository-maintenance.js';
import type { RepositoryMetadata } from './catalogue/repository-metadata.js';
import { NamedValues } from './catalogue/named-values.js';
import { checkQuads, quadIds } from './dictionary/encode-quads.js';
import { removeMatches } from './write/remove-matches.js';
import { RepositoryAccess } from './open/repository-access.js';
import type { RepositoryHandle } from './open/handle.js';
import { resetToRevision, revertRevision } from './write/revert.js';
import type { Revision, RevisionRecord } from './revision/record.js';
import { toRevision } from './revision/record.js';
import type { Ref } from './revision/refs.js';
import { resolveRef, tryResolveRef } from './revision/refs.js';
import { parseUuid } from './revision/uuid.js';
import { recordOps } from './catalogue/service-records.js';
import type { RecordChange } from './catalogue/service-records.js';
import { RepositoryHistory } from './read/repository-history.js';
import { Snapshot } from './read/snapshot.js';
import type { TermPattern } from './read/snapshot.js';
import { StagedTransaction } from './write/transaction/transaction.js';

/** What a caller says of a commit. */
export interface CommitInfo {
  readonly author?: string | undefined;
  readonly message?: string | undefined;
  readonly ifRevision?: Ref | undefined;
  /** The UUID for the revision; one that cannot follow the others is passed over. */
  readonly id?: string | undefined;
  /** Records of the server that become true with the revision: written in the same batch, or not at all. */
  readonly records?: ((revision: Revision) => readonly RecordChange[]) | undefined;
}

export class Repository {
  /** Prefix → IRI, as UTF-8. */
  readonly namespaces: NamedValues;
  /** Name → revision id, 16 bytes. */
  readonly tags: NamedValues;
  readonly history: RepositoryHistory;
  readonly maintenance: RepositoryMaintenance;
  readonly #access: RepositoryAccess;
  #blankPrefix = '';
  #loads = 0;

  constructor(
    readonly name: string,
    readonly handle: RepositoryHandle,
    /** What the catalogue says of it. */
    readonly metadata: RepositoryMetadata,
  ) {
    const { keyspace } = handle;
    this.namespaces = new NamedValues(keyspace, keyspace.key(Tag.namespace));
    this.tags = new NamedValues(keyspace, keyspace.key(Tag.tag));
    this.#access = new RepositoryAccess(handle);
    this.history = new RepositoryHistory(handle);
    this.maintenance = new RepositoryMaintenance(handle, this.#access);
  }

  /** The newest revision; without its delta where the repository is unloaded. */
  get head(): RevisionRecord {
    return this.handle.head;
  }

  get revision(): Revision {
    return toRevision(this.head);
  }

  /**
   * Resolves when the repository is in memory, which it stays for this turn of the event loop; `undefined` where it is.
   * What answers a promise does this by itself.
   */
  ready(): Promise<void> | undefined {
    return this.handle.ready();
  }

  /** The newest revision, to read. Of a repository that is {@link ready}. */
  snapshot(): Snapshot {
    return this.snapshotOf(this.handle.head);
  }

  /** A revision whose record is known, to read. Of a repository that is {@link ready}. */
  snapshotOf(record: RevisionRecord): Snapshot {
    this.handle.check();
    return new Snapshot(this.handle.generation, record);
  }

  /** Some revision, to read. */
  async snapshotAt(ref: Ref): Promise<Snapshot> {
    const record = await this.resolve(ref);
    await this.ready();
    return this.snapshotOf(record);
  }

  /** As {@link resolve} where nothing has to be waited for; else `undefined`. */
  tryResolve(ref: Ref): RevisionRecord | undefined {
    const { handle } = this;
    handle.check();
    return handle.inMemory ? tryResolveRef(handle.generation, ref) : undefined;
  }

  async resolve(ref: Ref): Promise<RevisionRecord> {
    const ready = this.ready();
    if (ready !== undefined) await ready;
    return resolveRef(this.handle.generation, ref);
  }

  async #meta(info: CommitInfo): Promise<CommitMeta> {
    checkCommitInfo(info);
    const { author, message, ifRevision, id, records } = info;
    return {
      author,
      message,
      id: id === undefined ? undefined : parseUuid(id),
      also: records && ((record) => recordOps(records(toRevision(record)))),
      ifRevision: ifRevision === undefined ? undefined : (await this.resolve(ifRevision)).number,
    };
  }

  /** Removes and adds quads, as one revision; without a net change the head as it is. */
  async commit(added: readonly RDF.Quad[], removed: readonly RDF.Quad[], info: CommitInfo = {}): Promise<Revision> {
    return this.#access.asWriter(async (generation) => {
      const meta = await this.#meta(info);
      const pacer = new Pacer(generation.env);
      await checkQuads(added, pacer);
      const addedIds = await quadIds(generation, added, true, pacer);
      const removedIds = removed.length === 0 ? NO_QUADS : await quadIds(generation, removed, false, pacer);
      return commitIds(generation, addedIds, removedIds, meta);
    });
  }

  /** Removes all that matches, as one revision. */
  removeMatches(pattern: TermPattern, info: CommitInfo = {}): Promise<Revision> {
    return this.#access.asWriter(async (generation) => {
      const meta = await this.#meta(info);
      return removeMatches(new Snapshot(generation, generation.published), pattern, meta);
    });
  }

  /** A load: the caller parses into it and ends it with `finishLoad`. */
  async beginLoad(
    options: {
      graph?: RDF.Quad_Graph | undefined;
      replace?: boolean | undefined;
      signal?: AbortSignal | undefined;
    } = {},
  ): Promise<BulkLoader> {
    const { generation, leave } = await this.#access.enter();
    try {
      const { graph, signal, replace } = options;
      let load: BulkLoadOptions = signal === undefined ? { onClose: leave } : { onClose: leave, signal };
      if (graph !== undefined) {
        const id = await generation.dictionary.lock.run(() => generation.encoder.intern(graph));
        load = { ...load, graph: id };
      }
      if (replace === true) load = { ...load, replaces: { s: 0, p: 0, o: 0, g: load.graph ?? 0 } };
      return new BulkLoader(generation, load, this.freshBlankPrefix());
    } catch (error) {
      await leave();
      throw error;
    }
  }

  /** Commits a load and closes it. */
  async finishLoad(load: BulkLoader, info: CommitInfo): Promise<Revision> {
    try {
      return toRevision(await load.commit(await this.#meta(info)));
    } finally {
      await load.close();
    }
  }

  /** A prefix for blank node labels that nobody can guess or has had before. */
  freshBlankPrefix(): string {
    if (this.#blankPrefix === '') this.#blankPrefix = toHex(this.handle.env.random(new Uint8Array(8)));
    this.#loads++;
    return `b${this.#blankPrefix}x${this.#loads.toString(36)}x`;
  }

  /** A staged transaction on the newest revision. */
  async begin(): Promise<StagedTransaction> {
    const { generation, leave } = await this.#access.enter();
    return new StagedTransaction(new Snapshot(generation, generation.published), () => void leave());
  }

  async commitTransaction(transaction: StagedTransaction, info: CommitInfo): Promise<Revision> {
    const meta = await this.#meta(info);
    return transaction.commit(meta);
  }

  /** Undoes a revision: its additions go where they are still there, its removals come back where they are still absent. */
  revert(ref: Ref, info: CommitInfo = {}): Promise<Revision> {
    return this.#access.asWriter(async (generation) => {
      const record = await this.resolve(ref);
      const message = info.message ?? `Revert revision ${record.number}`;
      return revertRevision(generation, record, await this.#meta({ ...info, message }));
    });
  }

  /** Brings back the content of a revision, as a new one; without a net change the head as it is. */
  reset(ref: Ref, info: CommitInfo = {}): Promise<Revision> {
    return this.#access.asWriter(async (generation) => {
      const record = await this.resolve(ref);
      const message = info.message ?? `Reset to revision ${record.number}`;
      return resetToRevision(generation, record, await this.#meta({ ...info, message }));
    });
  }
}
