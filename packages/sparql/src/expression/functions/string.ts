/** Functions on strings (SPARQL 1.2, section 17.4.3). Positions and lengths count Unicode code points. */
import type { Binary, FunctionTable, Measure, Unary, Variadic } from './function-table.js';
import {
  ERROR,
  IntegerValue,
  LangStringValue,
  StringValue,
  toBoolean,
  type Integer,
  type Value,
} from '../values/value-types.js';

export type Text = StringValue | LangStringValue;

export const isText = (value: Value): value is Text => value.kind === 'string' || value.kind === 'langString';

/** Another text with the language and direction of this one. */
export const withText = (like: Text, text: string): Text =>
  like.kind === 'string' ? new StringValue(text) : new LangStringValue(text, like.language, like.direction);

const sameLanguage = (left: LangStringValue, right: LangStringValue): boolean =>
  left.language.toLowerCase() === right.language.toLowerCase() && left.direction === right.direction;

/** Argument compatibility (section 17.4.3.1.2): the second is plain, or both have the same language and direction. */
function areCompatible(left: Text, right: Text): boolean {
  if (right.kind === 'string') return true;
  return left.kind === 'langString' && sameLanguage(left, right);
}

const ofTwo =
  (compute: (left: Text, right: string) => Value): Binary =>
  (left, right) =>
    isText(left) && isText(right) && areCompatible(left, right) ? compute(left, right.value) : ERROR;

const mapped =
  (change: (text: string) => string): Unary =>
  (value) =>
    isText(value) ? withText(value, change(value.value)) : ERROR;

const NOT_ASCII = /[^\0-\x7f]/;
const SURROGATE = /[\uD800-\uDFFF]/;

function codePointLength(text: string): number {
  if (!SURROGATE.test(text)) return text.length;
  let count = 0;
  for (let index = 0; index < text.length; count++) index = nextIndex(text, index);
  return count;
}

function nextIndex(text: string, index: number): number {
  const next = index + 1;
  if ((text.charCodeAt(index) & 0xfc00) !== 0xd800) return next;
  return (text.charCodeAt(next) & 0xfc00) === 0xdc00 ? next + 1 : next;
}

/** A part of a text is copied from this length on, in characters. A slice would keep the whole text in memory. */
const LONG_TEXT = 1024;

function partOf(text: string, from: number, to: number): string {
  const part = text.slice(from, to);
  if (text.length < LONG_TEXT || part.length * 2 > text.length) return part;
  // A text that is put together is copied where a part of it is taken.
  return ` ${part}`.slice(1);
}

/** From code point `from` (counted from 0) up to and without `to`. */
function sliceCodePoints(text: string, from: number, to: number): string {
  if (from >= to) return '';
  if (!SURROGATE.test(text)) return partOf(text, from, to);
  let index = 0;
  let start = text.length;
  for (let count = 0; index < text.length && count < to; count++) {
    if (count === from) start = index;
    index = nextIndex(text, index);
  }
  return partOf(text, Math.min(start, index), index);
}

const toOffset = (value: Integer): number => Number(value);

/** As fn:substring: what lies before the first character takes part in the count. */
function substring(text: Value, start: Value, length?: Value): Value {
  if (!isText(text) || start.kind !== 'integer') return ERROR;
  const from = toOffset(start.value) - 1;
  if (length === undefined) return withText(text, sliceCodePoints(text.value, Math.max(0, from), Infinity));
  if (length.kind !== 'integer') return ERROR;
  return withText(text, sliceCodePoints(text.value, Math.max(0, from), from + toOffset(length.value)));
}

const before = ofTwo((text, part) => {
  const index = text.value.indexOf(part);
  return index === -1 ? new StringValue('') : withText(text, partOf(text.value, 0, index));
});

const after = ofTwo((text, part) => {
  const index = text.value.indexOf(part);
  return index === -1
    ? new StringValue('')
    : withText(text, partOf(text.value, index + part.length, text.value.length));
});

const concat: Variadic = (values) => {
  let text = '';
  let like: Text | undefined;
  for (const [index, value] of values.entries()) {
    if (!isText(value)) return ERROR;
    text += value.value;
    if (index === 0) like = value;
    else if (like?.kind === 'langString' && !(value.kind === 'langString' && sameLanguage(like, value)))
      like = undefined;
  }
  return like === undefined ? new StringValue(text) : withText(like, text);
};

const lengthOf: Measure = (value) => (isText(value) ? value.value.length : 0);
const lengthOfAll: Measure = (_, values) => {
  let sum = 0;
  for (const value of values) if (isText(value)) sum += value.value.length;
  return sum;
};

/** Of a text in another case: a ß becomes SS, and there are letters that become three. */
export const casedLength = (text: string): number => text.length * (NOT_ASCII.test(text) ? 3 : 1);

/** Basic filtering of RFC 4647. */
const langMatches: Binary = (tag, range) => {
  if (tag.kind !== 'string' || range.kind !== 'string') return ERROR;
  if (range.value === '*') return toBoolean(tag.value !== '');
  const language = tag.value.toLowerCase();
  const wanted = range.value.toLowerCase();
  return toBoolean(language === wanted || (wanted !== '' && language.startsWith(`${wanted}-`)));
};

export const stringFunctions: FunctionTable = {
  unary: {
    strlen: (value) => (isText(value) ? new IntegerValue(codePointLength(value.value)) : ERROR),
    lcase: mapped((text) => text.toLowerCase()),
  },
  binary: {
    contains: ofTwo((text, part) => toBoolean(text.value.includes(part))),
    strstarts: ofTwo((text, part) => toBoolean(text.value.startsWith(part))),
    strends: ofTwo((text, part) => toBoolean(text.value.endsWith(part))),
    strbefore: before,
    strafter: after,
    langmatches: langMatches,
    substr: substring,
  },
  ternary: { substr: substring },
  variadic: { concat },
  lengths: {
    concat: lengthOfAll,
    lcase: (value) => (isText(value) ? casedLength(value.value) : 0),
    substr: lengthOf,
    strbefore: lengthOf,
    strafter: lengthOf,
  },
};
