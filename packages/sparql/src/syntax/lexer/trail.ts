/** What the lexer has passed: open brackets, which bound the nesting, and the last tokens, which explain errors. */
import { isWordToken, type Token } from './tokens.js';

/** The depth of nested brackets that a request may have, below the outer brackets of its clause and its FILTER. */
export const MAX_NESTING = 500;
const OUTER_BRACKETS = 2;
/** How many tokens are remembered. A power of two. */
const KEPT = 64;
const MAX_HEADS = 64;

export interface OpenBracket {
  readonly token: Token;
  readonly offset: number;
}

export class Trail {
  /** The brackets that are open, innermost last. */
  readonly open: OpenBracket[] = [];
  /** The words outside of all brackets since the last `;`. */
  heads: Token[] = [];
  readonly #starts: number[] = [];
  #passed = 0;
  /** Levels that have no bracket: the signs of `!!!?x`. */
  #signs = 0;

  pass(start: number): void {
    this.#starts[this.#passed++ & (KEPT - 1)] = start;
  }

  head(token: Token): void {
    if (token === ';') this.heads = [];
    else if (isWordToken(token) && this.heads.length < MAX_HEADS) this.heads.push(token);
  }

  /** False where the nesting would be too deep. */
  enter(token: Token, offset: number): boolean {
    this.open.push({ token, offset });
    return this.#isWithinBounds();
  }

  leave(): void {
    this.open.pop();
  }

  /** As {@link enter}, for what has no bracket. */
  enterSign(): boolean {
    this.#signs++;
    return this.#isWithinBounds();
  }

  leaveSigns(count: number): void {
    this.#signs -= count;
  }

  #isWithinBounds(): boolean {
    return this.open.length + this.#signs <= MAX_NESTING + OUTER_BRACKETS;
  }

  /** Where the oldest of the remembered tokens begins. */
  get firstKept(): number {
    if (this.#passed <= KEPT) return this.#starts[0] ?? 0;
    return this.#starts[this.#passed & (KEPT - 1)]!;
  }
}
