/** Lays a query out: one indentation for each brace, keywords in capitals. Nothing but white space and the case of keywords changes. */
import { KEYWORDS } from './keyword-list.js';

/** Comments, strings, IRIs and braces are taken whole. */
const TOKENS =
  /(?<comment>#[^\r\n]*)|(?<whole>"""[^]*?"""|'''[^]*?'''|"(?:[^"\\\r\n]|\\.)*"|'(?:[^'\\\r\n]|\\.)*'|<[^<>"{}|^`\\\s]*>)|(?<brace>\{\||\|\}|[{}])|(?<space>\s+)|(?<words>[^\s{}"'<#|]+|.)/gu;
const KEYWORD = new Set(KEYWORDS);
/** Begin a line after the last brace of a query. */
const CLAUSE = /^(?:GROUP|ORDER|HAVING|LIMIT|OFFSET|VALUES)$/;
/** Braces around so short a text stay on one line. */
const SHORT = 40;
const INDENT = '  ';

/** @returns the text as it was where laying it out would change what it says */
export function formatted(query: string): string {
  const result = new Layout().of(query);
  return essence(result) === essence(query) ? result : query;
}

const essence = (text: string): string => text.replace(/\s+/g, '').toLowerCase();

const capitals = (words: string): string =>
  words.replace(/(?<![\w:?$@%.-])[A-Za-z]+(?![\w:%-])/g, (word) =>
    KEYWORD.has(word.toUpperCase()) ? word.toUpperCase() : word,
  );

class Layout {
  readonly #lines: string[] = [];
  #line = '';
  #depth = 0;
  #continues = false;

  of(query: string): string {
    TOKENS.lastIndex = 0;
    for (let match = TOKENS.exec(query); match !== null; match = TOKENS.exec(query)) {
      const { comment, whole, brace, space, words } = match.groups!;
      if (brace === '{') this.#open(query, match.index);
      else if (brace === '}') this.#close();
      else if (space !== undefined) this.#space(space);
      else if (comment !== undefined) this.#comment(comment);
      else if (words === '.' && this.#depth > 0) this.#endStatement();
      else this.#add(brace ?? whole ?? capitals(words!));
    }
    this.#flush();
    return `${this.#lines.join('\n').trim()}\n`.replace(/\n$/, '');
  }

  #add(text: string): void {
    if (this.#depth === 0 && CLAUSE.test(text) && this.#line.trim() === '}') this.#flush();
    this.#line += text;
  }

  #space(space: string): void {
    const breaks = space.split('\n').length - 1;
    if (breaks === 0) this.#line += this.#line === '' ? '' : ' ';
    else {
      this.#flush();
      if (breaks > 1 && this.#lines.at(-1) !== '' && this.#lines.length > 0) this.#lines.push('');
    }
  }

  #comment(comment: string): void {
    this.#line += comment;
    this.#flush();
  }

  /** A full stop ends the line. */
  #endStatement(): void {
    this.#line = `${this.#line.trimEnd()} .`;
    this.#flush();
  }

  #open(query: string, at: number): void {
    if (this.#line !== '' && !/[\s(]$/.test(this.#line)) this.#line += ' ';
    const short = new RegExp(`^\\{[ \\t]*([^{}\\r\\n#"'<]{0,${String(SHORT)}}?)[ \\t]*\\}`).exec(
      query.slice(at, at + SHORT + 20),
    );
    if (short !== null && !short[1]!.includes(' . ')) {
      this.#line += short[1] === '' ? '{}' : `{ ${capitals(short[1]!)} }`;
      TOKENS.lastIndex = at + short[0].length;
      return;
    }
    this.#line += '{';
    this.#flush();
    this.#depth++;
    this.#continues = false;
  }

  #close(): void {
    this.#flush();
    this.#depth = Math.max(this.#depth - 1, 0);
    this.#continues = false;
    this.#line = '}';
  }

  #flush(): void {
    const line = this.#line.trim();
    this.#line = '';
    if (line === '') return;
    const depth = this.#depth + (this.#continues ? 1 : 0);
    this.#lines.push(INDENT.repeat(depth) + line);
    this.#continues = this.#depth > 0 && /[;,]$/.test(line);
  }
}
