/** JSON whose numbers keep the text that they are written with: identifiers of 64 bits, and `1.10`, are no numbers of JavaScript. */
import { isObject } from '../json/canonical-json.js';
import type { Json } from '../json/json-document.js';

/** The only member of the object that stands for a number. */
const NUMBER = '\0number';

/** A fraction, an exponent, or more digits than a number of JavaScript keeps. */
const NEEDS_TEXT = /\d(?:[.eE]|\d{15})/;
const STRING_OR_NUMBER = /"[^"\\]*(?:\\[^][^"\\]*)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Parses JSON. Numbers that JavaScript would change are objects that {@link numberText} knows. @throws SyntaxError */
export function exactJson(text: string): Json {
  if (!NEEDS_TEXT.test(text)) return JSON.parse(text) as Json;
  const marked = text.replace(STRING_OR_NUMBER, (token) =>
    token.startsWith('"') ? token : `{"\\u0000number":"${token}"}`,
  );
  return JSON.parse(marked) as Json;
}

/** The text of a number; `undefined` for another value. */
export function numberText(value: Json): string | undefined {
  if (typeof value === 'number') return String(value);
  if (!isObject(value)) return undefined;
  const text = value[NUMBER];
  return typeof text === 'string' ? text : undefined;
}
