/** Functions on strings (SPARQL 1.2, section 17.4.3). Positions and lengths count Unicode code points. */
import type { Binary, FunctionTable, Unary, Variadic } from './function-table.js';
import {
  ERROR,
  IntegerValue,
  LangStringValue,
  StringValue,
  toBoolean,
  type Integer,
  type Value,
} from '../values/value-types.js';

type Text = StringValue | LangStringValue;

/** Characters of a text that is computed: far below what the platform can hold, so that none of its errors gets out. */
export const MAX_TEXT = 2 ** 27;

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

const SURROGATE = /[\uD800-\uDFFF]/;

function codePointLength(text: string): number {
  if (!SURROGATE.test(text)) return text.length;
  let count = 0;
  for (let index = 0; index < text.length; count++) index = nextIndex(text, index);
  return count;
}

const nextIndex = (text: string, index: number): number =>
  index + ((text.codePointAt(index) as number) > 0xffff ? 2 : 1);

/** From code point `from` (counted from 0) up to and without `to`. */
function sliceCodePoints(text: string, from: number, to: number): string {
  if (from >= to) return '';
  if (!SURROGATE.test(text)) return text.slice(from, to);
  let index = 0;
  let start = text.length;
  for (let count = 0; index < text.length && count < to; count++) {
    if (count === from) start = index;
    index = nextIndex(text, index);
  }
  return text.slice(Math.min(start, index), index);
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
  return index === -1 ? new StringValue('') : withText(text, text.value.slice(0, index));
});

const after = ofTwo((text, part) => {
  const index = text.value.indexOf(part);
  return index === -1 ? new StringValue('') : withText(text, text.value.slice(index + part.length));
});

const concat: Variadic = (values) => {
  let text = '';
  let like: Text | undefined;
  for (const [index, value] of values.entries()) {
    if (!isText(value) || text.length + value.value.length > MAX_TEXT) return ERROR;
    text += value.value;
    if (index === 0) like = value;
    else if (like?.kind === 'langString' && !(value.kind === 'langString' && sameLanguage(like, value)))
      like = undefined;
  }
  return like === undefined ? new StringValue(text) : withText(like, text);
};

const encodeForUri: Unary = (value) => {
  if (!isText(value)) return ERROR;
  try {
    const encoded = encodeURIComponent(value.value);
    return new StringValue(encoded.replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`));
  } catch {
    return ERROR; // a lone surrogate
  }
};

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
    ucase: mapped((text) => text.toUpperCase()),
    lcase: mapped((text) => text.toLowerCase()),
    encode_for_uri: encodeForUri,
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
};
