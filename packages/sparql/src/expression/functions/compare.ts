/** `=`, `!=`, `<`, `>`, `<=`, `>=` and sameTerm as functions of values. */
import { compareValues, equals, type Comparison } from '../values/compare.js';
import { EQUALITY_KEY } from '../../algebra/algebra.js';
import { equalityKey } from '../values/equality-key.js';
import { sameTerm } from '../values/same-term.js';
import type { Binary, FunctionTable } from './function-table.js';
import { ERROR, FALSE, toBoolean, TRUE, type Value } from '../values/value-types.js';

/** What is already a JS number; the usual case, taken first. */
const fastNumber = (value: Value): number | undefined =>
  (value.kind === 'integer' && typeof value.value === 'number') || value.kind === 'double'
    ? (value.value as number)
    : undefined;

const ordering =
  (plain: (left: number, right: number) => boolean, accept: (order: Comparison) => boolean): Binary =>
  (left, right) => {
    const a = fastNumber(left);
    const b = fastNumber(right);
    if (a !== undefined && b !== undefined) return toBoolean(plain(a, b));
    const order = compareValues(left, right);
    return order === ERROR ? ERROR : toBoolean(accept(order));
  };

const equal: Binary = (left, right) => {
  const result = equals(left, right);
  return result === ERROR ? ERROR : result === true ? TRUE : FALSE;
};

const notEqual: Binary = (left, right) => {
  const result = equals(left, right);
  return result === ERROR ? ERROR : result === true ? FALSE : TRUE;
};

export const comparisonFunctions: FunctionTable = {
  unary: { [EQUALITY_KEY]: equalityKey },
  binary: {
    '=': equal,
    '!=': notEqual,
    '<': ordering(
      (a, b) => a < b,
      (order) => order === -1,
    ),
    '>': ordering(
      (a, b) => a > b,
      (order) => order === 1,
    ),
    '<=': ordering(
      (a, b) => a <= b,
      (order) => order === -1 || order === 0,
    ),
    '>=': ordering(
      (a, b) => a >= b,
      (order) => order === 1 || order === 0,
    ),
    sameterm: (left, right) => toBoolean(sameTerm(left, right)),
  },
};
