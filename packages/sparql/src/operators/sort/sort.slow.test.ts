import { dataFactory, XSD } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';
import { describe, expect, it } from 'vitest';
import type { Expression } from '../../algebra/algebra.js';
import { compareForOrder } from '../../expression/values/order.js';
import { valueOf, type Value } from '../../expression/values/value.js';
import type { SortPlan } from '../../plan/plan.js';
import { ArrayIdDataset } from '../../testing/array-id-dataset.js';
import { executionOn, randomNumbers, rowsOf, rowsPlan, RowsInput } from '../../testing/operators.js';
import { Sort } from './sort.js';

const { literal, namedNode, variable } = dataFactory;
const typed = (value: string, type: string): RDF.Literal => literal(value, namedNode(XSD + type));
const term = (name: string): Expression => ({ type: 'expression', subType: 'term', term: variable!(name) });
const negated = (name: string): Expression => ({
  type: 'expression',
  subType: 'operator',
  operator: 'uminus',
  args: [term(name)],
});

const MIXED: RDF.Term[] = [
  namedNode('http://example.org/b'),
  namedNode('http://example.org/a'),
  dataFactory.blankNode('x'),
  literal('text'),
  ...['Text', 'Texture', 'text', '𝒳', '\uFFFD'].flatMap((text) => [literal(text, 'en'), literal(text, 'de-AT')]),
  literal('Text', 'EN'),
  literal('Text', { language: 'ar', direction: 'rtl' }),
  literal('𝒳'),
  literal('\uFFFD'),
  ...['1', '10', '-5', '3', '1000000000000', '01'].map((value) => typed(value, 'integer')),
  ...['1.0', '2.5', '-4.75', '3.0', '1.00'].map((value) => typed(value, 'decimal')),
  ...['1.5e0', 'NaN', '-INF'].map((value) => typed(value, 'double')),
  typed('true', 'boolean'),
  typed('2024-02-29', 'date'),
  typed('1969-12-31', 'date'),
];
const INLINE = Array.from({ length: 50 }, (_, i) => typed(String(i - 25), 'integer'));
const NUMBERS = [...INLINE, ...['0.5', '-3.25', '7.0', '3.0'].map((value) => typed(value, 'decimal'))];

type Key = SortPlan['keys'][number];
type Row = number[];

async function sort(dataset: ArrayIdDataset, rows: Row[], keys: Key[], limit?: number): Promise<Row[]> {
  const input = rowsPlan(['a', 'b', 'n']);
  const execution = executionOn(dataset);
  const operator = new Sort({ ...input, type: 'sort', input, keys, limit }, new RowsInput(rows, 3, 100), execution);
  const out = await rowsOf(operator);
  operator.close();
  return out;
}

function naive(dataset: ArrayIdDataset, rows: Row[], columns: number[], signs: number[]): Row[] {
  const value = (id: number): Value | undefined => (id === 0 ? undefined : valueOf(dataset.terms.termNow(id)));
  const keyed = rows.map((row) => ({ row, values: columns.map((column) => value(row[column]!)) }));
  keyed.sort((x, y) => {
    const at = columns.findIndex((_, i) => compareForOrder(x.values[i], y.values[i]) !== 0);
    return at === -1 ? 0 : signs[at]! * compareForOrder(x.values[at], y.values[at]);
  });
  return keyed.map(({ row }) => row);
}

function randomRows(dataset: ArrayIdDataset, terms: readonly RDF.Term[], count: number, seed: number): Row[] {
  const random = randomNumbers(seed);
  const id = (): number => (random(10) === 0 ? 0 : dataset.terms.store(terms[random(terms.length)]!));
  return Array.from({ length: count }, (_, n) => [id(), id(), n + 1]);
}

describe('Sort', () => {
  it.each([
    ['terms of every kind', MIXED],
    ['inline integers', INLINE],
    ['inline integers and decimals', NUMBERS],
  ])('orders %s, and keeps the order of what is equal', async (_, terms) => {
    const dataset = new ArrayIdDataset([], { misses: true });
    const rows = randomRows(dataset, terms, 2000, 3);
    const [a, b] = [term('a'), term('b')];
    expect(await sort(dataset, rows, [{ expression: a, descending: false }])).toEqual(naive(dataset, rows, [0], [1]));
    const two = [
      { expression: b, descending: true },
      { expression: a, descending: false },
    ];
    expect(await sort(dataset, rows, two)).toEqual(naive(dataset, rows, [1, 0], [-1, 1]));
  });

  it.each([MIXED, INLINE, NUMBERS])('keeps the first rows only, where no more are asked for', async (...terms) => {
    const dataset = new ArrayIdDataset();
    const rows = randomRows(dataset, terms, 60_000, 4);
    for (const [descending, sign] of [
      [true, -1],
      [false, 1],
    ] as const) {
      const expected = naive(dataset, rows, [0, 1], [sign, 1]).slice(0, 700);
      const keys = [
        { expression: term('a'), descending },
        { expression: term('b'), descending: false },
      ];
      expect(await sort(dataset, rows, keys, 700)).toEqual(expected);
    }
    expect(await sort(dataset, rows, [{ expression: term('a'), descending: false }], 0)).toEqual([]);
  });

  it.each([1, 2, 7, 40, 256, 257])('takes the first %i rows as they come', async (limit) => {
    const seed = 1;
    const dataset = new ArrayIdDataset([], { misses: true });
    const times = Array.from({ length: 90 }, (_, i) => typed(`2024-02-${10 + (i % 19)}T10:00:00Z`, 'dateTime'));
    // Batches of one kind of ids, then of all kinds.
    const rows = [INLINE, [...INLINE, ...NUMBERS], [...times, ...MIXED, ...INLINE]].flatMap((terms, i) =>
      randomRows(dataset, terms, 700, seed + i).filter(([a]) => i > 0 || a !== 0),
    );
    rows.forEach((row, n) => (row[2] = n + 1));
    for (const sign of [1, -1] as const) {
      const keys = [
        { expression: term('a'), descending: sign === -1 },
        { expression: term('b'), descending: sign === 1 },
      ];
      const expected = naive(dataset, rows, [0, 1], [sign, -sign]).slice(0, limit);
      expect(await sort(dataset, rows, keys, limit), `seed ${seed}`).toEqual(expected);
    }
  });

  it('needs no memory for rows that come after those that it has', async () => {
    const input = rowsPlan(['a', 'b', 'n']);
    const dataset = new ArrayIdDataset();
    const rows = Array.from({ length: 20_000 }, (_, n) => [dataset.terms.store(literal(`t${n}`)), 0, n]);
    for (const [descending, expected] of [
      [false, [0, 1, 10]],
      [true, [9999, 9998, 9997]],
    ] as const) {
      const keys = [{ expression: term('a'), descending }];
      const plan = { ...input, type: 'sort', input, keys, limit: 3 } as const;
      const operator = new Sort(plan, new RowsInput(rows, 3, 1000), executionOn(dataset, { budgetBytes: 100_000 }));
      expect((await rowsOf(operator)).map((row) => row[2])).toEqual(expected);
      operator.close();
    }
  });

  it('orders by computed keys, errors first', async () => {
    const dataset = new ArrayIdDataset();
    const rows = randomRows(dataset, [...INLINE, literal('text')], 40_000, 5);
    const numbers = rows.filter(([a]) => a! >= 0x8000_0000);
    const others = rows.filter(([a]) => a! < 0x8000_0000);
    const expected = [...others, ...naive(dataset, numbers, [0], [-1])];
    const keys = [{ expression: negated('a'), descending: false }];
    expect(await sort(dataset, rows, keys)).toEqual(expected);
    expect(await sort(dataset, rows, keys, 5000)).toEqual(expected.slice(0, 5000));
  });

  it('keeps to the budget of memory', async () => {
    const input = rowsPlan(['a', 'b', 'n']);
    const rows = Array.from({ length: 20_000 }, (_, n) => [n + 2, 0, 0]);
    const keys = [{ expression: term('b'), descending: false }];
    const plan = { ...input, type: 'sort', input, keys, limit: undefined } as const;
    const execution = executionOn(new ArrayIdDataset(), { budgetBytes: 100_000 });
    await expect(rowsOf(new Sort(plan, new RowsInput(rows, 3, 1000), execution))).rejects.toThrow(/memory/);
  });
});
