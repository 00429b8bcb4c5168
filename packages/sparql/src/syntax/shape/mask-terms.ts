/** The text of a query with its terms masked. Texts of a program that pastes terms into them are equal then. */
import { isDigit } from '../lexer/characters.js';
import { rowsToPlanFor, type Slice } from '../../algebra/slice.js';
import type { Token } from '../lexer/tokens.js';
import { Prologues } from './prologues.js';

/** A token that is an IRI, a name, a string or a number. */
export interface TermToken {
  readonly token: Token;
  readonly start: number;
  readonly end: number;
  /** Of a name, the offset of its colon. */
  readonly colon: number;
  readonly escaped: boolean;
}

export interface MaskedText {
  /** Equal for texts with the same tokens but for what is masked: IRIs, the local parts of names, strings and numbers. */
  readonly key: string;
  /** What is masked, in the order of the text. */
  readonly terms: readonly TermToken[];
  /** LIMIT and OFFSET of the whole query. The key says only which plan they need. */
  readonly slice: Slice | undefined;
}

/** Longer queries are seldom written again with other terms. */
const MOST_CHARACTERS = 4096;
const WRITTEN: ReadonlySet<Token> = new Set(['variable', 'blank', 'tag', 'word']);
const MASKED: ReadonlySet<Token> = new Set(['iri', 'string', 'integer', 'decimal', 'double']);
const MASK = '\u0001';
const prologues = new Prologues();
/** Numbers with more digits may not be exact. */
const MOST_DIGITS = 15;

/** `undefined` for a text that is long, is no query, or sends a part of itself to another host. */
export function maskTerms(text: string): MaskedText | undefined {
  if (text.length > MOST_CHARACTERS) return undefined;
  const prologue = prologues.of(text);
  if (prologue === undefined) return undefined;
  const { lexer } = prologue;
  let { key } = prologue;
  const terms: TermToken[] = [];
  const slice = new SliceReader();
  for (; lexer.token !== 'end'; lexer.next()) {
    const { token, start, end, colon, escaped } = lexer;
    if (token === 'wrong' || token === 'SERVICE') return undefined;
    if (slice.reads(token, text, start, end)) continue;
    if (token === 'name') key += text.slice(start, colon + 1) + MASK;
    else if (MASKED.has(token)) key += token + MASK;
    else key += WRITTEN.has(token) ? `${text.slice(start, end)} ` : `${token} `;
    if (token === 'name' || MASKED.has(token)) terms.push({ token, start, end, colon, escaped });
  }
  const { found } = slice;
  // OFFSET 0 alone leaves nothing in the algebra.
  if (!slice.isExact || (found?.length === undefined && found?.start === 0)) return undefined;
  return { key: found === undefined ? key : `${key}${rowsToPlanFor(found)?.most}`, terms, slice: found };
}

/** Takes the numbers after LIMIT and OFFSET that belong to the whole query, which are outside of all braces. */
class SliceReader {
  isExact = true;
  #depth = 0;
  #after: Token | undefined;
  #limit: number | undefined;
  #offset: number | undefined;

  /** Whether the token is such a number. */
  reads(token: Token, text: string, start: number, end: number): boolean {
    if (token === '{') this.#depth++;
    else if (token === '}') this.#depth--;
    const after = this.#after;
    this.#after = token;
    if (token !== 'integer' || this.#depth !== 0 || !isDigit(text.charCodeAt(start))) return false;
    if (after === 'LIMIT') this.#limit = Number(text.slice(start, end));
    else if (after === 'OFFSET') this.#offset = Number(text.slice(start, end));
    else return false;
    this.isExact &&= end - start <= MOST_DIGITS;
    return true;
  }

  get found(): Slice | undefined {
    if (this.#limit === undefined && this.#offset === undefined) return undefined;
    return { start: this.#offset ?? 0, length: this.#limit };
  }
}
