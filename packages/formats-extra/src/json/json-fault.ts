/** Finds the fault in a text that JSON.parse has refused. The messages of JSON.parse differ between engines. */

export interface JsonFault {
  /** In UTF-16 units. */
  readonly offset: number;
  readonly reason: string;
}

const SPACE = /[ \t\r\n]*/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const SCALAR = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![A-Za-z0-9_.])/y;

/** Finds the first fault of a text of bounded depth. */
export function findJsonFault(text: string): JsonFault {
  const finder = new FaultFinder(text);
  try {
    finder.document();
  } catch (error) {
    if (error === finder) return finder.fault();
    throw error;
  }
  return { offset: text.length, reason: 'not JSON' };
}

class FaultFinder {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  fault(): JsonFault {
    const rest = this.#text.slice(this.#at, this.#at + 20);
    const [found] = /^(?:\w+|.)/su.exec(rest) ?? [];
    return { offset: this.#at, reason: found === undefined ? 'unexpected end' : `unexpected ${JSON.stringify(found)}` };
  }

  document(): void {
    this.#value();
    if (this.#at < this.#text.length) throw this;
  }

  #value(): void {
    this.#match(SPACE);
    const char = this.#text[this.#at];
    if (char === '{') this.#list('}', () => this.#member());
    else if (char === '[') this.#list(']', () => this.#value());
    else if (char === '"') this.#string();
    else if (!this.#match(SCALAR)) throw this;
    this.#match(SPACE);
  }

  #list(end: string, item: () => void): void {
    this.#at++;
    this.#match(SPACE);
    if (this.#take(end)) return;
    do item();
    while (this.#take(','));
    if (!this.#take(end)) throw this;
  }

  #member(): void {
    this.#match(SPACE);
    this.#string();
    this.#match(SPACE);
    if (!this.#take(':')) throw this;
    this.#value();
  }

  // One character at a time: a regular expression for the whole string may overflow the stack.
  #string(): void {
    if (!this.#take('"')) throw this;
    while (!this.#take('"')) {
      if (this.#text[this.#at] === '\\') {
        if (!this.#match(ESCAPE)) throw this;
      } else if (this.#text.charCodeAt(this.#at) >= 0x20) this.#at++;
      else throw this;
    }
  }

  #take(char: string): boolean {
    if (this.#text[this.#at] !== char) return false;
    this.#at++;
    return true;
  }

  #match(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at;
    if (!pattern.test(this.#text)) return false;
    this.#at = pattern.lastIndex;
    return true;
  }
}
