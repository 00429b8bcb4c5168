/**
 * The words of a text: by the rules of Unicode for word boundaries (UAX 29), as Lucene's StandardAnalyzer finds them, with full case
 * folding. A word of Chinese or Japanese characters is each of them; one of Thai, Lao, Khmer or Burmese is a run. Linear in the text.
 */

/** What of two texts is the same word: `diacritics`: also with other accents. */
export type Fold = 'case' | 'diacritics';

/** A longer word is cut, as Lucene does. */
export const LONGEST_WORD = 255;

const OTHER = 0;
const LETTER = 1;
const DIGIT = 2;
/** Joins all that stands beside it, as `_` does. */
const CONNECTOR = 3;
/** Between letters: a colon. */
const MID_LETTER = 4;
/** Between letters, and between digits: a point, an apostrophe. */
const MID_BOTH = 5;
/** Between digits: a comma. */
const MID_DIGIT = 6;
const ESCAPE = 7;
/** Belongs to the character before it. */
const EXTENDS = 8;
const KATAKANA = 9;
/** A word by itself. */
const SINGLE = 10;
/** Of scripts without spaces between words. */
const RUN = 11;
const PICTURE = 12;
const FLAG = 13;
/** A mark of a script without spaces: it begins a run, and belongs to a letter of another script before it. */
const RUN_MARK = 14;

const BY_PATTERN: readonly (readonly [RegExp, number])[] = [
  [/[\u200b]/u, OTHER],
  [/[\u00b7\u0387\u055f\u05f4\u2027\ufe13\ufe55\uff1a]/u, MID_LETTER],
  [/[\u2018\u2019\u2024\ufe52\uff07\uff0e]/u, MID_BOTH],
  [/[\u037e\u0589\u060c\u060d\u066c\u07f8\u2044\ufe10\ufe14\ufe50\ufe54\uff0c\uff1b]/u, MID_DIGIT],
  [/[\u05f3\ua708]/u, LETTER],
  [
    /(?=\p{M})[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tai_Le}\p{Script=New_Tai_Lue}\p{Script=Tai_Tham}\p{Script=Tai_Viet}\p{Script=Ahom}]/u,
    RUN_MARK,
  ],
  [/[\p{M}\p{Cf}\u{1f3fb}-\u{1f3ff}\uff9e\uff9f]/u, EXTENDS],
  [/[\p{Pc}\u202f]/u, CONNECTOR],
  [/[\p{Nd}\u066b]/u, DIGIT],
  [/[\p{Script=Katakana}\u3031-\u3035\u309b\u309c\u30a0\u30fc\uff70]/u, KATAKANA],
  [/[\p{Ideographic}\p{Script=Han}\p{Script=Hiragana}]/u, SINGLE],
  [
    /(?=\p{L})[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tai_Le}\p{Script=New_Tai_Lue}\p{Script=Tai_Tham}\p{Script=Tai_Viet}\p{Script=Ahom}]/u,
    RUN,
  ],
  [/\p{Alphabetic}/u, LETTER],
  [/\p{Regional_Indicator}/u, FLAG],
  [/\p{Extended_Pictographic}/u, PICTURE],
];

const ASCII = new Uint8Array(128);
for (let code = 0; code < 26; code++) ASCII[0x41 + code] = ASCII[0x61 + code] = LETTER;
for (let code = 0x30; code < 0x3a; code++) ASCII[code] = DIGIT;
for (const [text, kind] of [
  ['_', CONNECTOR],
  [':', MID_LETTER],
  [".'", MID_BOTH],
  [',;', MID_DIGIT],
  ['\\', ESCAPE],
] as const)
  for (const each of text) ASCII[each.charCodeAt(0)] = kind;

/** Kinds of characters that were asked for, plus 1. */
const known = new Uint8Array(0x11_0000 / 4);
const later = new Map<number, number>();

function kindOf(code: number): number {
  if (code < 128) return ASCII[code] === ESCAPE ? OTHER : ASCII[code]!;
  const kind = code < known.length ? known[code]! - 1 : (later.get(code) ?? -1);
  if (kind !== -1) return kind;
  const character = String.fromCodePoint(code);
  const found = BY_PATTERN.find(([pattern]) => pattern.test(character))?.[1] ?? OTHER;
  if (code < known.length) known[code] = found + 1;
  else later.set(code, found);
  return found;
}

/** A word of a text, and where it stands. */
export interface Word {
  /** As it is compared. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** The words of a text, one after the other. */
export function* wordsOf(text: string, fold: Fold): Generator<Word> {
  for (let at = 0; at < text.length;) {
    const code = text.codePointAt(at)!;
    const end = wordEnd(text, at, kindOf(code));
    if (end > 0) yield { text: foldWord(text.slice(at, end), fold), start: at, end };
    at = end === 0 ? afterOne(text, at) : Math.abs(end);
  }
}

/** Where the word ends that begins here; 0 if none does, and the end as a negative number where what joins words stands alone. */
function wordEnd(text: string, at: number, kind: number): number {
  switch (kind) {
    case LETTER:
    case DIGIT:
    case CONNECTOR:
    case KATAKANA:
      return chainEnd(text, at);
    case SINGLE:
      return afterExtending(text, afterOne(text, at));
    case RUN:
    case RUN_MARK:
      return afterRun(text, at);
    case PICTURE:
      return pictureEnd(text, at);
    case FLAG: {
      const second = afterOne(text, at);
      return second < text.length && kindOf(text.codePointAt(second)!) === FLAG ? afterOne(text, second) : 0;
    }
    default:
      return 0;
  }
}

const afterOne = (text: string, at: number): number => at + (text.codePointAt(at)! > 0xffff ? 2 : 1);

function afterRun(text: string, from: number): number {
  let at = from;
  while (at < text.length && at - from < LONGEST_WORD) {
    const kind = kindOf(text.codePointAt(at)!);
    if (kind !== RUN && kind !== RUN_MARK && kind !== EXTENDS) break;
    at = afterOne(text, at);
  }
  return at;
}

const JOINER = '\u200d';

// Pictures that a joiner connects are one.
function pictureEnd(text: string, from: number): number {
  let at = afterExtending(text, afterOne(text, from));
  while (text[at - 1] === JOINER && at < text.length && at - from < LONGEST_WORD) {
    if (kindOf(text.codePointAt(at)!) !== PICTURE) break;
    at = afterExtending(text, afterOne(text, at));
  }
  return at;
}

// Letters, digits, Katakana, and what joins them.
function chainEnd(text: string, from: number): number {
  let last = 0;
  let isWord = false;
  let at = from;
  while (at < text.length && at - from < LONGEST_WORD) {
    const kind = kindOf(text.codePointAt(at)!);
    if (kind === LETTER || kind === DIGIT) {
      if (last === KATAKANA) break;
    } else if (kind === KATAKANA) {
      if (last === LETTER || last === DIGIT) break;
    } else if (kind !== CONNECTOR && !isExtending(kind)) {
      if (!joins(kind, last)) break;
      const next = afterExtending(text, afterOne(text, at));
      if (next >= text.length || kindOf(text.codePointAt(next)!) !== last) break;
    }
    if (kind === LETTER || kind === DIGIT || kind === KATAKANA) isWord = true;
    if (!isExtending(kind)) last = kind === MID_LETTER || kind === MID_BOTH || kind === MID_DIGIT ? last : kind;
    at = afterOne(text, at);
  }
  return isWord ? at : -at;
}

const joins = (kind: number, last: number): boolean =>
  last === LETTER
    ? kind === MID_LETTER || kind === MID_BOTH
    : last === DIGIT && (kind === MID_DIGIT || kind === MID_BOTH);

const isExtending = (kind: number): boolean => kind === EXTENDS || kind === RUN_MARK;

function afterExtending(text: string, from: number): number {
  let at = from;
  while (at < text.length && isExtending(kindOf(text.codePointAt(at)!))) at = afterOne(text, at);
  return at;
}

// eslint-disable-next-line no-control-regex -- all of ASCII
const IS_ASCII = /^[\0-\x7f]*$/;

/** A word as it is compared: in full case folding, and without diacritics where these do not count. */
export function foldWord(word: string, fold: Fold): string {
  if (IS_ASCII.test(word)) return word.toLowerCase();
  let folded = '';
  // Character by character: whether a sigma ends its word must not count. The dotless i stays.
  for (const each of word) folded += each === 'ı' ? each : each.toUpperCase().toLowerCase();
  folded = folded.replaceAll('i\u0307', 'i');
  return fold === 'case' ? folded : folded.normalize('NFD').replaceAll(/\p{M}/gu, '');
}

/** Takes a word of ASCII: the first `length` bytes, good until the next one. */
export type TakeAscii = (word: Uint8Array, length: number) => void;

const word = new Uint8Array(LONGEST_WORD);

/**
 * The words of a text of ASCII as it stands in a canonical literal, with its escapes, from `start` to `end`: as {@link wordsOf}, without
 * a string for any of them.
 */
export function asciiWords(bytes: Uint8Array, start: number, end: number, take: TakeAscii): void {
  for (let at = start; at < end;) {
    const kind = ASCII[bytes[at]!]!;
    if (kind === LETTER || kind === DIGIT || kind === CONNECTOR) at = asciiWord(bytes, at, end, take);
    else if (kind === ESCAPE) at += bytes[at + 1] === UNICODE_ESCAPE ? 6 : 2;
    else at++;
  }
}

const UNICODE_ESCAPE = 0x75;

function asciiWord(bytes: Uint8Array, from: number, end: number, take: TakeAscii): number {
  let last = 0;
  let isWord = false;
  let at = from;
  for (; at < end && at - from < LONGEST_WORD; at++) {
    const code = bytes[at]!;
    const kind = ASCII[code]!;
    if (kind === LETTER || kind === DIGIT) {
      isWord = true;
      last = kind;
    } else if (kind === CONNECTOR) last = kind;
    else if (!joins(kind, last) || at + 1 >= end || ASCII[bytes[at + 1]!] !== last) break;
    word[at - from] = code >= 0x41 && code <= 0x5a ? code + 0x20 : code;
  }
  if (isWord) take(word, at - from);
  return at;
}
