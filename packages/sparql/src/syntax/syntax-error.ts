/** Turns the errors of the parser into a ParseError that says what is wrong, and where. */
import { ParseError } from '@quadrille/model';
import { surroundingsOf, type Token } from './scan-tokens.js';
import { hintFor } from './syntax-hints.js';

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

/** A rule on variables that a request breaks; `place` finds the variable in the text. */
export class ScopeError extends Error {
  readonly place: RegExp;
  constructor(message: string, place: RegExp) {
    super(message);
    this.place = place;
  }
}

// Names hold letters, digits and the like; a middle dot or a mark has no meaning in a pattern.
const escapeName = (name: string): string => name.replace(/[^\p{L}\p{N}\p{M}_]/gu, '.');

/** Where a variable of that name stands. */
export const variablePlace = (name: string): RegExp =>
  new RegExp(`[?$]${escapeName(name)}(?![\\p{L}\\p{N}\\p{M}_])`, 'u');
/** Where it is given a value by AS. */
export const bindingPlace = (name: string): RegExp => new RegExp(`(?<=\\bas\\s+)${variablePlace(name).source}`, 'iu');

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
// Longer requests were not typed by a person, and the scan would take its time.
const MAX_HINTED_TEXT = 262_144;

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

interface Explanation {
  readonly reason: string;
  readonly offset?: number | undefined;
}

function explain(error: Error, text: string): Explanation {
  if (error instanceof GrammarError) return explainToken(error, text);
  const lexer = /unexpected character: ->[^]*?<- at offset: (\d+)/.exec(error.message);
  if (lexer !== null) return explainCharacter(Number(lexer[1]), text);
  const prefix = /^Unknown prefix: (.*)$/.exec(error.message)?.[1];
  if (prefix !== undefined) {
    return { reason: `the prefix ${prefix}: is not declared`, offset: findWord(text, `${prefix}:`) };
  }
  const scope = error instanceof ScopeError ? error : scopeErrorOf(error.message);
  if (scope !== undefined) return { reason: scope.message, offset: scope.place.exec(text)?.index };
  return { reason: lowerFirst(error.message.split('\n')[0] ?? error.message).replace(/\.$/, '') };
}

/** What the validation of the grammar says, in our words and with a place. */
function scopeErrorOf(message: string): ScopeError | undefined {
  if (message === 'GROUP BY not allowed with wildcard') {
    return new ScopeError('SELECT * cannot stand with GROUP BY: name the grouped variables', /\*/);
  }
  const name = /\(\?([^)]*)\)$/.exec(message)?.[1];
  if (name === undefined) return undefined;
  if (/ungrouped variable/.test(message)) return ungrouped(name);
  return /^(?:Target id of|Variable used to bind)/.test(message) ? boundAlready(name) : undefined;
}

export const ungrouped = (name: string): ScopeError =>
  new ScopeError(
    `the variable ?${name} is selected but not grouped: add it to GROUP BY, or use an aggregate such as SAMPLE(?${name})`,
    variablePlace(name),
  );
export const boundAlready = (name: string): ScopeError =>
  new ScopeError(`the variable ?${name} is bound already, and cannot be bound again by AS`, bindingPlace(name));

function explainToken({ message, token }: GrammarError, text: string): Explanation {
  const atEnd = Number.isNaN(token.startOffset) || token.image === '';
  const offset = atEnd ? text.trimEnd().length : token.startOffset;
  const hint = hintAt(text, atEnd ? text.length : offset);
  if (hint !== undefined) return { reason: hint, offset };
  const found = atEnd ? 'the request ends too early' : `unexpected ${quote(token.image)}`;
  const expected = expectedWords(message);
  if (/expecting EOF/.test(message)) return { reason: `${found}, expected nothing more`, offset };
  return { reason: expected === '' ? found : `${found}, expected ${expected}`, offset };
}

function hintAt(text: string, offset: number): string | undefined {
  if (text.length > MAX_HINTED_TEXT) return undefined;
  return hintFor(surroundingsOf(text, offset), ({ offset: start }: Token) => {
    const { line, column } = positionOf(text, start);
    return `line ${line}, column ${column}`;
  });
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

function explainCharacter(offset: number, text: string): Explanation {
  const hint = hintAt(text, offset);
  if (hint !== undefined) return { reason: hint, offset };
  const char = text.charAt(offset);
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
