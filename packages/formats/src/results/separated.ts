/**
 * SPARQL results as CSV and TSV. CSV has values only: strings are always quoted, all else is bare unless it has to be quoted,
 * and unbound is empty. TSV has terms as N-Triples writes them.
 */
import type * as RDF from '@rdfjs/types';
import { termToText } from '@quadrille/model';
import { XSD_STRING, type ResultRow, type ResultSerializer } from './serializer.js';

interface Layout {
  readonly separator: string;
  readonly lineEnd: string;
  readonly header: (variable: string) => string;
  readonly cell: (term: RDF.Term) => string;
}

const CSV: Layout = { separator: ',', lineEnd: '\r\n', header: (name) => name, cell: csvCell };
const TSV: Layout = { separator: '\t', lineEnd: '\n', header: (name) => `?${name}`, cell: termToText };

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
    return rows.map((row) => this.#line(this.#variables.map((name) => this.#cell(row[name])))).join('');
  }

  end(): string {
    return '';
  }

  boolean(value: boolean): string {
    return this.#line([String(value)]);
  }

  #cell(term: RDF.Term | undefined): string {
    return term === undefined ? '' : this.#layout.cell(term);
  }

  #line(cells: readonly string[]): string {
    return cells.join(this.#layout.separator) + this.#layout.lineEnd;
  }
}

export const createCsvResultSerializer = (): ResultSerializer => new SeparatedResultSerializer(CSV);
export const createTsvResultSerializer = (): ResultSerializer => new SeparatedResultSerializer(TSV);

function csvCell(term: RDF.Term): string {
  const isText = term.termType === 'Literal' && (term.language !== '' || term.datatype.value === XSD_STRING);
  const text = term.termType === 'NamedNode' || term.termType === 'Literal' ? term.value : termToText(term);
  return isText || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
