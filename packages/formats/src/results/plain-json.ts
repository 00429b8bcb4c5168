/**
 * Rows as plain JSON objects (application/json), for programs that know no RDF: IRIs and strings are strings, numbers and
 * booleans are themselves where JSON has them, and an unbound variable is null. Types and languages are lost.
 */
import type * as RDF from '@rdfjs/types';
import { termToText } from '@quadrille/model';
import type { ResultRow, ResultSerializer } from './serializer.js';

const NUMERIC_TYPE =
  /^http:\/\/www\.w3\.org\/2001\/XMLSchema#(?:decimal|double|float|integer|long|int|short|byte|(?:nonNegative|positive|nonPositive|negative)Integer|unsigned(?:Long|Int|Short|Byte))$/;
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const XSD_BOOLEAN = 'http://www.w3.org/2001/XMLSchema#boolean';

export class PlainJsonResultSerializer implements ResultSerializer {
  #variables: readonly string[] = [];
  #empty = true;

  head(variables: readonly string[]): string {
    this.#variables = variables;
    return '[';
  }

  rows(rows: readonly ResultRow[]): string {
    let text = '';
    for (const row of rows) {
      const members = this.#variables.map((name) => `${JSON.stringify(name)}: ${valueOf(row[name])}`);
      text += `${this.#empty ? '' : ','}\n{${members.join(', ')}}`;
      this.#empty = false;
    }
    return text;
  }

  end(): string {
    return '\n]\n';
  }

  boolean(value: boolean): string {
    return `${value}\n`;
  }
}

function valueOf(term: RDF.Term | undefined): string {
  if (term === undefined) return 'null';
  if (term.termType === 'Literal') return literalValue(term);
  return JSON.stringify(term.termType === 'NamedNode' ? term.value : termToText(term));
}

function literalValue({ value, datatype }: RDF.Literal): string {
  if (datatype.value === XSD_BOOLEAN && /^(?:true|false|0|1)$/.test(value)) {
    return String(value === 'true' || value === '1');
  }
  if (NUMERIC_TYPE.test(datatype.value) && NUMBER.test(value)) {
    const number = Number(value);
    // An integer that a JSON reader would round stays text.
    if (Number.isFinite(number) && (!Number.isInteger(number) || Number.isSafeInteger(number))) return String(number);
  }
  return JSON.stringify(value);
}
