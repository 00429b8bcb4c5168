/**
 * Measures names, values of attributes and texts, because saxes tells nothing of them before their end. It is given the text behind
 * the last event of saxes, where that is long or cut: at most a text and one tag.
 */

/** A part of the document that is long, and may not be complete. */
export interface LongPart {
  readonly kind: 'element' | 'attribute' | 'text';
  /** Of an attribute, as it is written. */
  readonly name: string;
  /** UTF-16 units that it has at least: an entity counts as none, and neither does space around a text. */
  readonly length: number;
  /** Where it begins: its line from 1, and the code points before it in the line. */
  readonly line: number;
  readonly column: number;
}

type State = 'text' | 'open' | 'element' | 'tag' | 'attribute' | 'equals' | 'value' | 'other';

const KINDS: Partial<Record<State, LongPart['kind']>> = { text: 'text', element: 'element', value: 'attribute' };
/** What ends each state. A comment, an instruction and the like end with an event. */
const ENDS: Readonly<Record<State, RegExp>> = {
  text: /</g,
  open: /[^]/g,
  element: /[ \t\r\n]/g,
  tag: /[^ \t\r\n]/g,
  attribute: /=/g,
  equals: /["']/g,
  value: /["']/g,
  other: /(?!)/g,
};
const MAX_NAME = 1024;
const LF = 0x0a;
const CR = 0x0d;

export interface MarkupWatchOptions {
  /** Shorter parts do not matter. */
  readonly length: number;
  /** Called for each longer part, more than once where it comes in pieces. It may throw. */
  readonly onLong: (part: LongPart) => void;
}

export class MarkupWatch {
  #state: State = 'text';
  #name = '';
  #quote = '';
  #length = 0;
  #inEntity = false;
  #line = 1;
  #column = 0;
  #startLine = 1;
  #startColumn = 0;

  constructor(private readonly options: MarkupWatchOptions) {}

  /** Begins anew behind an event. */
  restart(line: number, column: number): void {
    this.#line = line;
    this.#column = column;
    this.#enter('text');
  }

  /** Looks at more text. */
  look(text: string): void {
    for (let at = 0; at < text.length;) {
      const end = this.#endOf(text, at);
      const segment = text.slice(at, end);
      this.#take(segment);
      this.#move(segment);
      if (end < text.length) {
        this.#next(text[end]!);
        // The first character of a name is part of it.
        if (this.#state !== 'element' && this.#state !== 'attribute') this.#move(text[end]!);
        at = this.#state === 'element' || this.#state === 'attribute' ? end : end + 1;
      } else at = end;
    }
  }

  #endOf(text: string, from: number): number {
    if (this.#state === 'value') {
      const end = text.indexOf(this.#quote, from);
      return end === -1 ? text.length : end;
    }
    const pattern = ENDS[this.#state];
    pattern.lastIndex = from;
    return pattern.exec(text)?.index ?? text.length;
  }

  #take(segment: string): void {
    if (this.#state === 'attribute') this.#name = (this.#name + segment).trimEnd().slice(0, MAX_NAME);
    else if (this.#state === 'text') this.#count(this.#length === 0 ? segment.trim() : segment.trimEnd());
    else this.#count(segment);
    const kind = KINDS[this.#state];
    const length = this.#length;
    if (kind === undefined || length <= this.options.length) return;
    this.options.onLong({ kind, name: this.#name, length, line: this.#startLine, column: this.#startColumn });
  }

  #count(segment: string): void {
    if (!this.#inEntity && !segment.includes('&')) {
      this.#length += segment.length;
      return;
    }
    for (const unit of segment) {
      if (unit === '&') this.#inEntity = true;
      else if (this.#inEntity) this.#inEntity = unit !== ';';
      else this.#length++;
    }
  }

  /** Goes on behind the character that ends a state. */
  #next(char: string): void {
    switch (this.#state) {
      case 'text':
        return this.#enter('open');
      case 'open':
        return this.#enter(char === '!' || char === '?' || char === '/' ? 'other' : 'element');
      case 'tag':
        this.#name = '';
        return this.#enter('attribute');
      case 'attribute':
        return this.#enter('equals');
      case 'equals':
        this.#quote = char;
        return this.#enter('value');
      default:
        return this.#enter('tag');
    }
  }

  #enter(state: State): void {
    this.#state = state;
    this.#length = 0;
    this.#inEntity = false;
    this.#startLine = this.#line;
    this.#startColumn = this.#column;
  }

  #move(segment: string): void {
    for (let at = 0; at < segment.length; at++) {
      const unit = segment.charCodeAt(at);
      if (unit === LF || unit === CR) {
        if (unit === CR && segment.charCodeAt(at + 1) === LF) at++;
        this.#line++;
        this.#column = 0;
        // The second half of a surrogate pair is not a character of its own.
      } else if (unit < 0xdc00 || unit > 0xdfff) this.#column++;
    }
  }
}
