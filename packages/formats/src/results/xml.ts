/** SPARQL 1.2 results in XML (application/sparql-results+xml). */
import type * as RDF from '@rdfjs/types';
import { rowsByCells, XSD_STRING, type CellColumn, type ResultRow, type ResultSerializer } from './serializer.js';

const ROOT =
  '<?xml version="1.0" encoding="UTF-8"?>\n' +
  '<sparql xmlns="http://www.w3.org/2005/sparql-results#" xmlns:its="http://www.w3.org/2005/11/its" its:version="2.0">\n';
const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#xD;',
  '\n': '&#xA;',
  '\t': '&#x9;',
};
// XML 1.0 has no way to write these, not even as character references.
const UNWRITABLE = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g;

export class XmlResultSerializer implements ResultSerializer {
  #variables: readonly string[] = [];
  /** The beginning of the binding of each variable. */
  #openings: readonly string[] = [];

  head(variables: readonly string[]): string {
    this.#variables = variables;
    this.#openings = variables.map((name) => `<binding name="${attribute(name)}">`);
    const names = variables.map((name) => `<variable name="${attribute(name)}"/>`).join('');
    return `${ROOT}<head>${names}</head>\n<results>\n`;
  }

  rows(rows: readonly ResultRow[]): string {
    return rowsByCells(this, this.#variables, rows);
  }

  cell(term: RDF.Term): string {
    return termToXml(term);
  }

  cells(columns: readonly CellColumn[], rows: number): string {
    const openings = this.#openings;
    let text = '';
    for (let row = 0; row < rows; row++) {
      text += '<result>';
      for (let i = 0; i < columns.length; i++) {
        const cell = columns[i]![row];
        if (cell !== undefined) text += `${openings[i]!}${cell}</binding>`;
      }
      text += '</result>\n';
    }
    return text;
  }

  end(): string {
    return '</results>\n</sparql>\n';
  }

  boolean(value: boolean): string {
    return `${ROOT}<head></head>\n<boolean>${value}</boolean>\n</sparql>\n`;
  }
}

function termToXml(term: RDF.Term): string {
  switch (term.termType) {
    case 'NamedNode':
      return `<uri>${content(term.value)}</uri>`;
    case 'BlankNode':
      return `<bnode>${content(term.value)}</bnode>`;
    case 'Literal':
      return `<literal${literalAttributes(term)}>${content(term.value)}</literal>`;
    case 'Quad': {
      const { subject, predicate, object } = term;
      return `<triple><subject>${termToXml(subject)}</subject><predicate>${termToXml(predicate)}</predicate><object>${termToXml(object)}</object></triple>`;
    }
    default:
      return '';
  }
}

function literalAttributes({ language, direction, datatype }: RDF.Literal): string {
  if (language !== '') {
    return ` xml:lang="${attribute(language)}"${direction ? ` its:dir="${attribute(direction)}"` : ''}`;
  }
  return datatype.value === XSD_STRING ? '' : ` datatype="${attribute(datatype.value)}"`;
}

const content = (text: string): string =>
  text.replace(UNWRITABLE, '\uFFFD').replace(/[&<>\r]/g, (char) => ESCAPES[char] ?? char);
const attribute = (text: string): string =>
  text.replace(UNWRITABLE, '\uFFFD').replace(/[&<>"\r\n\t]/g, (char) => ESCAPES[char] ?? char);
