/** SPARQL 1.2 results in JSON (application/sparql-results+json), one solution a line. */
import type * as RDF from '@rdfjs/types';
import { XSD_STRING, type ResultRow, type ResultSerializer } from './serializer.js';

export class JsonResultSerializer implements ResultSerializer {
  #variables: readonly string[] = [];
  #empty = true;

  head(variables: readonly string[]): string {
    this.#variables = variables;
    return `{"head": {"vars": [${variables.map((name) => JSON.stringify(name)).join(', ')}]},\n"results": {"bindings": [`;
  }

  rows(rows: readonly ResultRow[]): string {
    let text = '';
    for (const row of rows) {
      text += `${this.#empty ? '' : ','}\n${this.#row(row)}`;
      this.#empty = false;
    }
    return text;
  }

  end(): string {
    return '\n]}}\n';
  }

  boolean(value: boolean): string {
    return `{"head": {}, "boolean": ${value}}\n`;
  }

  #row(row: ResultRow): string {
    const members = this.#variables.flatMap((name) => {
      const term = row[name];
      return term === undefined ? [] : [`${JSON.stringify(name)}: ${termToJson(term)}`];
    });
    return `{${members.join(', ')}}`;
  }
}

function termToJson(term: RDF.Term): string {
  switch (term.termType) {
    case 'NamedNode':
      return `{"type": "uri", "value": ${JSON.stringify(term.value)}}`;
    case 'BlankNode':
      return `{"type": "bnode", "value": ${JSON.stringify(term.value)}}`;
    case 'Quad':
      return `{"type": "triple", "value": {"subject": ${termToJson(term.subject)}, "predicate": ${termToJson(term.predicate)}, "object": ${termToJson(term.object)}}}`;
    case 'Literal':
      return `{"type": "literal", "value": ${JSON.stringify(term.value)}${literalMembers(term)}}`;
    default:
      return 'null';
  }
}

function literalMembers({ language, direction, datatype }: RDF.Literal): string {
  if (language !== '') {
    const dir = direction ? `, "its:dir": ${JSON.stringify(direction)}` : '';
    return `, "xml:lang": ${JSON.stringify(language)}${dir}`;
  }
  return datatype.value === XSD_STRING ? '' : `, "datatype": ${JSON.stringify(datatype.value)}`;
}
