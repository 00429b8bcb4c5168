/** Digests of answers, with which answers of different backends are compared. */
import type * as RDF from '@rdfjs/types';

/** A hash of rows that does not depend on their order: the sum of the hashes of the rows. */
export class AnswerDigest {
  #sum = 0;

  /** Adds a row: values by variable or position, in any order. */
  add(row: Iterable<readonly [name: string, value: string]>): void {
    let hash = 0;
    for (const [name, value] of row) hash = (hash + hashOf(`${name} ${value}`)) >>> 0;
    this.#sum = (this.#sum + hashOf(String(hash))) >>> 0;
  }

  /** Adds all rows of which another digest has the value. */
  addRows(value: number): void {
    this.#sum = (this.#sum + value) >>> 0;
  }

  get value(): number {
    return this.#sum;
  }
}

function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

export interface Answer {
  readonly rows: number;
  readonly digest: number;
}

/** Whether a query is free in what it returns, so that only the number of rows is compared: SAMPLE, or LIMIT without ORDER BY. */
export const isOfAnyRows = (text: string): boolean =>
  /\bSAMPLE\s*\(/i.test(text) || (/\bLIMIT\b/i.test(text) && !/\bORDER\s+BY\b/i.test(text));

const NUMERIC =
  /#(?:integer|decimal|double|float|long|int|short|byte|nonNegativeInteger|positiveInteger|unsigned(?:Long|Int|Short|Byte)|n(?:onPositive|egative)Integer)$/;
/** Number of digits that are compared. The last digits of sums of doubles depend on the order of the additions. */
const COMPARED_DIGITS = 10;

/**
 * The text of a term for comparison. Numbers are compared by value, because engines derive different types. All blank
 * nodes are equal, because each store assigns new labels.
 */
export function comparableText(term: RDF.Term): string {
  if (term.termType === 'BlankNode') return '_:';
  if (term.termType === 'Quad')
    return quadRow(term)
      .map(([, text]) => text)
      .join(' ');
  if (term.termType !== 'Literal' || !NUMERIC.test(term.datatype.value)) return term.value;
  return Number(term.value).toPrecision(COMPARED_DIGITS);
}

export function quadRow(quad: RDF.BaseQuad): (readonly [string, string])[] {
  return [
    ['subject', comparableText(quad.subject)],
    ['predicate', comparableText(quad.predicate)],
    ['object', comparableText(quad.object)],
  ];
}

/** A quad as it was loaded, so that every change by a store is detected. Only blank nodes are all equal. */
export function storedRow(quad: RDF.BaseQuad): (readonly [string, string])[] {
  return [
    ['subject', storedText(quad.subject)],
    ['predicate', storedText(quad.predicate)],
    ['object', storedText(quad.object)],
    ['graph', storedText(quad.graph)],
  ];
}

function storedText(term: RDF.Term): string {
  if (term.termType === 'BlankNode') return '_:';
  if (term.termType === 'Quad')
    return storedRow(term)
      .map(([, text]) => text)
      .join(' ');
  if (term.termType !== 'Literal') return term.value;
  // Language tags are case-insensitive.
  return `"${term.value}"@${term.language.toLowerCase()}^${term.datatype.value}`;
}
