/**
 * Terms as canonical N-Triples text (RDF 1.2 N-Triples, section 4): one text for each term, so that equal texts are
 * equal terms. The dictionary stores these bytes, the parsers emit them and a dump copies them out.
 */
import type * as RDF from '@rdfjs/types';
import { DataFactory } from 'rdf-data-factory';
import { canonicalLanguage } from './language-tag.js';
import { Literal } from './literal.js';

const factory = new DataFactory<RDF.Quad>();
const XSD_STRING = 'http://www.w3.org/2001/XMLSchema#string';
// oxlint-disable-next-line no-control-regex
const NEEDS_ESCAPE = /[\u0000-\u001F"\\\u007F\uFFFE\uFFFF]/;
// oxlint-disable-next-line no-control-regex
const NEEDS_ESCAPE_ALL = /[\u0000-\u001F"\\\u007F\uFFFE\uFFFF]/g;
const SHORT_ESCAPES: Readonly<Record<string, string>> = {
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\f': '\\f',
  '\r': '\\r',
  '"': '\\"',
  '\\': '\\\\',
};
const SHORT_UNESCAPES: Readonly<Record<string, string>> = {
  b: '\b',
  t: '\t',
  n: '\n',
  f: '\f',
  r: '\r',
  '"': '"',
  '\\': '\\',
};

/** The lexical form of a literal, escaped as canonical N-Triples writes it, without the quotes. */
export function escapeLexicalForm(value: string): string {
  if (!NEEDS_ESCAPE.test(value)) return value;
  return value.replace(
    NEEDS_ESCAPE_ALL,
    (char) => SHORT_ESCAPES[char] ?? `\\u${char.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`,
  );
}

// The parts between the escapes, joined: a replacement by a function takes twice as long, and adding them up leaves a
// string of strings, which takes many times the memory of the text.
function unescapeLexicalForm(text: string): string {
  let at = text.indexOf('\\');
  if (at === -1) return text;
  const parts: string[] = [];
  let from = 0;
  for (; at !== -1; at = text.indexOf('\\', from)) {
    const char = text[at + 1]!;
    const isCode = char === 'u';
    const code = isCode ? String.fromCharCode(Number.parseInt(text.slice(at + 2, at + 6), 16)) : undefined;
    parts.push(text.slice(from, at), code ?? SHORT_UNESCAPES[char] ?? char);
    from = at + (isCode ? 6 : 2);
  }
  parts.push(text.slice(from));
  return parts.join('');
}

/**
 * Canonical text of a term; the default graph is the empty text. Language tags are lower case, so that equal terms have equal
 * texts: for what people read there is {@link termToNTriples}.
 */
export function termToText(term: RDF.Term): string {
  return textOf(term, toLowerCase);
}

/** A term as N-Triples documents have it; as {@link termToText}, but language tags have their canonical case, `en-GB`. */
export function termToNTriples(term: RDF.Term): string {
  return textOf(term, canonicalLanguage);
}

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
  const value = unescapeLexicalForm(text.slice(1, close));
  if (close === text.length - 1) return new Literal(value);
  if (text.charCodeAt(close + 1) === 0x5e) return new Literal(value, namedNodeOf(text.slice(close + 4, -1)));
  const tag = text.slice(close + 2);
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
