/** Turns the keys of an ORDER BY into ranks: numbers in the order of SPARQL, equal for equal keys. */
import {
  BOOLEAN_FALSE,
  DATE_FIRST,
  DECIMAL_FIRST,
  DECIMAL_SCALE,
  DECIMAL_ZERO,
  INTEGER_ZERO,
  isInline,
} from '@quadrille/model';
import { compareForOrder } from '../../expression/values/order.js';
import type { Value } from '../../expression/values/value.js';
import { BATCH_ROWS } from '../../execute/core/batch.js';
import { IdTable } from '../../execute/table/id-table.js';
import { ValueMemory } from '../../control/value-memory.js';
import { valueBytes } from '../../expression/values/value-bytes.js';
import { rankByKeys } from './key-ranks.js';
import { mergeSort } from './merge-sort.js';
import type { Execution } from '../../execute/core/operator.js';
import { SortTexts } from './sort-texts.js';
import { pauseOf, type Waiting } from '../../execute/core/waiting.js';

export interface Ranks {
  readonly ranks: Uint32Array;
  readonly greatest: number;
}

/** Bytes of a value beside its text, with what is kept of it for comparing. */
const RANKED_BYTES = 48;
/** Texts between two looks at the clock. */
const TEXTS_AT_ONCE = 16;
/** Classes of ids, as bits. */
const INTEGER = 1;
const DECIMAL = 2;
const DATE = 4;
const BOOLEAN = 8;
const DICTIONARY = 16;

function classOf(id: number): number {
  if (!isInline(id)) return DICTIONARY;
  if (id < DECIMAL_FIRST) return INTEGER;
  if (id < DATE_FIRST) return DECIMAL;
  return id < BOOLEAN_FALSE ? DATE : BOOLEAN;
}

/** The class of an inline id; within a class ids are ordered as their values. 0 for all other ids. */
export function inlineClass(id: number): number {
  return isInline(id) ? classOf(id) : 0;
}

/** Ranks of the terms that a column's ids stand for; what is unbound comes first. */
export function* rankIds(ids: Uint32Array, rows: number, execution: Execution): Waiting<Ranks> {
  const classes = classesOf(ids, rows);
  // Within one class the ids themselves are ranks; 0 is below them all.
  if ((classes & (classes - 1)) === 0 && classes !== DICTIONARY) {
    return { ranks: ids, greatest: greatestOf(ids, rows) };
  }
  const table = new IdTable(1, execution.memory);
  try {
    const numbers = yield* numberIds(ids, rows, table, execution);
    const distinct = table.keys[0]!;
    const numeric = (classes & ~(INTEGER | DECIMAL)) === 0;
    const byKeys = numeric ? undefined : yield* rankByKeys(table, execution);
    if (byKeys !== undefined) {
      for (let row = 0; row < rows; row++) numbers[row] = byKeys[numbers[row]!]!;
      return { ranks: numbers, greatest: table.size };
    }
    const { ranks, greatest } = numeric
      ? yield* rankBy(table.size, (a, b) => numberOf(distinct[a]!) - numberOf(distinct[b]!), execution)
      : yield* rankTerms(distinct, table.size, execution);
    for (let row = 0; row < rows; row++) numbers[row] = ranks[numbers[row]!]!;
    return { ranks: numbers, greatest };
  } finally {
    table.free();
  }
}

/** Ranks of computed values; errors and what is unbound come first. */
export function rankValues(values: readonly (Value | undefined)[], execution: Execution): Waiting<Ranks> {
  return rankBy(values.length, (a, b) => compareForOrder(values[a], values[b]), execution);
}

function* rankTerms(ids: Uint32Array, count: number, execution: Execution): Waiting<Ranks> {
  const memory = new ValueMemory(execution.memory);
  try {
    const values: (Value | undefined)[] = [];
    const texts = new SortTexts(count);
    for (let start = 0; start < count; start += BATCH_ROWS) {
      const slice = ids.subarray(start, Math.min(start + BATCH_ROWS, count));
      const read = execution.terms.eachPiece(slice, slice.length, (piece) => {
        for (const value of piece) {
          memory.reserve(valueBytes(value) + RANKED_BYTES);
          values.push(value);
        }
      });
      if (read !== undefined) yield read;
      for (let i = start; i < values.length; i++) {
        texts.set(i, values[i]);
        // Looking for surrogates in a long text takes a millisecond.
        if (i % TEXTS_AT_ONCE === 0) yield* pauseOf(execution.control);
      }
      yield* pauseOf(execution.control);
    }
    const compare = (a: number, b: number): number =>
      texts.areAlike(a, b) ? texts.compare(a, b) : compareForOrder(values[a], values[b]);
    return yield* rankBy(count, compare, execution);
  } finally {
    memory.free();
  }
}

function* rankBy(count: number, compare: (a: number, b: number) => number, execution: Execution): Waiting<Ranks> {
  const sorted = yield* mergeSort(count, compare, execution.control);
  const ranks = new Uint32Array(count);
  let rank = 0;
  for (let i = 0; i < count; i++) {
    if (i > 0 && compare(sorted[i - 1]!, sorted[i]!) !== 0) rank++;
    ranks[sorted[i]!] = rank;
    if (i % BATCH_ROWS === 0) yield* pauseOf(execution.control);
  }
  return { ranks, greatest: rank };
}

// The number of each row's id in the table.
function* numberIds(ids: Uint32Array, rows: number, table: IdTable, execution: Execution): Waiting<Uint32Array> {
  const numbers = new Uint32Array(rows);
  for (let start = 0; start < rows; start += BATCH_ROWS) {
    const end = Math.min(start + BATCH_ROWS, rows);
    insertSlice(ids, numbers, table, start, end);
    yield* pauseOf(execution.control);
  }
  return numbers;
}

function insertSlice(ids: Uint32Array, numbers: Uint32Array, table: IdTable, start: number, end: number): void {
  const columns = [ids];
  for (let row = start; row < end; row++) numbers[row] = table.insert(columns, row);
}

function classesOf(ids: Uint32Array, rows: number): number {
  let classes = 0;
  for (let row = 0; row < rows; row++) if (ids[row] !== 0) classes |= classOf(ids[row]!);
  return classes;
}

// In ten-thousandths, so that integers and decimals compare exactly; unbound is less than all.
function numberOf(id: number): number {
  if (id === 0) return -Number.MAX_SAFE_INTEGER;
  return id < DECIMAL_FIRST ? (id - INTEGER_ZERO) * DECIMAL_SCALE : id - DECIMAL_ZERO;
}

function greatestOf(ids: Uint32Array, rows: number): number {
  let greatest = 0;
  for (let row = 0; row < rows; row++) if (ids[row]! > greatest) greatest = ids[row]!;
  return greatest;
}
