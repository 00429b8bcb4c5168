/** Header fields that are lists (RFC 9110, section 5.6): `Accept`, `Content-Type`, `If-None-Match` and their kind. */
import { RecentMap } from '@quadrille/model';

/** `value; name=text; name="quoted text"` */
export interface ListElement {
  /** As it was sent. */
  readonly value: string;
  /** By their names in lower case, without quotes. The first one of a name counts. */
  readonly parameters: ReadonlyMap<string, string>;
}

/** The elements of a list. In quotes, commas and semicolons are text. Empty elements are left out. */
export function elementsOf(field: string): readonly ListElement[] {
  return partsOf(field, ',').map((text) => {
    const [value = '', ...rest] = partsOf(text, ';');
    const parameters = new Map<string, string>();
    for (const parameter of rest) {
      const equals = parameter.indexOf('=');
      const name = (equals < 0 ? parameter : parameter.slice(0, equals)).trim().toLowerCase();
      if (!parameters.has(name)) parameters.set(name, equals < 0 ? '' : unquoted(parameter.slice(equals + 1).trim()));
    }
    return { value, parameters };
  });
}

/** The first element of a field that has only one, such as `Content-Type`. */
export const elementOf = (field: string | null | undefined): ListElement | undefined =>
  field === null || field === undefined ? undefined : elementsOf(field)[0];

/** Clients send few types, and a request asks for its own several times. */
const types = new RecentMap<string, string>(64);
const LONGEST_KNOWN = 128;

/** The media type of a field in lower case, without its parameters; `undefined` where there is none. */
export function typeOf(field: string | null | undefined): string | undefined {
  if (field === null || field === undefined) return undefined;
  const known = types.get(field);
  if (known !== undefined) return known;
  const type = elementOf(field)?.value.toLowerCase();
  if (type !== undefined && field.length <= LONGEST_KNOWN) types.set(field, type);
  return type;
}

/** A text between quotes, where a backslash makes the next character text. */
const QUOTED = /"(?:[^"\\]|\\.)*"?|[^"]/gs;

function partsOf(text: string, separator: ',' | ';'): string[] {
  if (!text.includes('"')) return trimmed(text.split(separator));
  const parts: string[] = [''];
  for (const [piece] of text.matchAll(QUOTED)) {
    if (piece === separator) parts.push('');
    else parts[parts.length - 1] += piece;
  }
  return trimmed(parts);
}

const trimmed = (parts: readonly string[]): string[] => parts.map((part) => part.trim()).filter((part) => part !== '');

const unquoted = (text: string): string =>
  text.startsWith('"')
    ? text.slice(1, text.length > 1 && text.endsWith('"') ? -1 : undefined).replace(/\\(.)/gs, '$1')
    : text;

/** The preference of an element, from 0 to 1; `undefined` where its `q` is no number of that kind. */
export function qualityOf({ parameters }: ListElement): number | undefined {
  const text = parameters.get('q');
  if (text === undefined) return 1;
  return /^(?:0?\.\d{1,9}|[01](?:\.\d{0,9})?)$/.test(text) && Number(text) <= 1 ? Number(text) : undefined;
}

/** `"text"`, or `W/"text"`. */
export interface EntityTag {
  /** What stands between the quotes. */
  readonly value: string;
  readonly weak: boolean;
}

/** In the quotes of a tag, a backslash is a character as others are. Some clients send the id of a revision without quotes. */
const TAG = /\s*(?:(W\/)?"([^"]*)"|([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}[^\s",]*)|(?=,))\s*(?:,|$)/giy;

/** The list of `If-Match` or `If-None-Match`, or `*` for any; `undefined` where the field is none of them. */
export function entityTagsOf(field: string): readonly EntityTag[] | '*' | undefined {
  if (field.trim() === '*') return '*';
  const tags: EntityTag[] = [];
  let end = 0;
  for (const [text, weak, quoted, bare] of field.matchAll(TAG)) {
    end += text.length;
    const value = quoted ?? bare;
    if (value !== undefined) tags.push({ value, weak: weak !== undefined });
  }
  return end === field.length && tags.length > 0 ? tags : undefined;
}
