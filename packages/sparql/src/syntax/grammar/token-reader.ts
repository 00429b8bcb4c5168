/** What every part of the grammar does with tokens. */
import { ParseError } from '@quadrille/model';
import { Lexer } from '../lexer/lexer.js';
import type { Token } from '../lexer/tokens.js';
import { MAX_NESTING, Trail } from '../lexer/trail.js';
import { positionOf } from '../position.js';
import { noted } from '../hints/error-notes.js';
import { syntaxError } from '../hints/syntax-error.js';

/**
 * A part of the parser that may be long. It yields where the parser may pause, and returns what it has read. Whoever runs it decides
 * how long the pause is.
 */
export type Parsing<T> = Generator<undefined, T, undefined>;

export abstract class TokenReader {
  protected readonly lexer: Lexer;
  protected readonly trail = new Trail();
  /** Lists pause when the text has been read up to here. */
  pauseAt = Infinity;

  constructor(protected readonly text: string) {
    this.lexer = new Lexer(text);
    this.lexer.next();
  }

  /** How far the text has been read. */
  get at(): number {
    return this.lexer.start;
  }

  protected get isPauseDue(): boolean {
    return this.lexer.start >= this.pauseAt;
  }

  /** Goes on behind the token. */
  protected advance(): void {
    const { lexer, trail } = this;
    trail.pass(lexer.start);
    switch (lexer.token) {
      case '{':
      case '(':
      case '[':
      case '<<':
      case '<<(':
      case '{|':
        if (!trail.enter(lexer.token, lexer.start)) this.refuse(TOO_DEEP);
        break;
      case '}':
      case ')':
      case ']':
      case '>>':
      case ')>>':
      case '|}':
        trail.leave();
        break;
      default:
        if (trail.open.length === 0) trail.head(lexer.token);
    }
    lexer.next();
  }

  /** Reads the token, if it is this one. */
  protected take(token: Token): boolean {
    if (this.lexer.token !== token) return false;
    this.advance();
    return true;
  }

  /** @throws ParseError where the token is another one */
  protected expect(token: Token, expected = `'${token}'`): void {
    if (!this.take(token)) this.fail(expected);
  }

  /** @throws ParseError at the token, which is not what was expected */
  protected fail(expected: string): never {
    throw syntaxError(this.lexer, this.trail, expected);
  }

  /** @throws ParseError for a rule that the text breaks. `prefix`: the one that is not declared */
  protected refuse(message: string, offset = this.lexer.start, prefix?: string): never {
    throw noted(new ParseError('SPARQL_SYNTAX', message, positionOf(this.text, offset)), { offset, prefix });
  }
}

export const TOO_DEEP = `nested deeper than ${MAX_NESTING}`;
