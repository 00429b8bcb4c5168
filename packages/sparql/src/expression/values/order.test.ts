/** The order of ORDER BY is total and agrees with `=` and `<`. */
import { describe, expect, it } from 'vitest';
import { compareForOrder } from './order.js';
import { compareText, equals, lessThan } from './compare.js';
import { evaluateValue } from '../testing.js';
import { valueOf, type Value } from './value.js';
import { blankNode } from '@quadrille/model';

/** Each line holds equal values; the lines stand in their order. */
const GROUPS: readonly (readonly string[])[] = [
  [':a'],
  [':b'],
  ['"z"^^:unknown'],
  ['"a"@en', '"a"@EN'],
  ['"a"@fr'],
  ['"b"@en'],
  ['false'],
  ['true', '"1"^^xsd:boolean'],
  ['"maybe"^^xsd:boolean'],
  ['"2024-01-01"^^xsd:date'],
  ['"2024-01-01Z"^^xsd:date', '"2024-01-01+00:00"^^xsd:date'],
  ['"2024-01-02"^^xsd:date'],
  ['"2023-12-31T22:00:00-04:00"^^xsd:dateTime', '"2024-01-01T02:00:00Z"^^xsd:dateTime'],
  ['"2024-01-01T03:00:00.5Z"^^xsd:dateTime'],
  ['"PT1S"^^xsd:dayTimeDuration'],
  ['"P1M"^^xsd:yearMonthDuration', '"P1M"^^xsd:duration'],
  ['"P1Y"^^xsd:yearMonthDuration', '"P12M"^^xsd:duration'],
  ['"NaN"^^xsd:double', '"NaN"^^xsd:float'],
  ['"-INF"^^xsd:double'],
  ['-1.5', '"-1.5"^^xsd:float'],
  ['0', '"-0"^^xsd:double', '0.0'],
  ['0.1', '0.1e0'],
  ['"0.1"^^xsd:float'],
  ['1', '1.0', '1e0', '"01"^^xsd:integer', '"1"^^xsd:byte'],
  ['9007199254740992', '9007199254740992e0'],
  ['9007199254740993'],
  ['1e300'],
  ['"INF"^^xsd:double', '"INF"^^xsd:float'],
  ['"x"^^xsd:integer'],
  ['"10"'],
  ['"9"'],
  ['"\\uFFFD"'],
  ['"\\U0001F600"'],
  ['<<( :s :a 999 )>>'],
  ['<<( :s :p -456 )>>'],
  ['<<( :s :p 123 )>>', '<<( :s :p 123.0 )>>'],
  ['<<( :s :p <<( :x :y :z )>> )>>'],
];

const ranked: readonly (readonly [Value | undefined, number])[] = [
  [undefined, -2] as const,
  [valueOf(blankNode('x')), -1] as const,
  ...GROUPS.flatMap((group, rank) => group.map((text) => [evaluateValue(text), rank] as const)),
];

describe('compareForOrder', () => {
  it('is the order of the table, both ways', () => {
    for (const [left, a] of ranked) {
      for (const [right, b] of ranked) expect(compareForOrder(left, right)).toBe(Math.sign(a - b));
    }
  });

  it('agrees with < where that is defined, and gives equal values no order but where promotion is not transitive', () => {
    for (const [left] of ranked) {
      for (const [right] of ranked) {
        if (left === undefined || right === undefined) continue;
        if (lessThan(left, right) === true) expect(compareForOrder(left, right)).toBe(-1);
        if (compareForOrder(left, right) !== 0 || left.kind === 'double' || left.kind === 'float') continue;
        expect(equals(left, right)).toBe(true);
      }
    }
  });

  it('sorts the same from any beginning', () => {
    const values = ranked.map(([value]) => value);
    const sorted = values.filter((value) => value !== undefined).sort(compareForOrder);
    const reversed = values
      .filter((value) => value !== undefined)
      .reverse()
      .sort(compareForOrder);
    for (const [index, value] of sorted.entries()) expect(compareForOrder(value, reversed[index])).toBe(0);
  });
});

it('texts go by code points, whichever of them have surrogates', () => {
  const texts = [
    '',
    'a',
    'ab',
    'a\ue000',
    'a\uffff',
    'a\u{10000}',
    'a\u{10000}b',
    'a\u{10ffff}',
    'b',
    '\ud7ff',
    '\ue000',
    '\u{1f600}',
  ];
  const points = (text: string): number[] => Array.from(text, (character) => character.codePointAt(0)!);
  const byPoints = (left: number[], right: number[]): number => {
    const at = left.findIndex((point, i) => point !== right[i]);
    return at === -1 ? left.length - right.length : left[at]! - (right[at] ?? -1);
  };
  for (const left of texts)
    for (const right of texts)
      expect(compareText(left, right), `${left} and ${right}`).toBe(Math.sign(byPoints(points(left), points(right))));
});
