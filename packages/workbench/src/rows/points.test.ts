import { describe, expect, test } from 'vitest';
import { chartOf, secondsOf } from './points.js';
import { parseTerm } from './term.js';

const XSD = 'http://www.w3.org/2001/XMLSchema#';
const date = (value: string, type = 'date'): string => `"${value}"^^<${XSD}${type}>`;

const sourceOf = (columns: string[], rows: string[][]) => ({
  columns,
  shown: rows.length,
  cells: (place: number) => rows[place]!,
});

describe('the columns that a chart shows', () => {
  const rows = [
    ['<urn:b>', '2', date('2020-01-02'), '7'],
    ['<urn:a>', '1', date('2020-01-01'), ''],
    ['<urn:a>', '', date('2020-01-03'), '"x"'],
  ];

  test('counts stand last, dates go before texts and numbers', () => {
    const { columns, x, y, form } = chartOf(sourceOf(['name', 'n', 'day', 'mixed'], rows), {});
    expect(columns.map(({ kind }) => kind)).toEqual(['text', 'number', 'date', 'text']);
    expect([x.index, y?.index, form]).toEqual([2, 1, 'lines']);
  });

  test('what the user chooses wins', () => {
    const source = sourceOf(['name', 'n', 'day', 'mixed'], rows);
    expect(chartOf(source, { x: 0 })).toMatchObject({ x: { index: 0 }, form: 'bars' });
    expect(chartOf(source, { x: -1, form: 'points' })).toMatchObject({ x: { index: -1 }, form: 'points' });
    // A column without numbers cannot stand for the values.
    expect(chartOf(source, { y: 99 })).toMatchObject({ y: { index: 1 } });
  });

  test('without numbers there is nothing to draw', () => {
    expect(chartOf(sourceOf(['a', 'b'], [['<urn:a>', '"b"']]), {})).toMatchObject({ y: undefined, points: { xs: [] } });
    expect(chartOf(sourceOf([], []), {})).toMatchObject({ y: undefined });
    expect(chartOf(sourceOf(['n'], [['5'], ['6']]), {})).toMatchObject({ x: { index: -1 }, points: { ys: [5, 6] } });
  });
});

describe('the points of a chart', () => {
  test('texts keep the order of the rows; rows without a number are counted', () => {
    const rows = [
      ['<urn:b>', '2'],
      ['', '3'],
      ['"a"', ''],
      ['"c"', '4e1'],
      ['"d"', '"5"'],
    ];
    const { points, form } = chartOf(sourceOf(['name', 'n'], rows), { y: 1 });
    expect(points).toEqual({ xs: [0, 1, 2], ys: [2, 3, 40], names: ['<urn:b>', '', '"c"'], left: 2 });
    expect(form).toBe('bars');
  });

  test('numbers and dates are sorted; several values at one place are no line', () => {
    const source = sourceOf(
      ['a', 'b'],
      [
        ['3', '1'],
        ['1', '2'],
        ['2', `"INF"^^<${XSD}double>`],
      ],
    );
    expect(chartOf(source, {}).points).toMatchObject({ xs: [1, 3], ys: [2, 1], left: 1 });
    expect(chartOf(source, {}).form).toBe('lines');
    expect(
      chartOf(
        sourceOf(
          ['a', 'b'],
          [
            ['1', '1'],
            ['1', '2'],
          ],
        ),
        {},
      ).form,
    ).toBe('points');
  });

  test('very many rows are cut, names sooner than numbers', () => {
    const many = {
      columns: ['a', 'n'],
      shown: 100_000,
      cells: (place: number) => [`"${String(place)}"`, String(place)],
    };
    expect(chartOf(many, {})).toMatchObject({ rows: 300, form: 'bars' });
    expect(chartOf(many, { x: -1 }).points.ys).toHaveLength(20_000);
  });
});

test.each([
  [date('1970-01-02'), 86_400],
  [date('1970-01-01T01:00:00+01:00', 'dateTime'), 0],
  [date('1970-01-01T00:00:01.5', 'dateTime'), 1.5],
  [date('1970-01-01T00:00:00-00:30', 'dateTime'), 1800],
  [date('1971', 'gYear'), 31_536_000],
  [date('1970-02', 'gYearMonth'), 31 * 86_400],
  [date('0044-03-15'), Date.parse('0044-03-15') / 1000],
  [date('-0043', 'gYear'), Date.parse('-000043-01-01') / 1000],
  [date('yesterday'), undefined],
  ['"1970-01-01"', undefined],
  ['1970', undefined],
])('the time of %s', (cell, seconds) => {
  expect(secondsOf(parseTerm(cell))).toBe(seconds);
});
