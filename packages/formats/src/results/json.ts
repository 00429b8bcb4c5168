/** SPARQL 1.2 results in JSON (application/sparql-results+json), one solution a line. */
import type * as RDF from '@rdfjs/types';
import { rowsByCells, XSD_STRING, type CellColumn, type ResultRow, type ResultSerializer } from './serializer.js';

export class JsonResultSerializer implements ResultSerializer {
  #variables: readonly string[] = [];
  /** The text before the value of each variable. */
  #keys: readonly string[] = [];
  #empty = true;

  head(variables: readonly string[]): string {
    this.#variables = variables;
    const names = variables.map((name) => JSON.stringify(name));
    this.#keys = names.map((name) => `${name}: `);
    return `{"head": {"vars": [${names.join(', ')}]},\n"results": {"bindings": [`;
  }

  rows(rows: readonly ResultRow[]): string {
    return rowsByCells(this, this.#variables, rows);
  }

  cell(term: RDF.Term): string {
    return termToJson(term);
  }

  cells(columns: readonly CellColumn[], rows: number): string {
    const keys = this.#keys;
    let text = '';
    for (let row = 0; row < rows; row++) {
      let before = this.#empty ? '\n{' : ',\n{';
      this.#empty = false;
      let bound = false;
      for (let i = 0; i < columns.length; i++) {
        const cell = columns[i]![row];
        if (cell === undefined) continue;
        text += before + keys[i]! + cell;
        before = ', ';
        bound = true;
      }
      text += bound ? '}' : `${before}}`;
    }
    return text;
  }

  end(): string {
    return '\n]}}\n';
  }

  boolean(value: boolean): string {
    return `{"head": {}, "boolean": ${value}}\n`;
  }
}

/** A term as JSON, as in SPARQL's results. */
export function termToJson(term: RDF.Term): string {
  switch (term.termType) {
    case 'NamedNode':
      return `{"type": "uri", "value": ${quoted(term.value)}}`;
    case 'BlankNode':
      return `{"type": "bnode", "value": ${quoted(term.value)}}`;
    case 'Quad':
      return `{"type": "triple", "value": {"subject": ${termToJson(term.subject)}, "predicate": ${termToJson(term.predicate)}, "object": ${termToJson(term.object)}}}`;
    case 'Literal':
      return `{"type": "literal", "value": ${quoted(term.value)}${literalMembers(term)}}`;
    default:
      return 'null';
  }
}

/** What JSON cannot hold as it is, lone surrogates among them. */
const NEEDS_ESCAPES = /[\u0000-\u001f"\\\ud800-\udfff]/;

/** Like JSON.stringify, but several times faster for short texts. */
const quoted = (text: string): string => (NEEDS_ESCAPES.test(text) ? JSON.stringify(text) : `"${text}"`);

function literalMembers({ language, direction, datatype }: RDF.Literal): string {
  if (language !== '') {
    const dir = direction ? `, "its:dir": ${JSON.stringify(direction)}` : '';
    return `, "xml:lang": ${quoted(language)}${dir}`;
  }
  return datatype.value === XSD_STRING ? '' : `, "datatype": ${quoted(datatype.value)}`;
}
