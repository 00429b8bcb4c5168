/** CSV (RFC 4180) and TSV with the same quotes: rows of as many cells as the table has columns. */
import { ParseError } from '@quadrille/model';
import papaparse from 'papaparse';
import { inRow, MOST_ROW, type TableReader, type TableReaderOptions } from './table-reader.js';
import { NotUtf8, TextLines } from './text-lines.js';

export interface DelimitedReaderOptions extends TableReaderOptions {
  /** Between two cells: `,` or a tab. */
  readonly delimiter: string;
  /** Gets the first row. An error that it throws ends the reading. */
  readonly onHeader: (names: readonly string[]) => void;
}

type Parsed = papaparse.ParseResult<string[]>;

const SHOWN_ROW = 500;

export class DelimitedReader implements TableReader<readonly string[]> {
  row = 0;
  readonly #lines = new TextLines();
  #newline: '\n' | '\r' = '\n';
  /** The text of a row that has not ended. */
  #rest = '';
  #names: readonly string[] | undefined;
  /** The line in which the present row begins, and the one behind it. */
  #line = 1;
  #nextLine = 1;

  constructor(private readonly options: DelimitedReaderOptions) {}

  *push(chunk: Uint8Array): Generator<readonly string[]> {
    yield* this.#read(this.#lines.push(chunk), false);
    if (this.#rest.length + this.#lines.heldBytes > MOST_ROW) throw this.#tooLong();
  }

  *end(): Generator<readonly string[]> {
    yield* this.#read(this.#lines.end(), true);
    if (this.#names === undefined)
      throw new ParseError('RDF_SYNTAX', 'the table is empty: its first row has to name its columns', {
        source: this.options.source,
      });
  }

  fault(reason: string, column?: string): ParseError {
    return this.#fault(this.row, reason, column);
  }

  #fault(row: number, reason: string, column?: string): ParseError {
    const { source } = this.options;
    const text = this.#names === undefined ? `row of names: ${reason}` : inRow(row, column, reason);
    return new ParseError('RDF_SYNTAX', text, { source, line: this.#line });
  }

  #tooLong(): ParseError {
    this.#line = this.#nextLine;
    return this.#fault(
      this.row + 1,
      `the row is longer than ${String(MOST_ROW)} characters: a quote may not be closed`,
    );
  }

  *#read(text: string | NotUtf8, isLast: boolean): Generator<readonly string[]> {
    if (typeof text === 'string') return yield* this.#rows(text, isLast);
    yield* this.#rows(text.before, false);
    this.#line = this.#nextLine;
    const column = this.#columnAt(this.#rest + text.start);
    throw this.#fault(this.row + 1, 'not UTF-8; iconv -f latin1 -t utf8 may help', column);
  }

  /** The name of the column in which a text ends. */
  #columnAt(text: string): string | undefined {
    return this.#names?.[(this.#parse(text, true).data.at(-1)?.length ?? 1) - 1];
  }

  *#rows(text: string, isLast: boolean): Generator<readonly string[]> {
    const input = this.#rest + text;
    if (input === '') return;
    if (isLast && this.#names === undefined && !input.includes('\n')) this.#newline = '\r';
    const { data, errors, meta } = this.#parse(input, isLast);
    this.#rest = input.slice(meta.cursor);
    // A row that is not complete is parsed again.
    const wrong = errors.find(({ row = 0 }) => row < data.length);
    for (let i = 0; i < data.length; i++) {
      const cells = data[i]!;
      this.#line = this.#nextLine;
      for (const cell of cells) this.#nextLine += linesIn(cell);
      this.#nextLine++;
      if (wrong?.row === i) throw this.#wrongQuote(wrong, input);
      const row = this.#rowOf(cells);
      if (row !== undefined) yield row;
    }
  }

  #parse(input: string, isLast: boolean): Parsed {
    const parser = new papaparse.Parser({ delimiter: this.options.delimiter, newline: this.#newline });
    return parser.parse(input, 0, !isLast) as Parsed;
  }

  #wrongQuote({ code, index = 0 }: papaparse.ParseError, input: string): ParseError {
    const column = this.#columnAt(input.slice(0, index));
    const reason =
      code === 'MissingQuotes' ? 'the quote is not closed' : 'a quote inside a quoted cell has to be doubled: ""';
    return this.#fault(this.row + 1, reason, column);
  }

  /** The cells of a row; `undefined` for one that is left out: the names, an empty line, or one with a fault. */
  #rowOf(cells: string[]): readonly string[] | undefined {
    const last = cells.at(-1)!;
    if (last.endsWith('\r')) cells[cells.length - 1] = last.slice(0, -1);
    if (cells.length === 1 && cells[0] === '') return undefined;
    if (this.#names === undefined) {
      this.options.onHeader(cells);
      this.#names = cells;
      return undefined;
    }
    this.row++;
    if (cells.length === this.#names.length) return cells;
    const has = cells.length === 1 ? 'has one cell' : `has ${String(cells.length)} cells`;
    const error = this.fault(`the row ${has}, and the table has ${String(this.#names.length)} columns`);
    if (this.options.onFault === undefined) throw error;
    this.options.onFault(error, cells.join(this.options.delimiter).slice(0, SHOWN_ROW));
    return undefined;
  }
}

function linesIn(cell: string): number {
  let count = 0;
  for (let at = cell.indexOf('\n'); at >= 0; at = cell.indexOf('\n', at + 1)) count++;
  return count;
}
