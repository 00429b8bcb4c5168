/**
 * Matching in bounded time. A pattern without operators is searched as text. RegExp, which backtracks, is used where the bound of
 * regex-parse.ts proves it cheap for the text. All others use RE2, whose time is linear in the text.
 */
import { RE2JS } from 're2js';
import { parseRegex, type ParsedRegex } from './regex-parse.js';

/** Characters of a pattern that is computed for each solution. */
export const MAX_COMPUTED_PATTERN = 1000;
/** Characters of a constant pattern; its size has a limit of its own. */
export const MAX_PATTERN = 10_000;
/** Steps of backtracking that a match may take at most: some milliseconds. */
const BACKTRACKING_BUDGET = 300_000;
/** The same for patterns without endless repetition, per character of the text. */
const BACKTRACKING_PER_CHARACTER = 4000;
/** Replacing can look at the same text once for each match. */
const REPLACE_BUDGET_MS = 500;
/** Where RegExp replaces: hundreds of thousands of matches, one after the other. */
const NATIVE_REPLACE_BUDGET_MS = 250;
const MATCHES_BETWEEN_CHECKS = 1024;

export interface Regex {
  readonly groups: number;
  /** Whether it matches the empty text, and so could match anywhere. */
  readonly matchesEmpty: boolean;
  /** Whether it matches somewhere in the text. */
  test(text: string): boolean;
  /** Calls back with the groups of each match, the first being the match; undefined where it would take too long. */
  replace(text: string, replacement: (groups: readonly (string | undefined)[]) => string): string | undefined;
}

const FLAGS = /^[smixq]*$/;

/** A regular expression of XPath with its flags; undefined where one of the two is not well formed, or not supported. */
export function createRegex(pattern: string, flags: string): Regex | undefined {
  if (!FLAGS.test(flags) || pattern.length > MAX_PATTERN) return undefined;
  const isQuoted = flags.includes('q');
  const text = isQuoted ? pattern.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&') : pattern;
  const ignoreCase = flags.includes('i');
  const parsed = parseRegex(text, {
    dotAll: flags.includes('s'),
    multiline: flags.includes('m'),
    ignoreSpace: flags.includes('x') && !isQuoted,
  });
  if (parsed === undefined) return undefined;
  try {
    return new XPathRegex(parsed, ignoreCase);
  } catch {
    return undefined; // what only one of the engines refuses, such as a rare Unicode category
  }
}

class XPathRegex implements Regex {
  readonly groups: number;
  readonly matchesEmpty: boolean;
  readonly #literal: string | undefined;
  readonly #native: RegExp;
  readonly #global: RegExp;
  #re2: RE2JS | undefined;

  constructor(
    private readonly parsed: ParsedRegex,
    private readonly ignoreCase: boolean,
  ) {
    this.groups = parsed.groups;
    this.#literal = ignoreCase ? undefined : parsed.literal;
    this.#native = new RegExp(parsed.native, ignoreCase ? 'iu' : 'u');
    this.#global = new RegExp(this.#native, `${this.#native.flags}g`);
    // Where the text may have any length, RE2 will be needed.
    if (!this.#isCheap(Number.MAX_SAFE_INTEGER, false)) this.#linear();
    this.matchesEmpty = this.test('');
  }

  test(text: string): boolean {
    if (this.#literal !== undefined) return text.includes(this.#literal);
    return this.#isCheap(text.length, this.parsed.anchored) ? this.#native.test(text) : this.#linear().test(text);
  }

  replace(text: string, replacement: (groups: readonly (string | undefined)[]) => string): string | undefined {
    if (!this.#isCheap(text.length, false)) return replaceLinear(this.#linear(), text, this.groups, replacement);
    return replaceNative(this.#global, text, this.groups, replacement);
  }

  /** Whether backtracking is sure to end soon: see `Part` for what is counted. */
  #isCheap(length: number, anchored: boolean): boolean {
    const { unbounded, ways, size } = this.parsed;
    if (unbounded === 0) return ways * size <= BACKTRACKING_PER_CHARACTER;
    return ways * size * length ** (unbounded + (anchored ? 0 : 1)) <= BACKTRACKING_BUDGET;
  }

  #linear(): RE2JS {
    return (this.#re2 ??= RE2JS.compile(this.parsed.re2, this.ignoreCase ? RE2JS.CASE_INSENSITIVE : 0));
  }
}

/** Ends a replacement that takes too long. RegExp calls for each match, and cannot be left otherwise. */
class TakesTooLong extends Error {}

function replaceNative(
  regex: RegExp,
  text: string,
  groupCount: number,
  replacement: (groups: readonly (string | undefined)[]) => string,
): string | undefined {
  const deadline = Date.now() + NATIVE_REPLACE_BUDGET_MS;
  let count = 0;
  try {
    return text.replace(regex, (...found: unknown[]) => {
      if (++count % MATCHES_BETWEEN_CHECKS === 0 && Date.now() > deadline) throw new TakesTooLong();
      return replacement(found.slice(0, groupCount + 1) as string[]);
    });
  } catch (error) {
    if (error instanceof TakesTooLong) return undefined;
    throw error;
  }
}

function replaceLinear(
  regex: RE2JS,
  text: string,
  groupCount: number,
  replacement: (groups: readonly (string | undefined)[]) => string,
): string | undefined {
  const matcher = regex.matcher(text);
  const deadline = Date.now() + REPLACE_BUDGET_MS;
  let result = '';
  let end = 0;
  for (let count = 1; matcher.find(); count++) {
    const groups: (string | undefined)[] = [];
    for (let index = 0; index <= groupCount; index++) groups.push(matcher.group(index) ?? undefined);
    result += text.slice(end, matcher.start()) + replacement(groups);
    end = matcher.end();
    if (count % 16 === 0 && Date.now() > deadline) return undefined;
  }
  return result + text.slice(end);
}
