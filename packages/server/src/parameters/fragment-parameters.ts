/** The parameters of a fragment: terms in the explicit representation of Hydra, and the page. */
import { refuseParameter } from '../http/index.js';
import type * as RDF from '@rdfjs/types';
import { type QuadPattern, iri, literal } from 'quadrille';
import { parameterTerm } from './terms.js';

const POSITIONS = [
  ['subject', 'subj'],
  ['predicate', 'pred'],
  ['object', 'obj'],
] as const;
const LAST_PAGE = 10_000_000;

/**
 * The pattern of `subject`, `predicate` and `object`. A missing or empty one, and a variable, match every term.
 * @throws HttpError 400
 */
export function fragmentPattern(parameters: URLSearchParams): QuadPattern {
  const pattern: { subject?: RDF.Term; predicate?: RDF.Term; object?: RDF.Term } = {};
  for (const [position, short] of POSITIONS) {
    const values = [...parameters.getAll(position), ...parameters.getAll(short)].map((value) => value.trim());
    if (values.length > 1) throw refuseParameter(position)(`${position} is given ${String(values.length)} times`);
    const [text = ''] = values;
    if (text !== '' && !text.startsWith('?')) pattern[position] = explicitTerm(text, position);
  }
  return pattern;
}

/**
 * A term as clients of Triple Pattern Fragments write it: an IRI without brackets; a literal as `"text"`, `"text"@en` or
 * `"text"^^IRI`, whose text is not escaped. IRIs may have brackets.
 */
export function explicitTerm(text: string, name: string): RDF.Term {
  if (!text.startsWith('"')) return parameterTerm(text, name);
  const end = text.lastIndexOf('"');
  if (end === 0) throw refuseParameter(name)(`${name}: the text of a literal is not closed`);
  const [value, suffix] = [text.slice(1, end), text.slice(end + 1)];
  if (suffix === '') return literal(value);
  const language = /^@([a-z]{1,8}(?:-[a-z0-9]{1,8})*)$/i.exec(suffix)?.[1];
  if (language !== undefined) return literal(value, language);
  const type = /^\^\^<?([^<>]+)>?$/.exec(suffix)?.[1];
  const datatype = type === undefined ? undefined : parameterTerm(type, name);
  if (datatype?.termType === 'NamedNode') return literal(value, iri(datatype.value));
  throw refuseParameter(name)(`${name}: a literal ends with a language or a datatype, not ${suffix.slice(0, 50)}`);
}

/** The number of the page, from 1. @throws HttpError 400 */
export function pageNumber(parameters: URLSearchParams): number {
  const text = parameters.get('page')?.trim() ?? '';
  const page = text === '' ? 1 : /^\d{1,8}$/.test(text) ? Number(text) : 0;
  if (page >= 1 && page <= LAST_PAGE) return page;
  throw refuseParameter('page')(`page is a number from 1, not ${text.slice(0, 50)}`);
}
