/** The part of a text that an error makes unreadable, so that what follows can be read nevertheless. */
import { ELEMENT_WORDS } from '../../algebra/algebra.js';
import { Lexer } from '../lexer/lexer.js';
import type { Token } from '../lexer/tokens.js';

/** From the first to the character after the last, in UTF-16 units. */
export interface TextSpan {
  readonly from: number;
  readonly to: number;
  /** What can stand in its place, so that the text around it means the same; empty where nothing need stand there. */
  readonly filler: string;
}

type Pause = () => Promise<void> | undefined;

/** The scan pauses after so many tokens. */
const TOKENS_AT_ONCE = 1024;

const CLAUSES: ReadonlySet<Token> = new Set<Token>(ELEMENT_WORDS);
const OPENING: ReadonlySet<Token> = new Set<Token>(['{', '(', '[', '<<', '<<(', '{|']);
const CLOSING: ReadonlySet<Token> = new Set<Token>(['}', ')', ']', '>>', ')>>', '|}']);

interface Open {
  readonly token: Token;
  /** Of a group: where the statement begins that is being read. */
  statement: number;
  /** The word that the statement begins with, where it is one of `CLAUSES`. */
  clause: Token | undefined;
}

/**
 * Within a group the whole statement of the token at `at`: from the dot, brace or clause before it to the next of them. Elsewhere the token
 * alone, with the bracket that it opens.
 */
export async function statementAround(text: string, at: number, pause: Pause): Promise<TextSpan> {
  const lexer = new Lexer(text);
  const open: Open[] = [];
  for (let tokens = 0; ; tokens++) {
    lexer.next();
    if (tokens % TOKENS_AT_ONCE === TOKENS_AT_ONCE - 1) await pause();
    if (lexer.end > at || lexer.token === 'end') break;
    note(open, lexer);
  }
  const index = open.findLastIndex(({ token }) => token === '{');
  const group = open[index];
  if (group === undefined) return { from: lexer.start, to: await endOfBracket(lexer, pause), filler: '' };
  const inner = open.length - index - 1;
  // A condition, or an expression with a name, ends with its parenthesis.
  const isExpression = inner > 0 && (group.clause === 'FILTER' || group.clause === 'BIND');
  const to = await endOfStatement(lexer, isExpression ? inner : Infinity, pause);
  // Triples before a condition need no dot.
  return { from: group.statement, to, filler: isExpression ? 'FILTER(1)' : '' };
}

function note(open: Open[], { token, start, end }: Lexer): void {
  if (OPENING.has(token)) {
    open.push({ token, statement: end, clause: undefined });
    return;
  }
  if (CLOSING.has(token)) open.pop();
  const group = open.at(-1);
  if (group?.token !== '{') return;
  if (CLAUSES.has(token)) {
    group.statement = start;
    group.clause = token;
  } else if (token === '.' || token === '}') {
    group.statement = end;
    group.clause = undefined;
  }
}

/**
 * From the wrong token on. Brackets that open after it belong to the statement, as far as they are closed. `inner`: the statement ends
 * when so many more are closed than opened.
 */
async function endOfStatement(lexer: Lexer, inner: number, pause: Pause): Promise<number> {
  let braces = 0;
  let brackets = 0;
  for (let tokens = 0; ; tokens++) {
    const { token, start, end } = lexer;
    if (token === 'end') return start;
    if (token === '{') braces++;
    else if (token === '}' && --braces < 0) return start;
    else if (OPENING.has(token)) brackets++;
    else if (CLOSING.has(token)) brackets--;
    if (braces === 0 && (token === '.' || brackets === -inner)) return end;
    if (braces === 0 && brackets <= 0 && tokens > 0 && CLAUSES.has(token)) return start;
    if (tokens % TOKENS_AT_ONCE === TOKENS_AT_ONCE - 1) await pause();
    lexer.next();
  }
}

async function endOfBracket(lexer: Lexer, pause: Pause): Promise<number> {
  let depth = 0;
  for (let tokens = 0; ; tokens++) {
    if (OPENING.has(lexer.token)) depth++;
    else if (CLOSING.has(lexer.token)) depth--;
    if (depth <= 0 || lexer.token === 'end') return lexer.end;
    if (tokens % TOKENS_AT_ONCE === TOKENS_AT_ONCE - 1) await pause();
    lexer.next();
  }
}
