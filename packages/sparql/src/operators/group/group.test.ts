import { dataFactory, inlineInteger, XSD } from '@quadrille/model';
import { Family } from '@quadrille/model/order-key';
import type * as RDF from '@rdfjs/types';
import { describe, expect, it, vi } from 'vitest';
import type { Expression } from '../../algebra/algebra.js';
import type { KeyRange } from '../../dataset/id-dataset.js';
import { createAggregate } from '../../expression/aggregate.js';
import { ERROR, termOf, valueOf, type Value } from '../../expression/values/value.js';
import type { PlanAggregate } from '../../plan/plan.js';
import { ArrayIdDataset } from '../../testing/array-id-dataset.js';
import { executionOn, randomNumbers, rowsOf, rowsPlan, RowsInput, sortedText } from '../../testing/operators.js';
import { Group } from './group.js';

const { literal, namedNode, variable } = dataFactory;
const typed = (value: string, type: string): RDF.Literal => literal(value, namedNode(XSD + type));
const term = (name: string): Expression => ({ type: 'expression', subType: 'term', term: variable!(name) });
const negated: Expression = { type: 'expression', subType: 'operator', operator: 'uminus', args: [term('v')] };

const AGGREGATORS = ['count', 'sum', 'avg', 'min', 'max', 'sample', 'group_concat'] as const;
const aggregate = (aggregator: PlanAggregate['aggregator'], rest: Partial<PlanAggregate> = {}): PlanAggregate => ({
  variable: 'r',
  aggregator,
  distinct: false,
  expression: term('v'),
  separator: aggregator === 'group_concat' ? '|' : undefined,
  ...rest,
});

type Row = number[];

async function group(
  dataset: ArrayIdDataset,
  rows: Row[],
  keys: string[],
  aggregates: PlanAggregate[],
  sorted: string[] = [],
): Promise<Row[]> {
  const input = rowsPlan(['k', 'l', 'v'], { sorted });
  const variables = [...keys, ...aggregates.map(({ variable }) => variable)];
  const plan = { ...input, type: 'group', input, variables, keys, aggregates } as const;
  const operator = new Group(plan, new RowsInput(rows, 3, 100), executionOn(dataset));
  const out = await rowsOf(operator);
  operator.close();
  return out;
}

function naive(
  dataset: ArrayIdDataset,
  rows: Row[],
  keys: number[],
  { aggregator, distinct, separator }: PlanAggregate,
): Row[] {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const key = keys.map((column) => row[column]).join(' ');
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  if (keys.length === 0 && rows.length === 0) groups.set('', []);
  return [...groups.values()].map((members) => {
    const accumulator = createAggregate(aggregator, separator);
    const all = members.map((row) => row[2]!);
    const value = (id: number): Value => (id === 0 ? ERROR : valueOf(dataset.terms.termNow(id)));
    for (const id of distinct ? new Set(all) : all) accumulator.add(value(id));
    const result = accumulator.result();
    const id = result === undefined || result === ERROR ? 0 : dataset.terms.store(termOf(result));
    return [...keys.map((column) => members[0]![column]!), id];
  });
}

const INTEGERS = Array.from({ length: 30 }, (_, i) => typed(String((i - 10) * 1000), 'integer'));
const DECIMALS = ['0.5', '-3.25', '7.0', '0.0001', '13000.125'].map((value) => typed(value, 'decimal'));
const DATES = ['1969-12-31', '2024-02-29', '2000-01-01'].map((value) => typed(value, 'date'));
const LARGE = ['536870911', '-536870912', '9007199254740991', '01'].map((value) => typed(value, 'integer'));
const OTHERS = [literal('text'), typed('1.5e0', 'double'), namedNode('http://example.org/x'), typed('true', 'boolean')];

function randomRows(dataset: ArrayIdDataset, terms: readonly RDF.Term[], unbound: boolean, seed: number): Row[] {
  const random = randomNumbers(seed);
  const value = (): number => (unbound && random(20) === 0 ? 0 : dataset.terms.store(terms[random(terms.length)]!));
  return Array.from({ length: 1500 }, () => [random(60), random(5), value()]);
}

describe('Group', () => {
  const kinds: [string, RDF.Term[], boolean][] = [
    ['integers', INTEGERS, false],
    ['integers and decimals', [...INTEGERS, ...DECIMALS], false],
    ['decimals with integers too large to be inlined', [...INTEGERS, ...DECIMALS, ...LARGE], false],
    ['dates', DATES, false],
    ['terms of many kinds, some unbound', [...INTEGERS, ...DECIMALS, ...DATES, ...OTHERS], true],
    ['integers, some unbound', INTEGERS, true],
  ];
  it.each(kinds)('aggregates %s as one after the other would be', async (_, terms, unbound) => {
    const dataset = new ArrayIdDataset([], { misses: true });
    const rows = randomRows(dataset, terms, unbound, 6);
    for (const aggregator of AGGREGATORS) {
      for (const distinct of [false, true]) {
        const wanted = aggregate(aggregator, { distinct });
        const expected = naive(dataset, rows, [0, 1], wanted);
        expect(await group(dataset, rows, ['k', 'l'], [wanted]), `${aggregator} ${distinct}`).toEqual(expected);
        expect(await group(dataset, rows, [], [wanted])).toEqual(naive(dataset, rows, [], wanted));
      }
    }
  });

  it('compares by keys where an index has them', async () => {
    const random = randomNumbers(12);
    const when = (n: number): RDF.Literal => typed(new Date(1e12 + n * 1000).toISOString(), 'dateTime');
    const times = Array.from({ length: 9000 }, (_, n) => n).sort(() => random(3) - 1);
    const reads = async (family: number): Promise<{ readonly rows: Row[]; readonly read: number }> => {
      const dataset = new ArrayIdDataset();
      const ids = Uint32Array.from(times, (n) => dataset.terms.store(when(n)));
      const keys = Float64Array.from(times, (n) => 1e12 + n * 1000);
      const none = { ids: new Uint32Array(0), keys: new Float64Array(0) };
      const all = { ids, keys };
      const keyed = Object.assign(dataset, {
        countKeys: async (range: KeyRange) => (range.family === family ? ids.length : 0),
        keysBetween: async (range: KeyRange) => (range.family === family ? all : none),
      });
      const read = vi.spyOn(dataset, 'term');
      const rows = Array.from(ids, (id, n) => [n % 7, 1, id]);
      const wanted = [aggregate('min', { variable: 'least' }), aggregate('max', { variable: 'greatest' })];
      const found = await group(keyed, rows, ['k'], wanted);
      return { rows: found, read: read.mock.calls.length };
    };
    const byKeys = await reads(Family.zonedDateTimes);
    const byValues = await reads(-1);
    expect(byKeys.rows).toEqual(byValues.rows);
    expect(byValues.read).toBeGreaterThan(9000);
    expect(byKeys.read).toBeLessThan(6000);
  });

  it('streams groups that come sorted', async () => {
    const dataset = new ArrayIdDataset();
    const random = randomNumbers(7);
    const rows = Array.from({ length: 9000 }, (_, n) => [
      Math.floor(n / (1 + random(3))),
      3,
      inlineInteger(random(50)),
    ]);
    rows.sort((x, y) => x[0]! - y[0]!);
    const wanted = [
      aggregate('sum', { variable: 's' }),
      aggregate('count', { variable: 'c', distinct: true }),
      aggregate('group_concat', { variable: 't' }),
    ];
    const hashed = await group(dataset, rows, ['k'], wanted);
    expect(await group(dataset, rows, ['k'], wanted, ['k', 'v'])).toEqual(hashed);
    expect(hashed.length).toBeGreaterThan(2000);
  });

  it('counts rows, distinct rows and computed values', async () => {
    const dataset = new ArrayIdDataset();
    const one = inlineInteger(1);
    const rows = [
      [2, 1, one],
      [2, 1, one],
      [2, 0, 0],
      [3, 1, dataset.terms.store(literal('x'))],
    ];
    const wanted = [
      aggregate('count', { variable: 'all', expression: undefined }),
      aggregate('count', { variable: 'rows', expression: undefined, distinct: true }),
      aggregate('count', { variable: 'numbers', expression: negated }),
      aggregate('sum', { variable: 'sum', expression: negated }),
      aggregate('sample', { variable: 'sample', expression: negated }),
      aggregate('sum', { variable: 'once', expression: negated, distinct: true }),
    ];
    const number = inlineInteger;
    expect(await group(dataset, rows.slice(0, 2).concat(rows.slice(3)), ['k'], wanted)).toEqual([
      [2, number(2), number(1), number(2), number(-2), number(-1), number(-1)],
      [3, number(1), number(1), number(0), 0, 0, 0],
    ]);
    expect((await group(dataset, rows, ['k'], wanted))[0]!.slice(1, 4)).toEqual([number(3), number(2), number(2)]);
  });

  it('has one group of nothing without keys, none with keys', async () => {
    const dataset = new ArrayIdDataset();
    const wanted = AGGREGATORS.map((aggregator) => aggregate(aggregator, { variable: aggregator }));
    const zero = inlineInteger(0);
    const empty = dataset.terms.store(literal(''));
    expect(await group(dataset, [], [], wanted)).toEqual([[zero, zero, zero, 0, 0, 0, empty]]);
    expect(await group(dataset, [], ['k'], wanted)).toEqual([]);
  });

  it('groups by a key that no row has, and by none of several', async () => {
    const dataset = new ArrayIdDataset();
    const rows = [
      [1, 1, 0],
      [1, 2, 0],
      [0, 1, 0],
    ];
    const count = aggregate('count', { expression: undefined });
    expect(await group(dataset, rows, ['missing'], [count])).toEqual([[0, inlineInteger(3)]]);
    expect(await group(dataset, [], ['missing'], [count])).toEqual([]);
    expect(sortedText(await group(dataset, rows, ['k', 'missing'], [count]))).toEqual(
      sortedText([
        [0, 0, inlineInteger(1)],
        [1, 0, inlineInteger(2)],
      ]),
    );
  });

  it('keeps to the budget of memory', async () => {
    const dataset = new ArrayIdDataset();
    const random = randomNumbers(11);
    const long = dataset.terms.store(literal('x'.repeat(1000)));
    const input = rowsPlan(['k', 'l', 'v']);
    const execute = (rows: Row[], keys: string[], wanted: PlanAggregate): Promise<Row[]> => {
      const plan = { ...input, type: 'group', input, variables: [...keys, 'r'], keys, aggregates: [wanted] } as const;
      return rowsOf(new Group(plan, new RowsInput(rows, 3, 100), executionOn(dataset, { budgetBytes: 500_000 })));
    };
    const texts = Array.from({ length: 1000 }, () => [2, 2, long]);
    await expect(execute(texts, [], aggregate('group_concat'))).rejects.toThrow(/memory/);
    expect(await execute(texts, [], aggregate('count'))).toEqual([[inlineInteger(1000)]]);
    const many = Array.from({ length: 40_000 }, (_, n) => [n, n, random(100)]);
    await expect(execute(many, ['k'], aggregate('count'))).rejects.toThrow(/memory/);
  });
});
