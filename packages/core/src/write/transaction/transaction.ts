/**
 * A staged transaction: a snapshot and the changes on top of it, in memory. Its reads see both; nobody else sees the
 * changes before they are committed as one revision. As long as nothing is read the changes are only noted: they are
 * compared with the repository when they are committed, in its newest state.
 */
import type * as RDF from '@rdfjs/types';
import { EvaluationError, Mutex } from '@quadrille/model';
import { EndedColumns } from '../../index/quad-columns.js';
import { MISS } from '../../keyspace/block-cache.js';
import type { CommitMeta } from '../committer.js';
import type { Dictionary } from '../../dictionary/dictionary.js';
import { KnownTerms } from '../../dictionary/known-terms.js';
import { LocalTerms } from '../../dictionary/local-terms.js';
import { checkStorable } from '../../dictionary/term-encoder.js';
import { Pacer } from '../../runtime/env.js';
import { DEFAULT_GRAPH, FIRST_LOCAL_ID } from '../../format/layout.js';
import type { IdPattern } from '../../index/orders.js';
import { QuadScan } from '../../index/read/quad-scan.js';
import { accessPath } from '../../index/orders.js';
import { batches } from '../../index/read/batches.js';
import { quadColumns } from '../../index/read/quad-scan.js';
import { QuadReader } from '../../read/quad-reader.js';
import type { Revision } from '../../revision/record.js';
import type { Snapshot, TermPattern } from '../../read/snapshot.js';
import { commitBlind, commitRead } from './commit-transaction.js';
import { GlobalIds } from './global-ids.js';
import type { Change } from './pending-changes.js';
import { ADD, PendingChanges, REMOVE } from './pending-changes.js';
import { StagedChanges } from './staged-changes.js';
import { StagedReads } from './staged-reads.js';
import { TermPositions } from './term-positions.js';

/** Columns of quads by ids. */
export interface IdColumns {
  readonly s: ArrayLike<number>;
  readonly p: ArrayLike<number>;
  readonly o: ArrayLike<number>;
  readonly g: ArrayLike<number>;
  readonly length: number;
}

/** Quads between two looks at the clock, and the length of an object after which it is looked at sooner. */
const QUADS_AT_ONCE = 64;
const LONG_OBJECT = 16 * 1024;

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
  /** Whether the last step lacked a term, which is to be fetched. */
  #lacksTerm = false;
  /** Whether changes were applied for reads: from then on each is applied before its promise resolves. */
  #readable = false;
  /** Whether something was read, so that the commit depends on what it saw. */
  hasRead = false;

  constructor(
    /** Owned: closed with the transaction. */
    readonly base: Snapshot,
    /** Called when it has ended. */
    private readonly onClose: () => void = () => undefined,
  ) {
    const { generation } = base;
    this.#terms = new KnownTerms(generation, this.#local);
    this.#positions = new TermPositions(this.#terms);
    this.#changes = new StagedChanges(base);
    this.#reads = new StagedReads(base, this.#changes);
    this.#pacer = new Pacer(generation.env);
  }

  /** The one that gave the ids of this transaction. */
  get dictionary(): Dictionary {
    return this.base.generation.dictionary;
  }

  /** About how many bytes its changes and their new terms take. */
  get bytes(): number {
    return this.#pending.bytes + this.#changes.bytes + this.#local.bytes;
  }

  // ── Reading ─────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Applies the changes so far, so that reads see them. To be awaited between changes and {@link reads} or {@link size}. */
  async beginReading(): Promise<void> {
    this.base.check();
    this.hasRead = true;
    await this.#applying.run(async () => {
      if (this.#pending.length > 0) await this.#changes.apply(await this.#pending.take(this.#pacer), this.#pacer);
      this.#readable = true;
    });
  }

  /** What it sees, changes included. After {@link beginReading}. */
  get reads(): StagedReads {
    this.#checkApplied();
    return this.#reads;
  }

  /** Quads, changes included. After {@link beginReading}. */
  get size(): number {
    this.#checkApplied();
    return this.#changes.size;
  }

  #checkApplied(): void {
    this.base.check();
    this.hasRead = true;
    if (!this.#readable && this.#pending.length > 0) throw new Error('beginReading() comes before reads');
  }

  /**
   * Ids of terms, with new ones for those that the repository does not have. Finding that a term is not there is a
   * reading: see {@link hasRead}.
   */
  get terms(): KnownTerms {
    return this.#terms;
  }

  /** Quads that match now. The caller closes the reader; changes made while it is open may show or not. */
  async read(pattern: TermPattern): Promise<QuadReader | undefined> {
    await this.beginReading();
    const ids = await this.#ids(pattern);
    if (ids === undefined) return undefined;
    const scan = new QuadScan(this.#reads.scan(ids), accessPath(ids).order);
    return new QuadReader(this.base.generation, scan, this.#local);
  }

  async count(pattern: TermPattern): Promise<number> {
    await this.beginReading();
    const ids = await this.#ids(pattern);
    if (ids === undefined) return 0;
    return this.#reads.count(ids);
  }

  /** The named graphs that hold a quad now. */
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
      if (rows > 0) terms.push(await this.base.generation.decoder.decode(id, this.#local));
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

  /** Stages additions. What is there already is no change. */
  add(quads: Iterable<RDF.Quad>): Promise<void> {
    return this.#stage(quads, ADD);
  }

  /** Stages removals. What is not there is no change. */
  remove(quads: Iterable<RDF.Quad>): Promise<void> {
    return this.#stage(quads, REMOVE);
  }

  async #stage(quads: Iterable<RDF.Quad>, change: Change): Promise<void> {
    this.base.check();
    const all = Array.isArray(quads) ? (quads as readonly RDF.Quad[]) : [...quads];
    for (let at = 0; at < all.length;) {
      at = this.#stageSome(all, at, change);
      await this.#afterSome();
    }
    await this.#afterChange();
  }

  // Up to a quad with a term that has to be fetched, or some that take long; the answer is where it stopped.
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
      this.#pending.push(s, p, o, g, change);
      if (quad.object.value.length > LONG_OBJECT) return at + 1;
    }
    return end;
  }

  // A term that the repository does not have gets an id that only this transaction knows.
  #intern(term: RDF.Term): number {
    const id = this.#terms.intern(term);
    if (id >= FIRST_LOCAL_ID) checkStorable(this.#local.text(id));
    return id;
  }

  /**
   * As {@link add}, by ids, also those that {@link terms} gave.
   * @throws InvalidArgumentError `INVALID_TERM` where a term cannot stand in its place
   */
  async addIds(quads: IdColumns): Promise<void> {
    this.base.check();
    for (let at = 0; at < quads.length;) {
      at = this.#stageIds(quads, at);
      await this.#afterSome();
    }
    await this.#afterChange();
  }

  // As #stageSome.
  #stageIds({ s, p, o, g, length }: IdColumns, from: number): number {
    const end = Math.min(from + QUADS_AT_ONCE, length);
    for (let at = from; at < end; at++) {
      this.#lacksTerm = !this.#positions.check(s[at]!, p[at]!, o[at]!, g[at]!);
      if (this.#lacksTerm) return at;
      this.#pending.push(s[at]!, p[at]!, o[at]!, g[at]!, ADD);
    }
    return end;
  }

  /** As {@link remove}, by ids. */
  async removeIds({ s, p, o, g, length }: IdColumns): Promise<void> {
    this.base.check();
    await this.#pacer.rows(length, (start, end) => {
      for (let at = start; at < end; at++) this.#pending.push(s[at]!, p[at]!, o[at]!, g[at]!, REMOVE);
    });
    await this.#afterChange();
  }

  async #afterSome(): Promise<void> {
    if (this.#lacksTerm) await this.#terms.fetch();
    if (this.#pacer.due()) await this.#pacer.pause();
  }

  // One that has read may read again: it sees its changes.
  async #afterChange(): Promise<void> {
    const { transactionBytes } = this.base.generation.keyspace.tuning;
    if (this.bytes > transactionBytes) {
      throw new EvaluationError(
        'QUERY_MEMORY',
        `the changes of one transaction take more than ${transactionBytes} bytes of memory: commit in parts, or load them`,
      );
    }
    if (this.hasRead) await this.beginReading();
  }

  /** Stages the removal of all that matches now, which is a reading. */
  async removeMatches(pattern: TermPattern): Promise<void> {
    await this.beginReading();
    const ids = await this.#ids(pattern);
    if (ids !== undefined) await this.removeIdMatches(ids);
  }

  /** As {@link removeMatches}, by ids. */
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
   * Commits the changes as one revision. Where others committed meanwhile, a transaction that has read fails; what one
   * that has not says is compared with the newest state.
   * @throws ConflictError `REVISION_CONFLICT`
   */
  async commit(meta: CommitMeta): Promise<Revision> {
    const { generation, number } = this.base;
    generation.checkWritable();
    const ids = new GlobalIds(this.dictionary, this.#local);
    if (!this.hasRead) return commitBlind(generation, await this.#pending.take(this.#pacer), ids, meta);
    await this.beginReading();
    return commitRead(generation, number, this.#changes, ids, meta);
  }

  /** Drops what was not committed. */
  close(): void {
    this.base.close();
    this.onClose();
  }
}
