/** Casts, with the table of the W3C suite sparql11/cast. */
import { describe, expect, it } from 'vitest';
import { literal } from '@quadrille/model';
import { evaluateText } from '../testing.js';

const cases: readonly (readonly [string, string])[] = [
  ['xsd:boolean("true")', '"true"^^xsd:boolean'],
  ['xsd:boolean(" 1 ")', '"true"^^xsd:boolean'],
  ['xsd:boolean("0.0")', 'error'],
  ['xsd:boolean("0"^^xsd:boolean)', '"false"^^xsd:boolean'],
  ['xsd:boolean(-2.5)', '"true"^^xsd:boolean'],
  ['xsd:boolean(0E1)', '"false"^^xsd:boolean'],
  ['xsd:boolean("NaN"^^xsd:double)', '"false"^^xsd:boolean'],
  ['xsd:integer("13")', '"13"^^xsd:integer'],
  ['xsd:integer("+013")', '"13"^^xsd:integer'],
  ['xsd:integer("1.5")', 'error'],
  ['xsd:integer("1E0")', 'error'],
  ['xsd:integer(-7.875)', '"-7"^^xsd:integer'],
  ['xsd:integer(-0.5)', '"0"^^xsd:integer'],
  ['xsd:integer(1e20)', '"100000000000000000000"^^xsd:integer'],
  ['xsd:integer("INF"^^xsd:double)', 'error'],
  ['xsd:integer("5"^^xsd:byte)', '"5"^^xsd:integer'],
  ['xsd:integer(true)', '"1"^^xsd:integer'],
  ['xsd:integer(:a)', 'error'],
  ['xsd:integer("5"@en)', 'error'],
  ['xsd:decimal("+33.3300")', '"33.33"^^xsd:decimal'],
  ['xsd:decimal("1E0")', 'error'],
  ['xsd:decimal(1.25e0)', '"1.25"^^xsd:decimal'],
  ['xsd:decimal(1e25)', '"10000000000000000000000000.0"^^xsd:decimal'],
  ['xsd:decimal(1e-25)', '"0.0000000000000000000000001"^^xsd:decimal'],
  ['xsd:decimal("NaN"^^xsd:float)', 'error'],
  ['xsd:decimal(false)', '"0.0"^^xsd:decimal'],
  ['xsd:double("-10.2E3")', '"-1.02E4"^^xsd:double'],
  ['xsd:double("INF")', '"INF"^^xsd:double'],
  ['xsd:double("Infinity")', 'error'],
  ['xsd:double(true)', '"1.0E0"^^xsd:double'],
  ['xsd:double("0.1"^^xsd:float)', '"1.0000000149011612E-1"^^xsd:double'],
  ['xsd:float("16777217")', '"1.6777216E7"^^xsd:float'],
  ['xsd:float(0.1)', '"1.0E-1"^^xsd:float'],
  ['xsd:float(1e300)', '"INF"^^xsd:float'],
  ['xsd:string(:a)', '"http://example.org/a"'],
  ['xsd:string("  a ")', '"  a "'],
  ['xsd:string("0"^^xsd:boolean)', '"false"'],
  ['xsd:string(1.0)', '"1"'],
  ['xsd:string(-2.50)', '"-2.5"'],
  ['xsd:string(1E0)', '"1"'],
  ['xsd:string(-7.875e0)', '"-7.875"'],
  ['xsd:string(999999e0)', '"999999"'],
  ['xsd:string(1000000e0)', '"1.0E6"'],
  ['xsd:string(0.000001e0)', '"0.000001"'],
  ['xsd:string(0.0000001e0)', '"1.0E-7"'],
  ['xsd:string("-0"^^xsd:double)', '"-0"'],
  ['xsd:string("0.1"^^xsd:float)', '"0.1"'],
  ['xsd:string("2024-01-01T00:00:00.000Z"^^xsd:dateTime)', '"2024-01-01T00:00:00Z"'],
  ['xsd:string("x"@en)', '"x"'],
  ['xsd:string(bnode())', 'error'],
  ['xsd:dateTime("2002-10-10T17:00:00Z")', '"2002-10-10T17:00:00Z"^^xsd:dateTime'],
  ['xsd:dateTime("2002-10-10"^^xsd:date)', '"2002-10-10T00:00:00"^^xsd:dateTime'],
  ['xsd:dateTime("2002-10-10")', 'error'],
  ['xsd:dateTime(5)', 'error'],
  ['xsd:dateTime("2002-10-10T17:00:00Z"^^xsd:dateTimeStamp)', '"2002-10-10T17:00:00Z"^^xsd:dateTime'],
  ['xsd:date("2002-10-10T17:00:00-05:00"^^xsd:dateTime)', '"2002-10-10-05:00"^^xsd:date'],
  ['xsd:date("17:00:00"^^xsd:time)', 'error'],
  ['xsd:time("2002-10-10T17:00:00.5Z"^^xsd:dateTime)', '"17:00:00.5Z"^^xsd:time'],
  ['xsd:time("2002-10-10"^^xsd:date)', 'error'],
  ['xsd:gYear("2002-10-10"^^xsd:date)', '"2002"^^xsd:gYear'],
  ['xsd:gYearMonth("2002-10-10T17:00:00Z"^^xsd:dateTime)', '"2002-10Z"^^xsd:gYearMonth'],
  ['xsd:gMonthDay("2004-02-29"^^xsd:date)', '"--02-29"^^xsd:gMonthDay'],
  ['xsd:gMonth("--05")', '"--05"^^xsd:gMonth'],
  ['xsd:gDay("2002-10-31"^^xsd:date)', '"---31"^^xsd:gDay'],
  ['xsd:gDay("2002-10-31"^^xsd:date) = "---31"^^xsd:gDay', '"true"^^xsd:boolean'],
  ['xsd:dayTimeDuration("P1Y2M3DT4H"^^xsd:duration)', '"P3DT4H"^^xsd:dayTimeDuration'],
  ['xsd:yearMonthDuration("P1Y2M3DT4H"^^xsd:duration)', '"P1Y2M"^^xsd:yearMonthDuration'],
  ['xsd:dayTimeDuration("P1Y"^^xsd:yearMonthDuration)', '"PT0S"^^xsd:dayTimeDuration'],
  ['xsd:byte(300)', 'error'],
  ['xsd:byte("12")', '"12"^^xsd:byte'],
  ['xsd:unsignedInt(-1)', 'error'],
  ['xsd:positiveInteger(1.9)', '"1"^^xsd:positiveInteger'],
];

describe('casts', () => {
  it.each(cases)('%s is %s', (text, expected) => expect(evaluateText(text)).toBe(expected));

  it.each([
    ['spaces', ` ${' '.repeat(200_000)}x`],
    ['zeros', `1.${'0'.repeat(200_000)}1`],
    ['digits', '9'.repeat(200_000)],
  ])('read long %s in no time', (_, text) => {
    const start = performance.now();
    for (const type of ['boolean', 'integer', 'decimal', 'dateTime', 'duration']) {
      expect(evaluateText(`xsd:${type}(?text)`, { text: literal(text) })).toBe('error');
    }
    expect(performance.now() - start).toBeLessThan(500);
  });
});
