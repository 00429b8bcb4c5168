/** Finds the tokens around a place of a request without its grammar, for the messages of syntax errors. */

export type TokenKind = 'iri' | 'string' | 'variable' | 'blank' | 'tag' | 'name' | 'word' | 'number' | 'symbol';

export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  readonly offset: number;
}

export interface Surroundings {
  /** The last tokens before the place, nearest last. */
  readonly before: readonly Token[];
  /** The token at the place; undefined at the end of the text. */
  readonly found: Token | undefined;
  readonly next: Token | undefined;
  /** The brackets that are open there, innermost last. */
  readonly open: readonly Token[];
  /** The words outside of all brackets since the last `;`, in upper case. */
  readonly heads: readonly string[];
}

const KINDS: readonly TokenKind[] = ['iri', 'string', 'variable', 'blank', 'tag', 'name', 'number', 'word', 'symbol'];
const TOKEN = new RegExp(
  [
    /(<[^<>"{}|^`\\\s]*>)/su,
    /("""(?:[^\\]|\\.)*?"""|'''(?:[^\\]|\\.)*?'''|"(?:[^"\\\n\r]|\\.)*"|'(?:[^'\\\n\r]|\\.)*')/su,
    /([?$][\p{L}\p{N}\p{M}_]+)/su,
    /(_:[\p{L}\p{N}\p{M}_.-]+)/su,
    /(@[A-Za-z][A-Za-z0-9-]*)/su,
    /((?:\p{L}[\p{L}\p{N}\p{M}_.-]*)?:[\p{L}\p{N}\p{M}_:%\\-]*)/su,
    /([0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)/su,
    /([\p{L}_][\p{L}\p{N}\p{M}_]*)/su,
    /(<<\(?|\)>>|>>|\{\||\|\}|&&|\|\||!=|<=|>=|\^\^|[^\s#])/su,
  ]
    .map(({ source }) => source)
    .join('|'),
  'suy',
);
const SKIPPED = /(?:\s|#[^\n\r]*)*/y;
const CLOSES: Readonly<Record<string, string>> = { ')': '(', '}': '{', ']': '[' };
const KEPT = 64;

/** Reads the text up to the token at an offset, and the one after that. */
export function surroundingsOf(text: string, offset: number): Surroundings {
  let before: Token[] = [];
  const open: Token[] = [];
  let heads: string[] = [];
  let token = tokenAt(text, 0);
  for (; token !== undefined && token.offset < offset; token = tokenAt(text, token.offset + token.text.length)) {
    before.push(token);
    if (before.length > 2 * KEPT) before = before.slice(-KEPT);
    if (token.kind === 'symbol') follow(token, open);
    if (open.length > 0) continue;
    if (token.text === ';') heads = [];
    else if (token.kind === 'word' && heads.length < KEPT) heads.push(token.text.toUpperCase());
  }
  const next = token === undefined ? undefined : tokenAt(text, token.offset + token.text.length);
  return { before, found: token, next, open, heads };
}

function follow(token: Token, open: Token[]): void {
  if (['(', '{', '['].includes(token.text)) open.push(token);
  else if (CLOSES[token.text] !== undefined && open.at(-1)?.text === CLOSES[token.text]) open.pop();
}

function tokenAt(text: string, from: number): Token | undefined {
  SKIPPED.lastIndex = from;
  SKIPPED.exec(text);
  TOKEN.lastIndex = SKIPPED.lastIndex;
  const match = TOKEN.exec(text);
  if (match === null) return undefined;
  const kind = KINDS[match.slice(1).findIndex((group) => group !== undefined)] ?? 'symbol';
  return { kind, text: match[0], offset: match.index };
}

/** What a closing bracket closes; undefined for anything else. */
export const openingOf = (text: string): string | undefined => CLOSES[text];
