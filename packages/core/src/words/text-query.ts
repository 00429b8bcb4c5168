/** Reads a question for words: the syntax of Lucene's classic query parser, without fields, ranges and regular expressions. */
import { ParseError } from '@quadrille/model';
import { type Fold, foldWord, wordsOf } from './words.js';

export type TextQuery =
  | { readonly type: 'word'; readonly word: string; readonly boost: number }
  /** Words behind one another: at these places, with so many moves in between. */
  | {
      readonly type: 'phrase';
      readonly words: readonly string[];
      readonly slop: number;
      readonly boost: number;
    }
  /** All words that begin so and go on so. */
  | { readonly type: 'pattern'; readonly prefix: string; readonly rest: readonly WildPart[]; readonly boost: number }
  /** All words that differ in at most so many characters. */
  | { readonly type: 'fuzzy'; readonly word: string; readonly edits: number; readonly boost: number }
  | { readonly type: 'clauses'; readonly clauses: readonly Clause[]; readonly boost: number };

/** Any characters, and any one. */
export const ANY = Symbol('*');
export const ONE = Symbol('?');
/** A character, or one of these. */
export type WildPart = string | typeof ANY | typeof ONE;

/** Whether characters fit a pattern. Its steps are at most the product of both lengths. */
export function fitsWild(characters: readonly string[], parts: readonly WildPart[]): boolean {
  let at = 0;
  let part = 0;
  // Behind the last star: where it goes on, and what it has taken.
  let star = -1;
  let taken = 0;
  while (at < characters.length) {
    if (part < parts.length && (parts[part] === ONE || parts[part] === characters[at])) {
      at++;
      part++;
    } else if (parts[part] === ANY) {
      star = ++part;
      taken = at;
    } else if (star !== -1) {
      part = star;
      at = ++taken;
    } else return false;
  }
  while (parts[part] === ANY) part++;
  return part === parts.length;
}

export interface Clause {
  readonly occurs: 'must' | 'should' | 'not';
  readonly query: TextQuery;
}

const DEEPEST = 64;
const MOST_CLAUSES = 1024;
const MOST_EDITS = 2;
const SPACE = /\s/u;
const ENDS_WORD = /[\s()[\]{}"^~:]/u;
const NUMBER = /^\d+(?:\.\d+)?/u;

/**
 * The question that a text asks; `undefined` if it names no word.
 * @throws ParseError `TEXT_SYNTAX` with the column, from 1
 */
export function parseTextQuery(text: string, fold: Fold): TextQuery | undefined {
  return new QueryReader(text, fold).whole();
}

class QueryReader {
  #at = 0;
  #depth = 0;
  #clauses = 0;

  constructor(
    private readonly text: string,
    private readonly fold: Fold,
  ) {}

  whole(): TextQuery | undefined {
    const query = this.#group();
    if (this.#at < this.text.length) throw this.#error('a ) without its (');
    return query;
  }

  #error(problem: string, at = this.#at): ParseError {
    return new ParseError('TEXT_SYNTAX', `a search for words: ${problem}`, { column: at + 1 });
  }

  #skipSpace(): void {
    while (this.#at < this.text.length && SPACE.test(this.text[this.#at]!)) this.#at++;
  }

  #takes(token: string): boolean {
    if (!this.text.startsWith(token, this.#at)) return false;
    this.#at += token.length;
    return true;
  }

  // AND, OR and NOT are words where letters follow.
  #takesName(...names: readonly string[]): boolean {
    for (const name of names) {
      if (!this.text.startsWith(name, this.#at)) continue;
      const next = this.text[this.#at + name.length];
      if (/[A-Z]$/.test(name) && next !== undefined && !/[\s()"]/u.test(next)) continue;
      this.#at += name.length;
      return true;
    }
    return false;
  }

  // As Lucene's classic parser does: AND makes the clauses on both sides necessary, and binds no closer than OR.
  #group(): TextQuery | undefined {
    const clauses: { occurs: Clause['occurs']; query: TextQuery }[] = [];
    for (let first = true; ; first = false) {
      this.#skipSpace();
      if (this.#at >= this.text.length || this.text[this.#at] === ')') break;
      const at = this.#at;
      const and = this.#takesName('AND', '&&');
      if (!and) this.#takesName('OR', '||');
      if (first && this.#at > at)
        throw this.#error(`${this.text.slice(at, this.#at)} stands before the first word`, at);
      this.#skipSpace();
      const not = this.#takesName('NOT', '!', '-');
      const must = !not && this.#takes('+');
      this.#skipSpace();
      const query = this.#clause();
      const last = clauses.at(-1);
      if (and && last !== undefined && last.occurs !== 'not') last.occurs = 'must';
      if (query === undefined) continue;
      if (++this.#clauses > MOST_CLAUSES) throw this.#error(`it has more than ${MOST_CLAUSES} parts`, at);
      clauses.push({ occurs: not ? 'not' : must || and ? 'must' : 'should', query });
    }
    if (clauses.length === 0) return undefined;
    const [only] = clauses;
    if (clauses.length === 1 && only!.occurs !== 'not') return only!.query;
    return { type: 'clauses', clauses, boost: 1 };
  }

  #clause(): TextQuery | undefined {
    const start = this.#at;
    const first = this.text[start];
    if (first === undefined) throw this.#error('it ends where a word is expected');
    if (first === '(') return this.#parenthesis();
    if (first === '"') return this.#phrase();
    if (first === '[' || first === '{') throw this.#error('ranges of words are not supported');
    if (first === '/') throw this.#error('regular expressions are not supported here: use FILTER(REGEX(…))');
    if (')]}^~:+!-'.includes(first)) throw this.#error(`a word is expected, and not ${first}`);
    return this.#term();
  }

  #parenthesis(): TextQuery | undefined {
    const start = this.#at++;
    if (++this.#depth > DEEPEST) throw this.#error(`more than ${DEEPEST} parentheses in one another`, start);
    const query = this.#group();
    if (!this.#takes(')')) throw this.#error('the ) of this ( is missing', start);
    this.#depth--;
    return this.#boosted(query);
  }

  #phrase(): TextQuery | undefined {
    const start = this.#at++;
    let text = '';
    for (; this.text[this.#at] !== '"'; this.#at++) {
      if (this.#at >= this.text.length)
        throw this.#error('the quotation mark at the end of this phrase is missing', start);
      if (this.text[this.#at] === '\\') this.#at++;
      text += this.text[this.#at] ?? '';
    }
    this.#at++;
    const slop = this.#takes('~') ? Math.floor(this.#number() ?? 0) : 0;
    const words = this.#words(text);
    if (words.length === 0) return this.#boosted(undefined);
    const boost = 1;
    return this.#boosted(
      words.length === 1 ? { type: 'word', word: words[0]!, boost } : { type: 'phrase', words, slop, boost },
    );
  }

  #words(text: string): string[] {
    return Array.from(wordsOf(text, this.fold), (word) => word.text).filter((word) => word !== '');
  }

  #number(): number | undefined {
    const found = NUMBER.exec(this.text.slice(this.#at, this.#at + 32))?.[0];
    if (found === undefined) return undefined;
    this.#at += found.length;
    return Number(found);
  }

  #boosted<T extends TextQuery | undefined>(query: T): T {
    if (!this.#takes('^')) return query;
    const boost = this.#number();
    if (boost === undefined) throw this.#error('a number is expected after ^');
    return query === undefined ? query : { ...query, boost };
  }

  #term(): TextQuery | undefined {
    const start = this.#at;
    const parts: Part[] = [];
    for (; this.#at < this.text.length; this.#at++) {
      const character = this.text[this.#at]!;
      if (character === '\\') {
        if (++this.#at >= this.text.length) throw this.#error('a character is expected after \\');
        parts.push({ text: this.#escaped(), isWild: false });
      } else if (character === '*' || character === '?') parts.push({ text: character, isWild: true });
      else if (ENDS_WORD.test(character)) break;
      else parts.push({ text: character, isWild: false });
    }
    if (this.text[this.#at] === ':')
      throw this.#error('fields are not supported: name properties before the text, or write \\: for a colon', start);
    if (parts.some(({ isWild }) => isWild)) return this.#boosted(this.#pattern(parts, start));
    const text = parts.map((part) => part.text).join('');
    if (this.text[this.#at] === '~') return this.#boosted(this.#fuzzy(text));
    const words = this.#words(text).map((word): Clause => ({
      occurs: 'should',
      query: { type: 'word', word, boost: 1 },
    }));
    if (words.length === 0) return this.#boosted(undefined);
    return this.#boosted(words.length === 1 ? words[0]!.query : { type: 'clauses', clauses: words, boost: 1 });
  }

  #escaped(): string {
    const code = /^u([\dA-Fa-f]{4})/.exec(this.text.slice(this.#at, this.#at + 5))?.[1];
    if (code === undefined) return this.text[this.#at]!;
    this.#at += 4;
    return String.fromCharCode(Number.parseInt(code, 16));
  }

  #pattern(parts: readonly Part[], start: number): TextQuery {
    if (parts[0]!.isWild)
      throw this.#error(`a word may not begin with ${parts[0]!.text}: use FILTER(CONTAINS(…))`, start);
    const wild = parts.flatMap(({ text, isWild }): WildPart[] =>
      isWild ? [text === '*' ? ANY : ONE] : [...foldWord(text, this.fold)],
    );
    const first = wild.findIndex((part) => typeof part === 'symbol');
    return { type: 'pattern', prefix: wild.slice(0, first).join(''), rest: wild.slice(first), boost: 1 };
  }

  #fuzzy(text: string): TextQuery | undefined {
    const at = ++this.#at;
    const given = this.#number();
    const word = foldWord(text, this.fold);
    if (given !== undefined && given >= 1 && !Number.isInteger(given))
      throw this.#error('a whole number is expected after ~', at);
    if (given !== undefined && given > MOST_EDITS) throw this.#error(`at most ~${MOST_EDITS} is possible`, at);
    if (word === '') return undefined;
    // Less than one is a similarity, as earlier versions of Lucene had it.
    const edits =
      given === undefined
        ? MOST_EDITS
        : given >= 1
          ? given
          : Math.min(Math.floor((1 - given) * [...word].length), MOST_EDITS);
    return edits === 0 || given === 0 ? { type: 'word', word, boost: 1 } : { type: 'fuzzy', word, edits, boost: 1 };
  }
}

interface Part {
  readonly text: string;
  readonly isWild: boolean;
}
