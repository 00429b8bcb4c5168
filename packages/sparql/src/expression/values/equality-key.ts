/** Keys for joins by `=`. */
import { toNumber } from './compare.js';
import { decimalToNumber } from './decimal.js';
import { instantOf } from './temporal.js';
import { DoubleValue, IntegerValue, isNumeric, isTemporal, toBoolean, TRUE, type Value } from './value-types.js';

/** A value that is the same for values that `=` calls equal. Others may have it too, so that `=` has to be asked as well. */
export function equalityKey(value: Value): Value {
  // Single precision, in which a float is compared with a decimal: equal numbers of any two types are equal there.
  if (isNumeric(value)) return numberKey(toNumber(value, true));
  if (isTemporal(value)) {
    const { mantissa, scale } = instantOf(value);
    return numberKey(decimalToNumber(mantissa, scale));
  }
  switch (value.kind) {
    case 'boolean':
      return toBoolean(value.value);
    case 'duration':
      return numberKey(value.months * SECONDS_OF_MONTH + decimalToNumber(value.seconds.mantissa, value.seconds.scale));
    case 'triple':
      // Its parts are compared by their values.
      return TRUE;
    default:
      return value;
  }
}

/** About: it only spreads keys. */
const SECONDS_OF_MONTH = 2_629_746;

/** Whether the key is the value itself. */
export const isOwnKey = ({ kind }: Value): boolean => kind !== 'integer' && kind !== 'double' && kind !== 'boolean';

const numberKey = (number: number): Value =>
  // Minus zero is an integer here.
  Number.isSafeInteger(number) ? new IntegerValue(number + 0) : new DoubleValue(number);
