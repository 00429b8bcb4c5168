/** The `sparql` tag: values of a template become terms of the algebra, and never text. */
import type * as RDF from '@rdfjs/types';
import { InvalidArgumentError, XSD, dataFactory, iri, isAbsoluteIri, termToNTriples } from '@quadrille/model';

/**
 * A request whose values stand in the text as placeholders `<urn:quadrille:value:…:n>`. Only the {@link sparql} tag makes one.
 * @since 0.1.0
 */
export interface SparqlTemplate {
  /** The text with its placeholders. */
  readonly text: string;
  /** The term of placeholder n. */
  readonly values: readonly RDF.Term[];
}

/**
 * The beginning of the IRIs that stand for values of templates. It is random, so that no text of a user can name a value. All templates
 * share it, so a template has the same text in each call, and the cache finds its parsed form.
 */
export const PLACEHOLDER_PREFIX = `urn:quadrille:value:${globalThis.crypto.randomUUID()}:`;
const COUNTING_WORDS = ['LIMIT', 'OFFSET'];
const templates = new WeakSet<object>();

/**
 * A request with values: RDF/JS terms, strings (xsd:string), numbers (xsd:integer or xsd:double), booleans, Dates
 * (xsd:dateTime), or other templates. A whole number right after LIMIT or OFFSET is written out. An array stands for the
 * members of IN (`?x IN (${[1, 2]})`), or for the values of VALUES (`VALUES ?x { ${[1, 2]} }`); an array of arrays stands for
 * rows (`VALUES (?x ?y) { ${[[1, 2], [3, undefined]]} }`), in which `undefined` is UNDEF. Arrays of the same length share a plan.
 * @throws InvalidArgumentError `INVALID_TERM` for a value that is none of these; `INVALID_OPTION` where it is not called as a tag
 * @example
 * ```ts
 * import { iri, open, sparql } from 'quadrille';
 *
 * const db = await open(':memory:');
 * const repo = await db.repository('people', { create: true });
 * await repo.update('INSERT DATA { <urn:ann> foaf:name "Ann" ; foaf:age 42 }');
 * const query = sparql`SELECT ?age { ${iri('urn:ann')} foaf:name ${'Ann'} ; foaf:age ?age } LIMIT ${1}`;
 * console.log(await repo.select(query, { values: 'js' }).toArray()); // [ { age: 42 } ]
 * await db.close();
 * ```
 * @since 0.1.0
 */
export function sparql(strings: TemplateStringsArray, ...values: readonly unknown[]): SparqlTemplate {
  if (!Array.isArray(strings) || !('raw' in strings)) {
    throw new InvalidArgumentError('INVALID_OPTION', 'sparql is a tag of template literals: sparql`SELECT …`');
  }
  const terms: RDF.Term[] = [];
  let text = strings[0] ?? '';
  values.forEach((value, index) => {
    if (isSparqlTemplate(value)) {
      const first = terms.length;
      text += mapPlaceholders(value.text, (n) => placeholder(first + n));
      terms.push(...value.values);
    } else if (Array.isArray(value)) {
      text += listText(value, index, placeOf(text, index), terms);
    } else if (isBehindCountingWord(text) && Number.isSafeInteger(value) && (value as number) >= 0) {
      text += String(value);
    } else {
      text += placeholder(terms.length);
      terms.push(toTerm(value, index));
    }
    text += strings[index + 1] ?? '';
  });
  const template = { text, values: terms };
  templates.add(template);
  return template;
}

/** The placeholders of an array, whose terms are added to `terms`. */
function listText(list: readonly unknown[], index: number, place: 'IN' | 'VALUES', terms: RDF.Term[]): string {
  const inList = place === 'IN';
  const member = (value: unknown): string => {
    if (value === undefined && !inList) return 'UNDEF';
    terms.push(toTerm(value, index));
    return placeholder(terms.length - 1);
  };
  const row = (value: unknown): string =>
    Array.isArray(value) && !inList ? `(${value.map(member).join(' ')})` : member(value);
  return list.map(row).join(inList ? ', ' : ' ');
}

/** What an array stands in, by the end of the text before it. The members of IN have commas between them. */
function placeOf(text: string, index: number): 'IN' | 'VALUES' {
  const trimmed = text.trimEnd();
  if (trimmed.endsWith('{')) return 'VALUES';
  if (trimmed.endsWith(',') || (trimmed.endsWith('(') && isBehindWord(trimmed.slice(0, -1), 'IN'))) return 'IN';
  throw invalid(index, 'an array is only allowed after "IN (", after a comma there, or after the "{" of VALUES');
}

/** The text of a request with the values of a template in their places: to be read, not to be run. */
export const readableText = (request: string | SparqlTemplate): string =>
  typeof request === 'string' ? request : mapPlaceholders(request.text, (n) => termToNTriples(request.values[n]!));

/** A request as a template of its own, equal to no other one. */
export function toTemplate(request: string | SparqlTemplate): SparqlTemplate {
  const template = typeof request === 'string' ? { text: request, values: [] } : { ...request };
  templates.add(template);
  return template;
}

/** Only what the tag has made counts: an object of this shape from outside (JSON, say) is not one. */
export const isSparqlTemplate = (value: unknown): value is SparqlTemplate =>
  typeof value === 'object' && value !== null && templates.has(value);

/** The number of the placeholder that this IRI is, if it is one. */
export function placeholderIndex(value: string): number | undefined {
  if (!value.startsWith(PLACEHOLDER_PREFIX)) return undefined;
  const rest = value.slice(PLACEHOLDER_PREFIX.length);
  return isDigits(rest) ? Number(rest) : -1;
}

/** A text with its placeholders replaced, which have a number each. */
function mapPlaceholders(text: string, replace: (n: number) => string): string {
  const [before = '', ...parts] = text.split(`<${PLACEHOLDER_PREFIX}`);
  const replaced = parts.map((part) => {
    const end = part.indexOf('>');
    return replace(Number(part.slice(0, end))) + part.slice(end + 1);
  });
  return before + replaced.join('');
}

/** Whether the last word of a text is LIMIT or OFFSET. */
const isBehindCountingWord = (text: string): boolean => COUNTING_WORDS.some((word) => isBehindWord(text, word));

function isBehindWord(text: string, word: string): boolean {
  const trimmed = text.trimEnd();
  const start = trimmed.length - word.length;
  return trimmed.slice(Math.max(0, start)).toUpperCase() === word && !isLetter(trimmed.charCodeAt(start - 1));
}

const isLetter = (code: number): boolean => (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a);
const isDigits = (text: string): boolean => text !== '' && Array.from(text).every((char) => char >= '0' && char <= '9');

/** The placeholder of a variable that is bound from outside. */
export const bindingPlaceholder = (name: string): string => `${PLACEHOLDER_PREFIX}binding:${name}`;
/** Whether an IRI stands for a value that is not known yet. */
export const isPlaceholder = (value: string): boolean => value.startsWith(PLACEHOLDER_PREFIX);

const IRI_MARK = `${PLACEHOLDER_PREFIX}iri:`;

/** A placeholder for a value that is an IRI. */
export const iriPlaceholder = (value: string): string => IRI_MARK + value.slice(PLACEHOLDER_PREFIX.length);
/** Whether it is one of {@link iriPlaceholder}. */
export const isIriPlaceholder = (value: string): boolean => value.startsWith(IRI_MARK);
/** The placeholder as it was before its value was known to be an IRI. */
export const plainPlaceholder = (value: string): string =>
  isIriPlaceholder(value) ? PLACEHOLDER_PREFIX + value.slice(IRI_MARK.length) : value;

/** The IRI that stands for value n of a request. */
export const valuePlaceholder = (index: number): string => `${PLACEHOLDER_PREFIX}${index}`;
const placeholder = (index: number): string => `<${valuePlaceholder(index)}>`;
const TERM_TYPES = new Set(['NamedNode', 'BlankNode', 'Literal', 'Quad']);

function toTerm(value: unknown, index: number): RDF.Term {
  switch (typeof value) {
    case 'string':
      return dataFactory.literal(value);
    case 'number':
      return numberTerm(value);
    case 'bigint':
      return typed(String(value), 'integer');
    case 'boolean':
      return typed(String(value), 'boolean');
    case 'object':
      if (value instanceof Date && !Number.isNaN(value.getTime())) return typed(value.toISOString(), 'dateTime');
      if (isTerm(value)) return checkedTerm(value, index);
      break;
    default:
      break;
  }
  throw invalid(index, 'it is not an RDF term, string, number, boolean, Date or array of them');
}

function numberTerm(value: number): RDF.Literal {
  if (Number.isSafeInteger(value)) return typed(String(value === 0 ? 0 : value), 'integer');
  if (Number.isNaN(value)) return typed('NaN', 'double');
  if (!Number.isFinite(value)) return typed(value > 0 ? 'INF' : '-INF', 'double');
  return typed(value.toExponential().toUpperCase().replace('E+', 'E'), 'double');
}

const typed = (value: string, type: string): RDF.Literal => dataFactory.literal(value, iri(XSD + type));

function isTerm(value: unknown): value is RDF.Term {
  return typeof value === 'object' && value !== null && 'termType' in value && TERM_TYPES.has(String(value.termType));
}

function checkedTerm(term: RDF.Term, index: number): RDF.Term {
  if (term.termType === 'NamedNode' && !isAbsoluteIri(term.value)) throw invalid(index, 'it is not an absolute IRI');
  return term;
}

function invalid(index: number, reason: string): InvalidArgumentError {
  return new InvalidArgumentError('INVALID_TERM', `value ${index + 1} of the template cannot be used: ${reason}`, {
    details: { index },
  });
}
