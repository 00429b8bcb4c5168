/** Readers of tables: bytes in, rows out. */
import { ParseError } from '@quadrille/model';

/** Options of readers. */
export interface TableReaderOptions {
  /** Name of the document for error messages. */
  readonly source?: string | undefined;
  /**
   * Called for a row with more or fewer cells than the table has columns, with the row as it was read. Without it such a row ends the
   * reading.
   */
  readonly onFault?: ((error: ParseError, text: string) => void) | undefined;
}

/** Reads one table. */
export interface TableReader<Row> {
  /** The rows that a chunk completes. Take all of them before the next call: they are read on the way. @throws ParseError `RDF_SYNTAX` */
  push(chunk: Uint8Array): Iterable<Row>;
  /** The rows that are left. @throws ParseError `RDF_SYNTAX` */
  end(): Iterable<Row>;
  /** The number of the row that was given last, from 1. */
  readonly row: number;
  /** The error for something in that row. */
  fault(reason: string, column?: string): ParseError;
}

/** Longest row of a table of cells, in characters. */
export const MOST_ROW = 32 * 1024 * 1024;

const SHOWN_NAME = 60;

/** What is wrong, with the number of the row and the name of the column. */
export const inRow = (row: number, column: string | undefined, reason: string): string => {
  if (column === undefined) return `row ${String(row)}: ${reason}`;
  const name = column.length > SHOWN_NAME ? `${column.slice(0, SHOWN_NAME)}…` : column;
  return `row ${String(row)}, column ${JSON.stringify(name)}: ${reason}`;
};
