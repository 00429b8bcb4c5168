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
  const head = serializer.head(variables);
  const pieces = ids === undefined ? rowPieces(answer, serializer) : cellPieces(ids, serializer);
  let text = head;
  let since = performance.now();
  let sliceEnd = since + SLICE_MS;
  for await (const piece of pieces) {
    text += piece;
    const now = performance.now();
    if (text.length >= CHUNK_LENGTH || now - since > PATIENCE_MS) {
      yield text;
      text = '';
      since = performance.now();
    }
    if (now > sliceEnd) {
      await yieldTurn();
      sliceEnd = performance.now() + SLICE_MS;
    }
  }
  yield text + serializer.end();
}

async function* rowPieces({ batches }: Bindings, serializer: ResultSerializer): AsyncGenerator<string> {
  for await (const rows of batches) {
    for (let at = 0; at < rows.length; at += PIECE_ROWS) yield serializer.rows(rows.slice(at, at + PIECE_ROWS));
  }
}

/** As many rows at once as a chunk has room for, going by the rows before. */
async function* cellPieces(ids: IdSolutions, serializer: ResultSerializer): AsyncGenerator<string> {
  const texts = new CellTexts(
    (id) => ids.term(id),
    (term) => serializer.cell(term),
  );
  let most = FIRST_ROWS;
  for await (const { columns, length } of ids.batches()) {
    for (let start = 0, end: number; start < length; start = end) {
      end = Math.min(length, start + most);
      const cells: CellColumn[] = [];
      for (const column of columns) cells.push(await texts.column(column, start, end));
      const piece = serializer.cells(cells, end - start);
      yield piece;
      const fitting = Math.floor((CHUNK_LENGTH * (end - start)) / Math.max(1, piece.length));
      most = Math.max(1, Math.min(MOST_ROWS, fitting));
    }
  }
}
