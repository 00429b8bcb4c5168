/**
 * Matching in bounded time. A pattern without operators is searched as text. RegExp, which backtracks, is used where the bound of
 * regex-parse.ts proves it cheap for the text. All others use RE2, whose time is linear in the text.
 */
import { EvaluationError } from '@quadrille/model';
import type { RE2JS } from 're2js';
import { LazyLibrary } from '../library.js';
import { parseRegex, RegexFault, type ParsedRegex } from './regex-parse.js';

/** Characters of a pattern that is computed for each solution. */
export const MAX_COMPUTED_PATTERN = 1000;
/** Characters of a constant pattern; its size has a limit of its own. */
export const MAX_PATTERN = 10_000;
/** Steps of backtracking that a match may take at most: some milliseconds. */
const BACKTRACKING_BUDGET = 300_000;
/** The same for patterns without endless repetition: their steps are short, and there are so many a character at most. */
const BOUNDED_BUDGET = 3_000_000;
/** The same for patterns with back-references, which RE2 does not have: about as long as one call may take. */
const BUDGET_OF_REFERENCES = 30_000_000;
const BACKTRACKING_PER_CHARACTER = 4000;
/** One call holds up the process: RE2 takes seconds for some patterns and long texts, and replacing hundreds of thousands of matches does too. */
const BUDGET_MS = 300;
const MATCHES_BETWEEN_CHECKS = 1024;
/** Characters of a text that RE2 always looks at within the budget. */
const SHORT_TEXT = 65_536;
const READS_BETWEEN_CHECKS = 4096;

/** A regular expression of XPath. */
export interface Regex {
  /** Number of its groups. */
  readonly groups: number;
  /** Whether it matches the empty text, and so could match anywhere. */
  readonly matchesEmpty: boolean;
  /**
   * Whether it matches somewhere in the text.
   * @throws EvaluationError `QUERY_TIMEOUT` where that takes longer than one call may
   */
  test(text: string): boolean;
  /**
   * Calls back with the groups of each match, the first being the match.
   * @throws EvaluationError `QUERY_TIMEOUT` where that takes longer than one call may
   */
  replace(text: string, replacement: (groups: readonly (string | undefined)[]) => string): string;
}

const FLAGS = /^[smixq]*$/;

/** RE2, with its tables of characters. */
export const linearLibrary = new LazyLibrary(async () => (await import('re2js')).RE2JS);

/** A regular expression of XPath with its flags; undefined where one of the two is not well formed, or not supported. */
export function createRegex(pattern: string, flags: string): Regex | undefined {
  const made = regexOrFault(pattern, flags);
  return made instanceof RegexFault ? undefined : made;
}

/** The same, or what is wrong with it. */
export function regexOrFault(pattern: string, flags: string): Regex | RegexFault {
  // That it is missing is no error of the pattern.
  linearLibrary.get();
  if (!FLAGS.test(flags)) return new RegexFault();
  if (pattern.length > MAX_PATTERN) return new RegexFault(`more than ${MAX_PATTERN} characters`);
  const isQuoted = flags.includes('q');
  const text = isQuoted ? pattern.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&') : pattern;
  const ignoreCase = flags.includes('i');
  try {
    const parsed = parseRegex(text, {
      dotAll: flags.includes('s'),
      multiline: flags.includes('m'),
      ignoreSpace: flags.includes('x') && !isQuoted,
    });
    return new XPathRegex(parsed, ignoreCase);
  } catch (error) {
    // What only one of the engines refuses, such as a rare Unicode category, is a fault of the text too.
    return error instanceof RegexFault ? error : new RegexFault();
  }
}

class XPathRegex implements Regex {
  readonly groups: number;
  readonly matchesEmpty: boolean;
  readonly #literal: string | undefined;
  readonly #native: RegExp;
  readonly #global: RegExp;
  #linear: RE2JS | undefined;
  #isLinearTried = false;

  constructor(
    private readonly parsed: ParsedRegex,
    private readonly ignoreCase: boolean,
  ) {
    this.groups = parsed.groups;
    this.#literal = ignoreCase ? undefined : parsed.literal;
    this.#native = new RegExp(parsed.native, ignoreCase ? 'iu' : 'u');
    this.#global = new RegExp(this.#native, `${this.#native.flags}g`);
    // What it refuses is refused before a text comes. Patterns without endless repetition need it for long texts only.
    if (!this.#isBounded()) this.#linear = this.#compileLinear();
    this.matchesEmpty = this.test('');
  }

  test(text: string): boolean {
    if (this.#literal !== undefined) return text.includes(this.#literal);
    const linear = this.#linearFor(text, this.parsed.anchored);
    if (linear === undefined) return this.#native.test(text);
    const found = linear.test(watched(text));
    return found && this.parsed.refers ? tooLongFor(text) : found;
  }

  replace(text: string, replacement: (groups: readonly (string | undefined)[]) => string): string {
    const linear = this.#linearFor(text, false);
    if (linear !== undefined && this.parsed.refers) return linear.test(watched(text)) ? tooLongFor(text) : text;
    if (linear !== undefined) return replaceLinear(linear, text, this.groups, replacement);
    return replaceNative(this.#global, text, this.groups, replacement);
  }

  /** RE2 for this text; `undefined` where backtracking is sure to end soon. */
  #linearFor(text: string, anchored: boolean): RE2JS | undefined {
    if (this.#literal !== undefined || this.#isCheap(text.length, anchored)) return undefined;
    if (this.#linear === undefined && !this.#isLinearTried) {
      this.#isLinearTried = true;
      try {
        this.#linear = this.#compileLinear();
      } catch {
        // What only RE2 refuses. The number of steps has a bound for each character.
      }
    }
    return this.#linear;
  }

  /** Whether backtracking has a bound for each character. */
  #isBounded(): boolean {
    const { unbounded, ways, size } = this.parsed;
    return unbounded === 0 && ways * size <= BACKTRACKING_PER_CHARACTER;
  }

  /** Whether backtracking is sure to end soon: see `Part` for what is counted. */
  #isCheap(length: number, anchored: boolean): boolean {
    const { unbounded, ways, size, refers } = this.parsed;
    if (unbounded === 0) return this.#isBounded() && ways * size * length <= BOUNDED_BUDGET;
    const budget = refers ? BUDGET_OF_REFERENCES : BACKTRACKING_BUDGET;
    return ways * size * length ** (unbounded + (anchored ? 0 : 1)) <= budget;
  }

  #compileLinear(): RE2JS {
    const library = linearLibrary.get();
    return library.compile(this.parsed.re2, this.ignoreCase ? library.CASE_INSENSITIVE : 0);
  }
}

/** RE2 cannot say whether a text with a match of the groups alone has one of the whole pattern. */
function tooLongFor(text: string): never {
  const what = `a regular expression with a back-reference may take too long for a text of ${text.length} characters`;
  throw new EvaluationError('QUERY_TIMEOUT', `${what}; use one without`);
}

/** Says when a call has taken too long. */
class Budget {
  readonly #end = performance.now() + BUDGET_MS;

  constructor(private readonly text: string) {}

  check(): void {
    if (performance.now() <= this.#end) return;
    const what = `a regular expression took longer than ${BUDGET_MS} ms for a text of ${this.text.length} characters`;
    throw new EvaluationError('QUERY_TIMEOUT', `${what}; use a simpler one, or CONTAINS`);
  }
}

/** A text as RE2 reads it: by its characters, so that reading it can end. It passes for a string by its tag. */
class WatchedText {
  readonly length: number;
  readonly [Symbol.toStringTag] = 'String';
  readonly #budget: Budget;
  #reads = 0;

  constructor(private readonly text: string) {
    this.length = text.length;
    this.#budget = new Budget(text);
  }

  charCodeAt(index: number): number {
    if (++this.#reads % READS_BETWEEN_CHECKS === 0) this.#budget.check();
    return this.text.charCodeAt(index);
  }

  indexOf(text: string, from?: number): number {
    return this.text.indexOf(text, from);
  }

  substring(start: number, end?: number): string {
    return this.text.substring(start, end);
  }

  toString(): string {
    return this.text;
  }
}

const watched = (text: string): string =>
  text.length <= SHORT_TEXT ? text : (new WatchedText(text) as unknown as string);

function replaceNative(
  regex: RegExp,
  text: string,
  groupCount: number,
  replacement: (groups: readonly (string | undefined)[]) => string,
): string {
  const budget = new Budget(text);
  let count = 0;
  return text.replace(regex, (...found: unknown[]) => {
    if (++count % MATCHES_BETWEEN_CHECKS === 0) budget.check();
    return replacement(found.slice(0, groupCount + 1) as string[]);
  });
}

function replaceLinear(
  regex: RE2JS,
  text: string,
  groupCount: number,
  replacement: (groups: readonly (string | undefined)[]) => string,
): string {
  const matcher = regex.matcher(watched(text));
  const budget = new Budget(text);
  let result = '';
  let end = 0;
  for (let count = 1; matcher.find(); count++) {
    const groups: (string | undefined)[] = [];
    for (let index = 0; index <= groupCount; index++) groups.push(matcher.group(index) ?? undefined);
    result += text.slice(end, matcher.start()) + replacement(groups);
    end = matcher.end();
    // Each match may have looked at the rest of the text.
    if (count % 16 === 0) budget.check();
  }
  return result + text.slice(end);
}
