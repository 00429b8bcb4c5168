/**
 * Reads the tokens of data in an update. Where it meets anything else, or an error, it throws {@link UnknownData}; the grammar then
 * parses the whole text.
 */

/** The text is wrong, or more than this scanner knows. */
export class UnknownData extends Error {
  constructor(readonly offset: number) {
    super('not plain data');
  }
}

const NAME = 1;
const DIGIT = 2;
const BLANK = 4;
const BASE_LETTER = 8;
/** The kinds of each ASCII character. */
const KINDS = new Uint8Array(128);
for (const char of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz')
  KINDS[char.charCodeAt(0)] = NAME | BASE_LETTER;
for (const char of '0123456789') KINDS[char.charCodeAt(0)] = NAME | DIGIT;
for (const char of '_-') KINDS[char.charCodeAt(0)] = NAME;
for (const char of ' \t\r\n') KINDS[char.charCodeAt(0)] = BLANK;

const BASE_CHARS =
  '\\u00C0-\\u00D6\\u00D8-\\u00F6\\u00F8-\\u02FF\\u0370-\\u037D\\u037F-\\u1FFF\\u200C-\\u200D\\u2070-\\u218F\\u2C00-\\u2FEF' +
  '\\u3001-\\uD7FF\\uF900-\\uFDCF\\uFDF0-\\uFFFD\\u{10000}-\\u{EFFFF}';
const FIRST_CHAR = new RegExp(`[${BASE_CHARS}]`, 'uy');
const OTHER_CHAR = new RegExp(`[${BASE_CHARS}\\u00B7\\u0300-\\u036F\\u203F-\\u2040]`, 'uy');
const IRI = /<([^<>"{}|^`\\\u0000-\u0020]*)>/y;
const WORD = /[A-Za-z]+/y;
const DOUBLE = /[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)[eE][+-]?[0-9]+/y;
const DECIMAL = /[+-]?[0-9]*\.[0-9]+/y;
const INTEGER = /[+-]?[0-9]+/y;
const LANGUAGE = /@([A-Za-z]+(?:-[A-Za-z0-9]+)*)(?![A-Za-z0-9-])/y;
const PLAIN = { '"': /[^"\\\n\r]*/y, "'": /[^'\\\n\r]*/y };
const PLAIN_LONG = { '"': /[^"\\]*/y, "'": /[^'\\]*/y };
const ESCAPES = /\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|([^]?))/g;
const ESCAPED: Readonly<Record<string, string>> = {
  t: '\t',
  b: '\b',
  n: '\n',
  r: '\r',
  f: '\f',
  '"': '"',
  "'": "'",
  '\\': '\\',
};
const LOCAL_ESCAPES = "_~.-!$&'()*+,;=/?#@%";

export type NumberKind = 'integer' | 'decimal' | 'double';

export class DataScanner {
  /** Where the next token is read. */
  at = 0;

  constructor(readonly text: string) {}

  fail(): never {
    throw new UnknownData(this.at);
  }

  /** Skips white space and comments; returns the next character, '' at the end. */
  peek(): string {
    const { text } = this;
    for (; this.at < text.length; this.at++) {
      const code = text.charCodeAt(this.at);
      if (code === 0x23) {
        while (this.at < text.length && !isLineEnd(text.charCodeAt(this.at))) this.at++;
      } else if (code >= 128 || (KINDS[code]! & BLANK) === 0) return text.charAt(this.at);
    }
    return '';
  }

  /** Reads one character, which must be this one. */
  take(char: string): void {
    if (this.peek() !== char) this.fail();
    this.at++;
  }

  /** The keyword at this place, in upper case; '' where the letters are part of a name. Does not advance. */
  word(): string {
    this.peek();
    const word = this.#match(WORD)?.[0] ?? '';
    const after = this.at + word.length;
    return this.#isName(after) || this.text[after] === ':' ? '' : word.toUpperCase();
  }

  /** Reads an IRI in `<…>`. */
  iri(): string {
    const match = this.#match(IRI) ?? this.fail();
    this.at += match[0].length;
    return match[1]!;
  }

  /** Reads a prefixed name. */
  prefixedName(): { readonly prefix: string; readonly local: string } {
    const start = this.at;
    let end = start;
    if (this.text[end] !== ':') {
      end = this.#isFirst(end) ? this.#endOfName(end) : this.fail();
      if (this.text[end] !== ':') this.fail();
    }
    const prefix = this.text.slice(start, end);
    this.at = end + 1;
    return { prefix, local: this.#local() };
  }

  /** Reads the local part of a prefixed name. */
  #local(): string {
    const { text } = this;
    const start = this.at;
    let end = start;
    let escaped = false;
    for (let at = start; ;) {
      const char = text[at];
      if (char === '.' && at > start) at++;
      else if (char === ':') end = ++at;
      else if (char === '%' && isHex(text, at + 1) && isHex(text, at + 2)) end = at += 3;
      else if (char === '\\' && LOCAL_ESCAPES.includes(text[at + 1] ?? ' ')) {
        escaped = true;
        end = at += 2;
      } else {
        const length = at === start && char === '-' ? 0 : this.#nameLength(at, at === start);
        if (length === 0) break;
        end = at += length;
      }
    }
    this.at = end;
    const local = text.slice(start, end);
    return escaped ? local.replace(/\\([^])/g, '$1') : local;
  }

  /** Reads a blank node and returns its label. */
  blankLabel(): string {
    const start = this.at + 2;
    if (!this.text.startsWith('_:', this.at)) this.fail();
    const code = this.text.charCodeAt(start);
    if (!(this.#isFirst(start) || code === 0x5f || (code < 128 && (KINDS[code]! & DIGIT) !== 0))) this.fail();
    this.at = this.#endOfName(start);
    return this.text.slice(start, this.at);
  }

  /** Reads a quoted string and decodes its escapes. */
  string(): string {
    const quote = this.text[this.at] as '"' | "'";
    const closing = this.text.startsWith(quote.repeat(3), this.at) ? quote.repeat(3) : quote;
    const plain = closing.length === 3 ? PLAIN_LONG[quote] : PLAIN[quote];
    const start = this.at + closing.length;
    let escaped = false;
    for (let at = start; ;) {
      plain.lastIndex = at;
      plain.exec(this.text);
      at = plain.lastIndex;
      if (this.text.startsWith(closing, at)) {
        this.at = at + closing.length;
        const value = this.text.slice(start, at);
        return escaped ? this.#unescaped(value) : value;
      }
      if (this.text[at] === '\\') {
        escaped = true;
        at += 2;
      } else if (this.text[at] === quote) at++;
      else this.fail();
    }
  }

  #unescaped(value: string): string {
    return value.replace(ESCAPES, (_, short?: string, long?: string, char?: string) => {
      if (char !== undefined) return ESCAPED[char] ?? this.fail();
      const code = Number.parseInt(short ?? long!, 16);
      // Escaped quotes, control characters and surrogates are left to the grammar.
      if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) || code < 0x20) this.fail();
      const decoded = String.fromCodePoint(code);
      return '"\'\\'.includes(decoded) ? this.fail() : decoded;
    });
  }

  /** Reads a language tag, if one follows. */
  language(): string | undefined {
    if (this.text[this.at] !== '@') return undefined;
    const match = this.#match(LANGUAGE) ?? this.fail();
    this.at += match[0].length;
    return match[1]!;
  }

  number(): { readonly text: string; readonly kind: NumberKind } {
    const double = this.#match(DOUBLE);
    const decimal = double ?? this.#match(DECIMAL);
    const [text] = decimal ?? this.#match(INTEGER) ?? this.fail();
    this.at += text.length;
    return { text, kind: double !== null ? 'double' : decimal !== null ? 'decimal' : 'integer' };
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at;
    return pattern.exec(this.text);
  }

  /** The end of the name that starts here. A name may contain dots, but not end with one. */
  #endOfName(start: number): number {
    let end = start;
    for (let at = start; ;) {
      const length = this.#nameLength(at, false);
      if (length > 0) end = at += length;
      else if (this.text[at] === '.') at++;
      else return end;
    }
  }

  #isName(at: number): boolean {
    return this.#nameLength(at, false) > 0;
  }

  #isFirst(at: number): boolean {
    const code = this.text.charCodeAt(at);
    return code < 128 ? (KINDS[code]! & BASE_LETTER) !== 0 : this.#nameLength(at, true) > 0;
  }

  /** The length of the character here if a name may contain it (or begin with it, if `first`); else 0. */
  #nameLength(at: number, first: boolean): number {
    const code = this.text.charCodeAt(at);
    if (code < 128) return KINDS[code]! & NAME;
    // Past the end the code is NaN.
    if (!(code >= 128)) return 0;
    const pattern = first ? FIRST_CHAR : OTHER_CHAR;
    pattern.lastIndex = at;
    return pattern.exec(this.text)?.[0].length ?? 0;
  }
}

const isLineEnd = (code: number): boolean => code === 0x0a || code === 0x0d;
const isHex = (text: string, at: number): boolean => /[0-9A-Fa-f]/.test(text.charAt(at));
