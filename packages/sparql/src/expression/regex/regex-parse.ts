/**
 * Translates regular expressions of XPath (Functions and Operators 3.1, section 5.6) for the two engines that match them.
 * Computes a bound on the cost of matching by backtracking. Supported beyond XPath: `\b`, `\B` and `\/`.
 */
import { classEscape, escapedCharacter, isCategory, membersOf, quoteCharacter, quoteMember } from './regex-classes.js';
import { blockMembers } from './unicode-blocks.js';

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
  /** Whether it refers to what a group has matched. RE2 cannot: there any match of the group stands for it. */
  readonly refers: boolean;
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
const EMPTY: Part = { native: '', re2: '', size: 0, unbounded: 0, ways: 1, refers: false, literal: '' };
/** Groups of other dialects. */
const FOREIGN_GROUP = /^\?(?:<?[=!]|[#>|&]|P?[<']\w*[>']?|[imsxnU-]+[:)]?)?|^\*\w+/;
const POSIX_CLASS = /^[:.=]\w+[:.=]\]/;
const LONGEST_PROPERTY = 48;
const QUANTIFIER = /(?:([?*+])|\{(\d{1,4})(?:(,)(\d{1,4})?)?\})\??/y;

/** A text that is no regular expression of XPath, or a feature of others, which is not supported. */
export class RegexFault extends Error {
  constructor(
    /** What is not supported; `undefined`: the text is not well formed. */
    readonly unsupported?: string,
  ) {
    super(unsupported ?? 'not well formed');
  }
}

const fail = (): never => {
  throw new RegexFault();
};
const refuse = (what: string): never => {
  throw new RegexFault(what);
};

/** Behind `\x` and `\u`. */
const NUMBERS = { x: /^(?:\{([0-9A-Fa-f]{1,6})\}|[0-9A-Fa-f]{2})/, u: /^(?:\{([0-9A-Fa-f]{1,6})\}|[0-9A-Fa-f]{4})/ };

/** An escape of another dialect; what is none anywhere is not well formed. */
const refuseEscape = (letter: string): never => (/[A-Za-z]/.test(letter) ? refuse(`\\${letter}`) : fail());

const single = (native: string, re2 = native): Part => ({ ...EMPTY, native, re2, size: 1, literal: undefined });
/** What matches a place, not a character; it cannot be repeated. */
const assertion = (native: string, re2 = native): Part => ({ ...single(native, re2), size: 0 });

/** The translation. @throws RegexFault */
export const parseRegex = (pattern: string, flags: RegexFlags): ParsedRegex => new RegexParser(pattern, flags).parse();

const tooLarge = (): never => refuse(`more than ${MAX_SIZE} parts, with repetitions counted`);

class RegexParser {
  #position = 0;
  /** By number: what each group matches; `undefined` as long as it is open. */
  readonly #groups: (Part | undefined)[] = [];
  #depth = 0;

  constructor(
    private readonly pattern: string,
    private readonly flags: RegexFlags,
  ) {}

  parse(): ParsedRegex {
    const whole = this.#alternatives();
    if (this.#position < this.pattern.length) fail();
    if (whole.size > MAX_SIZE && whole.literal === undefined) tooLarge();
    const anchored = whole.native.startsWith('^') && whole.literal === undefined && !this.#hasTopLevelChoice;
    return { ...whole, groups: this.#groups.length, anchored };
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
        refers: result.refers || next.refers,
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
    let number = -1;
    if (this.pattern.startsWith('?:', this.#position)) {
      this.#position += 2;
      open = '(?:';
    } else {
      const foreign = FOREIGN_GROUP.exec(this.pattern.slice(this.#position, this.#position + 8));
      if (foreign !== null) refuse(`the group '(${foreign[0]}'`);
      number = this.#groups.push(undefined) - 1;
    }
    if (++this.#depth > MAX_DEPTH) refuse(`more than ${MAX_DEPTH} groups in one another`);
    const inner = this.#alternatives();
    this.#depth--;
    if (this.#peek() !== ')') fail();
    this.#position++;
    const { native, re2, size } = inner;
    if (number !== -1) this.#groups[number] = inner;
    return { ...inner, native: `${open}${native})`, re2: `${open}${re2})`, size: size + 1, literal: undefined };
  }

  #escape(): Part {
    const letter = this.#take();
    if (letter === 'p' || letter === 'P') {
      const { members, negated } = this.#property(letter);
      return single(`[${negated ? '^' : ''}${members}]`);
    }
    if (/[1-9]/.test(letter)) return this.#reference(letter);
    if (letter === 'b' || letter === 'B') return assertion(`\\${letter}`);
    const named = classEscape(letter);
    if (named !== undefined) return single(`[${named.negated ? '^' : ''}${named.members}]`);
    const char = this.#escaped(letter);
    return { ...single(quoteCharacter(char)), literal: char };
  }

  /** The character of an escape: itself, or that of a number, as other dialects write it. */
  #escaped(letter: string): string {
    const number =
      letter === 'x' || letter === 'u'
        ? NUMBERS[letter].exec(this.pattern.slice(this.#position, this.#position + 8))
        : null;
    if (number === null) return escapedCharacter(letter) ?? refuseEscape(letter);
    const code = Number.parseInt(number[1] ?? number[0], 16);
    if (code > 0x10_ff_ff || (code & 0xff_f8_00) === 0xd8_00) fail();
    this.#position += number[0].length;
    return String.fromCodePoint(code);
  }

  /** What a group has matched before. The number has as many digits as make one of a group. */
  #reference(first: string): Part {
    let digits = first;
    for (
      let next = this.pattern.charAt(this.#position);
      /[0-9]/.test(next);
      next = this.pattern.charAt(this.#position)
    ) {
      if (Number(digits + next) > this.#groups.length) break;
      digits += next;
      this.#position++;
    }
    const group = this.#groups[Number(digits) - 1] ?? fail();
    const { re2, size, unbounded } = group;
    return {
      native: `(?:\\${digits})`,
      re2: `(?:${re2.replace(/(?<!\\)((?:\\\\)*)\((?!\?)/g, '$1(?:')})`,
      size,
      unbounded,
      ways: 1,
      refers: true,
      literal: undefined,
    };
  }

  /** A category or a block of Unicode, behind `\p` or `\P`. */
  #property(letter: string): { readonly members: string; readonly negated: boolean } {
    const match = /^\{([^}]*)\}/.exec(this.pattern.slice(this.#position, this.#position + LONGEST_PROPERTY));
    if (match === null) return fail();
    this.#position += match[0].length;
    const name = match[1]!;
    if (isCategory(name)) return { members: `\\${letter}${match[0]}`, negated: false };
    const members = name.startsWith('Is') ? blockMembers(name.slice(2)) : undefined;
    return { members: members ?? refuse(`\\${letter}${match[0]}`), negated: letter === 'P' };
  }

  #bracket(): Part {
    return single(this.#class());
  }

  /** A class behind its bracket. */
  #class(): string {
    let members = '';
    const negated = this.pattern.charAt(this.#position) === '^';
    if (negated) this.#position++;
    if (++this.#depth > MAX_DEPTH) refuse(`more than ${MAX_DEPTH} classes in one another`);
    const whole = (): string => (members === '' ? fail() : `[${negated ? '^' : ''}${members}]`);
    for (;;) {
      if (this.pattern.startsWith('-[', this.#position)) {
        this.#position += 2;
        const without = this.#class();
        if (this.#take() !== ']') fail();
        this.#depth--;
        const left = membersOf(`(?!${without})${whole()}`);
        // A class without members matches nothing.
        return left === '' ? '[^\\0-\u{10FFFF}]' : `[${left}]`;
      }
      if (this.pattern.charAt(this.#position) === ']') break;
      members += this.#member();
    }
    this.#position++;
    this.#depth--;
    return whole();
  }

  /** A character, a range or a class within brackets. */
  #member(): string {
    const from = this.#classCharacter();
    if (from.class !== undefined) return from.class;
    const next = this.pattern.charAt(this.#position + 1);
    if (this.pattern.charAt(this.#position) !== '-' || next === ']') return quoteMember(from.char);
    if (next === '[') return quoteMember(from.char);
    this.#position++;
    const to = this.#classCharacter();
    if (to.class !== undefined || (to.char.codePointAt(0) as number) < (from.char.codePointAt(0) as number)) fail();
    return `${quoteMember(from.char)}-${quoteMember(to.char)}`;
  }

  #classCharacter(): { readonly char: string; readonly class?: string } {
    const char = this.#take();
    if (char === '[')
      return POSIX_CLASS.test(this.pattern.slice(this.#position)) ? refuse("a class such as '[:alpha:]'") : fail();
    if (char !== '\\') return { char };
    const letter = this.#take();
    const named = letter === 'p' || letter === 'P' ? this.#property(letter) : classEscape(letter);
    if (named === undefined) return { char: this.#escaped(letter) };
    return { char: '', class: named.negated ? membersOf(`[^${named.members}]`) : named.members };
  }

  #quantified(atom: Part): Part {
    this.#peek();
    QUANTIFIER.lastIndex = this.#position;
    const match = QUANTIFIER.exec(this.pattern);
    if (match === null) return atom;
    this.#position += match[0].length;
    if (atom.size === 0) fail();
    if (this.pattern.charAt(this.#position) === '+') refuse('a possessive quantifier');
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
    refers: parts.some(({ refers }) => refers),
    literal: literals.includes(undefined) ? undefined : literals.join(''),
  };
}

function repeat(atom: Part, quantifier: string, least: number, most: number): Part {
  const isEndless = most === Infinity;
  const copies = Math.max(1, isEndless ? least : most);
  const size = atom.size * copies + 1;
  if (size > MAX_SIZE || copies > MAX_COUNT) return tooLarge();
  // A repetition of what can itself match in several ways or lengths has as many ways as text can be cut up: too many.
  const nested = atom.unbounded > 0 || atom.ways > 1;
  return {
    native: atom.native + quantifier,
    re2: atom.re2 + quantifier,
    size,
    unbounded: atom.unbounded + (isEndless ? 1 : 0),
    ways: nested && most > 1 ? Infinity : atom.ways * (isEndless ? 1 : most - least + 1),
    refers: atom.refers,
    literal: undefined,
  };
}
