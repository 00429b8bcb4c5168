/** Terms as users write them: IRIs, prefixed names, and literals as in Turtle. What is none of these is refused with a reason. */
import { termText } from '../messages/terms.js';
import { unescaped, written } from '../rows/term.js';

/** What a field takes besides IRIs. */
export interface Taken {
  readonly literals?: boolean;
  /** Blank nodes and triple terms, in N-Triples syntax. */
  readonly others?: boolean;
}

export type TypedTerm =
  /** In N-Triples syntax. */
  { readonly term: string; readonly problem?: undefined } | { readonly term?: undefined; readonly problem: string };

type Namespaces = Readonly<Record<string, string>>;

/** Schemes of IRIs without `//` that are in use. Any other word before a colon is a prefix, known or not. */
const SCHEMES =
  /^(?:urn|mailto|tag|did|data|cid|mid|info|news|tel|sip|sips|geo|doi|ark|ni|nih|oid|uuid|magnet|about|acct|jid|xmpp)$/i;
const XSD = 'http://www.w3.org/2001/XMLSchema#';
const NUMBERS: readonly (readonly [RegExp, string])[] = [
  [/^[+-]?\d+$/, 'integer'],
  [/^[+-]?\d*\.\d+$/, 'decimal'],
  [/^[+-]?(?:\d+\.?\d*|\.\d+)e[+-]?\d+$/i, 'double'],
  [/^(?:true|false)$/, 'boolean'],
];
/** In short quotes, or in long ones, which may contain line ends. What follows is a language or a datatype. */
const LITERAL =
  /^(?:"""((?:\\.|[^\\])*?)"""|'''((?:\\.|[^\\])*?)'''|"((?:\\.|[^"\\\n\r])*)"|'((?:\\.|[^'\\\n\r])*)')(.*)$/s;

/** @param text without white space around it */
export function typedTerm(text: string, namespaces: Namespaces, { literals, others }: Taken = {}): TypedTerm {
  if (/^["'+\-.\d]|^(?:true|false)$/.test(text)) {
    const found = literalOf(text, namespaces);
    if (found.problem === undefined && literals !== true) return { problem: termText.noLiteral(text) };
    return found;
  }
  if (others === true && (/^_:[^\s<>"]+$/.test(text) || /^<<\(.+\)>>$/s.test(text))) return { term: text };
  const iri = iriOf(text, namespaces);
  return iri.problem === undefined ? { term: `<${iri.term}>` } : iri;
}

/** One term a line; empty lines are left out. The problem names the line. */
export function typedTerms(
  text: string,
  namespaces: Namespaces,
  taken?: Taken,
): { readonly terms: readonly string[]; readonly problem?: string } {
  const terms: string[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const { term, problem } = typedTerm(line.trim(), namespaces, taken);
    if (problem !== undefined)
      return { terms: [], problem: text.includes('\n') ? termText.inLine(index + 1, problem) : problem };
    terms.push(term);
  }
  return { terms: [...new Set(terms)] };
}

/** An IRI so that {@link typedTerm} reads it again, whatever the prefixes are. */
export const typedIri = (iri: string, namespaces: Namespaces): string =>
  typedTerm(iri, namespaces).term === `<${iri}>` ? iri : `<${iri}>`;

/** The IRI of a term in N-Triples syntax. */
export const iriOfTerm = (term: string): string => term.slice(1, -1);

function iriOf(text: string, namespaces: Namespaces): TypedTerm {
  const enclosed = /^<([^<>]*)>$/.exec(text)?.[1];
  if (enclosed !== undefined) return checked(unescaped(enclosed), text);
  const [, prefix, rest = ''] = /^([^:\s<>"]*):(.*)$/s.exec(text) ?? [];
  if (prefix === undefined) return { problem: termText.none(text) };
  if (rest.startsWith('//')) return checked(text, text);
  if (Object.hasOwn(namespaces, prefix)) {
    if (!LOCAL.test(rest)) return { problem: termText.wrongName(text, prefix) };
    return checked(`${namespaces[prefix]!}${rest.replace(/\\(.)/g, '$1')}`, text);
  }
  return SCHEMES.test(prefix) ? checked(text, text) : { problem: termText.unknownPrefix(prefix, text) };
}

/** The part of a prefixed name behind the colon. */
const LOCAL = /^(?!\.)(?:[\p{L}\p{N}\p{M}_:.\u00b7-]|%[\da-f]{2}|\\[_~.\-!$&'()*+,;=/?#@%])*(?<!(?<!\\)\.)$/iu;

function checked(iri: string, typed: string): TypedTerm {
  const isAbsolute = /^[a-z][a-z\d+.-]*:./is.test(iri) && !/^[a-z][a-z\d+.-]*:\/\/?$/i.test(iri);
  return isAbsolute && !/[\u0000-\u0020<>"{}|\\^`]/.test(iri) ? { term: iri } : { problem: termText.noIri(typed) };
}

function literalOf(text: string, namespaces: Namespaces): TypedTerm {
  const datatype = NUMBERS.find(([form]) => form.test(text))?.[1];
  if (datatype !== undefined) return { term: written({ kind: 'literal', value: text, datatype: XSD + datatype }) };
  const found = LITERAL.exec(text);
  if (found === null) return { problem: /^["']/.test(text) ? termText.openQuote(text) : termText.none(text) };
  const value = unescaped(found[1] ?? found[2] ?? found[3] ?? found[4] ?? '');
  const after = found[5]!.trim();
  if (after === '') return { term: written({ kind: 'literal', value }) };
  const [, language, direction] = /^@([a-z]{1,8}(?:-[a-z\d]{1,8})*)(?:--(ltr|rtl))?$/i.exec(after) ?? [];
  if (language !== undefined)
    return {
      term: written({
        kind: 'literal',
        value,
        language,
        ...(direction === undefined ? {} : { direction: direction as 'ltr' | 'rtl' }),
      }),
    };
  if (!after.startsWith('^^')) return { problem: termText.afterQuote(after) };
  const type = iriOf(after.slice(2).trim(), namespaces);
  return type.problem === undefined ? { term: written({ kind: 'literal', value, datatype: type.term }) } : type;
}
