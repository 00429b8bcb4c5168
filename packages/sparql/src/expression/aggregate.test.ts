/** The set functions: types, exactness, errors and empty groups. */
import { describe, expect, it } from 'vitest';
import { createAggregate, type Aggregator } from './aggregate.js';
import { evaluateValue, textOfValue } from './testing.js';
import { IntegerValue } from './values/value.js';

function aggregate(aggregator: Aggregator, values: readonly string[], separator?: string): string {
  const accumulator = createAggregate(aggregator, separator);
  for (const text of values) accumulator.add(evaluateValue(text));
  const result = accumulator.result();
  return result === undefined ? 'error' : textOfValue(result);
}

const ERROR = '1 / 0';
const cases: readonly (readonly [Aggregator, readonly string[], string])[] = [
  ['count', [], '"0"^^xsd:integer'],
  ['count', ['1', '"a"', ERROR, ':a'], '"3"^^xsd:integer'],
  ['sum', [], '"0"^^xsd:integer'],
  ['sum', ['1', '2', '3'], '"6"^^xsd:integer'],
  ['sum', ['1', '2.2'], '"3.2"^^xsd:decimal'],
  ['sum', ['1.0', '2.2', '3.5', '2.2', '2.2'], '"11.1"^^xsd:decimal'],
  ['sum', ['2.0E-1', '2.0E-1'], '"4.0E-1"^^xsd:double'],
  ['sum', ['"1"^^xsd:float', '1'], '"2.0E0"^^xsd:float'],
  ['sum', ['9007199254740991', '1', '1', '-1'], '"9007199254740992"^^xsd:integer'],
  ['sum', ['"5"^^xsd:byte'], '"5"^^xsd:integer'],
  ['sum', ['1', '"a"'], 'error'],
  ['sum', ['1', ERROR], 'error'],
  ['avg', [], '"0"^^xsd:integer'],
  ['avg', ['1', '2', '3'], '"2.0"^^xsd:decimal'],
  ['avg', ['1.0', '2.2', '3.5', '2.2', '2.2'], '"2.22"^^xsd:decimal'],
  ['avg', ['1', '2', '2'], '"1.666666666666666667"^^xsd:decimal'],
  ['avg', ['2.0E-1', '2.0E-1'], '"2.0E-1"^^xsd:double'],
  ['avg', ['1', ERROR], 'error'],
  ['avg', ['1', ':a'], 'error'],
  ['min', [], 'error'],
  ['min', ['2', '1.0', '1'], '"1.0"^^xsd:decimal'],
  ['min', ['"b"', '"a"'], '"a"'],
  ['min', ['1', ':a', '"x"'], '<http://example.org/a>'],
  ['min', ['1', ERROR], 'error'],
  ['max', ['1', '3.0E4', '2'], '"3.0E4"^^xsd:double'],
  ['max', ['"9"', '"10"'], '"9"'],
  ['max', ['1', '"x"', ':a'], '"x"'],
  ['max', [], 'error'],
  ['sample', [], 'error'],
  ['sample', [ERROR, '"01"^^xsd:integer'], '"01"^^xsd:integer'],
  ['group_concat', [], '""'],
  ['group_concat', ['"a"', '"b"@en', '1', ':c'], '"a b 1 http://example.org/c"'],
  ['group_concat', ['"a"', ERROR], 'error'],
  ['group_concat', ['"a"', 'bnode()'], 'error'],
];

describe('aggregates', () => {
  it.each(cases)('%s of %j is %s', (aggregator, values, expected) => {
    expect(aggregate(aggregator, values)).toBe(expected);
  });

  it('join with the separator that is asked for', () => {
    expect(aggregate('group_concat', ['"a"', '"b"', '"c"'], ', ')).toBe('"a, b, c"');
    expect(aggregate('group_concat', ['"a"', '"b"'], '')).toBe('"ab"');
  });

  it('tell their result in between, without losing anything', () => {
    const sum = createAggregate('sum');
    sum.add(new IntegerValue(1));
    expect(sum.result()).toMatchObject({ value: 1 });
    sum.add(new IntegerValue(2));
    expect(sum.result()).toMatchObject({ value: 3 });
  });

  it('do not depend on the order where numbers are exact', () => {
    const values = ['0.1', '9007199254740991', '5', '-9007199254740991', '0.2', '123456789012345678901234567890'];
    const expected = '"123456789012345678901234567895.3"^^xsd:decimal';
    expect(aggregate('sum', values)).toBe(expected);
    expect(aggregate('sum', [...values].reverse())).toBe(expected);
  });
});
