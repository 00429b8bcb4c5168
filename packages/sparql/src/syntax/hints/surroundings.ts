/** The tokens around a place of a request, for the messages of syntax errors. */
import { isWordToken, type Token as LexerToken } from '../lexer/tokens.js';
import { Lexer } from '../lexer/lexer.js';
import type { Trail } from '../lexer/trail.js';

export type TokenKind = 'iri' | 'string' | 'variable' | 'blank' | 'tag' | 'name' | 'word' | 'number' | 'symbol';

export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  readonly offset: number;
}

export interface Surroundings {
  /** The last tokens before the place, nearest last. */
  readonly before: readonly Token[];
  /** The token at the place; undefined at the end of the text. */
  readonly found: Token | undefined;
  readonly next: Token | undefined;
  /** The brackets that are open there, innermost last. */
  readonly open: readonly Token[];
  /** The words outside of all brackets since the last `;`, in upper case. */
  readonly heads: readonly string[];
}

const KINDS: Partial<Record<LexerToken, TokenKind>> = {
  iri: 'iri',
  string: 'string',
  variable: 'variable',
  blank: 'blank',
  tag: 'tag',
  name: 'name',
  integer: 'number',
  decimal: 'number',
  double: 'number',
};

/** Reads the tokens that the trail remembers again, up to the one behind the offset. */
export function surroundingsOf(text: string, offset: number, trail: Trail): Surroundings {
  const before: Token[] = [];
  const lexer = new Lexer(text, Math.min(trail.firstKept, offset), true);
  let token = nextToken(lexer);
  for (; token !== undefined && token.offset < offset; token = nextToken(lexer)) before.push(token);
  const next = token === undefined ? undefined : nextToken(lexer);
  const open = trail.open.map((bracket) => ({ kind: 'symbol' as const, text: bracket.token, offset: bracket.offset }));
  return { before, found: token, next, open, heads: trail.heads };
}

function nextToken(lexer: Lexer): Token | undefined {
  lexer.next();
  if (lexer.token === 'end') return undefined;
  const kind = KINDS[lexer.token] ?? (isWordToken(lexer.token) ? 'word' : 'symbol');
  return { kind, text: lexer.value, offset: lexer.start };
}

const OPENING: Readonly<Record<string, string>> = {
  ')': '(',
  '}': '{',
  ']': '[',
  '>>': '<<',
  ')>>': '<<(',
  '|}': '{|',
};

/** What a closing bracket closes; undefined for anything else. */
export const openingOf = (text: string): string | undefined => OPENING[text];
