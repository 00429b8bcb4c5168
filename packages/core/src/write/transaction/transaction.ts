/**
 * A staged transaction: a snapshot and changes in memory. Its reads see both; nobody else sees the changes before
 * they are committed as one revision. Until the first read, changes are only recorded. A transaction that never reads
 * is compared with the newest head when it is committed.
 */
import type * as RDF from '@rdfjs/types';
import { Mutex } from '@quadrille/model';
import { EndedColumns } from '../../index/quad-columns.js';
import { MISS } from '../../keyspace/block-cache.js';
import { type CommitMeta, isConflict } from '../../timeline/change.js';
import type { Dictionary } from '../../dictionary/dictionary.js';
import { KnownTerms } from '../../dictionary/known-terms.js';
import { LocalTerms } from '../../dictionary/local-terms.js';
import { RecentTexts } from '../../runtime/recent-texts.js';
import { checkStorable } from '../../dictionary/term-encoder.js';
import { type EndSignal, Pacer } from '../../runtime/env.js';
import { DEFAULT_GRAPH, FIRST_LOCAL_ID } from '../../format/layout.js';
import type { IdPattern } from '../../index/orders.js';
import { QuadScan } from '../../index/read/quad-scan.js';
import { accessPath } from '../../index/orders.js';
import { batches } from '../../index/read/batches.js';
import { quadColumns } from '../../index/read/quad-scan.js';
import type { FoundTexts, TextQuestion } from '../../read/search-literals.js';
import type { FoundVectors, VectorQuestion } from '../../read/search-vectors.js';
import { QuadReader } from '../../read/quad-reader.js';
import type { Revision } from '../../revision/record.js';
import type { Snapshot, TermPattern } from '../../read/snapshot.js';
import { commitBlind, commitRead, commitRebased } from './commit-transaction.js';
import { GlobalIds } from './global-ids.js';
import type { Change } from './pending-changes.js';
import { ADD, PendingChanges, REMOVE } from './pending-changes.js';
import { ReadScope } from './read-scope.js';
import { StagedChanges } from './staged-changes.js';
import { StagedReads } from './staged-reads.js';
import { TermPositions } from './term-positions.js';
import { transactionMemory } from './transaction-memory.js';

/** Quads as columns of ids. */
export interface IdColumns {
  /** Subjects. */
  readonly s: ArrayLike<number>;
  /** Predicates. */
  readonly p: ArrayLike<number>;
  /** Objects. */
  readonly o: ArrayLike<number>;
  /** Graphs. */
  readonly g: ArrayLike<number>;
  /** Number of quads. */
  readonly length: number;
}

/**
 * Quads staged between two looks at the clock, and the length of an object, in UTF-16 units, after which the clock is
 * checked at once.
 */
const QUADS_AT_ONCE = 64;
const LONG_OBJECT = 16 * 1024;

/** Changes that are staged on a snapshot. Reads of the transaction see them. */
export class StagedTransaction {
  readonly #local = new LocalTerms();
  readonly #terms: KnownTerms;
  readonly #positions: TermPositions;
  readonly #changes: StagedChanges;
  readonly #reads: StagedReads;
  readonly #pacer: Pacer;
  /** Held while pending changes are applied. */
  readonly #applying = new Mutex();
  readonly #pending = new PendingChanges();
  readonly #scope = new ReadScope();
  /**
   * For a transaction that can be rebased: all changes that the caller staged. `#changes` has only those that differ
   * from the base.
   */
  #said: PendingChanges | undefined;
  /** Ids of the IRIs of many quads. */
  #recent: RecentTexts | undefined;
  /** Whether the last step lacked a term that must be fetched. */
  #lacksTerm = false;
  /** Whether a read has begun and has applied the changes before it. The next read applies later changes. */
  #readable = false;
  /** Bytes that are counted for all transactions together. */
  #counted = 0;

  constructor(
    /** The snapshot of the base. The transaction owns it and closes it. */
    readonly base: Snapshot,
    /** Whether it can be committed on a newer head, if no commit since the base has changed quads that it has read. */
    private readonly rebases = false,
    /** Aborts the changes, and the commit until the revision is staged. */
    signal?: EndSignal,
    /** Called when the transaction has ended. */
    private readonly onClose: () => void = () => undefined,
  ) {
    const { timeline } = base;
    this.#terms = new KnownTerms(timeline, this.#local);
    this.#positions = new TermPositions(this.#terms, this.#local);
    this.#changes = new StagedChanges(base);
    this.#reads = new StagedReads(base, this.#changes);
    this.#pacer = new Pacer(timeline.env, undefined, signal);
  }

  /** The dictionary in which the ids of this transaction are valid. */
  get dictionary(): Dictionary {
    return this.base.timeline.dictionary;
  }

  /** Estimated memory of the changes and their new terms, in bytes. */
  get bytes(): number {
    return this.#pending.bytes + this.#changes.bytes + this.#local.bytes + (this.#said?.bytes ?? 0);
  }

  // ── Reading ─────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Whether the transaction has read, so that its commit depends on its base. */
  get hasRead(): boolean {
    return this.#scope.any || this.#readable;
  }

  /**
   * Applies the changes so far, so that reads see them. Await it after changes and before {@link reads} or {@link
   * size}. `predicates`: those of all quads that will be read until the next call. Default: any quad may be.
   */
  async beginReading(predicates?: readonly RDF.Term[]): Promise<void> {
    this.base.check();
    this.#scope.add(this.rebases ? predicates : undefined);
    if (this.#scope.predicates === undefined) this.#said = undefined;
    else this.#said ??= this.#pending.copy();
    await this.#apply();
  }

  async #apply(): Promise<void> {
    await this.#applying.run(async () => {
      if (this.#pending.length > 0) await this.#changes.apply(await this.#pending.take(this.#pacer), this.#pacer);
      this.#readable = true;
    });
  }

  /** Reads that include the changes. Await {@link beginReading} first. */
  get reads(): StagedReads {
    this.#checkApplied();
    return this.#reads;
  }

  /** Number of quads, including the changes. Await {@link beginReading} first. */
  get size(): number {
    this.#checkApplied();
    return this.#changes.size;
  }

  #checkApplied(): void {
    this.base.check();
    this.noteReading();
    if (!this.#readable && this.#pending.length > 0) throw new Error('await beginReading() before reading');
  }

  /** Counts as a read of any quad, unless {@link beginReading} has named the predicates. */
  noteReading(): void {
    if (!this.hasRead) this.#scope.add(undefined);
  }

  /**
   * Converts terms to ids. A term that the repository does not have gets a local id. Finding out that a term is
   * missing counts as a read: see {@link noteReading}.
   */
  get terms(): KnownTerms {
    return this.#terms;
  }

  /** As `search` of a snapshot, with the literals of the changes. */
  async search(question: TextQuestion, ends?: EndSignal): Promise<FoundTexts> {
    this.#checkApplied();
    const { searchTexts } = await import('../../texts.js');
    const { timeline, record } = this.base;
    return searchTexts({ timeline, termMark: record.termMark, local: this.#local }, question, ends);
  }

  /** As `nearest` of a snapshot, with the literals of the changes. */
  async nearest(question: VectorQuestion, ends?: EndSignal): Promise<FoundVectors> {
    this.#checkApplied();
    const { nearestVectors } = await import('../../read/vectors.js');
    const { timeline, record } = this.base;
    return nearestVectors({ timeline, termMark: record.termMark, local: this.#local }, question, ends);
  }

  /** The quads that match now. The caller closes the reader. Changes made while it is open may be visible or not. */
  async read(pattern: TermPattern): Promise<QuadReader | undefined> {
    await this.beginReading();
    const ids = await this.#ids(pattern);
    if (ids === undefined) return undefined;
    const scan = new QuadScan(this.#reads.scan(ids), accessPath(ids).order);
    return new QuadReader(this.base.timeline, scan, this.#local);
  }

  /** The number of quads that match, with the changes. */
  async count(pattern: TermPattern, ends?: EndSignal): Promise<number> {
    await this.beginReading();
    const ids = await this.#ids(pattern);
    if (ids === undefined) return 0;
    return this.#reads.count(ids, ends);
  }

  /** The named graphs that have quads now. */
  async graphs(): Promise<RDF.Term[]> {
    await this.beginReading();
    const ids = new Set<number>();
    for await (const id of this.base.graphs()) ids.add(id);
    const { columns, rows } = this.#changes.added;
    await this.#pacer.rows(rows, (start, end) => {
      for (let row = start; row < end; row++) if (columns[3][row] !== DEFAULT_GRAPH) ids.add(columns[3][row]!);
    });
    const terms: RDF.Term[] = [];
    for (const id of ids) {
      const scan = this.#reads.scan({ s: 0, p: 0, o: 0, g: id });
      let rows = scan.next();
      for (; rows === MISS; rows = scan.next()) await scan.fetch();
      scan.close();
      if (rows > 0) terms.push(await this.base.timeline.decoder.decode(id, this.#local));
      if (this.#pacer.due()) await this.#pacer.pause();
    }
    return terms;
  }

  async #ids(pattern: TermPattern): Promise<IdPattern | undefined> {
    const ids = [0, 0, 0, 0];
    for (const [i, term] of [pattern.subject, pattern.predicate, pattern.object, pattern.graph].entries()) {
      if (!term) continue;
      let id = this.#terms.find(term);
      for (; id === MISS; id = this.#terms.find(term)) await this.#terms.fetch();
      if (id === 0) return undefined;
      ids[i] = id;
    }
    return { s: ids[0]!, p: ids[1]!, o: ids[2]!, g: ids[3]! };
  }

  // ── Changing ────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Stages additions. Adding a present quad has no effect. */
  add(quads: Iterable<RDF.Quad>): Promise<void> {
    return this.#stage(quads, ADD);
  }

  /** Stages removals. Removing an absent quad has no effect. */
  remove(quads: Iterable<RDF.Quad>): Promise<void> {
    return this.#stage(quads, REMOVE);
  }

  async #stage(quads: Iterable<RDF.Quad>, change: Change): Promise<void> {
    this.base.check();
    const all = Array.isArray(quads) ? (quads as readonly RDF.Quad[]) : [...quads];
    if (all.length >= QUADS_AT_ONCE) this.#recent ??= new RecentTexts();
    for (let at = 0; at < all.length;) {
      at = this.#stageSome(all, at, change);
      await this.#afterSome();
    }
    this.#checkMemory();
  }

  // Stages quads until a term must be fetched or a few quads are done. Returns the index at which it stopped.
  #stageSome(quads: readonly RDF.Quad[], from: number, change: Change): number {
    const end = Math.min(from + QUADS_AT_ONCE, quads.length);
    for (let at = from; at < end; at++) {
      const quad = quads[at]!;
      const s = this.#intern(quad.subject);
      const p = s === MISS ? MISS : this.#intern(quad.predicate);
      const o = p === MISS ? MISS : this.#intern(quad.object);
      const g = o === MISS ? MISS : this.#intern(quad.graph);
      this.#lacksTerm = g === MISS;
      if (this.#lacksTerm) return at;
      this.#push(s, p, o, g, change);
      if (quad.object.value.length > LONG_OBJECT) return at + 1;
    }
    return end;
  }

  // A term that the repository does not have gets a local id.
  #intern(term: RDF.Term): number {
    const recent = term.termType === 'NamedNode' ? this.#recent : undefined;
    const known = recent?.get(term.value) ?? 0;
    if (known !== 0) return known;
    const id = this.#terms.intern(term);
    if (id >= FIRST_LOCAL_ID) checkStorable(this.#local.text(id));
    if (id !== MISS) recent?.set(term.value, id);
    return id;
  }

  /**
   * Like {@link add}, by ids. They may be local ids of {@link terms}.
   * @throws InvalidArgumentError `INVALID_TERM` if a term cannot stand in its position
   */
  async addIds(quads: IdColumns): Promise<void> {
    this.base.check();
    for (let at = 0; at < quads.length;) {
      at = this.#stageIds(quads, at);
      await this.#afterSome();
    }
    this.#checkMemory();
  }

  // Like #stageSome.
  #stageIds({ s, p, o, g, length }: IdColumns, from: number): number {
    const end = Math.min(from + QUADS_AT_ONCE, length);
    for (let at = from; at < end; at++) {
      this.#lacksTerm = !this.#positions.check(s[at]!, p[at]!, o[at]!, g[at]!);
      if (this.#lacksTerm) return at;
      this.#push(s[at]!, p[at]!, o[at]!, g[at]!, ADD);
      if (o[at]! >= FIRST_LOCAL_ID && this.#local.text(o[at]!).length > LONG_OBJECT) return at + 1;
    }
    return end;
  }

  /** Like {@link remove}, by ids. */
  async removeIds({ s, p, o, g, length }: IdColumns): Promise<void> {
    this.base.check();
    await this.#pacer.rows(length, (start, end) => {
      for (let at = start; at < end; at++) this.#push(s[at]!, p[at]!, o[at]!, g[at]!, REMOVE);
    });
    this.#checkMemory();
  }

  #push(s: number, p: number, o: number, g: number, change: Change): void {
    this.#pending.push(s, p, o, g, change);
    this.#said?.push(s, p, o, g, change);
  }

  async #afterSome(): Promise<void> {
    if (this.#lacksTerm) await this.#terms.fetch();
    if (this.#pacer.due()) await this.#pacer.pause();
  }

  #checkMemory(): void {
    const before = this.#counted;
    this.#counted = this.bytes;
    transactionMemory.change(before, this.#counted);
  }

  /** Stages the removal of all quads that match now. Counts as a read. */
  async removeMatches(pattern: TermPattern): Promise<void> {
    await this.beginReading();
    const ids = await this.#ids(pattern);
    if (ids !== undefined) await this.removeIdMatches(ids);
  }

  /** Like {@link removeMatches}, by ids. */
  async removeIdMatches(pattern: IdPattern): Promise<void> {
    await this.beginReading();
    const found = new EndedColumns();
    const { order } = accessPath(pattern);
    for await (const { columns, start, end } of batches(this.#reads.scan(pattern), this.#pacer)) {
      const [s, p, o, g] = quadColumns(columns, order);
      for (let i = start; i < end; i++) found.pushEnded(s[i]!, p[i]!, o[i]!, g[i]!, columns[4][i]!);
    }
    await this.#changes.remove(found, this.#pacer);
  }

  // ── Ending ──────────────────────────────────────────────────────────────────────────────────────────────────────

  /**
   * Commits the changes as one revision. If other commits were made since the base, a transaction that has read
   * fails. If it can be rebased and these commits have not changed quads that it has read, its changes are made on
   * the newest head. The changes of a transaction that has not read are compared with the newest head.
   * @throws ConflictError `REVISION_CONFLICT`
   */
  async commit(meta: CommitMeta): Promise<Revision> {
    const { timeline, number } = this.base;
    timeline.checkWritable();
    const ids = new GlobalIds(timeline, this.#local);
    if (!this.hasRead) return commitBlind(timeline, await this.#pending.take(this.#pacer), ids, meta, this.#pacer);
    this.base.check();
    await this.#apply();
    const said = meta.ifRevision === undefined ? this.#said : undefined;
    if (said === undefined) return commitRead(timeline, number, this.#changes, ids, meta, this.#pacer);
    const read = { base: number, predicates: [...(this.#scope.predicates ?? [])] };
    try {
      if (timeline.staged.number === number)
        return await commitRead(timeline, number, this.#changes, ids, meta, this.#pacer);
    } catch (error) {
      if (!isConflict(error)) throw error;
    }
    return commitRebased(timeline, read, await said.take(this.#pacer), ids, meta, this.#pacer);
  }

  /** Ends the transaction and drops changes that were not committed. */
  close(): void {
    transactionMemory.change(this.#counted, 0);
    this.#counted = 0;
    this.base.close();
    this.onClose();
  }
}
