/**
 * A staged transaction: a snapshot and the changes on top of it, in memory. Its reads see both; nobody else sees the
 * changes before they are committed as one revision.
 */
import type * as RDF from '@rdfjs/types';
import { ConflictError, termToText } from '@quadrille/model';
import { EndedColumns, QuadColumns, sliceQuads, sortQuads } from '../../index/quad-columns.js';
import { MISS } from '../../keyspace/block-cache.js';
import type { CommitMeta } from '../committer.js';
import type { Dictionary } from '../../dictionary/dictionary.js';
import { KnownTerms } from '../../dictionary/known-terms.js';
import { LocalTerms } from '../../dictionary/local-terms.js';
import { checkStorable } from '../../dictionary/term-encoder.js';
import { Pacer } from '../../runtime/env.js';
import { DEFAULT_GRAPH, FIRST_INLINE_ID, FIRST_LOCAL_ID, FOREVER } from '../../format/layout.js';
import type { IdPattern } from '../../index/orders.js';
import { QuadScan } from '../../index/read/quad-scan.js';
import { accessPath } from '../../index/orders.js';
import { batches } from '../../index/read/batches.js';
import { newRowColumns } from '../../index/block/block-codec.js';
import { quadColumns } from '../../index/read/quad-scan.js';
import { RowTable } from '../../index/memtable/row-table.js';
import { LargeChange } from '../large-change/large-change.js';
import { QuadReader } from '../../read/quad-reader.js';
import type { RevisionRecord } from '../../revision/record.js';
import type { Snapshot, TermPattern } from '../../read/snapshot.js';
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

const ADD = 1;
const REMOVE = 0;
const PACED_ROWS = 256;

export class StagedTransaction {
  readonly #local = new LocalTerms();
  readonly #terms: KnownTerms;
  readonly #positions: TermPositions;
  readonly #changes: StagedChanges;
  readonly #reads: StagedReads;
  readonly #global = new Map<number, number>();
  /** The last thing that was said of each quad (`to` 1: add, 0: remove), also where it is no change to the base. */
  readonly #intents = new RowTable();
  /** Whether something was read, so that the commit depends on what it saw. */
  hasRead = false;
  /** The one that gave the ids of this transaction. */
  readonly dictionary: Dictionary;

  constructor(
    /** Owned: closed with the transaction. */
    readonly base: Snapshot,
    /** Called when it has ended. */
    private readonly onClose: () => void = () => undefined,
  ) {
    this.dictionary = base.generation.dictionary;
    this.#terms = new KnownTerms(base.generation, this.#local);
    this.#positions = new TermPositions(this.#terms);
    this.#changes = new StagedChanges(base);
    this.#reads = new StagedReads(base, this.#changes);
  }

  #beginReading(): void {
    this.base.check();
    this.hasRead = true;
  }

  /** What it sees, changes included. Whoever asks for it is about to read. */
  get reads(): StagedReads {
    this.#beginReading();
    return this.#reads;
  }

  /**
   * Ids of terms, with new ones for those that the repository does not have. Finding that a term is not there is a
   * reading: see {@link hasRead}.
   */
  get terms(): KnownTerms {
    return this.#terms;
  }

  get size(): number {
    this.#beginReading();
    return this.#changes.size;
  }

  /** Stages additions. What is there already is no change. */
  async add(quads: Iterable<RDF.Quad>): Promise<void> {
    this.base.check();
    for (const quad of quads) {
      const s = await this.#encode(quad.subject);
      const p = await this.#encode(quad.predicate);
      const o = await this.#encode(quad.object);
      const g = await this.#encode(quad.graph);
      this.#intend(s, p, o, g, ADD);
      while (!this.#changes.tryAdd(s, p, o, g)) await this.#changes.fetch();
    }
  }

  /**
   * As {@link add}, by ids, also those that {@link terms} gave.
   * @throws InvalidArgumentError `INVALID_TERM` where a term cannot stand in its place
   */
  async addIds(quads: IdColumns): Promise<void> {
    this.base.check();
    const pacer = new Pacer(this.base.generation.env);
    for (let i = 0; i < quads.length; i++) {
      const [s, p, o, g] = [quads.s[i]!, quads.p[i]!, quads.o[i]!, quads.g[i]!];
      while (!this.#positions.check(s, p, o, g)) await this.#terms.fetch();
      this.#intend(s, p, o, g, ADD);
      while (!this.#changes.tryAdd(s, p, o, g)) await this.#changes.fetch();
      if (i % PACED_ROWS === 0 && pacer.due()) await pacer.pause();
    }
  }

  /** Stages removals. What is not there is no change. */
  async remove(quads: Iterable<RDF.Quad>): Promise<void> {
    this.base.check();
    for (const quad of quads) {
      const s = await this.#encode(quad.subject);
      const p = await this.#encode(quad.predicate);
      const o = await this.#encode(quad.object);
      const g = await this.#encode(quad.graph);
      this.#intend(s, p, o, g, REMOVE);
      while (!this.#changes.tryRemove(s, p, o, g)) await this.#changes.fetch();
    }
  }

  /** As {@link remove}, by ids. */
  async removeIds(quads: IdColumns): Promise<void> {
    this.base.check();
    const pacer = new Pacer(this.base.generation.env);
    for (let i = 0; i < quads.length; i++) {
      const [s, p, o, g] = [quads.s[i]!, quads.p[i]!, quads.o[i]!, quads.g[i]!];
      this.#intend(s, p, o, g, REMOVE);
      while (!this.#changes.tryRemove(s, p, o, g)) await this.#changes.fetch();
      if (i % PACED_ROWS === 0 && pacer.due()) await pacer.pause();
    }
  }

  // Only a transaction that has not read is ever compared with another head.
  #intend(s: number, p: number, o: number, g: number, intent: number): void {
    if (this.hasRead) return;
    const known = this.#intents.latest(s, p, o, g);
    if (known === -1) this.#intents.add(s, p, o, g, 0, intent);
    else this.#intents.end(known, intent);
  }

  /** Stages the removal of all that matches now, which is a reading. */
  async removeMatches(pattern: TermPattern): Promise<void> {
    this.#beginReading();
    const ids = await this.#ids(pattern);
    if (ids !== undefined) await this.removeIdMatches(ids);
  }

  /** As {@link removeMatches}, by ids. */
  async removeIdMatches(pattern: IdPattern): Promise<void> {
    this.#beginReading();
    const found = new EndedColumns();
    const { order } = accessPath(pattern);
    const pacer = new Pacer(this.base.generation.env);
    for await (const { columns, start, end } of batches(this.#reads.scan(pattern), pacer)) {
      const [s, p, o, g] = quadColumns(columns, order);
      for (let i = start; i < end; i++) found.pushEnded(s[i]!, p[i]!, o[i]!, g[i]!, columns[4][i]!);
    }
    for (let i = 0; i < found.length; i++) {
      this.#changes.remove(found.s[i]!, found.p[i]!, found.o[i]!, found.g[i]!, found.from[i]!);
      if (i % PACED_ROWS === 0 && pacer.due()) await pacer.pause();
    }
  }

  /** Quads that match now. The caller closes the reader; changes made while it is open may show or not. */
  async read(pattern: TermPattern): Promise<QuadReader | undefined> {
    this.#beginReading();
    const ids = await this.#ids(pattern);
    if (ids === undefined) return undefined;
    const scan = new QuadScan(this.#reads.scan(ids), accessPath(ids).order);
    return new QuadReader(this.base.generation, scan, this.#local);
  }

  async count(pattern: TermPattern): Promise<number> {
    this.#beginReading();
    const ids = await this.#ids(pattern);
    if (ids === undefined) return 0;
    return this.#reads.count(ids);
  }

  /** The named graphs that hold a quad now. */
  async graphs(): Promise<RDF.Term[]> {
    this.#beginReading();
    const { generation } = this.base;
    const ids = new Set<number>();
    for await (const id of this.base.graphs()) ids.add(id);
    const [, , , graphs] = this.#changes.added.columns;
    for (let row = 0; row < this.#changes.added.rows; row++) if (graphs[row] !== DEFAULT_GRAPH) ids.add(graphs[row]!);
    const terms: RDF.Term[] = [];
    for (const id of ids) {
      const scan = this.#reads.scan({ s: 0, p: 0, o: 0, g: id });
      let rows = scan.next();
      for (; rows === MISS; rows = scan.next()) await scan.fetch();
      scan.close();
      if (rows > 0) terms.push(await generation.decoder.decode(id, this.#local));
    }
    return terms;
  }

  // A term that the repository does not have gets an id that only this transaction knows.
  async #encode(term: RDF.Term): Promise<number> {
    for (;;) {
      const id = this.#terms.intern(term);
      if (id !== MISS) {
        if (id >= FIRST_LOCAL_ID) checkStorable(termToText(term));
        return id;
      }
      await this.#terms.fetch();
    }
  }

  async #find(term: RDF.Term): Promise<number> {
    for (;;) {
      const id = this.#terms.find(term);
      if (id !== MISS) return id;
      await this.#terms.fetch();
    }
  }

  async #ids(pattern: TermPattern): Promise<IdPattern | undefined> {
    const ids = [0, 0, 0, 0];
    for (const [i, term] of [pattern.subject, pattern.predicate, pattern.object, pattern.graph].entries()) {
      if (!term) continue;
      ids[i] = await this.#find(term);
      if (ids[i] === 0) return undefined;
    }
    return { s: ids[0]!, p: ids[1]!, o: ids[2]!, g: ids[3]! };
  }

  /**
   * Commits the changes as one revision. Where others committed meanwhile, a transaction that has read fails; one that
   * has not answers `undefined`, and what it {@link intended} is to be compared with the new head.
   * @throws ConflictError `REVISION_CONFLICT`
   */
  async commit(meta: CommitMeta): Promise<RevisionRecord | undefined> {
    const { generation } = this.base;
    generation.checkWritable();
    const added = await this.#added();
    const removed = this.#changes.netRemoved();
    if (added.length + removed.length > generation.keyspace.tuning.smallRows) {
      // The head may move until it is published: a blind one then needs all that it said, not only the net changes.
      return this.hasRead ? this.#commitLarge(added, removed, meta) : undefined;
    }
    const staged = await generation.committer.writeLock.run(async () => {
      generation.committer.checkCondition(meta);
      generation.checkWritable();
      if (generation.staged.number === this.base.number)
        return { durable: generation.committer.stage({ added, removed }, meta) };
      if (this.hasRead) throw this.#conflict();
      return undefined;
    });
    return staged?.durable;
  }

  async #commitLarge(added: QuadColumns, removed: EndedColumns, meta: CommitMeta): Promise<RevisionRecord> {
    const { generation } = this.base;
    generation.committer.checkCondition(meta);
    // The intervals of `removed` are those of the base: on another one they may have ended.
    if (generation.staged.number !== this.base.number) throw this.#conflict();
    const change = new LargeChange(generation, undefined, new Pacer(generation.env));
    try {
      const { chunkRows } = generation.keyspace.tuning;
      for (let at = 0; at < added.length; at += chunkRows)
        await change.add(sliceQuads(added, at, chunkRows), FIRST_INLINE_ID);
      for (let at = 0; at < removed.length; at += chunkRows) {
        const part = sliceQuads(removed, at, chunkRows);
        const columns = newRowColumns(part.length);
        for (const [i, column] of [part.s, part.p, part.o, part.g].entries()) columns[i]!.set(column);
        columns[4].set(removed.from.subarray(at, at + part.length));
        await change.removeIntervals({ columns, length: part.length });
      }
      return await change.commit({ ...meta, ifRevision: this.base.number });
    } finally {
      await change.close();
    }
  }

  /** Every quad that was to be there or not to be there in the end, whatever the base had. */
  async intended(): Promise<{ added: QuadColumns; removed: QuadColumns }> {
    const { generation } = this.base;
    const [s, p, o, g, , intent] = this.#intents.columns;
    const added = new QuadColumns();
    const removed = new QuadColumns();
    await generation.dictionary.lock.run(async () => {
      generation.checkWritable();
      for (let row = 0; row < this.#intents.rows; row++) {
        const intern = intent[row] === ADD;
        const ids: number[] = [];
        for (const column of [s, p, o, g]) ids.push(await this.#globalId(column[row]!, intern));
        if (!ids.includes(0)) (intern ? added : removed).push(ids[0]!, ids[1]!, ids[2]!, ids[3]!);
      }
    });
    return { added, removed };
  }

  // The repository's id for one of this transaction; a new one with `intern`, else 0 where there is none.
  async #globalId(id: number, intern: boolean): Promise<number> {
    if (id < FIRST_LOCAL_ID) return id;
    const known = this.#global.get(id);
    if (known !== undefined) return known;
    const { encoder } = this.base.generation;
    const term = this.#local.term(id);
    const found = intern ? await encoder.intern(term) : await encoder.encode(term);
    if (found !== 0) this.#global.set(id, found);
    return found;
  }

  #conflict(): ConflictError {
    const { generation, number } = { generation: this.base.generation, number: this.base.number };
    return new ConflictError(
      'REVISION_CONFLICT',
      `the transaction has read revision ${number}, and the head is ${generation.staged.number} by now: run it again`,
      { details: { expected: number, head: generation.staged.number } },
    );
  }

  async #added(): Promise<QuadColumns> {
    const { generation } = this.base;
    const { added } = this.#changes;
    const [cs, cp, co, cg, , to] = added.columns;
    const net = new QuadColumns();
    await generation.dictionary.lock.run(async () => {
      generation.checkWritable();
      for (let row = 0; row < added.rows; row++) {
        if (to[row] !== FOREVER) continue;
        const ids: number[] = [];
        for (const column of [cs, cp, co, cg]) ids.push(await this.#globalId(column[row]!, true));
        net.push(ids[0]!, ids[1]!, ids[2]!, ids[3]!);
      }
    });
    return sortQuads(net);
  }

  /** Drops what was not committed. */
  close(): void {
    this.base.close();
    this.onClose();
  }
}
