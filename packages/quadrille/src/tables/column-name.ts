/** The variable of a column. */

const utf8 = new TextEncoder();

/** What a name of SPARQL may have at every place (VARNAME: PN_CHARS_U and digits). */
const NAME =
  /^[\w\u00C0-\u00D6\u00D8-\u00F6\u00F8-\u02FF\u0370-\u037D\u037F-\u1FFF\u200C-\u200D\u2070-\u218F\u2C00-\u2FEF\u3001-\uD7FF\uF900-\uFDCF\uFDF0-\uFFFD\u{10000}-\u{EFFFF}]$/u;

/**
 * A space is `_`, and what a name may not have stands as the digits of its bytes in hexadecimal: `first name` is `first_name`, and `price-net` is
 * `price2Dnet`. A column without a name has that of its place, from 1: `column_3`.
 */
export function variableName(name: string, place?: number): string {
  const text = name.trim();
  if (text === '' && place !== undefined) return `column_${String(place)}`;
  if (/^\w*$/.test(text)) return text;
  let variable = '';
  for (const character of text) {
    if (/\s/.test(character)) variable += '_';
    else if (NAME.test(character)) variable += character;
    else for (const byte of utf8.encode(character)) variable += byte.toString(16).toUpperCase().padStart(2, '0');
  }
  return variable;
}
