/** Terms as values of JavaScript, for rows that a program reads without RDF/JS. */
import type * as RDF from '@rdfjs/types';
import { termToNTriples } from '@quadrille/model';
import { floorDecimal } from './decimal.js';
import { instantOf } from './temporal.js';
import { valueOf } from './value.js';
import type { Integer, TemporalValue } from './value-types.js';

/**
 * A term as a value of JavaScript, by the mapping of `{ values: 'js' }` ({@link SelectOptions.values}).
 * @since 0.1.0
 */
export type JsValue = string | number | bigint | boolean | Date;

/** All integers up to here are numbers without loss. */
const MOST_EXACT = 2n ** 53n;
/** The furthest times from 1970 that a Date can have, in milliseconds. */
const MOST_MS = 8.64e15;

/**
 * A term as a value of JavaScript.
 *
 * | term | value |
 * | --- | --- |
 * | IRI, string, string with a language | string |
 * | blank node | string `_:label` |
 * | `xsd:boolean` | boolean |
 * | `xsd:integer` and its derived types | number; bigint beyond ±2^53 |
 * | `xsd:double`, `xsd:float` | number |
 * | `xsd:dateTime` with a time zone | Date: the same instant, cut to milliseconds |
 * | any other literal, and one that its datatype does not allow | string: its lexical form |
 * | triple term | string in N-Triples syntax |
 */
export function jsValue(term: RDF.Term): JsValue {
  switch (term.termType) {
    case 'Literal':
      return literalValue(term);
    case 'BlankNode':
      return `_:${term.value}`;
    case 'Quad':
      return termToNTriples(term);
    default:
      return term.value;
  }
}

function literalValue(term: RDF.Literal): JsValue {
  const value = valueOf(term);
  switch (value.kind) {
    case 'boolean':
    case 'double':
      return value.value;
    case 'float':
      // 0.1, and not the number nearest to it in single precision: the digits are those of the literal.
      return Number.isFinite(value.value) ? Number(term.value) : value.value;
    case 'integer':
      return integerValue(value.value);
    case 'dateTime':
      return term.datatype.value.endsWith('#dateTime') ? dateOf(value, term.value) : term.value;
    default:
      return term.value;
  }
}

const integerValue = (value: Integer): number | bigint =>
  typeof value === 'bigint' && (value === MOST_EXACT || value === -MOST_EXACT) ? Number(value) : value;

function dateOf(value: TemporalValue, text: string): Date | string {
  if (value.zone === undefined) return text;
  const { mantissa, scale } = instantOf(value);
  const ms = Number(scale > 3 ? floorDecimal(mantissa, scale - 3) : BigInt(mantissa) * 10n ** BigInt(3 - scale));
  return Math.abs(ms) <= MOST_MS ? new Date(ms) : text;
}
