/** One repository: its revisions, read through snapshots and grown by commits. */
import type * as RDF from '@rdfjs/types';
import { checkQuad, ConflictError, StateError } from '@quadrille/model';
import { BulkLoader } from './bulk-load.js';
import type { BulkLoadOptions } from './bulk-load.js';
import { toHex } from './bytes.js';
import { NO_QUADS, QuadColumns, without } from './change.js';
import { MISS } from './cache.js';
import type { CommitMeta } from './committer.js';
import { commitIds } from './commit-ids.js';
import { compactRepository } from './compact.js';
import type { SpaceUse } from './compact.js';
import { Pacer } from './env.js';
import { afterPrefix, dataKey, Tag } from './format.js';
import type { IdPattern } from './index/orders.js';
import { accessPath } from './index/orders.js';
import { verifyRepository } from './invariants.js';
import type { VerifyReport } from './invariants.js';
import { LargeChange } from './large-change.js';
import { maintain } from './maintenance.js';
import { NamedValues } from './namespaces.js';
import { rebuildIndexes } from './rebuild.js';
import type { RepositoryCore } from './repository-core.js';
import { deltaRows } from './revision/delta.js';
import { difference } from './revision/difference.js';
import { diffQuads } from './revision/diff-quads.js';
import type { DiffEntry } from './revision/diff-quads.js';
import { historyOf } from './revision/history.js';
import type { HistoryEvent } from './revision/history.js';
import { readRecord } from './revision/log.js';
import type { Revision, RevisionRecord } from './revision/record.js';
import { toRevision } from './revision/record.js';
import type { Ref } from './revision/timeline.js';
import { resolveRef, tryResolveRef } from './revision/timeline.js';
import { parseUuid } from './revision/uuid.js';
import { recordOps } from './service-records.js';
import type { RecordChange } from './service-records.js';
import { Snapshot } from './snapshot.js';
import type { TermPattern } from './snapshot.js';
import { StagedTransaction } from './transaction.js';

/** How often a reset looks again at what changed meanwhile. */
const RESET_RETRIES = 10;

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
  #blankPrefix = '';
  #loads = 0;
  #closed = false;

  constructor(
    readonly name: string,
    readonly core: RepositoryCore,
  ) {
    const { engine, durable } = core.space;
    this.namespaces = new NamedValues(engine, core.space.key(Tag.namespace), durable);
    this.tags = new NamedValues(engine, core.space.key(Tag.tag), durable);
  }

  /** The newest revision; without its quads where the repository was let go. */
  get head(): RevisionRecord {
    return this.core.published;
  }

  get revision(): Revision {
    return toRevision(this.head);
  }

  /** Calls fail from here on: the store was closed or the repository deleted. */
  close(): void {
    this.#closed = true;
  }

  #check(): void {
    if (this.#closed) throw new StateError('STORE_NOT_OPEN', `repository ${this.name} is not open any more`);
  }

  /**
   * Resolves when the repository is in memory, which it stays for this turn of the event loop; `undefined` where it is.
   * What answers a promise does this by itself.
   */
  ready(): Promise<void> | undefined {
    this.#check();
    return this.core.ready();
  }

  /** The newest revision, to read. Of a repository that is {@link ready}. */
  snapshot(): Snapshot {
    return this.snapshotOf(this.core.published);
  }

  /** A revision whose record is known, to read. Of a repository that is {@link ready}. */
  snapshotOf(record: RevisionRecord): Snapshot {
    this.#check();
    if (!this.core.inMemory) throw new StateError('STORE_NOT_OPEN', `repository ${this.name} is not in memory`);
    return new Snapshot(this.core, record);
  }

  /** Some revision, to read. */
  async snapshotAt(ref: Ref): Promise<Snapshot> {
    const record = await this.resolve(ref);
    await this.ready();
    return this.snapshotOf(record);
  }

  /** As {@link resolve} where nothing has to be waited for; else `undefined`. */
  tryResolve(ref: Ref): RevisionRecord | undefined {
    this.#check();
    return this.core.inMemory ? tryResolveRef(this.core, ref) : undefined;
  }

  resolve(ref: Ref): Promise<RevisionRecord> {
    const ready = this.ready();
    return ready === undefined ? resolveRef(this.core, ref) : ready.then(() => resolveRef(this.core, ref));
  }

  // After a failed write the state is read anew from the storage, before anything else is written.
  async #writable(): Promise<void> {
    this.#check();
    const { core } = this;
    core.space.engine.assertWritable();
    const ready = core.ready();
    if (ready !== undefined) await ready;
    if (core.broken === undefined && core.space.engine.state !== 'failed') return;
    // Maintenance first: its jobs take the turn while they hold it.
    await core.maintenance.run(() =>
      core.committer.turn.run(async () => {
        await core.committer.drain();
        await core.dictionary.lock.run(async () => {
          if (core.space.engine.state === 'failed') await core.space.engine.recover();
          if (core.broken !== undefined) await core.load();
        });
      }),
    );
  }

  /** Enters as a writer, who holds ids; the answer ends that. */
  async #enter(): Promise<() => void> {
    const { core } = this;
    const { gate } = core;
    core.enter();
    try {
      for (;;) {
        await this.#writable();
        if (gate.closed === undefined) break;
        await gate.closed;
      }
    } catch (error) {
      core.leave();
      throw error;
    }
    const leaveGate = gate.enter();
    let left = false;
    return () => {
      if (left) return;
      left = true;
      leaveGate();
      core.leave();
    };
  }

  // It stays in memory meanwhile.
  async #using<T>(work: () => Promise<T>): Promise<T> {
    const { core } = this;
    core.enter();
    try {
      await this.ready();
      return await work();
    } finally {
      core.leave();
    }
  }

  async #asWriter<T>(work: () => Promise<T>): Promise<T> {
    const leave = await this.#enter();
    try {
      return await work();
    } finally {
      leave();
    }
  }

  async #meta(info: CommitInfo): Promise<CommitMeta> {
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
    for (const quad of added) checkQuad(quad);
    return this.#asWriter(async () => {
      const meta = await this.#meta(info);
      const { dictionary } = this.core;
      const addedIds = await this.#encode(added, true);
      const removedIds = removed.length === 0 ? NO_QUADS : await this.#encode(removed, false);
      return commitIds(this.core, addedIds, removedIds, meta, dictionary);
    });
  }

  // Without `intern`, quads with a term that the repository does not have are left out.
  async #encode(quads: readonly RDF.Quad[], intern: boolean): Promise<QuadColumns> {
    const { dictionary, encoder } = this.core;
    const columns = new QuadColumns();
    const id = intern ? (term: RDF.Term) => encoder.tryIntern(term) : (term: RDF.Term) => encoder.tryEncode(term);
    const encodeAll = async (): Promise<void> => {
      for (let i = 0; i < quads.length;) {
        const quad = quads[i]!;
        const s = id(quad.subject);
        const p = s === MISS ? MISS : id(quad.predicate);
        const o = p === MISS ? MISS : id(quad.object);
        const g = o === MISS ? MISS : id(quad.graph);
        if (g === MISS) {
          await dictionary.fetchMissing();
          continue;
        }
        if (s !== 0 && p !== 0 && o !== 0 && g !== 0) columns.push(s, p, o, g);
        i++;
      }
    };
    await (intern ? dictionary.lock.run(encodeAll) : encodeAll());
    return columns;
  }

  /** Removes all that matches, as one revision. */
  removeMatches(pattern: TermPattern, info: CommitInfo = {}): Promise<Revision> {
    return this.#asWriter(() => this.#removeMatches(pattern, info));
  }

  async #removeMatches(pattern: TermPattern, info: CommitInfo): Promise<Revision> {
    const meta = await this.#meta(info);
    const snapshot = this.snapshot();
    try {
      const ids = await snapshot.ids(pattern);
      if (ids === undefined) return await commitIds(this.core, new QuadColumns(), new QuadColumns(), meta);
      const few = await collectFew(snapshot, ids);
      if (few !== undefined) {
        try {
          return await commitIds(this.core, new QuadColumns(), few, {
            ...meta,
            ifRevision: meta.ifRevision ?? snapshot.number,
          });
        } catch (error) {
          // Others committed meanwhile, perhaps what matches: the long way looks again in its turn.
          if (!(error instanceof ConflictError) || meta.ifRevision !== undefined) throw error;
        }
      }
      return await this.#replaceWithNothing(ids, meta);
    } finally {
      snapshot.close();
    }
  }

  async #replaceWithNothing(scope: IdPattern, meta: CommitMeta): Promise<Revision> {
    const change = new LargeChange(this.core, scope, new Pacer(this.core.env));
    try {
      return toRevision(await change.commit(meta));
    } finally {
      await change.close();
      maintain(this.core);
    }
  }

  /** A load: the caller parses into it and ends it with `finishLoad`. */
  async beginLoad(
    options: {
      graph?: RDF.Quad_Graph | undefined;
      replace?: boolean | undefined;
      signal?: AbortSignal | undefined;
    } = {},
  ): Promise<BulkLoader> {
    const leave = await this.#enter();
    try {
      const { core } = this;
      const { graph, signal, replace } = options;
      let load: BulkLoadOptions = signal === undefined ? { onClose: leave } : { onClose: leave, signal };
      if (graph !== undefined) {
        const id = await core.dictionary.lock.run(() => core.encoder.intern(graph));
        load = { ...load, graph: id };
      }
      if (replace === true) load = { ...load, replaces: { s: 0, p: 0, o: 0, g: load.graph ?? 0 } };
      return new BulkLoader(core, load, this.freshBlankPrefix());
    } catch (error) {
      leave();
      throw error;
    }
  }

  /** Commits a load and closes it. */
  async finishLoad(load: BulkLoader, info: CommitInfo): Promise<Revision> {
    try {
      return toRevision(await load.commit(await this.#meta(info)));
    } finally {
      await load.close();
      maintain(this.core);
    }
  }

  /** A prefix for blank node labels that nobody can guess or has had before. */
  freshBlankPrefix(): string {
    if (this.#blankPrefix === '') this.#blankPrefix = toHex(this.core.env.random(new Uint8Array(8)));
    this.#loads++;
    return `b${this.#blankPrefix}x${this.#loads.toString(36)}x`;
  }

  /** A staged transaction on the newest revision. */
  async begin(): Promise<StagedTransaction> {
    const leave = await this.#enter();
    return new StagedTransaction(this.snapshot(), leave);
  }

  async commitTransaction(transaction: StagedTransaction, info: CommitInfo): Promise<Revision> {
    const meta = await this.#meta(info);
    const record = await transaction.commit(meta);
    if (record === undefined) {
      // Blind changes on a head that has moved: what was no change then may be one now.
      const { added, removed } = await transaction.intended();
      return commitIds(this.core, added, removed, meta, transaction.dictionary);
    }
    maintain(this.core);
    return toRevision(record);
  }

  /** Undoes a revision: its additions go where they are still there, its removals come back where they are still absent. */
  revert(ref: Ref, info: CommitInfo = {}): Promise<Revision> {
    return this.#asWriter(() => this.#revert(ref, info));
  }

  async #revert(ref: Ref, info: CommitInfo): Promise<Revision> {
    const record = await this.resolve(ref);
    const meta = await this.#meta({ ...info, message: info.message ?? `Revert revision ${record.number}` });
    const collect = async (side: 'added' | 'removed'): Promise<QuadColumns> => {
      const quads = new QuadColumns();
      for await (const { columns, start, end } of deltaRows(this.core.space, record, side)) {
        const [s, p, o, g] = columns;
        for (let i = start; i < end; i++) quads.push(s[i]!, p[i]!, o[i]!, g[i]!);
      }
      return quads;
    };
    const [added, removed] = [await collect('added'), await collect('removed')];
    // A life that was handed over to the revision stands on both sides and changed nothing.
    if (record.payload === undefined || added.length === 0 || removed.length === 0)
      return commitIds(this.core, removed, added, meta);
    return commitIds(this.core, without(removed, added), without(added, removed), meta);
  }

  /** Brings back the content of a revision, as a new one; without a net change the head as it is. */
  reset(ref: Ref, info: CommitInfo = {}): Promise<Revision> {
    return this.#asWriter(() => this.#reset(ref, info));
  }

  async #reset(ref: Ref, info: CommitInfo): Promise<Revision> {
    const record = await this.resolve(ref);
    const meta = await this.#meta({ ...info, message: info.message ?? `Reset to revision ${record.number}` });
    for (let left = RESET_RETRIES; ; left--) {
      const { head } = this;
      const { dictionary } = this.core;
      const { added, removed } = await difference(this.core, record, head);
      try {
        const condition = { ...meta, ifRevision: meta.ifRevision ?? head.number };
        return await commitIds(this.core, removed, added, condition, dictionary);
      } catch (error) {
        // Another commit came between: what is to be taken back is more than was looked at.
        const lost = error instanceof ConflictError && meta.ifRevision === undefined;
        if (!lost || left <= 0) throw error;
      }
    }
  }

  /**
   * When the quads that match came and went, from one revision to another, both included: quad after quad, those of one
   * by revision.
   */
  async *history(
    pattern: TermPattern,
    range: { from?: Ref | undefined; to?: Ref | undefined } = {},
    signal?: AbortSignal,
  ): AsyncGenerator<HistoryEvent[]> {
    await this.ready();
    const newest = this.head;
    const first = range.from === undefined ? 1 : (await this.resolve(range.from)).number;
    const last = range.to === undefined ? newest.number : (await this.resolve(range.to)).number;
    await this.ready();
    const snapshot = this.snapshotOf(newest);
    try {
      const ids = await snapshot.ids(pattern);
      if (ids !== undefined) yield* historyOf(this.core, newest, ids, { first, last }, signal);
    } finally {
      snapshot.close();
    }
  }

  /** Revisions, newest first. */
  async *log(options: { limit?: number | undefined; before?: Ref | undefined } = {}): AsyncGenerator<Revision> {
    this.#check();
    const before = options.before === undefined ? this.head.number + 1 : (await this.resolve(options.before)).number;
    const last = Math.max(0, before - 1 - (options.limit ?? Number.POSITIVE_INFINITY));
    for (let number = before - 1; number > last; number--) yield toRevision(await readRecord(this.core.space, number));
  }

  /** What changed from one revision to another, as quads. */
  async *diff(from: Ref, to: Ref, signal?: AbortSignal): AsyncGenerator<DiffEntry[]> {
    const [first, second] = [await this.resolve(from), await this.resolve(to)];
    await this.ready();
    yield* diffQuads(this.core, first, second, signal);
  }

  /** Bytes that the repository occupies in the storage; 0 for an empty one. */
  async bytes(): Promise<number> {
    const { engine, id } = this.core.space;
    const gte = dataKey(id, 0).subarray(0, 5);
    const range = { gte, lt: afterPrefix(gte) };
    const size = await engine.approximateSize(range);
    if (size > 0 || this.head.number === 1) return size;
    // LevelDB leaves out what is still in its log, which is at most a write buffer: that is added up.
    let bytes = 0;
    for await (const chunk of engine.range(range))
      for (const { key, value } of chunk) bytes += key.length + value.length;
    return bytes;
  }

  /** Checks the invariants, beside other work. */
  verify(): Promise<VerifyReport> {
    return this.#using(() => verifyRepository(this.core));
  }

  /** Makes the indexes anew from the log. */
  rebuild(): Promise<SpaceUse> {
    return this.#using(async () => {
      await this.#writable();
      return measured(this, () => rebuildIndexes(this.core));
    });
  }

  /** Merges all runs, drops what nothing uses, gives space back. */
  compact(): Promise<SpaceUse> {
    return this.#using(async () => {
      await this.#writable();
      return measured(this, () => compactRepository(this.core));
    });
  }
}

async function measured(repository: Repository, work: () => Promise<void>): Promise<SpaceUse> {
  const bytesBefore = await repository.bytes();
  await work();
  return { bytesBefore, bytesAfter: await repository.bytes() };
}

async function collectFew(snapshot: Snapshot, ids: IdPattern): Promise<QuadColumns | undefined> {
  const found = new QuadColumns();
  const scan = snapshot.scan(ids);
  const { order } = accessPath(ids);
  try {
    for (;;) {
      const rows = scan.next();
      if (rows === 0) return found;
      if (rows === MISS) {
        await scan.fetch();
        continue;
      }
      if (found.length + rows > snapshot.core.space.tuning.smallRows) return undefined;
      const [s, p, o, g] = order.places.map((at) => scan.batch.columns[at]!);
      for (let i = scan.batch.start; i < scan.batch.end; i++) found.push(s![i]!, p![i]!, o![i]!, g![i]!);
    }
  } finally {
    scan.close();
  }
}
