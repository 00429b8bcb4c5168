/**
 * Translates regular expressions of XPath (Functions and Operators 3.1, section 5.6) for the two engines that match them.
 * Computes a bound on the cost of matching by backtracking. Not supported, and so errors: back-references, class subtraction,
 * Unicode blocks. Supported beyond XPath: `\b`, `\B` and `\/`.
 */
import { classEscape, escapedCharacter, isCategory, NOT_SPACES, quoteCharacter, quoteMember } from './regex-classes.js';

export interface RegexFlags {
  readonly dotAll: boolean;
  readonly multiline: boolean;
  readonly ignoreSpace: boolean;
}

/** How a part of an expression can behave. */
interface Part {
  /** For RegExp with the flag `u`. */
  readonly native: string;
  /** For RE2. */
  readonly re2: string;
  /** Nodes, with counted repetitions written out. */
  readonly size: number;
  /** Repetitions without bound. */
  readonly unbounded: number;
  /** In how many ways it can match at one place, repetitions without bound not counted. */
  readonly ways: number;
  /** The text, where it is nothing but that. */
  readonly literal: string | undefined;
}

export interface ParsedRegex extends Part {
  readonly groups: number;
  /** Whether it can match at the beginning of the text only. */
  readonly anchored: boolean;
}

/** Nodes of an expression; one with more is refused. */
export const MAX_SIZE = 2000;
const MAX_DEPTH = 100;
/** RE2 has no more. */
const MAX_COUNT = 1000;
const EMPTY: Part = { native: '', re2: '', size: 0, unbounded: 0, ways: 1, literal: '' };
const QUANTIFIER = /(?:([?*+])|\{(\d{1,4})(?:(,)(\d{1,4})?)?\})\??/y;

class RegexSyntaxError extends Error {}

const fail = (): never => {
  throw new RegexSyntaxError();
};

const single = (native: string, re2 = native): Part => ({ ...EMPTY, native, re2, size: 1, literal: undefined });
/** What matches a place, not a character; it cannot be repeated. */
const assertion = (native: string, re2 = native): Part => ({ ...single(native, re2), size: 0 });

/** The translation, or undefined where it is not a regular expression of XPath or too large. */
export function parseRegex(pattern: string, flags: RegexFlags): ParsedRegex | undefined {
  try {
    return new RegexParser(pattern, flags).parse();
  } catch (error) {
    if (error instanceof RegexSyntaxError) return undefined;
    throw error;
  }
}

class RegexParser {
  #position = 0;
  #groups = 0;
  #depth = 0;

  constructor(
    private readonly pattern: string,
    private readonly flags: RegexFlags,
  ) {}

  parse(): ParsedRegex {
    const whole = this.#alternatives();
    if (this.#position < this.pattern.length) fail();
    if (whole.size > MAX_SIZE && whole.literal === undefined) fail();
    const anchored = whole.native.startsWith('^') && whole.literal === undefined && !this.#hasTopLevelChoice;
    return { ...whole, groups: this.#groups, anchored };
  }

  #hasTopLevelChoice = false;

  #peek(): string {
    if (this.flags.ignoreSpace) while (/[ \t\n\r]/.test(this.pattern.charAt(this.#position))) this.#position++;
    return this.pattern.charAt(this.#position);
  }

  /** The next character, a whole code point. */
  #take(): string {
    const code = this.pattern.codePointAt(this.#position);
    if (code === undefined) return fail();
    const char = String.fromCodePoint(code);
    this.#position += char.length;
    return char;
  }

  #alternatives(): Part {
    let result = this.#branch();
    while (this.#peek() === '|') {
      this.#position++;
      if (this.#depth === 0) this.#hasTopLevelChoice = true;
      const next = this.#branch();
      result = {
        native: `${result.native}|${next.native}`,
        re2: `${result.re2}|${next.re2}`,
        size: result.size + next.size + 1,
        unbounded: result.unbounded + next.unbounded,
        ways: result.ways + next.ways,
        literal: undefined,
      };
    }
    return result;
  }

  #branch(): Part {
    const pieces: Part[] = [];
    for (let char = this.#peek(); char !== '' && char !== '|' && char !== ')'; char = this.#peek()) {
      pieces.push(this.#quantified(this.#atom()));
    }
    return concatenate(pieces);
  }

  #atom(): Part {
    const char = this.#take();
    switch (char) {
      case '(':
        return this.#group();
      case '[':
        return this.#bracket();
      case '\\':
        return this.#escape();
      case '.':
        return this.flags.dotAll ? single('[^]', '(?s:.)') : single('[^\\n\\r]');
      case '^':
        return this.flags.multiline ? assertion('(?<![^\\n])', '(?m:^)') : assertion('^');
      case '$':
        return this.flags.multiline ? assertion('(?![^\\n])', '(?m:$)') : assertion('$');
      case '?':
      case '*':
      case '+':
      case '{':
      case '}':
      case ']':
        return fail();
      default:
        return { ...single(quoteCharacter(char)), literal: char };
    }
  }

  #group(): Part {
    let open = '(';
    if (this.pattern.startsWith('?:', this.#position)) {
      this.#position += 2;
      open = '(?:';
    } else {
      this.#groups++;
    }
    if (++this.#depth > MAX_DEPTH) fail();
    const inner = this.#alternatives();
    this.#depth--;
    if (this.#peek() !== ')') fail();
    this.#position++;
    const { native, re2, size } = inner;
    return { ...inner, native: `${open}${native})`, re2: `${open}${re2})`, size: size + 1, literal: undefined };
  }

  #escape(): Part {
    const letter = this.#take();
    if (letter === 'p' || letter === 'P') return single(`\\${letter}${this.#category()}`);
    if (letter === 'b' || letter === 'B') return assertion(`\\${letter}`);
    const named = classEscape(letter);
    if (named !== undefined) return single(`[${named.negated ? '^' : ''}${named.members}]`);
    const char = escapedCharacter(letter) ?? fail();
    return { ...single(quoteCharacter(char)), literal: char };
  }

  #category(): string {
    const match = /^\{([^}]*)\}/.exec(this.pattern.slice(this.#position, this.#position + 8));
    if (match === null || !isCategory(match[1] as string)) return fail();
    this.#position += match[0].length;
    return match[0];
  }

  #bracket(): Part {
    let members = '';
    const negated = this.pattern.charAt(this.#position) === '^';
    if (negated) this.#position++;
    while (this.pattern.charAt(this.#position) !== ']') members += this.#member();
    this.#position++;
    return members === '' ? fail() : single(`[${negated ? '^' : ''}${members}]`);
  }

  /** A character, a range or a class within brackets. */
  #member(): string {
    const from = this.#classCharacter();
    if (from.class !== undefined) return from.class;
    const next = this.pattern.charAt(this.#position + 1);
    if (this.pattern.charAt(this.#position) !== '-' || next === ']') return quoteMember(from.char);
    if (next === '[') return fail();
    this.#position++;
    const to = this.#classCharacter();
    if (to.class !== undefined || (to.char.codePointAt(0) as number) < (from.char.codePointAt(0) as number)) fail();
    return `${quoteMember(from.char)}-${quoteMember(to.char)}`;
  }

  #classCharacter(): { readonly char: string; readonly class?: string } {
    const char = this.#take();
    if (char === '[') return fail();
    if (char !== '\\') return { char };
    const letter = this.#take();
    if (letter === 'p' || letter === 'P') return { char: '', class: `\\${letter}${this.#category()}` };
    if (letter === 'S') return { char: '', class: NOT_SPACES };
    const named = classEscape(letter);
    if (named !== undefined) return named.negated ? fail() : { char: '', class: named.members };
    return { char: escapedCharacter(letter) ?? fail() };
  }

  #quantified(atom: Part): Part {
    this.#peek();
    QUANTIFIER.lastIndex = this.#position;
    const match = QUANTIFIER.exec(this.pattern);
    if (match === null) return atom;
    this.#position += match[0].length;
    if (atom.size === 0) fail();
    const [text, symbol, low, comma, high] = match;
    const least = symbol === undefined ? Number(low) : symbol === '+' ? 1 : 0;
    const most = symbol === undefined ? greatest(least, comma, high) : symbol === '?' ? 1 : Infinity;
    return most < least ? fail() : repeat(atom, text, least, most);
  }
}

const greatest = (least: number, comma: string | undefined, high: string | undefined): number =>
  comma === undefined ? least : high === undefined ? Infinity : Number(high);

function concatenate(parts: readonly Part[]): Part {
  const literals = parts.map(({ literal }) => literal);
  return {
    native: parts.map(({ native }) => native).join(''),
    re2: parts.map(({ re2 }) => re2).join(''),
    size: parts.reduce((sum, { size }) => sum + size, 0),
    unbounded: parts.reduce((sum, { unbounded }) => sum + unbounded, 0),
    ways: parts.reduce((product, { ways }) => product * ways, 1),
    literal: literals.includes(undefined) ? undefined : literals.join(''),
  };
}

function repeat(atom: Part, quantifier: string, least: number, most: number): Part {
  const isEndless = most === Infinity;
  const copies = Math.max(1, isEndless ? least : most);
  const size = atom.size * copies + 1;
  if (size > MAX_SIZE || copies > MAX_COUNT) return fail();
  // A repetition of what can itself match in several ways or lengths has as many ways as text can be cut up: too many.
  const nested = atom.unbounded > 0 || atom.ways > 1;
  return {
    native: atom.native + quantifier,
    re2: atom.re2 + quantifier,
    size,
    unbounded: atom.unbounded + (isEndless ? 1 : 0),
    ways: nested && most > 1 ? Infinity : atom.ways * (isEndless ? 1 : most - least + 1),
    literal: undefined,
  };
}
