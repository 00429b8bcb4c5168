/**
 * Decodes rows of ids to RDF/JS quads, in pieces that take a few milliseconds each. Pieces with long texts have fewer
 * rows.
 */
import type * as RDF from '@rdfjs/types';
import { dataFactory } from '@quadrille/model';
import type { LocalTerms } from '../dictionary/local-terms.js';
import type { DecodeBudget, TermDecoder } from '../dictionary/term-decoder.js';
import { MISS } from '../keyspace/block-cache.js';
import type { Pacer } from '../runtime/env.js';

/** Columns of ids. */
export interface QuadIds {
  readonly s: Uint32Array;
  readonly p: Uint32Array;
  readonly o: Uint32Array;
  readonly g: Uint32Array;
}

/** Largest number of rows that counts as a lookup, and of the first piece. */
const FEW_ROWS = 64;
/** Rows of a larger piece for each term that is decoded where it stands. With more of them, each block of terms is read once instead. */
const ROWS_A_TERM = 8;
/** Pieces of which none is tried so, after one with more of them. */
const PIECES_LEFT_OUT = 8;
/** Bytes of texts that are decoded for one piece. */
const PIECE_BYTES = 256 * 1024;
/** Factor by which a piece gets shorter after long texts, and longer after short ones. */
const STEP = 8;
/** No window has more rows. */
const MANY_ROWS = 1 << 16;
/** The budget of a piece with a single row, which is always decoded. */
const ANY_BYTES = Number.MAX_SAFE_INTEGER;

/** The terms of rows, column by column, and the rest of the budget of bytes. */
interface DecodedColumns {
  readonly columns: readonly RDF.Term[][];
  readonly rows: number;
  readonly given: number;
  readonly budget: DecodeBudget;
}

export class QuadDecoder {
  /** Largest number of rows of the next piece. */
  #most = FEW_ROWS;
  /** Terms that may be decoded where they stand. */
  #decodable = 0;
  #leftOut = 0;

  constructor(
    private readonly terms: TermDecoder,
    private readonly local?: LocalTerms,
  ) {}

  /**
   * The quads of the rows from `start` on: at least one, and only rows before `end`. Returns a promise only if data
   * must be fetched.
   */
  piece(rows: QuadIds, start: number, end: number): RDF.Quad[] | Promise<RDF.Quad[]> {
    const pieceEnd = Math.min(end, start + this.#most);
    const atHand = this.#atHand(rows, start, pieceEnd);
    if (atHand !== undefined) return atHand;
    const waits: Promise<void>[] = [];
    const decoded = this.#decode(rows, start, pieceEnd, waits)!;
    const finish = (): RDF.Quad[] | Promise<RDF.Quad[]> => this.#finish(decoded) ?? this.piece(rows, start, pieceEnd);
    return waits.length === 0 ? finish() : Promise.all(waits).then(finish);
  }

  /** Like {@link piece}, without waiting. Returns `MISS` (-1) if data must be fetched. */
  tryPiece(rows: QuadIds, start: number, end: number): RDF.Quad[] | typeof MISS {
    const pieceEnd = Math.min(end, start + this.#most);
    const atHand = this.#atHand(rows, start, pieceEnd);
    if (atHand !== undefined) return atHand;
    const decoded = this.#decode(rows, start, pieceEnd);
    return decoded === undefined ? MISS : (this.#finish(decoded) ?? this.tryPiece(rows, start, pieceEnd));
  }

  /** The quads of `length` rows, piece by piece. */
  async *pieces(rows: QuadIds, length: number, pacer: Pacer): AsyncGenerator<RDF.Quad[]> {
    for (let at = 0; at < length;) {
      const piece = await this.piece(rows, at, length);
      at += piece.length;
      yield piece;
      if (pacer.due()) await pacer.pause();
    }
  }

  #lengthen(): void {
    this.#most = this.#most * STEP > MANY_ROWS ? Infinity : this.#most * STEP;
  }

  // The piece, if nearly all its terms are cached, as in most lookups; otherwise undefined. It is shorter if texts are long.
  #atHand({ s, p, o, g }: QuadIds, start: number, end: number): RDF.Quad[] | undefined {
    const quads = new Array<RDF.Quad>(end - start);
    // Where texts are long, they are decoded one by one instead.
    const budget = this.#most >= FEW_ROWS ? { bytes: PIECE_BYTES } : undefined;
    const isLookup = end - start <= FEW_ROWS;
    this.#decodable = isLookup ? Infinity : this.#leftOut-- > 0 ? 0 : (end - start) / ROWS_A_TERM;
    let quad: RDF.Quad | undefined;
    let subject = this.#term(s[start]!, budget);
    let predicate = this.#term(p[start]!, budget);
    let graph = this.#term(g[start]!, budget);
    for (let i = start; i < end; i++) {
      if (i > start) {
        // The events of a quad follow one another.
        if (o[i] === o[i - 1] && s[i] === s[i - 1] && p[i] === p[i - 1] && g[i] === g[i - 1]) {
          quads[i - start] = quad!;
          continue;
        }
        if (s[i] !== s[i - 1]) subject = this.#term(s[i]!, budget);
        if (p[i] !== p[i - 1]) predicate = this.#term(p[i]!, budget);
        if (g[i] !== g[i - 1]) graph = this.#term(g[i]!, budget);
      }
      const object = this.#term(o[i]!, budget);
      if (subject === undefined || predicate === undefined || object === undefined || graph === undefined) {
        if (this.#leftOut < 0) this.#leftOut = PIECES_LEFT_OUT;
        return undefined;
      }
      quads[i - start] = quad = makeQuad(subject, predicate, object, graph);
      if (budget !== undefined && budget.bytes < 0) {
        quads.length = i + 1 - start;
        break;
      }
    }
    this.#lengthen();
    return quads;
  }

  #term(id: number, budget: DecodeBudget | undefined): RDF.Term | undefined {
    const { terms, local } = this;
    const cached = terms.tryCached(id, local);
    if (cached !== undefined || budget === undefined || this.#decodable-- <= 0) return cached;
    return this.#decodable === Infinity ? terms.tryDecode(id, local, budget) : terms.tryScanned(id, budget);
  }

  // Decodes missing terms column by column, in id order. Adds what must be waited for to `waits`; without it, returns `undefined` then.
  #decode({ s, p, o, g }: QuadIds, start: number, end: number, waits?: Promise<void>[]): DecodedColumns | undefined {
    const rows = end - start;
    const given = rows === 1 ? ANY_BYTES : PIECE_BYTES;
    const budget = { bytes: given };
    const columns: RDF.Term[][] = [];
    for (const ids of [s, p, o, g]) {
      const out: RDF.Term[] = new Array(rows);
      columns.push(out);
      const missing = this.terms.tryDecodeCached(ids, start, end, out, this.local);
      if (missing === undefined) continue;
      const made = this.terms.tryDecodeMissing(ids, start, missing, out, budget, waits === undefined);
      if (made === missing.length) continue;
      if (waits === undefined) return undefined;
      waits.push(this.terms.decodeRest(ids, start, missing, made, out, budget));
    }
    return { columns, rows, given, budget };
  }

  // The quads; `undefined` if the texts are too long for the number of rows.
  #finish({ columns, rows, given, budget }: DecodedColumns): RDF.Quad[] | undefined {
    if (budget.bytes < 0) {
      this.#most = Math.max(1, Math.floor(rows / STEP));
      return undefined;
    }
    if (given - budget.bytes < PIECE_BYTES / STEP) this.#lengthen();
    return assemble(columns, rows);
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
