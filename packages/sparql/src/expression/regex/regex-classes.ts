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
  // All but punctuation, separators and others: the underscore, being punctuation, is not a word character in XPath.
  w: positive('\\p{L}\\p{M}\\p{N}\\p{S}'),
  W: positive('\\p{P}\\p{Z}\\p{C}'),
  i: positive(XML_NAME_START),
  I: negative(XML_NAME_START),
  c: positive(NAME_CHARACTERS),
  C: negative(NAME_CHARACTERS),
};

/** The class of an escape like `\d`, or undefined where that letter is none. */
export const classEscape = (letter: string): ClassEscape | undefined => ESCAPES[letter];

/** `\S` inside of brackets, where a class cannot be negated by itself. */
export const NOT_SPACES = '\\0-\\x08\\x0B\\x0C\\x0E-\\x1F!-\u{10FFFF}';

const CATEGORY = /^(?:L[ulmto]?|M[nce]?|N[dlo]?|P[cdseifo]?|Z[slp]?|S[mcko]?|C[cfon]?)$/;

/** Whether this is a general category of Unicode; blocks (`IsGreek`) are not supported. */
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
export const quoteMember = (char: string): string => (char === '-' ? '\\-' : quoteCharacter(char));
