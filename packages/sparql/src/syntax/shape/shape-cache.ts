/**
 * Queries by their shape. Texts that differ only in the terms of patterns, in the terms of VALUES and in LIMIT and OFFSET share an algebra with placeholders, so that they share plans too: a text like one before is not parsed, only its tokens are
 * read.
 */
import type * as RDF from '@rdfjs/types';
import { iri, RecentMap } from '@quadrille/model';
import { mapTerms } from '../../algebra/map-terms.js';
import type { ParsedQuery, ParsedText } from '../../algebra/request.js';
import { valuePlaceholder } from '../../algebra/template.js';
import { termFactory } from '../../algebra/terms.js';
import { resolveReference } from '../grammar/prologue.js';
import { unescape, unescapeLocal, unquote } from '../lexer/escapes.js';
import type { MaskedText, TermToken } from './mask-terms.js';
import { forEachTerm, isParameter } from './parameter-places.js';

interface Slot {
  /** The index of its token among the terms of the text. */
  readonly index: number;
  /** The term that stood there first: the others have its datatype or language. */
  readonly first: RDF.Term;
}

interface Shape {
  /** The terms that are not slots: they decide too much about a plan, or about what the text means. */
  readonly fixed: string;
  readonly slots: readonly Slot[];
  /** With placeholder n in the place of slot n. */
  readonly parsed: ParsedQuery;
}

/** Masked texts. */
const MOST_KEYS = 128;
/** Shapes with the same masked text. */
const MOST_SHAPES = 4;
/** About how many bytes the algebra of a character takes, and of all shapes in half the cache. */
const CHARACTER_BYTES = 64;
const MOST_BYTES = 8 * 1024 ** 2;

export class ShapeCache {
  readonly #shapes = new RecentMap<string, readonly Shape[]>(MOST_KEYS, {
    weigh: (key, shapes) => key.length * CHARACTER_BYTES * shapes.length,
    limitWeight: MOST_BYTES,
  });

  /** What a text asks for, where one of its shape is known. `meaning` says what its prefixes and its base are. */
  find(text: string, masked: MaskedText, meaning: string): ParsedText | undefined {
    const shapes = this.#shapes.get(meaning + masked.key);
    if (shapes === undefined) return undefined;
    const fixed = fixedTerms(text, masked.terms, shapes[0]!.slots);
    const shape = shapes.find((other) => other.fixed === fixed);
    if (shape === undefined) return undefined;
    const { parsed, slots } = shape;
    const values = valuesOf(text, masked.terms, slots, parsed);
    return values === undefined ? undefined : { parsed, values, byShape: true, slice: masked.slice };
  }

  /** Keeps the shape of a query. `origins` says where in the text its terms stand. */
  add(
    text: string,
    masked: MaskedText,
    meaning: string,
    query: ParsedQuery,
    origins: ReadonlyMap<RDF.Term, number>,
  ): ParsedText {
    const { slots, parsed } = withPlaceholders(query, masked.terms, origins);
    if (slots.length === 0 && masked.slice === undefined) return { parsed: query, values: [], byShape: false };
    const shape = { fixed: fixedTerms(text, masked.terms, slots), slots, parsed };
    const key = meaning + masked.key;
    const others = this.#shapes.get(key) ?? [];
    // Which terms are slots depends on the masked text alone.
    this.#shapes.set(key, [shape, ...others.slice(0, MOST_SHAPES - 1)]);
    return { parsed, values: slots.map(({ first }) => first), byShape: true, slice: masked.slice };
  }
}

function fixedTerms(text: string, terms: readonly TermToken[], slots: readonly Slot[]): string {
  let fixed = '';
  let next = 0;
  terms.forEach(({ start, end }, index) => {
    if (slots[next]?.index === index) next++;
    else fixed += `${end - start} ${text.slice(start, end)}`;
  });
  return fixed;
}

function valuesOf(
  text: string,
  terms: readonly TermToken[],
  slots: readonly Slot[],
  parsed: ParsedQuery,
): RDF.Term[] | undefined {
  const values: RDF.Term[] = [];
  for (const { index, first } of slots) {
    const value = valueOf(text, terms[index]!, first, parsed);
    // The parser says what is wrong.
    if (value === undefined) return undefined;
    values.push(value);
  }
  return values;
}

/** `undefined` for an IRI that cannot be resolved. */
function valueOf(
  text: string,
  { token, start, end, colon, escaped }: TermToken,
  first: RDF.Term,
  { prefixes, baseIRI }: ParsedQuery,
): RDF.Term | undefined {
  if (first.termType === 'Literal') {
    const written = text.slice(start, end);
    return literalLike(first, token === 'string' ? unquote(written, escaped) : written);
  }
  const raw = token === 'iri' ? text.slice(start + 1, end - 1) : text.slice(colon + 1, end);
  let reference = raw;
  if (token === 'iri') reference = escaped ? unescape(raw) : raw;
  else reference = prefixes[text.slice(start, colon)]! + (escaped ? unescapeLocal(raw) : raw);
  const value = resolveReference(reference, baseIRI);
  return value === undefined ? undefined : iri(value);
}

/** Of the kind of a term, since the planner treats IRIs and literals differently. */
function placeholderLike(term: RDF.Term, index: number): RDF.Term {
  const value = valuePlaceholder(index);
  return term.termType === 'Literal' ? literalLike(term, value) : iri(value);
}

function literalLike({ language, datatype, direction = '' }: RDF.Literal, value: string): RDF.Literal {
  if (language === '') return termFactory.literal(value, datatype);
  return termFactory.literal(value, direction === '' ? language : { language, direction });
}

/** The query with placeholders, and the terms that they stand for. */
function withPlaceholders(
  query: ParsedQuery,
  terms: readonly TermToken[],
  origins: ReadonlyMap<RDF.Term, number>,
): { slots: Slot[]; parsed: ParsedQuery } {
  const parameters = parametersOf(query, origins);
  const slots: Slot[] = [];
  const placeholders = new Map<number, RDF.Term>();
  terms.forEach(({ start }, index) => {
    const first = parameters.get(start);
    if (first === undefined) return;
    placeholders.set(start, placeholderLike(first, slots.length));
    slots.push({ index, first });
  });
  const replace = (term: RDF.Term): RDF.Term => placeholders.get(origins.get(term) ?? -1) ?? term;
  return { slots, parsed: { ...query, algebra: mapTerms(query.algebra, 'input', replace) as ParsedQuery['algebra'] } };
}

/** The terms that stand only where a parameter may, by their offsets. */
function parametersOf({ algebra }: ParsedQuery, origins: ReadonlyMap<RDF.Term, number>): Map<number, RDF.Term> {
  const parameters = new Map<number, RDF.Term>();
  const others = new Set<number>();
  forEachTerm(algebra, 'input', (term, place) => {
    const start = origins.get(term);
    if (start === undefined) return;
    if (isParameter(term, place)) parameters.set(start, term);
    else others.add(start);
  });
  for (const start of others) parameters.delete(start);
  return parameters;
}
