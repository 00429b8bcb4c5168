/** Makes the error for a token that the grammar does not have at its place: what is wrong, and where. */
import { ParseError } from '@quadrille/model';
import { isBlank, isInIri, isLineEnd } from '../lexer/characters.js';
import type { Lexer, Problem } from '../lexer/lexer.js';
import type { Trail } from '../lexer/trail.js';
import { positionOf } from '../position.js';
import { surroundingsOf, type Token } from './surroundings.js';
import { noted } from './error-notes.js';
import { hintFor } from './syntax-hints.js';

const LONGEST_QUOTE = 40;

/** The error at the token of the lexer, where something else was expected. */
export function syntaxError(lexer: Lexer, trail: Trail, expected: string): ParseError {
  const { text } = lexer;
  const { message, offset } = tokenProblem(lexer) ?? explain(lexer, trail, expected);
  const error = new ParseError('SPARQL_SYNTAX', message, positionOf(text, offset));
  return noted(error, { offset, expected, suggestion: suggestionIn(message) });
}

/** A hint that knows what is meant names it at its end, or tells how a variable is written. */
const suggestionIn = (message: string): string | undefined =>
  (/did you mean (\S+)\?$/.exec(message) ?? /a variable is written (\?\w+)$/.exec(message))?.[1];

/** What is wrong with the token itself. */
function tokenProblem({ text, token, start, problem, unclosed }: Lexer): Problem | undefined {
  if (unclosed !== -1) return { message: 'a string is not closed, or has an illegal escape', offset: unclosed };
  if (token === 'wrong') return problem;
  return token === '<' ? blankInIri(text, start) : undefined;
}

/** `<a b>`: the place of the `b`. */
function blankInIri(text: string, start: number): Problem | undefined {
  let blank = start + 1;
  while (isInIri(text.charCodeAt(blank))) blank++;
  if (text[blank] !== ' ' || blank === start + 1) return undefined;
  let end = blank;
  while (isInIri(text.charCodeAt(end)) || (isBlank(text.charCodeAt(end)) && !isLineEnd(text.charCodeAt(end)))) end++;
  if (text[end] !== '>') return undefined;
  let word = blank;
  while (isBlank(text.charCodeAt(word))) word++;
  let wordEnd = word;
  while (isInIri(text.charCodeAt(wordEnd))) wordEnd++;
  return { message: `unexpected ${quote(text.slice(word, wordEnd))}: an IRI in <…> holds no blanks`, offset: word };
}

function explain(lexer: Lexer, trail: Trail, expected: string): Problem {
  const { text, token, start, end, cutStart, cutEnd } = lexer;
  const isEnd = token === 'end';
  const isCut = start < cutEnd && start >= cutStart;
  const offset = isEnd ? text.trimEnd().length : isCut ? cutStart : start;
  const message = hintFor(surroundingsOf(text, isEnd ? text.length : offset, trail), ({ offset: place }: Token) => {
    const { line, column } = positionOf(text, place);
    return `line ${line}, column ${column}`;
  });
  if (message !== undefined) return { message, offset };
  const found = isEnd ? 'the request ends too early' : `unexpected ${quote(text.slice(offset, isCut ? cutEnd : end))}`;
  return { message: `${found}, expected ${expected}`, offset };
}

const quote = (text: string): string => `'${text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE)}…` : text}'`;
