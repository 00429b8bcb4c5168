/** Ids of literals that hold their value, told from RDF/JS terms: for tests, which have no dictionary. */
import type * as RDF from '@rdfjs/types';
import {
  DATE_FIRST,
  DATE_ZERO,
  DECIMAL_FIRST,
  DECIMAL_SCALE,
  DECIMAL_ZERO,
  BOOLEAN_FALSE,
  INTEGER_ZERO,
  dataFactory,
  inlineBoolean,
  inlineDecimal,
  inlineInteger,
  XSD,
} from '@quadrille/model';

const DAY_MS = 86_400_000;
const DECIMAL = /^-?(?:0|[1-9]\d*)\.(?:0|\d{0,3}[1-9])$/;
const INTEGER = /^(?:0|-?[1-9]\d*)$/;
const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** The id of a literal in its canonical text; 0 for any other term. */
export function inlineIdOf(term: RDF.Term): number {
  if (term.termType !== 'Literal') return 0;
  const { value } = term;
  switch (term.datatype.value) {
    case `${XSD}integer`:
      return INTEGER.test(value) ? inlineInteger(Number(value)) : 0;
    case `${XSD}decimal`:
      return DECIMAL.test(value) && value !== '-0.0' ? inlineDecimal(Math.round(Number(value) * DECIMAL_SCALE)) : 0;
    case `${XSD}date`:
      return dateId(value);
    case `${XSD}boolean`:
      return value === 'true' || value === 'false' ? inlineBoolean(value === 'true') : 0;
    default:
      return 0;
  }
}

function dateId(text: string): number {
  if (!DATE.test(text)) return 0;
  const time = Date.parse(`${text}T00:00:00Z`);
  if (Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== text) return 0;
  return DATE_ZERO + time / DAY_MS;
}

/** The literal of an inline id. */
export function inlineTermOf(id: number): RDF.Literal {
  if (id < DECIMAL_FIRST) return typed(String(id - INTEGER_ZERO), 'integer');
  if (id < DATE_FIRST) return typed(decimalText(id - DECIMAL_ZERO), 'decimal');
  if (id < BOOLEAN_FALSE) return typed(new Date((id - DATE_ZERO) * DAY_MS).toISOString().slice(0, 10), 'date');
  return typed(id === BOOLEAN_FALSE ? 'false' : 'true', 'boolean');
}

function decimalText(scaled: number): string {
  const size = Math.abs(scaled);
  const fraction = String(size % DECIMAL_SCALE).padStart(4, '0');
  return `${scaled < 0 ? '-' : ''}${Math.floor(size / DECIMAL_SCALE)}.${fraction.replace(/0{1,3}$/, '')}`;
}

const typed = (value: string, datatype: string): RDF.Literal =>
  dataFactory.literal(value, dataFactory.namedNode(XSD + datatype));
