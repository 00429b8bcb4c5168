/**
 * SPARQL results as CSV and TSV. CSV has values only: strings are always quoted, all else is bare unless it has to be quoted,
 * and unbound is empty. TSV has terms as N-Triples writes them.
 */
import type * as RDF from '@rdfjs/types';
import { termToNTriples } from '@quadrille/model';
import { rowsByCells, XSD_STRING, type CellColumn, type ResultRow, type ResultSerializer } from './serializer.js';

interface Layout {
  readonly separator: string;
  readonly lineEnd: string;
  readonly header: (variable: string) => string;
  readonly cell: (term: RDF.Term) => string;
}

const CSV: Layout = { separator: ',', lineEnd: '\r\n', header: (name) => name, cell: csvCell };
const TSV: Layout = { separator: '\t', lineEnd: '\n', header: (name) => `?${name}`, cell: termToNTriples };

class SeparatedResultSerializer implements ResultSerializer {
  readonly #layout: Layout;
  #variables: readonly string[] = [];

  constructor(layout: Layout) {
    this.#layout = layout;
  }

  head(variables: readonly string[]): string {
    this.#variables = variables;
    return this.#line(variables.map(this.#layout.header));
  }

  rows(rows: readonly ResultRow[]): string {
    return rowsByCells(this, this.#variables, rows);
  }

  cell(term: RDF.Term): string {
    return this.#layout.cell(term);
  }

  cells(columns: readonly CellColumn[], rows: number): string {
    const { separator, lineEnd } = this.#layout;
    let text = '';
    for (let row = 0; row < rows; row++) {
      for (let i = 0; i < columns.length; i++) {
        if (i > 0) text += separator;
        text += columns[i]![row] ?? '';
      }
      text += lineEnd;
    }
    return text;
  }

  end(): string {
    return '';
  }

  boolean(value: boolean): string {
    return this.#line([String(value)]);
  }

  #line(cells: readonly string[]): string {
    return cells.join(this.#layout.separator) + this.#layout.lineEnd;
  }
}

export const createCsvResultSerializer = (): ResultSerializer => new SeparatedResultSerializer(CSV);
export const createTsvResultSerializer = (): ResultSerializer => new SeparatedResultSerializer(TSV);

function csvCell(term: RDF.Term): string {
  const isText = term.termType === 'Literal' && (term.language !== '' || term.datatype.value === XSD_STRING);
  const text = term.termType === 'NamedNode' || term.termType === 'Literal' ? term.value : termToNTriples(term);
  return isText || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
