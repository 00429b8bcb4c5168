/** SPARQL 1.2 results in XML (application/sparql-results+xml). */
import type * as RDF from '@rdfjs/types';
import { XSD_STRING, type ResultRow, type ResultSerializer } from './serializer.js';

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

  head(variables: readonly string[]): string {
    this.#variables = variables;
    const names = variables.map((name) => `<variable name="${attribute(name)}"/>`).join('');
    return `${ROOT}<head>${names}</head>\n<results>\n`;
  }

  rows(rows: readonly ResultRow[]): string {
    return rows.map((row) => `<result>${this.#row(row)}</result>\n`).join('');
  }

  end(): string {
    return '</results>\n</sparql>\n';
  }

  boolean(value: boolean): string {
    return `${ROOT}<head></head>\n<boolean>${value}</boolean>\n</sparql>\n`;
  }

  #row(row: ResultRow): string {
    return this.#variables
      .map((name) => {
        const term = row[name];
        return term === undefined ? '' : `<binding name="${attribute(name)}">${termToXml(term)}</binding>`;
      })
      .join('');
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
