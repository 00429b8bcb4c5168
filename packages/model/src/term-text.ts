/**
 * Terms as canonical N-Triples text (RDF 1.2 N-Triples, section 4): one text for each term, so that equal texts are
 * equal terms. The dictionary stores these bytes, the parsers emit them and a dump copies them out.
 */
import type * as RDF from '@rdfjs/types';
import { DataFactory } from 'rdf-data-factory';
import { canonicalLanguage } from './language-tag.js';
import { endOfForm, escapeLexicalForm, isLongLiteral, unescapeBytes, unescapeLexicalForm } from './lexical-form.js';
import { Literal } from './literal.js';

const factory = new DataFactory<RDF.Quad>();
const XSD_STRING = 'http://www.w3.org/2001/XMLSchema#string';
const utf8 = new TextDecoder();

/**
 * Canonical text of a term; the default graph is the empty text. Language tags are lower case, so that equal terms have equal
 * texts: for what people read there is {@link termToNTriples}.
 * @example
 * ```ts
 * import { literal, termToText } from 'quadrille';
 *
 * console.log(termToText(literal('colour', 'en-GB'))); // '"colour"@en-gb'
 * ```
 * @since 0.1.0
 */
export function termToText(term: RDF.Term): string {
  return textOf(term, toLowerCase);
}

/**
 * A term as N-Triples documents have it; as {@link termToText}, but language tags have their canonical case, `en-GB`.
 * @example
 * ```ts
 * import { literal, termToNTriples } from 'quadrille';
 *
 * console.log(termToNTriples(literal('colour', 'en-GB'))); // '"colour"@en-GB'
 * ```
 * @since 0.1.0
 */
export function termToNTriples(term: RDF.Term): string {
  return textOf(term, canonicalLanguage);
}

/** A record for JSON: each member that is a term is the text of the term in N-Triples. */
export const withTermTexts = (record: object): object =>
  Object.fromEntries(
    Object.entries(record).map(([name, value]) => [name, isTerm(value) ? termToNTriples(value) : value]),
  );

const isTerm = (value: unknown): value is RDF.Term =>
  typeof value === 'object' && value !== null && 'termType' in value;

const toLowerCase = (tag: string): string => tag.toLowerCase();

function textOf(term: RDF.Term, caseOf: (tag: string) => string): string {
  switch (term.termType) {
    case 'NamedNode':
      return `<${term.value}>`;
    case 'BlankNode':
      return `_:${term.value}`;
    case 'Literal':
      return literalToText(term, caseOf);
    case 'Quad':
      return `<<( ${textOf(term.subject, caseOf)} ${textOf(term.predicate, caseOf)} ${textOf(term.object, caseOf)} )>>`;
    case 'DefaultGraph':
      return '';
    default:
      return `?${term.value}`;
  }
}

function literalToText(term: RDF.Literal, caseOf: (tag: string) => string): string {
  const quoted = `"${escapeLexicalForm(term.value)}"`;
  if (term.language !== '') {
    const direction = term.direction ? `--${term.direction}` : '';
    return `${quoted}@${caseOf(term.language)}${direction}`;
  }
  return term.datatype.value === XSD_STRING ? quoted : `${quoted}^^<${term.datatype.value}>`;
}

/**
 * The term of a canonical text, which is trusted to be one (it was checked before it was stored). Its language tag gets the
 * canonical case.
 * Triple terms are not read here: the dictionary keeps them as three ids.
 */
export function textToTerm(text: string): RDF.NamedNode | RDF.BlankNode | RDF.Literal {
  const first = text.charCodeAt(0);
  if (first === 0x3c) return factory.namedNode(text.slice(1, -1));
  if (first === 0x5f) return factory.blankNode(text.slice(2));
  const close = text.lastIndexOf('"');
  return literalOf(unescapeLexicalForm(text.slice(1, close)), text.slice(close + 1));
}

/** As {@link textToTerm}, of a text in UTF-8. */
export function bytesToTerm(bytes: Uint8Array): RDF.NamedNode | RDF.BlankNode | RDF.Literal {
  if (!isLongLiteral(bytes)) return textToTerm(utf8.decode(bytes));
  const close = endOfForm(bytes);
  return literalOf(unescapeBytes(bytes.subarray(1, close)), utf8.decode(bytes.subarray(close + 1)));
}

// `suffix` is what stands behind the closing quote.
function literalOf(value: string, suffix: string): RDF.Literal {
  if (suffix === '') return new Literal(value);
  if (suffix.charCodeAt(0) === 0x5e) return new Literal(value, namedNodeOf(suffix.slice(3, -1)));
  const tag = suffix.slice(1);
  const dash = tag.indexOf('--');
  if (dash === -1) return new Literal(value, tag);
  return new Literal(value, { language: tag.slice(0, dash), direction: tag.slice(dash + 2) as 'ltr' | 'rtl' });
}

// Datatypes are few and come with nearly every literal: one shared object each. Bounded, since data may hold anything.
const datatypes = new Map<string, RDF.NamedNode>();
const MAX_SHARED_DATATYPES = 1024;

function namedNodeOf(value: string): RDF.NamedNode {
  let node = datatypes.get(value);
  if (node === undefined) {
    node = factory.namedNode(value);
    if (datatypes.size < MAX_SHARED_DATATYPES) datatypes.set(value, node);
  }
  return node;
}
