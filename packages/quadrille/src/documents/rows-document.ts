/**
 * Rows as a document in chunks of text: by columns of ids where an answer has them, else row by row. Every table of results that
 * the library or a server writes is written here.
 */
import type { CellColumn, ResultSerializer } from '@quadrille/formats';
import { createResultSerializer } from '@quadrille/formats';
import { iterate, type LazySequence, lazySequence, yieldTurn } from '@quadrille/model';
import type { IdSolutions, SparqlAnswer } from '@quadrille/sparql';
import type * as RDF from '@rdfjs/types';
import type { Row } from '../api/index.js';
import { CellTexts } from './cell-texts.js';

type Bindings = Extract<SparqlAnswer, { type: 'bindings' }>;

/** About how long a chunk is, in UTF-16 units. */
const CHUNK_LENGTH = 64 * 1024;
const FIRST_ROWS = 16;
const MOST_ROWS = 1024;
/** Rows at once where they come as terms. */
const PIECE_ROWS = 128;
/** How long rows wait for more of them to fill a chunk. */
const PATIENCE_MS = 20;
/** How long writing may go on before the event loop gets its turn. */
const SLICE_MS = 5;

type Items<T> = Iterable<T> | AsyncIterable<T>;

/**
 * Rows as a document in a format of SPARQL results, in chunks of text that never run ahead of the reader. An absent member of a
 * row is an unbound variable.
 * @param format a media type or a name: JSON, XML, CSV or TSV
 * @throws InvalidArgumentError `INVALID_OPTION` for a format that is not known, or has no rows
 * @example
 * ```ts
 * import { literal, rowsDocument } from 'quadrille';
 *
 * let text = '';
 * for await (const chunk of rowsDocument('csv', ['name'], [{ name: literal('Ann') }])) text += chunk;
 * console.log(text.split('\r\n')); // [ 'name', '"Ann"', '' ]
 * ```
 * @since 0.1.0
 */
export function rowsDocument(format: string, variables: readonly string[], rows: Items<Row>): AsyncIterable<string> {
  const serializer = createResultSerializer(format);
  const pieces = lazySequence(() => rowPieces(inPieces(rows), serializer));
  return iterate(new RowsDocument(pieces, serializer.head(variables), serializer));
}

/**
 * Quads as the rows of a table with the columns `s`, `p` and `o`, in the order of the quads. Graph names are left out.
 * @example
 * ```ts
 * import { iri, quad, tripleRows } from 'quadrille';
 *
 * for await (const { s, p, o } of tripleRows([quad(iri('urn:a'), iri('urn:b'), iri('urn:c'))]))
 *   console.log(s?.value, p?.value, o?.value); // 'urn:a' 'urn:b' 'urn:c'
 * ```
 * @since 0.1.0
 */
export async function* tripleRows(quads: Items<RDF.Quad>): AsyncGenerator<Row> {
  for await (const { subject, predicate, object } of quads) yield { s: subject, p: predicate, o: object };
}

/** The rows of an answer as a document. */
export function bindingsDocument(answer: Bindings, serializer: ResultSerializer): LazySequence<string> {
  const { variables, ids, batches } = answer;
  const pieces =
    ids === undefined ? lazySequence(() => rowPieces(batches, serializer)) : new CellPieces(ids, serializer);
  return new RowsDocument(pieces, serializer.head(variables), serializer);
}

class RowsDocument implements LazySequence<string> {
  readonly #chunk: Chunk;
  #ended = false;

  constructor(
    private readonly pieces: LazySequence<string>,
    head: string,
    private readonly serializer: ResultSerializer,
  ) {
    this.#chunk = new Chunk(head);
  }

  next(): Text {
    while (!this.#ended) {
      const pause = this.#chunk.pause();
      if (pause !== undefined) return pause.then(() => this.next());
      const piece = this.pieces.next();
      if (piece instanceof Promise) return piece.then((ready) => this.#take(ready) ?? this.next());
      const full = this.#take(piece);
      if (full !== undefined) return full;
    }
    return undefined;
  }

  /** The text to send next. */
  #take(piece: string | undefined): string | undefined {
    if (piece !== undefined) return this.#chunk.add(piece);
    this.#ended = true;
    return this.#chunk.rest + this.serializer.end();
  }

  close(): void | Promise<void> {
    this.#ended = true;
    return this.pieces.close();
  }
}

type Text = string | undefined | Promise<string | undefined>;

/** Pieces become a chunk when they are long enough, or have waited long enough. */
class Chunk {
  #since = performance.now();
  #sliceEnd = this.#since + SLICE_MS;
  #now = this.#since;

  constructor(public rest: string) {}

  /** The text to send next. */
  add(piece: string): string | undefined {
    this.rest += piece;
    this.#now = performance.now();
    if (this.rest.length < CHUNK_LENGTH && this.#now - this.#since <= PATIENCE_MS) return undefined;
    const full = this.rest;
    this.rest = '';
    this.#since = this.#now;
    return full;
  }

  /** Gives the event loop its turn when that has come. */
  pause(): Promise<void> | undefined {
    return this.#now > this.#sliceEnd ? this.#yieldTurn() : undefined;
  }

  async #yieldTurn(): Promise<void> {
    await yieldTurn();
    this.#sliceEnd = performance.now() + SLICE_MS;
  }
}

async function* inPieces(rows: Items<Row>): AsyncGenerator<readonly Row[]> {
  let piece: Row[] = [];
  for await (const row of rows) {
    if (piece.push(row) < PIECE_ROWS) continue;
    yield piece;
    piece = [];
  }
  if (piece.length > 0) yield piece;
}

async function* rowPieces(
  batches: AsyncIterable<readonly Row[]>,
  serializer: ResultSerializer,
): AsyncGenerator<string> {
  for await (const rows of batches) {
    for (let at = 0; at < rows.length; at += PIECE_ROWS) yield serializer.rows(rows.slice(at, at + PIECE_ROWS));
  }
}

type IdBatch = { readonly columns: readonly Uint32Array[]; readonly length: number };

/** As many rows at once as a chunk has room for, going by the rows before. */
class CellPieces implements LazySequence<string> {
  readonly #batches: LazySequence<IdBatch>;
  readonly #texts: CellTexts;
  #batch: IdBatch = { columns: [], length: 0 };
  #start = 0;
  #most = FIRST_ROWS;

  constructor(
    ids: IdSolutions,
    private readonly serializer: ResultSerializer,
  ) {
    this.#batches = ids.batches();
    this.#texts = new CellTexts(
      (id) => ids.term(id),
      (term) => serializer.cell(term),
    );
  }

  next(): Text {
    if (this.#start < this.#batch.length) return this.#piece([]);
    const batch = this.#batches.next();
    return batch instanceof Promise ? batch.then(this.#begin) : this.#begin(batch);
  }

  readonly #begin = (batch: IdBatch | undefined): Text => {
    if (batch === undefined) return undefined;
    this.#batch = batch;
    this.#start = 0;
    return this.next();
  };

  /** The texts of the columns from that behind `cells` on, and then the rows. */
  #piece(cells: CellColumn[]): Text {
    const { columns, length } = this.#batch;
    // Where texts are long, a column may give those of fewer rows.
    let rows = cells.at(-1)?.length ?? Math.min(length - this.#start, this.#most);
    for (let i = cells.length; i < columns.length; i++) {
      const texts = this.#texts.column(columns[i]!, this.#start, this.#start + rows);
      if (texts instanceof Promise) return texts.then((ready) => this.#piece([...cells, ready]));
      cells.push(texts);
      rows = texts.length;
    }
    const piece = this.serializer.cells(cells, rows);
    const fitting = Math.floor((CHUNK_LENGTH * rows) / Math.max(1, piece.length));
    this.#most = Math.max(1, Math.min(MOST_ROWS, fitting));
    this.#start += rows;
    return piece;
  }

  close(): void | Promise<void> {
    return this.#batches.close();
  }
}
