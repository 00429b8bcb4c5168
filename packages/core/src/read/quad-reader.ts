/** Turns the rows of a scan into RDF/JS quads, batch by batch, synchronously where nothing has to be fetched. */
import type * as RDF from '@rdfjs/types';
import { dataFactory } from '@quadrille/model';
import { MISS } from '../keyspace/block-cache.js';
import { Pacer } from '../runtime/env.js';
import type { Env } from '../runtime/env.js';
import type { LocalTerms } from '../dictionary/local-terms.js';
import type { Keyspace } from '../keyspace/keyspace.js';
import type { TermDecoder } from '../dictionary/term-decoder.js';

/** Windows of rows: a scan, or a seeker that is at its pattern. */
interface QuadRows {
  readonly s: Uint32Array;
  readonly p: Uint32Array;
  readonly o: Uint32Array;
  readonly g: Uint32Array;
  readonly start: number;
  readonly end: number;
  /** Rows of the next window, 0 at the end, MISS where {@link fetch} has to be awaited first. */
  next(): number;
  fetch(): Promise<void>;
  close(): void;
}

/** The part of a generation that a reader needs. */
interface ReaderSource {
  readonly keyspace: Keyspace;
  readonly decoder: TermDecoder;
  readonly env: Env;
}

/** A batch of so many rows at most is a lookup. */
const FEW_ROWS = 64;

export class QuadReader {
  /** From the second batch on: most lookups have one, and a clock costs as much as a row. */
  #pacer: Pacer | undefined;
  #begun = false;
  #closed = false;

  readonly #keyspace: Keyspace;
  readonly #decoder: TermDecoder;
  readonly #env: Env;

  constructor(
    source: ReaderSource,
    private readonly rows: QuadRows,
    private readonly local?: LocalTerms,
    /** What is done with the rows when they are not read any more. */
    private readonly release: () => void = () => rows.close(),
  ) {
    this.#keyspace = source.keyspace;
    this.#decoder = source.decoder;
    this.#env = source.env;
  }

  /**
   * The next batch; `undefined` at the end. A promise only where something had to be fetched, or where the event loop
   * has not had a turn for a while: a reader that never waits would starve it.
   */
  next(): RDF.Quad[] | undefined | Promise<RDF.Quad[] | undefined> {
    if (this.#closed) return undefined;
    this.#keyspace.check();
    if (this.#pacer?.due()) return this.#pacer.pause().then(() => this.next());
    const rows = this.rows.next();
    if (rows === MISS) return this.rows.fetch().then(() => this.next());
    if (rows === 0) return undefined;
    if (this.#begun) this.#pacer ??= new Pacer(this.#env);
    this.#begun = true;
    return this.#atHand() ?? this.#decode();
  }

  // The whole batch where all of its terms are at hand, which is the case in most lookups; else undefined.
  #atHand(): RDF.Quad[] | undefined {
    const { s, p, o, g, start, end } = this.rows;
    const { local } = this;
    const quads = new Array<RDF.Quad>(end - start);
    // Many terms that are not in the cache are better decoded in the order of their ids.
    const few = end - start <= FEW_ROWS;
    let subject = this.#term(s[start]!, few, local);
    let predicate = this.#term(p[start]!, few, local);
    let graph = this.#term(g[start]!, few, local);
    for (let i = start; i < end; i++) {
      if (i > start) {
        if (s[i] !== s[i - 1]) subject = this.#term(s[i]!, few, local);
        if (p[i] !== p[i - 1]) predicate = this.#term(p[i]!, few, local);
        if (g[i] !== g[i - 1]) graph = this.#term(g[i]!, few, local);
      }
      const object = this.#term(o[i]!, few, local);
      if (subject === undefined || predicate === undefined || object === undefined || graph === undefined)
        return undefined;
      quads[i - start] = makeQuad(subject, predicate, object, graph);
    }
    return quads;
  }

  #term(id: number, few: boolean, local: LocalTerms | undefined): RDF.Term | undefined {
    return few ? this.#decoder.tryDecode(id, local) : this.#decoder.tryCached(id, local);
  }

  // Terms that are missing are decoded column by column, in the order of their ids.
  #decode(): RDF.Quad[] | Promise<RDF.Quad[]> {
    const { s, p, o, g, start, end } = this.rows;
    const terms: RDF.Term[][] = [];
    let waits: Promise<void>[] | undefined;
    for (const ids of [s, p, o, g]) {
      const out: RDF.Term[] = new Array(end - start);
      const missing = this.#decoder.tryDecodeCached(ids, start, end, out, this.local);
      const wait = missing && this.#decoder.decodeMissing(ids, start, missing, out);
      if (wait !== undefined) (waits ??= []).push(wait);
      terms.push(out);
    }
    if (waits !== undefined) return Promise.all(waits).then(() => assemble(terms, end - start));
    return assemble(terms, end - start);
  }

  close(): void {
    if (!this.#closed) this.release();
    this.#closed = true;
  }
}

function assemble(terms: readonly RDF.Term[][], rows: number): RDF.Quad[] {
  const [subjects, predicates, objects, graphs] = terms as [RDF.Term[], RDF.Term[], RDF.Term[], RDF.Term[]];
  const quads = new Array<RDF.Quad>(rows);
  for (let i = 0; i < rows; i++) quads[i] = makeQuad(subjects[i]!, predicates[i]!, objects[i]!, graphs[i]!);
  return quads;
}

function makeQuad(subject: RDF.Term, predicate: RDF.Term, object: RDF.Term, graph: RDF.Term): RDF.Quad {
  return dataFactory.quad(
    subject as RDF.Quad_Subject,
    predicate as RDF.Quad_Predicate,
    object as RDF.Quad_Object,
    graph as RDF.Quad_Graph,
  );
}
