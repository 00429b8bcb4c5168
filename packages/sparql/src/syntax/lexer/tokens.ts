/** The tokens of a request. Keywords and punctuation stand for themselves, the others for their kind. */
import { ELEMENT_WORDS } from '../../algebra/algebra.js';

/** Built-in functions with the least and the most arguments that they take. BOUND, EXISTS and aggregates have rules of their own. */
export const FUNCTIONS = {
  STR: [1, 1],
  LANG: [1, 1],
  LANGMATCHES: [2, 2],
  LANGDIR: [1, 1],
  DATATYPE: [1, 1],
  IRI: [1, 1],
  URI: [1, 1],
  BNODE: [0, 1],
  RAND: [0, 0],
  ABS: [1, 1],
  CEIL: [1, 1],
  FLOOR: [1, 1],
  ROUND: [1, 1],
  CONCAT: [0, Infinity],
  SUBSTR: [2, 3],
  STRLEN: [1, 1],
  REPLACE: [3, 4],
  UCASE: [1, 1],
  LCASE: [1, 1],
  ENCODE_FOR_URI: [1, 1],
  CONTAINS: [2, 2],
  STRSTARTS: [2, 2],
  STRENDS: [2, 2],
  STRBEFORE: [2, 2],
  STRAFTER: [2, 2],
  YEAR: [1, 1],
  MONTH: [1, 1],
  DAY: [1, 1],
  HOURS: [1, 1],
  MINUTES: [1, 1],
  SECONDS: [1, 1],
  TIMEZONE: [1, 1],
  TZ: [1, 1],
  NOW: [0, 0],
  UUID: [0, 0],
  STRUUID: [0, 0],
  MD5: [1, 1],
  SHA1: [1, 1],
  SHA256: [1, 1],
  SHA384: [1, 1],
  SHA512: [1, 1],
  COALESCE: [0, Infinity],
  IF: [3, 3],
  STRLANG: [2, 2],
  STRLANGDIR: [3, 3],
  STRDT: [2, 2],
  SAMETERM: [2, 2],
  ISIRI: [1, 1],
  ISURI: [1, 1],
  ISBLANK: [1, 1],
  ISLITERAL: [1, 1],
  ISNUMERIC: [1, 1],
  HASLANG: [1, 1],
  HASLANGDIR: [1, 1],
  ISTRIPLE: [1, 1],
  TRIPLE: [3, 3],
  SUBJECT: [1, 1],
  PREDICATE: [1, 1],
  OBJECT: [1, 1],
  REGEX: [2, 3],
} as const;

export const AGGREGATES = {
  COUNT: 'count',
  SUM: 'sum',
  MIN: 'min',
  MAX: 'max',
  AVG: 'avg',
  SAMPLE: 'sample',
  GROUP_CONCAT: 'group_concat',
} as const;

const PROLOGUE_WORDS = ['BASE', 'PREFIX', 'VERSION'] as const;
const QUERY_WORDS = ['SELECT', 'DISTINCT', 'REDUCED', 'AS', 'CONSTRUCT', 'DESCRIBE', 'ASK', 'FROM', 'NAMED'] as const;
const MODIFIER_WORDS = ['WHERE', 'GROUP', 'BY', 'HAVING', 'ORDER', 'ASC', 'DESC', 'LIMIT', 'OFFSET'] as const;
const EXPRESSION_WORDS = ['SILENT', 'NOT', 'EXISTS', 'IN', 'BOUND', 'SEPARATOR', 'TRUE', 'FALSE', 'UNDEF'] as const;
const UPDATE_WORDS = ['INSERT', 'DELETE', 'DATA', 'WITH', 'USING'] as const;
const GRAPH_WORDS = ['LOAD', 'INTO', 'CLEAR', 'DROP', 'CREATE', 'ADD', 'MOVE', 'COPY', 'TO', 'DEFAULT', 'ALL'] as const;
const WORDS = [
  ...PROLOGUE_WORDS,
  ...QUERY_WORDS,
  ...MODIFIER_WORDS,
  ...ELEMENT_WORDS,
  ...EXPRESSION_WORDS,
  ...UPDATE_WORDS,
  ...GRAPH_WORDS,
] as const;

export type FunctionName = keyof typeof FUNCTIONS;
export type AggregateName = keyof typeof AGGREGATES;
/** All keywords are in upper case but for `a`. */
export type Keyword = (typeof WORDS)[number] | FunctionName | AggregateName | 'a';
export type Punctuation =
  | (
      | '('
      | ')'
      | '{'
      | '}'
      | '['
      | ']'
      | '<<'
      | '>>'
      | '<<('
      | ')>>'
      | '{|'
      | '|}'
      | '()'
      | '[]'
      | '.'
      | ','
      | ';'
      | '~'
    )
  | ('|' | '/' | '^' | '^^' | '?' | '*' | '+' | '-' | '!' | '&&' | '||' | '=' | '!=' | '<' | '>' | '<=' | '>=');
export type TokenKind =
  | 'iri'
  | 'name'
  | 'variable'
  | 'blank'
  | 'string'
  | 'tag'
  | 'integer'
  | 'decimal'
  | 'double'
  /** A word that is no keyword. */
  | 'word'
  /** Characters that begin no token. */
  | 'wrong'
  | 'end';
export type Token = Keyword | Punctuation | TokenKind;

const KEYWORDS: ReadonlyMap<string, Keyword> = new Map(
  [...WORDS, ...(Object.keys(FUNCTIONS) as FunctionName[]), ...(Object.keys(AGGREGATES) as AggregateName[])].map(
    (word) => [word, word],
  ),
);
/** The most characters of a keyword. */
export const LONGEST_KEYWORD = 'ENCODE_FOR_URI'.length;

/** The keyword that a word is, in any case; only `a` must be in lower case. */
export function keywordOf(word: string): Keyword | undefined {
  return KEYWORDS.get(word) ?? (word === 'a' ? 'a' : KEYWORDS.get(word.toUpperCase()));
}

export const isFunction = (token: Token): token is FunctionName => Object.hasOwn(FUNCTIONS, token);
export const isAggregate = (token: Token): token is AggregateName => Object.hasOwn(AGGREGATES, token);
/** Whether it is a keyword or another word. */
export const isWordToken = (token: Token): boolean => token === 'word' || token === 'a' || KEYWORDS.has(token);
