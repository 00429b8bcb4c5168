/**
 * Rows as plain JSON objects (application/json), for programs that know no RDF: IRIs and strings are strings, numbers and
 * booleans are themselves where JSON has them, and an unbound variable is null. Types and languages are lost.
 */
import type * as RDF from '@rdfjs/types';
import { termToNTriples } from '@quadrille/model';
import { rowsByCells, type CellColumn, type ResultRow, type ResultSerializer } from './serializer.js';

const NUMERIC_TYPE =
  /^http:\/\/www\.w3\.org\/2001\/XMLSchema#(?:decimal|double|float|integer|long|int|short|byte|(?:nonNegative|positive|nonPositive|negative)Integer|unsigned(?:Long|Int|Short|Byte))$/;
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const XSD_BOOLEAN = 'http://www.w3.org/2001/XMLSchema#boolean';

export class SimpleJsonResultSerializer implements ResultSerializer {
  #variables: readonly string[] = [];
  /** The text before the value of each variable. */
  #keys: readonly string[] = [];
  #empty = true;

  head(variables: readonly string[]): string {
    this.#variables = variables;
    this.#keys = variables.map((name, i) => `${i === 0 ? '' : ', '}${JSON.stringify(name)}: `);
    return '[';
  }

  rows(rows: readonly ResultRow[]): string {
    return rowsByCells(this, this.#variables, rows);
  }

  cell(term: RDF.Term): string {
    return valueOf(term);
  }

  cells(columns: readonly CellColumn[], rows: number): string {
    const keys = this.#keys;
    let text = '';
    for (let row = 0; row < rows; row++) {
      text += this.#empty ? '\n{' : ',\n{';
      this.#empty = false;
      for (let i = 0; i < columns.length; i++) text += keys[i]! + (columns[i]![row] ?? 'null');
      text += '}';
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

function valueOf(term: RDF.Term): string {
  if (term.termType === 'Literal') return literalValue(term);
  return JSON.stringify(term.termType === 'NamedNode' ? term.value : termToNTriples(term));
}

function literalValue({ value, datatype }: RDF.Literal): string {
  if (datatype.value === XSD_BOOLEAN && /^(?:true|false|0|1)$/.test(value)) {
    return String(value === 'true' || value === '1');
  }
  if (NUMERIC_TYPE.test(datatype.value) && NUMBER.test(value)) {
    const number = Number(value);
    // A JSON reader would round a larger integer, so it remains text.
    if (Number.isFinite(number) && (!Number.isInteger(number) || Number.isSafeInteger(number))) return String(number);
  }
  return JSON.stringify(value);
}
