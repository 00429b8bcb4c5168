/** Turns what the parser throws into a ParseError that a person can act on. */
import { ParseError } from '@quadrille/model';

/** A token as the parser reports it. At the end of the text its offset is NaN. */
export interface ParserToken {
  readonly image: string;
  readonly startOffset: number;
}

/** What the parser's error handler throws: its text and the token where it stopped. */
export class GrammarError extends Error {
  readonly token: ParserToken;
  constructor(message: string, token: ParserToken) {
    super(message);
    this.token = token;
  }
}

const TOKEN_WORDS: readonly (readonly [RegExp, string])[] = [
  [/^Var[12]$/, 'a variable'],
  [/^(?:IriRef|PNameLn|PNameNs)$/, 'an IRI'],
  [/^StringLiteral/, 'a string'],
  [/^(?:Integer|Decimal|Double)/, 'a number'],
  [/^(?:BlankNodeLabel|Anon)$/, 'a blank node'],
  [/^Nil$/, '()'],
  [/^Triple Term Open/, '<<('],
  [/^Reification open/, '<<'],
  [/^(?:true|false)$/, 'a boolean'],
];
const MAX_EXPECTED = 6;

export function toParseError(error: unknown, text: string): ParseError {
  const cause = error instanceof Error ? error : new Error(String(error));
  if (cause instanceof RangeError)
    return new ParseError('SPARQL_SYNTAX', 'nested too deep, or a term too long', {}, { cause });
  const { reason, offset } = explain(cause, text);
  const position = offset === undefined ? {} : positionOf(text, offset);
  return new ParseError('SPARQL_SYNTAX', reason, position, { cause });
}

/** Line and column (from 1) of an offset in UTF-16 units; the byte offset from 0. */
export function positionOf(text: string, offset: number): { line: number; column: number; offset: number } {
  const before = text.slice(0, offset);
  const lines = before.split(/\r\n|\n|\r/);
  const last = lines.at(-1) ?? '';
  return { line: lines.length, column: last.length + 1, offset: new TextEncoder().encode(before).length };
}

function explain(error: Error, text: string): { reason: string; offset?: number | undefined } {
  if (error instanceof GrammarError) return explainToken(error, text);
  const lexer = /unexpected character: ->[^]*?<- at offset: (\d+)/.exec(error.message);
  if (lexer !== null) return explainCharacter(Number(lexer[1]), text);
  const prefix = /^Unknown prefix: (.*)$/.exec(error.message)?.[1];
  if (prefix !== undefined) {
    return { reason: `the prefix ${prefix}: is not declared`, offset: findWord(text, `${prefix}:`) };
  }
  return { reason: lowerFirst(error.message.split('\n')[0] ?? error.message).replace(/\.$/, '') };
}

function explainToken({ message, token }: GrammarError, text: string): { reason: string; offset: number } {
  const atEnd = Number.isNaN(token.startOffset) || token.image === '';
  const found = atEnd ? 'the request ends too early' : `unexpected ${quote(token.image)}`;
  const expected = expectedWords(message);
  const hint = /expecting EOF/.test(message)
    ? ', expected nothing more'
    : expected === ''
      ? ''
      : `, expected ${expected}`;
  return { reason: found + hint, offset: atEnd ? text.trimEnd().length : token.startOffset };
}

function expectedWords(message: string): string {
  const names = [...message.matchAll(/\[((?:[^[\]]|\[(?=\]))+)\]/g)].map((match) => match[1] ?? '');
  const words = [...new Set(names.map(wordOf))];
  if (words.length === 0 || words.length > MAX_EXPECTED) return '';
  const last = words.pop() ?? '';
  return words.length === 0 ? last : `${words.join(', ')} or ${last}`;
}

function wordOf(name: string): string {
  const known = TOKEN_WORDS.find(([pattern]) => pattern.test(name));
  return known === undefined ? quote(name) : known[1];
}

function explainCharacter(offset: number, text: string): { reason: string; offset: number } {
  const char = text.charAt(offset);
  if (char === '"' || char === "'") return { reason: 'a string is not closed, or has an illegal escape', offset };
  const word = /^[\p{L}\p{N}_]{1,40}/u.exec(text.slice(offset, offset + 80))?.[0] ?? char;
  return { reason: `unexpected ${quote(word)}`, offset };
}

function findWord(text: string, word: string): number | undefined {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    if (at === 0 || !/[\w\-.]/.test(text.charAt(at - 1))) return at;
  }
  return undefined;
}

const quote = (text: string): string => `'${text.length > 40 ? `${text.slice(0, 40)}…` : text}'`;
const lowerFirst = (text: string): string =>
  /^[A-Z][a-z]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
