/** SPARQL results as text: what every format offers. */
import type * as RDF from '@rdfjs/types';

/** A solution by variable name; an unbound variable has no member. */
export type ResultRow = Readonly<Record<string, RDF.Term>>;

/** The texts of the cells of one column, row by row; `undefined` where the variable is unbound. */
export type CellColumn = readonly (string | undefined)[];

/**
 * Writes one answer, in parts: `head`, then `rows` or `cells` as often as there are more, then `end`; or `boolean` alone. The
 * parts together are the document.
 */
export interface ResultSerializer {
  /** The head of the document, before the first row. */
  head(variables: readonly string[]): string;
  /** The text of rows. */
  rows(rows: readonly ResultRow[]): string;
  /** The text of a term, which is the same in every row and column. Callers may cache it for {@link cells}. */
  cell(term: RDF.Term): string;
  /** Writes rows whose cells are given as text. `columns[i]` belongs to variable i and has at least `rows` cells. */
  cells(columns: readonly CellColumn[], rows: number): string;
  /** The end of the document. */
  end(): string;
  /** The whole document of an ASK. */
  boolean(value: boolean): string;
}

/** A format of results in the registry. */
export interface ResultFormat {
  /** The media type that an answer has, with its charset. */
  readonly contentType: string;
  /** Its media types. The first one is canonical. */
  readonly mediaTypes: readonly string[];
  /** Names that stand for it, such as file extensions. */
  readonly names: readonly string[];
  /** Whether it can hold the rows of a SELECT. */
  readonly bindings: boolean;
  /** Creates a serialiser for one document. */
  readonly create: () => ResultSerializer;
}

export const XSD_STRING = 'http://www.w3.org/2001/XMLSchema#string';

/** Writes rows through their cells, for formats that write all rows this way. */
export function rowsByCells(
  serializer: Pick<ResultSerializer, 'cell' | 'cells'>,
  variables: readonly string[],
  rows: readonly ResultRow[],
): string {
  // A row inherits from Object, and a variable may have the name of an inherited member.
  const columns = variables.map((name) =>
    rows.map((row) => {
      const term = Object.hasOwn(row, name) ? row[name] : undefined;
      return term && serializer.cell(term);
    }),
  );
  return serializer.cells(columns, rows.length);
}
