import { blankNode, dataFactory, iri, literal, quad, XSD } from '@quadrille/model';
import { describe, expect, test } from 'vitest';
import { jsValue } from './js-value.js';

const typed = (text: string, type: string) => dataFactory.literal(text, iri(XSD + type));

describe('terms that are no literals', () => {
  test.each([
    [iri('http://example.org/a'), 'http://example.org/a'],
    [blankNode('b0'), '_:b0'],
    [quad(iri('urn:a'), iri('urn:b'), literal('c')), '<<( <urn:a> <urn:b> "c" )>>'],
  ])('%o', (term, value) => {
    expect(jsValue(term)).toBe(value);
  });
});

describe('literals', () => {
  test.each([
    ['text', 'string', 'text'],
    ['true', 'boolean', true],
    ['1', 'boolean', true],
    ['0', 'boolean', false],
    ['42', 'integer', 42],
    ['+042', 'integer', 42],
    ['-0', 'integer', 0],
    ['7', 'unsignedByte', 7],
    ['-3', 'nonPositiveInteger', -3],
    ['9007199254740992', 'integer', 2 ** 53],
    ['-9007199254740992', 'long', -(2 ** 53)],
    ['9007199254740993', 'integer', 2n ** 53n + 1n],
    ['-9007199254740993', 'long', -(2n ** 53n) - 1n],
    ['0.1', 'float', 0.1],
    ['INF', 'float', Infinity],
    ['1e400', 'float', Infinity],
    ['1.5E3', 'double', 1500],
    ['-INF', 'double', -Infinity],
    ['NaN', 'double', NaN],
    ['1.10', 'decimal', '1.10'],
    ['2026-11-25', 'date', '2026-11-25'],
    ['12:00:00Z', 'time', '12:00:00Z'],
    ['P1D', 'dayTimeDuration', 'P1D'],
    ['<b/>', 'anyType', '<b/>'],
    ['2026-11-25T10:00:00', 'dateTime', '2026-11-25T10:00:00'],
    ['2026-11-25T10:00:00Z', 'dateTimeStamp', '2026-11-25T10:00:00Z'],
    // Not in the lexical space of their type.
    ['abc', 'integer', 'abc'],
    ['256', 'unsignedByte', '256'],
    ['yes', 'boolean', 'yes'],
    ['2026-02-30T10:00:00Z', 'dateTime', '2026-02-30T10:00:00Z'],
    // No Date is so far away.
    ['300000-01-01T00:00:00Z', 'dateTime', '300000-01-01T00:00:00Z'],
  ])('"%s"^^xsd:%s', (text, type, value) => {
    expect(jsValue(typed(text, type))).toBe(value);
  });

  test.each([
    ['2026-11-25T10:00:00Z', '2026-11-25T10:00:00.000Z'],
    ['2026-11-25T10:00:00.5+01:00', '2026-11-25T09:00:00.500Z'],
    ['2026-11-25T10:00:00.1239999Z', '2026-11-25T10:00:00.123Z'],
    ['1969-12-31T23:59:59.9999Z', '1969-12-31T23:59:59.999Z'],
    ['2026-12-31T24:00:00-02:00', '2027-01-01T02:00:00.000Z'],
    ['-0044-03-15T12:00:00Z', '-000044-03-15T12:00:00.000Z'],
  ])('the dateTime %s is a Date', (text, iso) => {
    expect(jsValue(typed(text, 'dateTime'))).toEqual(new Date(iso));
  });

  test('with a language or of an own datatype: the lexical form', () => {
    expect(jsValue(dataFactory.literal('Haus', 'de'))).toBe('Haus');
    expect(jsValue(dataFactory.literal('x', iri('urn:own#dateTime')))).toBe('x');
  });
});
