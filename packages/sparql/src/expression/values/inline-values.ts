/** Values that ids hold: neither a term nor a text is made of them. */
import {
  BOOLEAN_TRUE,
  DECIMAL_SCALE,
  DECIMAL_ZERO,
  inlineBoolean,
  inlineDecimal,
  inlineInteger,
  INTEGER_ZERO,
  isInlineBoolean,
  isInlineDecimal,
  isInlineInteger,
} from '@quadrille/model';
import { BooleanValue, DecimalValue, IntegerValue, type Value } from './value-types.js';

/** Digits behind the point that the id of a decimal has. */
const DIGITS = 4;
const POWERS = [10_000, 1000, 100, 10, 1] as const;

/** The value of an id that holds a number or a boolean; `undefined` for other ids. */
export function valueOfId(id: number): Value | undefined {
  if (isInlineInteger(id)) return new IntegerValue(id - INTEGER_ZERO);
  if (isInlineDecimal(id)) return decimalOf(id - DECIMAL_ZERO);
  return isInlineBoolean(id) ? new BooleanValue(id === BOOLEAN_TRUE) : undefined;
}

/** With as many digits as the text has: at least one behind the point. */
function decimalOf(scaled: number): DecimalValue {
  let mantissa = scaled;
  let scale = DIGITS;
  for (; scale > 1 && mantissa % 10 === 0; scale--) mantissa /= 10;
  return new DecimalValue(mantissa + 0, scale);
}

/** The id of a computed value, where an id can hold it; otherwise 0. A value that was read from a term may not be in canonical form. */
export function idOfValue(value: Value): number {
  switch (value.kind) {
    case 'integer':
      return value.term === undefined && value.datatype === undefined && typeof value.value === 'number'
        ? inlineInteger(value.value)
        : 0;
    case 'decimal':
      return value.term === undefined ? idOfDecimal(value) : 0;
    case 'boolean':
      return value.term === undefined ? inlineBoolean(value.value) : 0;
    default:
      return 0;
  }
}

function idOfDecimal({ mantissa, scale }: DecimalValue): number {
  if (typeof mantissa !== 'number' || scale > DIGITS || Math.abs(mantissa) > MOST_MANTISSA) return 0;
  return inlineDecimal(mantissa * POWERS[scale]!);
}

const MOST_MANTISSA = Number.MAX_SAFE_INTEGER / DECIMAL_SCALE;
