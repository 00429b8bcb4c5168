/**
 * Caches queries by their shape. Texts of one shape differ only in terms of patterns and VALUES, in names of graphs, and in LIMIT
 * and OFFSET. They share an algebra with placeholders, and so they share plans. Such a text is not parsed, only its tokens are
 * read.
 */
import type * as RDF from '@rdfjs/types';
import { iri, RecentMap } from '@quadrille/model';
import { mapTerms } from '../../algebra/map-terms.js';
import type { ParsedQuery, ParsedText } from '../../algebra/request.js';
import { isSpecialGraph } from '../../algebra/special-graphs.js';
import { valuePlaceholder } from '../../algebra/template.js';
import { resolveReference } from '../grammar/prologue.js';
import { unescape, unescapeLocal, unquote } from '../lexer/escapes.js';
import type { MaskedText, TermToken } from './mask-terms.js';
import { literalLike } from './typed-placeholders.js';
import { forEachTerm, GRAPH_NAME, isParameter } from './parameter-places.js';

interface Slot {
  /** The index of its token among the terms of the text. */
  readonly index: number;
  /** The term that stood there first: the others have its datatype or language. */
  readonly first: RDF.Term;
  /** Whether it names a graph. The name of a special one belongs to the shape, and stays in the algebra. */
  readonly isGraph: boolean;
}

interface Shape {
  /** The terms that are not slots, and special graphs: they decide too much about a plan, or about what the text means. */
  readonly fixed: string;
  readonly slots: readonly Slot[];
  /** With placeholder n in the place of slot n. */
  readonly parsed: ParsedQuery;
}

/** Masked texts. */
const MOST_KEYS = 128;
/** Shapes with the same masked text. */
const MOST_SHAPES = 4;
const NO_SHAPES: readonly Shape[] = [];
/** About how many bytes the algebra of a character takes, and of all shapes in half the cache. */
const CHARACTER_BYTES = 64;
const MOST_BYTES = 8 * 1024 ** 2;

export class ShapeCache {
  readonly #shapes = new RecentMap<string, readonly Shape[]>(MOST_KEYS, {
    weigh: (key, shapes) => key.length * (2 + CHARACTER_BYTES * shapes.length),
    limitWeight: MOST_BYTES,
  });

  /** What a text asks for, where one of its shape is known. `meaning` says what its prefixes and its base are. */
  find(text: string, masked: MaskedText, meaning: string): ParsedText | undefined {
    const shapes = this.#shapes.get(meaning + masked.key);
    if (shapes === undefined || shapes.length === 0) return undefined;
    const fixed = fixedTerms(text, masked.terms, shapes[0]!);
    const shape = shapes.find((other) => other.fixed === fixed);
    if (shape === undefined) return undefined;
    const { parsed, slots } = shape;
    const values = valuesOf(text, masked.terms, slots, parsed);
    if (values === undefined) return undefined;
    return { parsed, values, byShape: true, slice: masked.slice, kept: { plan: undefined } };
  }

  /** Whether no text of this shape came before. The first one is read without placeholders: most shapes come once, and a shape costs more than a text. */
  isFirst(masked: MaskedText, meaning: string): boolean {
    const key = meaning + masked.key;
    if (this.#shapes.get(key) !== undefined) return false;
    this.#shapes.set(key, NO_SHAPES);
    return true;
  }

  /** Keeps the shape of a query. `origins` says where in the text its terms stand. */
  add(
    text: string,
    masked: MaskedText,
    meaning: string,
    query: ParsedQuery,
    origins: ReadonlyMap<RDF.Term, number>,
  ): ParsedText {
    const slots = slotsOf(query, masked.terms, origins);
    if (slots.length === 0 && masked.slice === undefined) return { parsed: query, values: [], byShape: false };
    const parsed = withPlaceholders(query, slots, origins);
    const shape = { fixed: fixedTerms(text, masked.terms, { slots, parsed }), slots, parsed };
    const key = meaning + masked.key;
    const others = this.#shapes.get(key) ?? [];
    // Which terms are slots depends on the masked text alone.
    this.#shapes.set(key, [shape, ...others.slice(0, MOST_SHAPES - 1)]);
    const values = slots.map(({ first }) => first);
    return { parsed, values, byShape: true, slice: masked.slice, kept: { plan: undefined } };
  }
}

function fixedTerms(
  text: string,
  terms: readonly TermToken[],
  { slots, parsed }: Pick<Shape, 'slots' | 'parsed'>,
): string {
  let fixed = '';
  let next = 0;
  terms.forEach((token, index) => {
    const slot = slots[next];
    if (slot?.index !== index) {
      fixed += `${token.end - token.start} ${text.slice(token.start, token.end)}`;
      return;
    }
    next++;
    const graph = slot.isGraph ? valueOf(text, token, slot.first, parsed) : undefined;
    // Its place belongs to it, since the same graph elsewhere is another shape.
    if (graph !== undefined && isSpecialGraph(graph)) fixed += `#${index} ${graph.value.length} ${graph.value}`;
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

/** The query with placeholders in the places of its slots. */
function withPlaceholders(
  query: ParsedQuery,
  slots: readonly Slot[],
  origins: ReadonlyMap<RDF.Term, number>,
): ParsedQuery {
  const placeholders = new Map<number, RDF.Term>();
  slots.forEach(({ first, isGraph }, n) => {
    if (isGraph && isSpecialGraph(first)) return;
    placeholders.set(origins.get(first)!, placeholderLike(first, n));
  });
  const replace = <T extends RDF.Term>(term: T): T =>
    (placeholders.get(origins.get(term) ?? -1) as T | undefined) ?? term;
  const { dataset, graphs } = query;
  return {
    ...query,
    algebra: mapTerms(query.algebra, 'input', replace) as ParsedQuery['algebra'],
    dataset: dataset && { default: dataset.default.map(replace), named: dataset.named.map(replace) },
    graphs: graphs.map(replace),
  };
}

/** The terms that stand only where a parameter may, in the order of the text. */
function slotsOf(
  { algebra, dataset }: ParsedQuery,
  terms: readonly TermToken[],
  origins: ReadonlyMap<RDF.Term, number>,
): Slot[] {
  const parameters = new Map<number, Omit<Slot, 'index'>>();
  const others = new Set<number>();
  const see = (term: RDF.Term, place: string): void => {
    const start = origins.get(term);
    if (start === undefined) return;
    if (isParameter(term, place)) parameters.set(start, { first: term, isGraph: place === GRAPH_NAME });
    else others.add(start);
  };
  forEachTerm(algebra, 'input', see);
  forEachTerm([dataset?.default, dataset?.named], GRAPH_NAME, see);
  for (const start of others) parameters.delete(start);
  return terms.flatMap(({ start }, index) => {
    const parameter = parameters.get(start);
    return parameter === undefined ? [] : [{ index, ...parameter }];
  });
}
