/** ABS, CEIL, FLOOR, ROUND. The result has the numeric type of the argument; of derived integers, xsd:integer. */
import { negate } from '../values/arithmetic.js';
import { addDecimals, floorDecimal, negateInteger } from '../values/decimal.js';
import type { FunctionTable, Unary } from './function-table.js';
import {
  DecimalValue,
  DoubleValue,
  ERROR,
  FloatValue,
  IntegerValue,
  isNumeric,
  type Integer,
  type NumericValue,
} from '../values/value-types.js';

type Exact = (mantissa: Integer, scale: number) => Integer;

const rounding =
  (exact: Exact, inexact: (value: number) => number): Unary =>
  (value) => {
    switch (value.kind) {
      case 'integer':
        return new IntegerValue(value.value);
      case 'decimal':
        return new DecimalValue(exact(value.mantissa, value.scale), 0);
      case 'float':
        return new FloatValue(inexact(value.value));
      case 'double':
        return new DoubleValue(inexact(value.value));
      default:
        return ERROR;
    }
  };

const ceil: Exact = (mantissa, scale) => negateInteger(floorDecimal(negateInteger(mantissa), scale));

/** Halves go up, towards positive infinity, as Math.round has it too. */
const round: Exact = (mantissa, scale) => {
  const shifted = addDecimals(mantissa, scale, 5, 1);
  return shifted.kind === 'error' ? floorDecimal(mantissa, scale) : floorDecimal(shifted.mantissa, shifted.scale);
};

const isNegative = (value: NumericValue): boolean =>
  value.kind === 'decimal'
    ? value.mantissa < 0
    : value.kind === 'integer'
      ? value.value < 0
      : value.value < 0 || Object.is(value.value, -0);

// Twice, where it is positive: what is computed does not keep the lexical form of the argument.
const abs: Unary = (value) => {
  if (!isNumeric(value)) return ERROR;
  return isNegative(value) ? negate(value) : negate(negate(value));
};

export const numericFunctions: FunctionTable = {
  unary: {
    abs,
    ceil: rounding(ceil, Math.ceil),
    floor: rounding(floorDecimal, Math.floor),
    round: rounding(round, Math.round),
  },
};
