/** Turns rows of a scan into RDF/JS quads, batch by batch. Synchronous unless a block or term must be fetched. */
import type * as RDF from '@rdfjs/types';
import { MISS } from '../keyspace/block-cache.js';
import { Pacer } from '../runtime/env.js';
import type { Env } from '../runtime/env.js';
import type { LocalTerms } from '../dictionary/local-terms.js';
import type { TermDecoder } from '../dictionary/term-decoder.js';
import { QuadDecoder } from './quad-decoder.js';

/** A reader of windows of rows: a scan, or a seeker that is at its pattern. */
export interface QuadRows {
  readonly s: Uint32Array;
  readonly p: Uint32Array;
  readonly o: Uint32Array;
  readonly g: Uint32Array;
  /** The number of the revision that added each quad, where the reader was asked for it. */
  readonly from?: Uint32Array;
  readonly start: number;
  readonly end: number;
  /**
   * Reads the next window. Returns its number of rows, 0 at the end, or MISS if the caller must await {@link fetch}
   * first.
   */
  next(): number;
  fetch(): Promise<void>;
  close(): void;
}

/** The parts of a timeline that a reader needs. */
interface ReaderSource {
  /** Throws if reading was ended. */
  check(): void;
  readonly decoder: TermDecoder;
  readonly env: Env;
}

/** The ids of the terms of a quad. */
export interface QuadIds {
  /** The subject. */
  readonly s: number;
  /** The predicate. */
  readonly p: number;
  /** The object. */
  readonly o: number;
  /** The graph. */
  readonly g: number;
}

/** Reads the quads of a pattern as terms, in batches. */
export class QuadReader {
  /** Set from the second batch on. Most lookups have one batch, and reading the clock costs as much as a row. */
  #pacer: Pacer | undefined;
  #begun = false;
  #closed = false;

  /** The row of the first quad of the last batch. */
  #first = 0;
  /** The rows of the window that are not decoded yet. */
  #at = 0;
  #end = 0;

  readonly #source: ReaderSource;
  readonly #decoder: QuadDecoder;
  readonly #env: Env;

  constructor(
    source: ReaderSource,
    private readonly rows: QuadRows,
    local?: LocalTerms,
    /** Called when the reader needs the rows no more. */
    private readonly release: () => void = () => rows.close(),
  ) {
    this.#source = source;
    this.#decoder = new QuadDecoder(source.decoder, local);
    this.#env = source.env;
  }

  /**
   * Reads the next batch; `undefined` at the end. Returns a promise only if data must be fetched, or if the event
   * loop has had no turn for a while. A reader that never waits would starve the event loop.
   */
  next(): RDF.Quad[] | undefined | Promise<RDF.Quad[] | undefined> {
    if (this.#closed) return undefined;
    this.#source.check();
    if (this.#pacer?.due()) return this.#pacer.pause().then(() => this.next());
    const rows = this.#window();
    if (rows === MISS) return this.rows.fetch().then(() => this.next());
    if (rows === 0) return undefined;
    if (this.#begun) this.#pacer ??= new Pacer(this.#env);
    this.#begun = true;
    const quads = this.#decoder.piece(this.rows, this.#at, this.#end);
    return quads instanceof Promise ? quads.then((fetched) => this.#passed(fetched)) : this.#passed(quads);
  }

  /** Like {@link next}, without waiting, and at most `most` quads. Returns `MISS` (-1) if data must be fetched. */
  tryNext(most: number): RDF.Quad[] | undefined | typeof MISS {
    if (this.#closed) return undefined;
    this.#source.check();
    const rows = this.#window();
    if (rows === MISS) return MISS;
    if (rows === 0) return undefined;
    const quads = this.#decoder.tryPiece(this.rows, this.#at, Math.min(this.#end, this.#at + most));
    return quads === MISS ? MISS : this.#passed(quads);
  }

  // The number of rows of the window that are left, or of the next one: 0 at the end, or MISS.
  #window(): number {
    if (this.#at < this.#end) return this.#end - this.#at;
    const rows = this.rows.next();
    if (rows > 0) {
      this.#at = this.rows.start;
      this.#end = this.rows.end;
    }
    return rows;
  }

  #passed(quads: RDF.Quad[]): RDF.Quad[] {
    this.#first = this.#at;
    this.#at += quads.length;
    return quads;
  }

  /** The row of a quad of the last batch, in the window of the rows. */
  rowOf(index: number): number {
    return this.#first + index;
  }

  /** The number of the revision that added a quad of the last batch. Only of a reader with revisions. */
  addedBy(index: number): number {
    return this.rows.from![this.rowOf(index)]!;
  }

  /** The ids of a quad of the last batch: its subject, predicate, object and graph. */
  ids(index: number): QuadIds {
    const [{ s, p, o, g }, row] = [this.rows, this.#first + index];
    return { s: s[row]!, p: p[row]!, o: o[row]!, g: g[row]! };
  }

  /** Frees what the reader holds. */
  close(): void {
    if (!this.#closed) this.release();
    this.#closed = true;
  }
}
