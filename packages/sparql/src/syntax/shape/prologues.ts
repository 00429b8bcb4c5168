/** The declarations before the first word of a query. Programs begin their texts with the same ones, which are read once. */
import { Lexer } from '../lexer/lexer.js';
import type { Token } from '../lexer/tokens.js';

const FORMS: ReadonlySet<Token> = new Set(['SELECT', 'CONSTRUCT', 'ASK', 'DESCRIBE']);
const DECLARED: ReadonlySet<Token> = new Set(['PREFIX', 'BASE', 'name', 'iri']);
const MOST_PROLOGUES = 4;

/** A prologue up to the first word after it. */
interface Prologue {
  readonly text: string;
  /** Its tokens, as they are written. */
  readonly key: string;
}

export class Prologues {
  #known: Prologue[] = [];

  /** The declarations of a text, and a lexer at the first word of the query. `undefined` for anything else than a query. */
  of(text: string): { readonly key: string; readonly lexer: Lexer } | undefined {
    const known = this.#known.find((prologue) => text.startsWith(prologue.text));
    const from = known?.text.length ?? 0;
    const lexer = new Lexer(text, from);
    let key = known?.key ?? '';
    let last: Token = 'end';
    for (lexer.next(); !FORMS.has(lexer.token); lexer.next()) {
      last = lexer.token;
      if (!DECLARED.has(last)) return undefined;
      key += `${lexer.value} `;
    }
    // An IRI ends where it does, whatever follows. In another text a name might be longer.
    if (last === 'iri')
      this.#known = [{ text: text.slice(0, lexer.start), key }, ...this.#known.slice(0, MOST_PROLOGUES - 1)];
    return { key, lexer };
  }
}
