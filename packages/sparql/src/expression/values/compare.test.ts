/** `=`, `<` and sameTerm, with the cases of the W3C suites expr-equals, open-world and type-promotion. */
import { describe, expect, it } from 'vitest';
import { equals, lessThan } from './compare.js';
import { sameTerm } from './same-term.js';
import { evaluateText, evaluateValue } from '../testing.js';
import { ERROR } from './value.js';

const show = (value: unknown): string => (value === ERROR ? 'error' : String(value));
const date = (text: string, type = 'dateTime'): string => `"${text}"^^xsd:${type}`;

describe('equals', () => {
  it.each([
    ['1', '"01"^^xsd:integer', true],
    ['1', '1.0', true],
    ['1', '1.0e0', true],
    ['"1"^^xsd:float', '1.0', true],
    ['0.1', '0.1e0', true],
    ['0.1', '"0.1"^^xsd:float', true],
    ['0.1e0', '"0.1"^^xsd:float', false],
    ['"5"^^xsd:byte', '"5"^^xsd:unsignedLong', true],
    ['9007199254740993', '9007199254740992', false],
    ['1', '"1"', false],
    ['1', 'true', false],
    ['1', ':a', false],
    ['"NaN"^^xsd:double', '"NaN"^^xsd:double', false],
    ['"INF"^^xsd:double', '"INF"^^xsd:float', true],
    ['"-0"^^xsd:double', '0', true],
    ['"xyz"', '"xyz"@en', false],
    ['"xyz"@en', '"xyz"@EN', true],
    ['"xyz"@en', '"xyz"@en--ltr', false],
    ['"xyz"@en', '"xyz"@fr', false],
    ['"xyz"', '"xyz"^^xsd:string', true],
    ['"xyz"', '"xyz"^^xsd:integer', 'error'],
    ['"xyz"', '"xyz"^^:unknown', 'error'],
    ['"xyz"@en', '"xyz"^^xsd:integer', false],
    ['"xyz"@en', '"xyz"^^:unknown', false],
    ['"xyz"^^xsd:integer', '"xyz"^^xsd:integer', true],
    ['"xyz"^^xsd:integer', '"abc"^^xsd:integer', 'error'],
    ['"xyz"^^:unknown', '"xyz"^^:unknown', true],
    ['"xyz"^^:unknown', '"abc"^^:unknown', 'error'],
    ['"xyz"^^:unknown', ':xyz', false],
    [':a', ':a', true],
    [':a', ':b', false],
    ['true', '"1"^^xsd:boolean', true],
    [date('2002-04-02T23:00:00-04:00'), date('2002-04-03T02:00:00-01:00'), true],
    [date('2002-04-02T23:00:00'), date('2002-04-02T23:00:00+06:00'), 'error'],
    [date('2002-04-02T23:00:00'), date('2002-04-05T23:00:00Z'), false],
    [date('1999-12-31T24:00:00'), date('2000-01-01T00:00:00'), true],
    [date('2008-04-01T00:00:00.00Z'), date('2008-04-01T00:00:00Z'), true],
    [date('2006-08-23', 'date'), date('2006-08-23Z', 'date'), 'error'],
    [date('2006-08-23', 'date'), date('2006-08-23T09:00:00+01:00'), false],
    [date('24:00:00', 'time'), date('00:00:00', 'time'), true],
    [date('P1Y', 'yearMonthDuration'), date('P12M', 'duration'), true],
    [date('P0M', 'yearMonthDuration'), date('PT0S', 'dayTimeDuration'), true],
    [date('P1M', 'duration'), date('P30D', 'duration'), false],
    ['<<( :a :b 123 )>>', '<<( :a :b 123.0 )>>', true],
    ['<<( :a :b 123 )>>', '<<( :a :b 9 )>>', false],
    ['<<( :a :b "x"^^:t )>>', '<<( :a :b "y"^^:t )>>', 'error'],
    ['<<( :a :b "x"^^:t )>>', '<<( :a :c "y"^^:t )>>', false],
    ['<<( :a :b 1 )>>', ':a', false],
  ])('%s = %s is %s, either way round', (left, right, expected) => {
    const [a, b] = [evaluateValue(left), evaluateValue(right)];
    expect(show(equals(a, b))).toBe(String(expected));
    expect(show(equals(b, a))).toBe(String(expected));
    const negated = expected === 'error' ? 'error' : `"${String(!expected)}"^^xsd:boolean`;
    expect(evaluateText(`${left} != ${right}`)).toBe(negated);
  });
});

describe('lessThan', () => {
  it.each([
    ['1', '1.5', true],
    ['-1', '"NaN"^^xsd:double', false],
    ['"a"', '"b"', true],
    ['"\\uFFFD"', '"\\U0001F600"', true],
    ['"a"', '"a"', false],
    ['"a"@en', '"b"@en', 'error'],
    ['1', '"2"', 'error'],
    [':a', ':b', 'error'],
    ['false', 'true', true],
    [date('2006-08-22', 'date'), date('2006-08-23Z', 'date'), true],
    [date('2006-08-22', 'date'), date('2006-08-22Z', 'date'), 'error'],
    [date('2006-08-22', 'date'), date('2006-08-23T00:00:00'), 'error'],
    [date('2024-01-01T00:00:00+02:00'), date('2024-01-01T00:00:00Z'), true],
    [date('2024-01-01T00:00:00.1Z'), date('2024-01-01T00:00:00.11Z'), true],
    [date('-0002', 'gYear'), date('-0001', 'gYear'), true],
    [date('P1Y', 'yearMonthDuration'), date('P13M', 'yearMonthDuration'), true],
    [date('PT36H', 'dayTimeDuration'), date('P2D', 'dayTimeDuration'), true],
    [date('P1Y', 'duration'), date('P2Y', 'duration'), 'error'],
    ['"x"^^xsd:integer', '1', 'error'],
  ])('%s < %s is %s', (left, right, expected) => {
    expect(show(lessThan(evaluateValue(left), evaluateValue(right)))).toBe(String(expected));
  });

  it.each([
    ['1 <= 1.0', 'true'],
    ['1 >= 2', 'false'],
    ['"NaN"^^xsd:double <= "NaN"^^xsd:double', 'false'],
    ['"NaN"^^xsd:float >= 1', 'false'],
    ['"a" >= "a"', 'true'],
    ['"b" > "a"', 'true'],
    ['1.5 > 1', 'true'],
    ['9007199254740993 > 9007199254740992', 'true'],
  ])('%s is %s', (text, expected) => expect(evaluateText(text)).toBe(`"${expected}"^^xsd:boolean`));
});

describe('sameTerm', () => {
  it.each([
    ['1', '"01"^^xsd:integer', false],
    ['1', '1.0', false],
    ['1', '1', true],
    ['"1"^^xsd:int', '1', false],
    ['1 + 1', '2', true],
    ['"a"@en', '"a"@EN', true],
    ['"a"@en', '"a"@en--rtl', false],
    ['"x"^^:t', '"x"^^:t', true],
    ['"x"^^:t', '"x"^^:u', false],
    [':a', 'iri("http://example.org/a")', true],
    ['"http://example.org/a"', ':a', false],
    ['"NaN"^^xsd:double', '"NaN"^^xsd:double', true],
    ['<<( :a :b 1 )>>', '<<( :a :b 1.0 )>>', false],
    ['<<( :a :b 1 )>>', 'triple(:a, :b, 1)', true],
  ])('of %s and %s is %s', (left, right, expected) => {
    expect(sameTerm(evaluateValue(left), evaluateValue(right))).toBe(expected);
    expect(evaluateText(`sameTerm(${left}, ${right})`)).toBe(`"${expected}"^^xsd:boolean`);
  });
});
