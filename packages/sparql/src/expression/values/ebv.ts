/** The effective boolean value (SPARQL 1.2, section 17.2.2). */
import { ERROR, FALSE, toBoolean, TRUE, type BooleanValue, type ErrorValue, type Value } from './value-types.js';

/** True, false or undefined for a type error; ill-formed booleans and numbers are one, as of SPARQL 1.2. */
export function effectiveBoolean(value: Value): boolean | undefined {
  switch (value.kind) {
    case 'boolean':
      return value.value;
    case 'string':
      return value.value !== '';
    case 'integer':
      return value.value !== 0;
    case 'decimal':
      return value.mantissa !== 0;
    case 'double':
    case 'float':
      return value.value !== 0 && !Number.isNaN(value.value);
    default:
      return undefined;
  }
}

/** The same as a value. */
export function toBooleanValue(value: Value): BooleanValue | ErrorValue {
  if (value === TRUE || value === FALSE) return value as BooleanValue;
  const result = effectiveBoolean(value);
  return result === undefined ? ERROR : toBoolean(result);
}
