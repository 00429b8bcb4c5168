/** Cells as values of a mapping. */
import { iri, literal, XSD } from '@quadrille/model';
import { type Value, valueOf } from '@quadrille/sparql/mapping';

const INTEGER = iri(`${XSD}integer`);
const DECIMAL = iri(`${XSD}decimal`);
const DOUBLE = iri(`${XSD}double`);
const BOOLEAN = iri(`${XSD}boolean`);

/** Names that an error lists. */
const MOST_SHOWN = 50;

/** The number of a row. */
export const numberValue = (row: number): Value => valueOf(literal(String(row), INTEGER));

/** A number as SPARQL reads its text: `1` is an integer, `1.0` a decimal, `1e0` a double. */
export function numericValue(text: string): Value {
  if (/[eE]/.test(text)) return valueOf(literal(text, DOUBLE));
  return valueOf(literal(text, text.includes('.') ? DECIMAL : INTEGER));
}

/** True or false. */
export const booleanValue = (value: boolean): Value => valueOf(literal(String(value), BOOLEAN));

/** Variables as an error lists them. */
export function shownVariables(names: readonly string[]): string {
  const shown = names.slice(0, MOST_SHOWN).map((name) => `?${name}`);
  if (names.length > MOST_SHOWN) shown.push('…');
  return shown.length === 0 ? 'none' : shown.join(', ');
}
