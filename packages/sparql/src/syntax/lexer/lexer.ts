/**
 * Reads the tokens of a request, one at a time. It never looks at a character more than a few times, whatever the text, and never
 * throws: what begins no token is the token `wrong`.
 */
import {
  baseLength,
  isBlank,
  isDigit,
  isInIri,
  isLetter,
  isLineEnd,
  isPair,
  isSurrogate,
  isWord,
  nameLength,
  startLength,
  variableLength,
} from './characters.js';
import { iriEscapeLength, localEscapeLength, stringEscapeLength } from './escapes.js';
import { keywordOf, LONGEST_KEYWORD, type Token } from './tokens.js';

/** Why a token is wrong. */
export interface Problem {
  readonly message: string;
  readonly offset: number;
}

export class Lexer {
  token: Token = 'end';
  /** The token is the text from `start` to `end`. */
  start = 0;
  end: number;
  /** Of a name, the offset of its first colon. */
  colon = 0;
  /** Whether the token has a backslash. */
  escaped = false;
  problem: Problem | undefined;
  /** The word that was cut into this keyword and what follows it: `SELECTDISTINCT` is two keywords. */
  cutStart = -1;
  cutEnd = -1;
  /** Where three quotes stand that nothing closes; -1 where there are none so far. */
  unclosed = -1;
  /** No name reaches up to here: its colon was looked for. */
  #noNameBefore = 0;

  /** `wholeWords`: a word that is no keyword is not cut into keywords. */
  constructor(
    readonly text: string,
    from = 0,
    private readonly wholeWords = false,
  ) {
    this.end = from;
  }

  /** Goes on to the next token. */
  next(): void {
    this.escaped = false;
    this.start = this.#skipBlanks(this.end);
    this.token = this.#read(this.start);
  }

  get value(): string {
    return this.text.slice(this.start, this.end);
  }

  #skipBlanks(from: number): number {
    const { text } = this;
    for (let at = from; ; at++) {
      const code = text.charCodeAt(at);
      if (isBlank(code)) continue;
      if (code !== 0x23) return at;
      while (!isLineEnd(text.charCodeAt(at + 1)) && at + 1 < text.length) at++;
    }
  }

  #ends(end: number, token: Token): Token {
    this.end = end;
    return token;
  }

  #wrong(end: number, message?: string, offset = this.start): Token {
    this.problem = message === undefined ? undefined : { message, offset };
    return this.#ends(end, 'wrong');
  }

  /** A token switch: longer than other functions, since it has a case for each first character. */
  #read(at: number): Token {
    const { text } = this;
    if (isLetter(text.charCodeAt(at))) return this.#word(at);
    const char = text[at];
    const next = text[at + 1];
    switch (char) {
      case undefined:
        return this.#ends(at, 'end');
      case '?':
      case '$':
        return this.#variable(at);
      case '<':
        return this.#less(at);
      case ':':
        return this.#name(at);
      case '"':
      case "'":
        return this.#string(at, char);
      case '_':
        return this.#label(at);
      case '@':
        return this.#tag(at);
      case '{':
        return next === '|' ? this.#ends(at + 2, '{|') : this.#ends(at + 1, '{');
      case '(':
        return this.#opening(at, ')', '()', '(');
      case '[':
        return this.#opening(at, ']', '[]', '[');
      case ')':
        return text.startsWith('>>', at + 1) ? this.#ends(at + 3, ')>>') : this.#ends(at + 1, ')');
      case '>':
        return next === '>' ? this.#ends(at + 2, '>>') : this.#orEqual(at, next, '>', '>=');
      case '!':
        return this.#orEqual(at, next, '!', '!=');
      case '^':
        return next === '^' ? this.#ends(at + 2, '^^') : this.#ends(at + 1, '^');
      case '|':
        if (next === '|') return this.#ends(at + 2, '||');
        return next === '}' ? this.#ends(at + 2, '|}') : this.#ends(at + 1, '|');
      case '&':
        return next === '&' ? this.#ends(at + 2, '&&') : this.#wrong(at + 1);
      case '.':
        return isDigit(text.charCodeAt(at + 1)) ? this.#number(at) : this.#ends(at + 1, '.');
      case '+':
      case '-':
        return this.#isSigned(at) ? this.#number(at) : this.#ends(at + 1, char);
      case '}':
      case ']':
      case ',':
      case ';':
      case '=':
      case '*':
      case '/':
      case '~':
        return this.#ends(at + 1, char);
      default:
        return isDigit(text.charCodeAt(at)) ? this.#number(at) : this.#word(at);
    }
  }

  #orEqual(at: number, next: string | undefined, alone: Token, equal: Token): Token {
    return next === '=' ? this.#ends(at + 2, equal) : this.#ends(at + 1, alone);
  }

  /** An opening bracket, or both brackets with nothing but blanks between them. */
  #opening(at: number, closing: string, both: Token, alone: Token): Token {
    let end = at + 1;
    while (isBlank(this.text.charCodeAt(end))) end++;
    return this.text[end] === closing ? this.#ends(end + 1, both) : this.#ends(at + 1, alone);
  }

  // ── Words and names ─────────────────────────────────────────────────────────────────────────────────────────────

  #word(at: number): Token {
    const { text } = this;
    let end = at;
    // A longer one is no keyword: its rest is not looked at again for each keyword that it begins with.
    while (isWord(text.charCodeAt(end)) && end <= at + LONGEST_KEYWORD) end++;
    if (text[end] === ':' && end > at) return this.#name(end);
    if (end === at || nameLength(text, end) > 0 || text[end] === '.') {
      const colon = this.#colonOfPrefix(at);
      if (colon !== -1) return this.#name(colon);
    }
    if (end === at) return this.#otherWord(at);
    const keyword = isWord(text.charCodeAt(end)) ? undefined : keywordOf(text.slice(at, end));
    if (keyword !== undefined) return this.#ends(end, keyword);
    return (this.wholeWords ? undefined : this.#cutWord(at, end)) ?? this.#otherWord(at);
  }

  /** The colon behind the prefix that begins here; -1 where there is none. */
  #colonOfPrefix(at: number): number {
    const { text } = this;
    if (at < this.#noNameBefore || baseLength(text, at) === 0) return -1;
    let end = at;
    for (;;) {
      const length = text[end] === '.' ? 1 : nameLength(text, end);
      if (length === 0) break;
      end += length;
    }
    if (text[end] === ':' && text[end - 1] !== '.') return end;
    this.#noNameBefore = end;
    return -1;
  }

  /** The grammar needs no blank between two keywords: the longest one that the word begins with. */
  #cutWord(at: number, end: number): Token | undefined {
    for (let cut = end - 1; cut > at; cut--) {
      const keyword = keywordOf(this.text.slice(at, cut));
      if (keyword === undefined) continue;
      if (at >= this.cutEnd) {
        this.cutStart = at;
        this.cutEnd = this.#endOfWord(at);
      }
      return this.#ends(cut, keyword);
    }
    return undefined;
  }

  #endOfWord(at: number): number {
    let end = at;
    for (let length = nameLength(this.text, end); length > 0; length = variableLength(this.text, end)) end += length;
    return end;
  }

  #otherWord(at: number): Token {
    const end = this.#endOfWord(at);
    if (end > at) return this.#ends(end, 'word');
    return this.#wrong(isPair(this.text, at) ? at + 2 : at + 1);
  }

  #name(colon: number): Token {
    const { text } = this;
    this.colon = colon;
    let end = colon + 1;
    for (let at = end; ;) {
      const char = text[at];
      const length = char === ':' ? 1 : at === colon + 1 ? startLength(text, at) : nameLength(text, at);
      if (length > 0) end = at += length;
      else if (char === '.' && at > colon + 1) at++;
      else {
        const escape = localEscapeLength(text, at);
        if (escape === 0) return this.#ends(end, 'name');
        this.escaped ||= char === '\\';
        end = at += escape;
      }
    }
  }

  #label(at: number): Token {
    const { text } = this;
    const first = text[at + 1] === ':' ? startLength(text, at + 2) : 0;
    if (first === 0) return this.#otherWord(at);
    let end = at + 2 + first;
    for (let next = end; ;) {
      const length = nameLength(text, next);
      if (length > 0) end = next += length;
      else if (text[next] === '.') next++;
      else return this.#ends(end, 'blank');
    }
  }

  #variable(at: number): Token {
    const { text } = this;
    let end = at + 1;
    for (let length = startLength(text, end); length > 0; length = variableLength(text, end)) end += length;
    if (end > at + 1) return this.#ends(end, 'variable');
    return text[at] === '?' ? this.#ends(end, '?') : this.#wrong(end);
  }

  // ── IRIs, strings, tags, numbers ────────────────────────────────────────────────────────────────────────────────

  #less(at: number): Token {
    const { text } = this;
    for (let end = at + 1; ;) {
      const code = text.charCodeAt(end);
      if (code === 0x3e) return this.#ends(end + 1, 'iri');
      if (code === 0x5c) {
        const length = iriEscapeLength(text, end);
        if (length === 0) return this.#wrong(at + 1, 'an IRI has an illegal escape', end);
        this.escaped = true;
        end += length;
      } else if (isSurrogate(code)) {
        if (!isPair(text, end)) return this.#wrong(at + 1, 'an IRI has half a character', end);
        end += 2;
      } else if (isInIri(code)) end++;
      else break;
    }
    this.escaped = false;
    if (text[at + 1] === '<') return text[at + 2] === '(' ? this.#ends(at + 3, '<<(') : this.#ends(at + 2, '<<');
    return this.#orEqual(at, text[at + 1], '<', '<=');
  }

  #string(at: number, quote: '"' | "'"): Token {
    const { text } = this;
    const isLong = text[at + 1] === quote && text[at + 2] === quote;
    const end = this.#endOfString(at, quote, isLong);
    if (end !== -1) return this.#ends(end, 'string');
    // By the grammar, three quotes that nothing closes are an empty string and the beginning of another one.
    if (!isLong || this.problem !== undefined) return this.#ends(at + 1, 'wrong');
    this.unclosed = at;
    return this.#ends(at + 2, 'string');
  }

  /** The end of the string that begins here; -1 where it has none, or something illegal. */
  #endOfString(start: number, quote: string, isLong: boolean): number {
    const { text } = this;
    const quoteCode = quote.charCodeAt(0);
    this.problem = undefined;
    for (let at = start + (isLong ? 3 : 1); at < text.length;) {
      const code = text.charCodeAt(at);
      if (code === quoteCode) {
        if (!isLong) return at + 1;
        if (text[at + 1] === quote && text[at + 2] === quote) return at + 3;
        at++;
      } else if (code === 0x5c) {
        const length = stringEscapeLength(text, at);
        if (length === 0) return this.#failString(`a string has the illegal escape ${text.slice(at, at + 2)}`, at);
        this.escaped = true;
        at += length;
      } else if (isSurrogate(code)) {
        if (!isPair(text, at)) return this.#failString('a string has half a character', at);
        at += 2;
      } else if (isLineEnd(code) && !isLong) break;
      else at++;
    }
    this.escaped = false;
    if (!isLong) this.problem = { message: 'a string is not closed, or has an illegal escape', offset: start };
    return -1;
  }

  #failString(message: string, offset: number): -1 {
    this.escaped = false;
    this.problem = { message, offset };
    return -1;
  }

  #tag(at: number): Token {
    const { text } = this;
    let end = at + 1;
    while (isLetter(text.charCodeAt(end))) end++;
    if (end === at + 1) return this.#wrong(end);
    const isAlphanumeric = (code: number): boolean => isLetter(code) || isDigit(code);
    while (text[end] === '-' && isAlphanumeric(text.charCodeAt(end + 1))) {
      for (end++; isAlphanumeric(text.charCodeAt(end));) end++;
    }
    if (text[end] === '-' && text[end + 1] === '-' && isLetter(text.charCodeAt(end + 2))) {
      for (end += 2; isLetter(text.charCodeAt(end));) end++;
    }
    return this.#ends(end, 'tag');
  }

  /** Whether a number begins with the sign here. */
  #isSigned(at: number): boolean {
    const { text } = this;
    const next = text.charCodeAt(at + 1);
    return isDigit(next) || (next === 0x2e && isDigit(text.charCodeAt(at + 2)));
  }

  #number(at: number): Token {
    const { text } = this;
    let end = this.#endOfDigits(isDigit(text.charCodeAt(at)) || text[at] === '.' ? at : at + 1);
    let token: Token = 'integer';
    if (text[end] === '.') {
      const fraction = this.#endOfDigits(end + 1);
      const exponent = this.#endOfExponent(fraction);
      if (exponent !== -1) return this.#ends(exponent, 'double');
      if (fraction > end + 1) {
        end = fraction;
        token = 'decimal';
      }
    }
    const exponent = token === 'integer' ? this.#endOfExponent(end) : -1;
    return exponent === -1 ? this.#ends(end, token) : this.#ends(exponent, 'double');
  }

  #endOfDigits(at: number): number {
    let end = at;
    while (isDigit(this.text.charCodeAt(end))) end++;
    return end;
  }

  #endOfExponent(at: number): number {
    const { text } = this;
    if (text[at] !== 'e' && text[at] !== 'E') return -1;
    const digits = text[at + 1] === '+' || text[at + 1] === '-' ? at + 2 : at + 1;
    const end = this.#endOfDigits(digits);
    return end > digits ? end : -1;
  }
}
