/** The place where the parser stopped, as the hints on syntax errors look at it. */
import type { Surroundings, Token } from './surroundings.js';

/** What a hint looks at, with the most asked questions answered. */
export interface Place extends Surroundings {
  readonly last: Token | undefined;
  /** The token before, in upper case where it is a word; else empty. */
  readonly lastWord: string;
  readonly foundText: string;
  readonly inSelectClause: boolean;
  readonly inner: string | undefined;
  /** Line and column of a token. */
  readonly where: (token: Token) => string;
}

export type Hint = (place: Place) => string | undefined;

const TERMS = ['iri', 'string', 'variable', 'blank', 'name', 'number'];
export const isTerm = (token: Token | undefined): boolean => token !== undefined && TERMS.includes(token.kind);
export const isWord = (token: Token | undefined, ...words: readonly string[]): boolean =>
  token?.kind === 'word' && words.includes(token.text.toUpperCase());
export const quoted = (token: Token): string =>
  `'${token.text.length > 40 ? `${token.text.slice(0, 40)}…` : token.text}'`;

export function placeOf(surroundings: Surroundings, where: Place['where']): Place {
  const { before, found, open } = surroundings;
  const last = before.at(-1);
  return {
    ...surroundings,
    where,
    last,
    lastWord: last?.kind === 'word' ? last.text.toUpperCase() : '',
    foundText: found?.text ?? '',
    inSelectClause: isInSelectClause(before),
    inner: open.at(-1)?.text,
  };
}

function isInSelectClause(before: readonly Token[]): boolean {
  for (const token of before.toReversed()) {
    if (isWord(token, 'SELECT')) return true;
    if (token.text === '{' || token.text === '}' || isWord(token, 'FROM', 'WHERE')) return false;
  }
  return false;
}
