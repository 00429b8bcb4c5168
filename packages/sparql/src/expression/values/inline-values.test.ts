/** Ids and values agree with the terms between them. */
import { dataFactory, DECIMAL_ZERO, inlineInteger, INTEGER_LIMIT, INTEGER_ZERO, XSD } from '@quadrille/model';
import { describe, expect, it } from 'vitest';
import { ArrayIdDataset } from '../../testing/array-id-dataset.js';
import { randomNumbers } from '../../testing/operators.js';
import { idOfValue, valueOfId } from './inline-values.js';
import { DecimalValue, IntegerValue, termOf, valueOf, type Value } from './value.js';

const { terms } = new ArrayIdDataset();
const withoutTerm = (value: Value): object => ({ ...value, term: undefined });
const iri = (name: string) => dataFactory.namedNode(XSD + name);

describe('a value of an id', () => {
  const random = randomNumbers(7);
  const ids = [
    INTEGER_ZERO,
    INTEGER_ZERO - INTEGER_LIMIT,
    INTEGER_ZERO + INTEGER_LIMIT - 1,
    ...[0, 1, -1, 10, 10_000, -25_000, 12_340, 100_000, 2 ** 27 - 1, 1 - 2 ** 27].map(
      (scaled) => DECIMAL_ZERO + scaled,
    ),
    0xd800_0000,
    0xd800_0001,
    ...Array.from({ length: 500 }, () => INTEGER_ZERO + random(2 ** 20) - 2 ** 19),
    ...Array.from({ length: 500 }, () => DECIMAL_ZERO + random(2 ** 27) - 2 ** 26),
  ];

  it('is that of its term, and has its id', () => {
    for (const id of ids) {
      const term = terms.termNow(id);
      const value = valueOfId(id)!;
      expect(withoutTerm(value)).toEqual(withoutTerm(valueOf(term)));
      expect(idOfValue(value)).toBe(id);
      expect(termOf(value)).toEqual(term);
    }
  });

  it('is read from the term where no number or boolean is held', () => {
    for (const id of [1, 2, 0xd000_0000, 0xf000_0000]) expect(valueOfId(id)).toBeUndefined();
  });
});

it('the id of a computed value is that of its term', () => {
  const random = randomNumbers(8);
  for (let n = 0; n < 3000; n++) {
    const mantissa = (random(2) === 0 ? 1 : -1) * random(10 ** (1 + random(9))) * 10 ** random(5);
    const value = n % 3 === 0 ? new IntegerValue(mantissa) : new DecimalValue(mantissa, random(7));
    const id = idOfValue(value);
    if (id !== 0) expect(terms.termNow(id)).toEqual(termOf(value));
  }
  expect(idOfValue(new IntegerValue(-0))).toBe(INTEGER_ZERO);
  expect(idOfValue(new DecimalValue(-0, 2))).toBe(DECIMAL_ZERO);
  expect(idOfValue(new DecimalValue(5n * 10n ** 30n, 30))).toBe(0);
  expect(idOfValue(new IntegerValue(7, `${XSD}byte`))).toBe(0);
});

it('a value that was read keeps the text of its term', () => {
  for (const term of [dataFactory.literal('007', iri('integer')), dataFactory.literal('1', iri('boolean'))])
    expect(idOfValue(valueOf(term))).toBe(0);
  expect(idOfValue(valueOf(dataFactory.literal('2.50', iri('decimal'))))).toBe(0);
  expect(idOfValue(new IntegerValue(7))).toBe(inlineInteger(7));
});
