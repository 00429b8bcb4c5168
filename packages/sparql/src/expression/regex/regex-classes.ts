/** Character classes of XPath regular expressions (XML Schema 1.1 Datatypes, appendix G.4.2) as both engines write them. */

const XML_NAME_START =
  ':A-Z_a-z\u00C0-\u00D6\u00D8-\u00F6\u00F8-\u02FF\u0370-\u037D\u037F-\u1FFF\u200C-\u200D\u2070-\u218F' +
  '\u2C00-\u2FEF\u3001-\uD7FF\uF900-\uFDCF\uFDF0-\uFFFD\u{10000}-\u{EFFFF}';

interface ClassEscape {
  /** As members of a class in brackets. */
  readonly members: string;
  readonly negated: boolean;
}
const positive = (members: string): ClassEscape => ({ members, negated: false });
const negative = (members: string): ClassEscape => ({ members, negated: true });

const NAME_CHARACTERS = `${XML_NAME_START}\\-.0-9\u00B7\u0300-\u036F\u203F-\u2040`;
const SPACES = ' \\t\\n\\r';

const ESCAPES: Readonly<Record<string, ClassEscape>> = {
  d: positive('\\p{Nd}'),
  D: positive('\\P{Nd}'),
  s: positive(SPACES),
  S: negative(SPACES),
  // All but punctuation, separators and others, and the underscore: people know it as a word character, although XPath does not.
  w: positive('\\p{L}\\p{M}\\p{N}\\p{S}_'),
  W: negative('\\p{L}\\p{M}\\p{N}\\p{S}_'),
  i: positive(XML_NAME_START),
  I: negative(XML_NAME_START),
  c: positive(NAME_CHARACTERS),
  C: negative(NAME_CHARACTERS),
};

/** The class of an escape like `\d`, or undefined where that letter is none. */
export const classEscape = (letter: string): ClassEscape | undefined => ESCAPES[letter];

let allCharacters: string | undefined;
const foundMembers = new Map<string, string>();
const MOST_FOUND = 64;

/**
 * The characters that a class of RegExp matches, as members of a class in brackets, which both engines read: where a class is negated
 * or another one is taken away from it.
 */
export function membersOf(characterClass: string): string {
  const known = foundMembers.get(characterClass);
  if (known !== undefined) return known;
  // In their order, so each run of characters that match is a range.
  allCharacters ??= [
    [0, 0xd7ff],
    [0xe000, 0x10ffff],
  ]
    .map(([first, last]) => charactersBetween(first!, last!))
    .join('');
  let members = '';
  for (const [run] of allCharacters.matchAll(new RegExp(`(?:${characterClass})+`, 'gu'))) {
    const first = String.fromCodePoint(run.codePointAt(0)!);
    const last = String.fromCodePoint(run.codePointAt(run.length - (isLowSurrogate(run) ? 2 : 1))!);
    members += first === last ? quoteMember(first) : `${quoteMember(first)}-${quoteMember(last)}`;
  }
  if (foundMembers.size === MOST_FOUND) foundMembers.clear();
  foundMembers.set(characterClass, members);
  return members;
}

const isLowSurrogate = (text: string): boolean => (text.charCodeAt(text.length - 1) & 0xfc00) === 0xdc00;

const CHARACTERS_AT_ONCE = 4096;

function charactersBetween(first: number, last: number): string {
  let text = '';
  for (let from = first; from <= last; from += CHARACTERS_AT_ONCE) {
    const length = Math.min(CHARACTERS_AT_ONCE, last + 1 - from);
    text += String.fromCodePoint(...Array.from({ length }, (_, i) => from + i));
  }
  return text;
}

const CATEGORY = /^(?:L[ulmto]?|M[nce]?|N[dlo]?|P[cdseifo]?|Z[slp]?|S[mcko]?|C[cfon]?)$/;

/** Whether this is a general category of Unicode. */
export const isCategory = (name: string): boolean => CATEGORY.test(name);

const CONTROLS: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };
/** `/` is no escape of XPath, but one that people write. */
const ESCAPABLE = '\\|.-^?*+{}()[]$/';

/** The character that an escape stands for. */
export const escapedCharacter = (letter: string): string | undefined =>
  CONTROLS[letter] ?? (letter !== '' && ESCAPABLE.includes(letter) ? letter : undefined);

/** A character as itself in both engines, outside of brackets. */
export const quoteCharacter = (char: string): string => (/[\\^$.*+?()[\]{}|/]/.test(char) ? `\\${char}` : char);

/** The same within brackets. */
export const quoteMember = (char: string): string =>
  char === '-' || char === '&' ? `\\${char}` : quoteCharacter(char);
