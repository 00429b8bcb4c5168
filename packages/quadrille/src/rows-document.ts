/** The rows of a SELECT as a document in chunks of text: by columns of ids where the answer has them, else row by row. */
import type { CellColumn, ResultSerializer } from '@quadrille/formats';
import { yieldTurn } from '@quadrille/model';
import type { IdSolutions, SparqlAnswer } from '@quadrille/sparql';
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

export async function* rowsDocument(answer: Bindings, serializer: ResultSerializer): AsyncGenerator<string> {
  const { variables, ids } = answer;
  const chunk = new Chunk(serializer.head(variables));
  const pieces = ids === undefined ? rowPieces(answer, serializer) : new CellPieces(ids, serializer);
  let ended = false;
  try {
    for (let next = await pieces.next(); next.done !== true; next = await pieces.next()) {
      const full = chunk.add(next.value);
      if (full !== undefined) yield full;
      const pause = chunk.pause();
      if (pause !== undefined) await pause;
    }
    ended = true;
  } finally {
    if (!ended) await pieces.return?.(undefined);
  }
  yield chunk.rest + serializer.end();
}

/** Pieces become a chunk when they are long enough, or have waited long enough. */
class Chunk {
  #since = performance.now();
  #sliceEnd = this.#since + SLICE_MS;
  #now = this.#since;

  constructor(public rest: string) {}

  /** What is to go out now. */
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

async function* rowPieces({ batches }: Bindings, serializer: ResultSerializer): AsyncGenerator<string> {
  for await (const rows of batches) {
    for (let at = 0; at < rows.length; at += PIECE_ROWS) yield serializer.rows(rows.slice(at, at + PIECE_ROWS));
  }
}

type IdBatch = { readonly columns: readonly Uint32Array[]; readonly length: number };

/** As many rows at once as a chunk has room for, going by the rows before. */
class CellPieces implements AsyncIterator<string, undefined> {
  readonly #batches: AsyncIterator<IdBatch>;
  readonly #texts: CellTexts;
  #batch: IdBatch = { columns: [], length: 0 };
  #start = 0;
  #most = FIRST_ROWS;

  constructor(
    ids: IdSolutions,
    private readonly serializer: ResultSerializer,
  ) {
    this.#batches = ids.batches()[Symbol.asyncIterator]();
    this.#texts = new CellTexts(
      (id) => ids.term(id),
      (term) => serializer.cell(term),
    );
  }

  async next(): Promise<IteratorResult<string, undefined>> {
    while (this.#start >= this.#batch.length) {
      const { done, value } = await this.#batches.next();
      if (done === true) return { value: undefined, done: true };
      this.#batch = value;
      this.#start = 0;
    }
    const { columns, length } = this.#batch;
    const end = Math.min(length, this.#start + this.#most);
    const cells: CellColumn[] = [];
    for (const column of columns) {
      const texts = this.#texts.column(column, this.#start, end);
      cells.push(texts instanceof Promise ? await texts : texts);
    }
    const rows = end - this.#start;
    const piece = this.serializer.cells(cells, rows);
    const fitting = Math.floor((CHUNK_LENGTH * rows) / Math.max(1, piece.length));
    this.#most = Math.max(1, Math.min(MOST_ROWS, fitting));
    this.#start = end;
    return { value: piece, done: false };
  }

  async return(): Promise<IteratorResult<string, undefined>> {
    await this.#batches.return?.();
    return { value: undefined, done: true };
  }
}
