/** `=`, `!=`, `<`, `>`, `<=`, `>=` and sameTerm as functions of values. */
import { compareValues, equals, sameTerm, type Comparison } from './compare.js';
import type { Binary, FunctionTable } from './function-table.js';
import { ERROR, FALSE, toBoolean, TRUE, type IntegerValue, type Value } from './value-types.js';

const ordering =
  (accept: (order: Comparison) => boolean): Binary =>
  (left, right) => {
    const order = compareValues(left, right);
    return order === ERROR ? ERROR : toBoolean(accept(order));
  };

// The usual case by itself, so that it is inlined.
const bothSmall = (left: Value, right: Value): boolean =>
  left.kind === 'integer' &&
  right.kind === 'integer' &&
  typeof left.value === 'number' &&
  typeof right.value === 'number';

const less = ordering((order) => order === -1);
const greater = ordering((order) => order === 1);
const lessOrEqual = ordering((order) => order === -1 || order === 0);
const greaterOrEqual = ordering((order) => order === 1 || order === 0);
const numberOf = (value: Value): number => (value as IntegerValue).value as number;

const equal: Binary = (left, right) => {
  const result = equals(left, right);
  return result === ERROR ? ERROR : result === true ? TRUE : FALSE;
};

const notEqual: Binary = (left, right) => {
  const result = equals(left, right);
  return result === ERROR ? ERROR : result === true ? FALSE : TRUE;
};

export const comparisonFunctions: FunctionTable = {
  binary: {
    '=': equal,
    '!=': notEqual,
    '<': (left, right) => (bothSmall(left, right) ? toBoolean(numberOf(left) < numberOf(right)) : less(left, right)),
    '>': (left, right) => (bothSmall(left, right) ? toBoolean(numberOf(left) > numberOf(right)) : greater(left, right)),
    '<=': (left, right) =>
      bothSmall(left, right) ? toBoolean(numberOf(left) <= numberOf(right)) : lessOrEqual(left, right),
    '>=': (left, right) =>
      bothSmall(left, right) ? toBoolean(numberOf(left) >= numberOf(right)) : greaterOrEqual(left, right),
    sameterm: (left, right) => toBoolean(sameTerm(left, right)),
  },
};
