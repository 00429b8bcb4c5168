/** What an answer holds, so that answers of different backends can be compared. */
import type * as RDF from '@rdfjs/types';

/** Hash of the rows, whatever their order: the sum of a hash of each. */
export class AnswerDigest {
  #sum = 0;

  /** Texts by variable (or position), in any order. */
  add(row: Iterable<readonly [name: string, value: string]>): void {
    let hash = 0;
    for (const [name, value] of row) hash = (hash + hashOf(`${name} ${value}`)) >>> 0;
    this.#sum = (this.#sum + hashOf(String(hash))) >>> 0;
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

const NUMERIC =
  /#(?:integer|decimal|double|float|long|int|short|byte|nonNegativeInteger|positiveInteger|unsigned(?:Long|Int|Short|Byte)|n(?:onPositive|egative)Integer)$/;
/** Sums of doubles differ in their last digits with the order in which they are added. */
const COMPARED_DIGITS = 10;

/**
 * What a term of an answer says: numbers by their value, as engines derive them in several types; blank nodes all alike, as
 * each store labels them anew.
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

/** A quad as it was loaded: whatever a store changes of it shows. Only blank nodes are all alike. */
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
  // Languages have no case.
  return `"${term.value}"@${term.language.toLowerCase()}^${term.datatype.value}`;
}
