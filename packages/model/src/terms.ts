/** RDF terms: the RDF/JS data model with RDF 1.2 triple terms and base direction, and what the store accepts of it. */
import type * as RDF from '@rdfjs/types';
import { DataFactory } from 'rdf-data-factory';
import { InvalidArgumentError } from './errors.js';
import { canonicalLanguage, LANGUAGE_TAG } from './language-tag.js';
import { Literal } from './literal.js';
import { termToNTriples } from './term-text.js';
import { isWellFormed } from './well-formed.js';

class QuadrilleDataFactory extends DataFactory<RDF.Quad> {
  override literal(value: string, languageOrDatatype?: string | RDF.NamedNode | RDF.DirectionalLanguage): Literal {
    return new Literal(value, languageOrDatatype);
  }
}

/**
 * The RDF/JS data factory that every part of Quadrille makes terms with. Language tags get their canonical case. It checks nothing: terms
 * are checked when they are stored.
 * @example
 * ```ts
 * import { dataFactory } from 'quadrille';
 *
 * console.log(dataFactory.literal('colour', 'EN-gb').language); // 'en-GB'
 * ```
 * @since 0.1.0
 */
export const dataFactory: RDF.DataFactory<RDF.Quad> = new QuadrilleDataFactory();

/** The term, or where it is a literal with a language tag in another case, the same with the canonical case. */
export function withCanonicalLanguage<Term extends RDF.Term>(term: Term): Term {
  if (term.termType === 'Quad') {
    const { subject, predicate, object } = term as RDF.Quad;
    const canonical = withCanonicalLanguage(object);
    return canonical === object ? term : (dataFactory.quad(subject, predicate, canonical) as RDF.Term as Term);
  }
  if (term.termType !== 'Literal' || term.language === '') return term;
  const { value, language, direction } = term as RDF.Literal;
  if (canonicalLanguage(language) === language) return term;
  return dataFactory.literal(value, direction ? { language, direction } : language) as RDF.Term as Term;
}

/** Namespace of XML Schema datatypes. */
export const XSD = 'http://www.w3.org/2001/XMLSchema#';
/** Namespace of RDF. */
export const RDF_NS = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';
/** IRI of `xsd:string`. */
export const XSD_STRING = `${XSD}string`;
/** IRI of `rdf:langString`. */
export const RDF_LANG_STRING = `${RDF_NS}langString`;
/** IRI of `rdf:dirLangString`. */
export const RDF_DIR_LANG_STRING = `${RDF_NS}dirLangString`;

/**
 * An IRI. Checked when it is stored, not here.
 * @param value an absolute IRI, at most 8 KiB of UTF-8
 * @example
 * ```ts
 * import { iri } from 'quadrille';
 *
 * console.log(iri('http://example.org/ann').termType); // 'NamedNode'
 * ```
 * @since 0.1.0
 */
export const iri = (value: string): RDF.NamedNode => dataFactory.namedNode(value);
/**
 * A literal: plain, with a language (and direction) or with a datatype. Checked when it is stored, not here.
 * @param value the lexical form
 * @param languageOrDatatype a language tag, a tag with a base direction, or a datatype; default `xsd:string`
 * @example
 * ```ts
 * import { iri, literal } from 'quadrille';
 *
 * console.log(literal('Ann').datatype.value); // 'http://www.w3.org/2001/XMLSchema#string'
 * console.log(literal('Haus', 'de').language); // 'de'
 * console.log(literal('42', iri('http://www.w3.org/2001/XMLSchema#integer')).value); // '42'
 * ```
 * @since 0.1.0
 */
export const literal = (
  value: string,
  languageOrDatatype?: string | RDF.NamedNode | RDF.DirectionalLanguage,
): RDF.Literal => dataFactory.literal(value, languageOrDatatype);
/**
 * A blank node; without a label a new one.
 * @param label the label, without `_:`
 * @example
 * ```ts
 * import { blankNode } from 'quadrille';
 *
 * console.log(blankNode('b0').value); // 'b0'
 * console.log(blankNode().equals(blankNode())); // false
 * ```
 * @since 0.1.0
 */
export const blankNode = (label?: string): RDF.BlankNode => dataFactory.blankNode(label);
/**
 * The name of the default graph, for quads and patterns.
 * @example
 * ```ts
 * import { defaultGraph } from 'quadrille';
 *
 * console.log(defaultGraph().termType); // 'DefaultGraph'
 * ```
 * @since 0.1.0
 */
export const defaultGraph = (): RDF.DefaultGraph => dataFactory.defaultGraph();
/**
 * A quad, or a triple in the default graph where `graph` is left out. As an object it is a triple term.
 * @example
 * ```ts
 * import { iri, literal, quad } from 'quadrille';
 *
 * const name = quad(iri('urn:ann'), iri('http://xmlns.com/foaf/0.1/name'), literal('Ann'));
 * console.log(name.graph.termType); // 'DefaultGraph'
 * ```
 * @since 0.1.0
 */
export const quad = (
  subject: RDF.Quad_Subject,
  predicate: RDF.Quad_Predicate,
  object: RDF.Quad_Object,
  graph?: RDF.Quad_Graph,
): RDF.Quad => dataFactory.quad(subject, predicate, object, graph);

/** The positions of a quad. */
export type QuadPosition = 'subject' | 'predicate' | 'object' | 'graph';

// IRIREF of the N-Triples grammar without escapes, and absolute: a scheme first.
// oxlint-disable-next-line no-control-regex
const ABSOLUTE_IRI = /^[A-Za-z][A-Za-z0-9+.-]*:[^\u0000-\u0020<>"{}|^`\\]*$/;
const BASE =
  'A-Za-z\u00C0-\u00D6\u00D8-\u00F6\u00F8-\u02FF\u0370-\u037D\u037F-\u1FFF\u200C-\u200D\u2070-\u218F' +
  '\u2C00-\u2FEF\u3001-\uD7FF\uF900-\uFDCF\uFDF0-\uFFFD\u{10000}-\u{EFFFF}';
const START = `${BASE}_0-9`;
const REST = `${START}\\-\u00B7\u0300-\u036F\u203F-\u2040`;
const BLANK_NODE_LABEL = new RegExp(`^[${START}](?:[${REST}.]*[${REST}])?$`, 'u');

/** Longest IRI that is stored, in bytes of UTF-8. Longer texts belong in literals. */
export const MAX_IRI_BYTES = 8192;
/** Why a longer one is refused, and what to do. */
export const LONG_IRI = `the IRI is longer than ${String(MAX_IRI_BYTES)} bytes: shorten it, or keep what it holds in a literal`;
const utf8 = new TextEncoder();

/** Whether an IRI is longer than what is stored. */
export const isLongIri = (value: string): boolean =>
  value.length * 3 > MAX_IRI_BYTES && (value.length > MAX_IRI_BYTES || utf8.encode(value).length > MAX_IRI_BYTES);
// PN_PREFIX of SPARQL, or empty.
const PREFIX_NAME =
  /^(?:\p{L}(?:[\p{M}\p{L}\p{N}_\-.\u00B7\u203F-\u2040]*[\p{M}\p{L}\p{N}_\-\u00B7\u203F-\u2040])?)?$/u;
/** Whether a text can be the name of a prefix, without its colon; it may be empty. */
export const isPrefixName = (name: string): boolean => PREFIX_NAME.test(name);
/** Whether a text is an absolute IRI. */
export const isAbsoluteIri = (value: string): boolean => ABSOLUTE_IRI.test(value) && isWellFormed(value);
/** Whether a text can be the label of a blank node, without `_:`. */
export const isBlankNodeLabel = (label: string): boolean => BLANK_NODE_LABEL.test(label);
/** Whether a text is a language tag of BCP 47. */
export const isLanguageTag = (tag: string): boolean => LANGUAGE_TAG.test(tag);

/**
 * Checks that a quad can be stored and come back as it is.
 * @throws InvalidArgumentError `INVALID_TERM`, with the term printed and the position named.
 */
export function checkQuad(candidate: RDF.BaseQuad): RDF.Quad {
  checkTerm(candidate.subject, 'subject');
  checkTerm(candidate.predicate, 'predicate');
  checkTerm(candidate.object, 'object');
  checkTerm(candidate.graph, 'graph');
  return candidate as RDF.Quad;
}

const ALLOWED: Readonly<Record<QuadPosition, readonly RDF.Term['termType'][]>> = {
  subject: ['NamedNode', 'BlankNode'],
  predicate: ['NamedNode'],
  object: ['NamedNode', 'BlankNode', 'Literal', 'Quad'],
  graph: ['NamedNode', 'BlankNode', 'DefaultGraph'],
};

/** As {@link checkQuad}, for one term in one position. */
export function checkTerm(term: RDF.Term, position: QuadPosition): void {
  if (term === null || typeof term !== 'object' || typeof term.termType !== 'string') {
    throw invalid(`the ${position} is not an RDF term: ${String(term)}`, position);
  }
  if (!isWhole(term)) throw invalid(`the ${position} lacks a part, or one is not text: a ${term.termType}`, position);
  if (!ALLOWED[position].includes(term.termType)) {
    throw invalid(`a ${term.termType} cannot be a ${position}: ${printTerm(term)}`, position);
  }
  const problem = termProblem(term);
  if (problem !== undefined) throw invalid(`${problem}: ${printTerm(term)} (${position})`, position);
}

// Terms of other libraries may lack what the types promise.
function isWhole(term: RDF.Term): boolean {
  if (term.termType === 'Quad') return typeof term.graph === 'object' && term.graph !== null;
  if (typeof term.value !== 'string') return false;
  return term.termType !== 'Literal' || (typeof term.language === 'string' && typeof term.datatype?.value === 'string');
}

function termProblem(term: RDF.Term): string | undefined {
  switch (term.termType) {
    case 'NamedNode':
      return iriProblem(term.value);
    case 'BlankNode':
      return isBlankNodeLabel(term.value) ? undefined : 'not a legal blank node label';
    case 'Literal':
      return literalProblem(term);
    case 'Quad':
      if (term.graph.termType !== 'DefaultGraph') return 'a triple term cannot have a graph';
      checkTerm(term.subject, 'subject');
      checkTerm(term.predicate, 'predicate');
      checkTerm(term.object, 'object');
      return undefined;
    default:
      return undefined;
  }
}

function iriProblem(value: string): string | undefined {
  if (isLongIri(value)) return LONG_IRI;
  if (!isWellFormed(value)) return 'lone surrogate in an IRI';
  return ABSOLUTE_IRI.test(value) ? undefined : 'not an absolute IRI';
}

function literalProblem(term: RDF.Literal): string | undefined {
  if (!isWellFormed(term.value)) return 'lone surrogate in a literal';
  const datatype = term.datatype.value;
  if (term.language !== '') {
    if (!LANGUAGE_TAG.test(term.language)) return 'not a language tag';
    if (term.direction && term.direction !== 'ltr' && term.direction !== 'rtl') return 'not a base direction';
    return undefined;
  }
  if (datatype === RDF_LANG_STRING || datatype === RDF_DIR_LANG_STRING) return 'a language string without a language';
  return iriProblem(datatype);
}

/**
 * A term as a person reads it in an error message: N-Triples where it has a form there, cut at 200 characters.
 * @example
 * ```ts
 * import { defaultGraph, iri, printTerm } from 'quadrille';
 *
 * console.log(printTerm(iri('urn:a')), printTerm(defaultGraph())); // '<urn:a> the default graph'
 * ```
 * @since 0.1.0
 */
export function printTerm(term: RDF.Term): string {
  let text: string;
  if (term.termType === 'Variable') text = `?${term.value}`;
  else if (term.termType === 'DefaultGraph') text = 'the default graph';
  else text = termToNTriples(term);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

function invalid(message: string, position: QuadPosition): InvalidArgumentError {
  return new InvalidArgumentError('INVALID_TERM', message, { details: { position } });
}
