/**
 * Measures names, values of attributes and texts before they end, because saxes reports them at their end. Its input is the text
 * behind the last event of saxes, if that is long or cut: at most a text and one tag.
 */

/** A long part of the document, which may be incomplete. */
export interface LongPart {
  readonly kind: 'element' | 'attribute' | 'text';
  /** Name of an attribute, as written. */
  readonly name: string;
  /** Minimum length in UTF-16 units. Entities, and space around a text, do not count. */
  readonly length: number;
  /** Its start: line from 1, and number of code points before it in the line. */
  readonly line: number;
  readonly column: number;
}

type State = 'text' | 'open' | 'element' | 'tag' | 'attribute' | 'equals' | 'value' | 'other';

const KINDS: Partial<Record<State, LongPart['kind']>> = { text: 'text', element: 'element', value: 'attribute' };
/** The end of each state. Comments, instructions and other markup end with an event. */
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
  /** Only longer parts are reported. */
  readonly length: number;
  /** Called for each long part, repeatedly if it comes in pieces. It may throw. */
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

  /** Starts again behind an event. */
  restart(line: number, column: number): void {
    this.#line = line;
    this.#column = column;
    this.#enter('text');
  }

  /** Examines more text. */
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

  /** Continues behind the character that ends a state. */
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
