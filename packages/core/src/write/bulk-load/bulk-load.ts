/**
 * Loads a document. A parser passes its terms and quads to the loader. Few quads become an ordinary commit. Of others each chunk gets ids
 * and is written aside, and at the end one commit makes all of them visible.
 */
import type { QuadSink, TermHandle } from '@quadrille/model';
import type { CommitMeta } from '../../timeline/change.js';
import { Pacer } from '../../runtime/env.js';
import type { IdPattern } from '../../index/orders.js';
import { LargeChange, STEPS } from '../large-change/large-change.js';
import { LoadTerms } from '../../dictionary/bulk-terms.js';
import type { Timeline } from '../../timeline/timeline.js';
import { type Revision, toRevision } from '../../revision/record.js';
import { commitIds } from '../commit.js';
import { type IdQuads, NO_QUADS } from '../../index/quad-columns.js';
import { replaceQuads } from '../replace-quads.js';

export interface BulkLoadOptions {
  /** Puts every quad into this graph, whatever the document says. */
  readonly graph?: number;
  /** Quads that the document replaces, among them all that it has. Default: it replaces nothing. */
  readonly replaces?: IdPattern;
  readonly signal?: AbortSignal;
  /** Called when the load has ended. */
  readonly onClose?: () => Promise<void> | undefined;
}

/** Rows at the start: most documents are small. */
const FIRST_ROWS = 16;
/** Up to this many quads are committed as if they were added one by one: a large change costs more than they do. */
const FEW_QUADS = 1024;
/** Bytes of texts at which a chunk ends. It also ends at `chunkRows`. */
const CHUNK_TEXT_BYTES = 64 * 1024 * 1024;
/** Largest expected number of rows from one call of the parser. A chunk can exceed `chunkRows` by as many. */
const MANY_ROWS = 1 << 16;

/** The quads of a load, published as one revision. */
export class BulkLoader implements QuadSink {
  /** Number of quads received so far. */
  quads = 0;
  readonly #terms: LoadTerms;
  #change: LargeChange | undefined;
  readonly #pacer: Pacer;
  readonly #graph: number;
  #columns = newColumns(FIRST_ROWS);
  #count = 0;

  constructor(
    private readonly timeline: Timeline,
    private readonly options: BulkLoadOptions,
    blankPrefix: string,
  ) {
    this.#pacer = new Pacer(timeline.env, 4, options.signal);
    this.#terms = new LoadTerms(timeline.dictionary, blankPrefix);
    this.#pacer.onPause = () => this.#change?.work.creep();
    this.#graph = options.graph ?? 0;
  }

  term(bytes: Uint8Array, start: number, end: number): TermHandle {
    return this.#terms.term(bytes, start, end);
  }

  terms(bytes: Uint8Array, spans: Uint32Array, count: number, handles: Uint32Array): void {
    this.#terms.terms(bytes, spans, count, handles);
  }

  blankNode(bytes: Uint8Array, start: number, end: number): TermHandle {
    return this.#terms.blankNode(bytes, start, end);
  }

  tripleTerm(subject: TermHandle, predicate: TermHandle, object: TermHandle): TermHandle {
    return this.#terms.tripleTerm(subject, predicate, object);
  }

  quad(subject: TermHandle, predicate: TermHandle, object: TermHandle, graph: TermHandle): void {
    const at = this.#count++;
    if (at === this.#columns.s.length) this.#columns = grown(this.#columns, this.#moreRows(at));
    const columns = this.#columns;
    columns.s[at] = subject;
    columns.p[at] = predicate;
    columns.o[at] = object;
    columns.g[at] = this.#graph === 0 ? graph : this.#graph;
    this.quads++;
  }

  // From MANY_ROWS on, reserves room for a whole chunk. Memory that is not written costs nothing, but copying it
  // does.
  #moreRows(rows: number): number {
    const { chunkRows } = this.timeline.keyspace.tuning;
    return rows < MANY_ROWS || rows >= chunkRows ? rows * 2 : chunkRows + MANY_ROWS;
  }

  /** Whether the caller must await {@link writeChunk} before it passes more quads. */
  get full(): boolean {
    return this.#count >= this.timeline.keyspace.tuning.chunkRows || this.#terms.bytes >= CHUNK_TEXT_BYTES;
  }

  /** The share of the received quads that is indexed, from 0 to 1. */
  get indexedShare(): number {
    if (this.quads === 0 || this.#change === undefined) return 0;
    return Math.min(1, this.#change.work.done / (this.quads * STEPS));
  }

  /** True after a few milliseconds of parsing. Then the caller should await {@link pause}. */
  get due(): boolean {
    return this.#pacer.due();
  }

  /** Gives the event loop its turn. */
  pause(): Promise<void> {
    return this.#pacer.pause();
  }

  /** Assigns ids to the quads so far and writes them aside. Earlier handles stay valid. */
  async writeChunk(): Promise<void> {
    const change = (this.#change ??= new LargeChange(this.timeline, this.options.replaces, this.#pacer));
    change.checkAlive();
    const freshFrom = this.timeline.dictionary.nextId;
    const { work } = change;
    work.begin(this.#count);
    const quads = await this.#withIds((share) => work.reach(share));
    work.end();
    await change.add(quads, freshFrom);
    this.#count = 0;
  }

  async #withIds(onShare?: (share: number) => void): Promise<IdQuads> {
    await this.#terms.resolve(this.#pacer, onShare);
    const { s, p, o, g } = this.#columns;
    // If the caller gave the graph, its column already holds an id and no handles.
    const columns = this.#graph === 0 ? [s, p, o, g] : [s, p, o];
    for (const column of columns) {
      const toIds = (start: number, end: number): void => this.#terms.toIds(column, start, end);
      if (this.#isSmall) toIds(0, this.#count);
      else await this.#pacer.rows(this.#count, toIds);
    }
    return { s, p, o, g, length: this.#count };
  }

  /** Whether it is committed without anything written aside. */
  get #isSmall(): boolean {
    return this.#change === undefined && this.#count <= FEW_QUADS;
  }

  /** Writes aside the last, partial chunk, unless all quads are few. {@link commit} does it too. */
  async writeRest(): Promise<void> {
    if (this.#count > 0 && !this.#isSmall) await this.writeChunk();
  }

  /** Commits the load as one revision. Returns the present head if nothing changes. */
  async commit(meta: CommitMeta): Promise<Revision> {
    await this.writeRest();
    if (this.#change !== undefined) return toRevision(await this.#change.commit(meta));
    const { replaces } = this.options;
    const quads = await this.#withIds();
    return replaces === undefined
      ? commitIds(this.timeline, quads, NO_QUADS, meta, this.#pacer)
      : replaceQuads(this.timeline, replaces, quads, meta, this.#pacer);
  }

  /** Deletes what was not committed. May be called after a commit. */
  async close(): Promise<void> {
    await this.#change?.close();
    await this.options.onClose?.();
  }
}

interface Columns {
  s: Uint32Array;
  p: Uint32Array;
  o: Uint32Array;
  g: Uint32Array;
}

function newColumns(rows: number): Columns {
  return { s: new Uint32Array(rows), p: new Uint32Array(rows), o: new Uint32Array(rows), g: new Uint32Array(rows) };
}

function grown(columns: Columns, rows: number): Columns {
  const larger = newColumns(rows);
  for (const name of ['s', 'p', 'o', 'g'] as const) larger[name].set(columns[name]);
  return larger;
}
