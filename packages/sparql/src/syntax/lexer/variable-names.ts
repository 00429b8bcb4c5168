import { Lexer } from './lexer.js';

/** Tokens between two pauses. */
const TOKENS_AT_ONCE = 1024;

/** The names of all variables of a text, whether it is a request or not. */
export function* variableNames(text: string): Generator<undefined, ReadonlySet<string>, undefined> {
  const lexer = new Lexer(text);
  const names = new Set<string>();
  for (let tokens = 1; ; tokens++) {
    lexer.next();
    if (lexer.token === 'end') return names;
    if (lexer.token === 'variable') names.add(lexer.value.slice(1));
    if (tokens % TOKENS_AT_ONCE === 0) yield;
  }
}
