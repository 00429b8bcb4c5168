/** How the files of function families hand their functions to the compiler: by number of arguments, none of them an error. */
import type { Value } from '../values/value-types.js';

export type Unary = (argument: Value) => Value;
export type Binary = (first: Value, second: Value) => Value;
export type Ternary = (first: Value, second: Value, third: Value) => Value;
export type Variadic = (values: readonly Value[]) => Value;

/** The length of the text that a function will build of its arguments, at most. Only functions of any number of these get `all`. */
export type Measure = (first: Value, all: readonly Value[]) => number;

/** Functions by the name of their operator in the algebra. All are pure. */
export interface FunctionTable {
  readonly unary?: Readonly<Record<string, Unary>>;
  readonly binary?: Readonly<Record<string, Binary>>;
  readonly ternary?: Readonly<Record<string, Ternary>>;
  readonly variadic?: Readonly<Record<string, Variadic>>;
  /** Of those whose texts have to be counted before they are built. */
  readonly lengths?: Readonly<Record<string, Measure>>;
}
