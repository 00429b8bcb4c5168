/** Terms to values and back. */
import { describe, expect, it } from 'vitest';
import { blankNode, defaultGraph, iri, literal, quad, XSD } from '@quadrille/model';
import { compileExpression } from '../compile.js';
import { effectiveBoolean } from './ebv.js';
import { evaluateBoolean, parseExpression, testContext } from '../testing.js';
import { ERROR, termOf, valueOf } from './value.js';

const typed = (text: string, type: string) => literal(text, iri(type.includes(':') ? type : XSD + type));

describe('valueOf and termOf', () => {
  it('give back the very term', () => {
    const terms = [
      iri('http://example.org/a'),
      blankNode('b'),
      literal('text'),
      literal('text', 'en'),
      literal('text', { language: 'ar', direction: 'rtl' }),
      typed('01', 'integer'),
      typed('1.50', 'decimal'),
      typed('1e0', 'double'),
      typed('1', 'boolean'),
      typed('2024-01-01T24:00:00+00:00', 'dateTime'),
      typed('P12M', 'duration'),
      typed('x', 'integer'),
      typed('x', 'http://example.org/type'),
      typed('5', 'byte'),
      quad(iri('http://example.org/a'), iri('http://example.org/p'), typed('01', 'integer')),
    ];
    for (const term of terms) expect(termOf(valueOf(term))).toBe(term);
  });

  it.each([
    ['integer', '12', 'integer'],
    ['integer', '1.0', 'other'],
    ['integer', '', 'other'],
    ['byte', '127', 'integer'],
    ['byte', '128', 'other'],
    ['unsignedLong', '18446744073709551615', 'integer'],
    ['unsignedLong', '18446744073709551616', 'other'],
    ['positiveInteger', '0', 'other'],
    ['decimal', '1e3', 'other'],
    ['double', '1e3', 'double'],
    ['double', 'Infinity', 'other'],
    ['double', '+INF', 'double'],
    ['double', '', 'other'],
    ['float', 'NaN', 'float'],
    ['boolean', 'TRUE', 'other'],
    ['dateTime', '2024-02-29T00:00:00', 'dateTime'],
    ['dateTime', '2023-02-29T00:00:00', 'other'],
    ['dateTime', '2016-12-31T23:59:60Z', 'other'],
    ['dateTime', '2024-01-01T24:00:01', 'other'],
    ['dateTime', '2024-01-01T00:00:00+14:01', 'other'],
    ['dateTime', '-0044-03-15T00:00:00', 'dateTime'],
    ['dateTime', '02024-01-01T00:00:00', 'other'],
    ['dateTime', '2024-01-01T12:60:00Z', 'other'],
    ['dateTime', '2024-01-01T12:30:0xZ', 'other'],
    ['dateTime', '2024-00-01T12:30:00', 'other'],
    ['dateTime', '2024-01-01 12:30:00', 'other'],
    ['dateTime', '2024-01-01T12:30:00z', 'other'],
    ['date', '2024-02-30Z', 'other'],
    ['date', '20x4-02-10', 'other'],
    ['date', '2024-02-29Z', 'date'],
    ['date', '-2024-02-29', 'date'],
    ['dateTimeStamp', '2024-01-01T00:00:00', 'other'],
    ['date', '2024-1-1', 'other'],
    ['gMonthDay', '--02-29', 'gMonthDay'],
    ['gMonthDay', '--02-30', 'other'],
    ['duration', 'P', 'other'],
    ['duration', 'P1YT', 'other'],
    ['dayTimeDuration', 'P1M', 'other'],
    ['yearMonthDuration', 'P1D', 'other'],
  ])('%s "%s" is %s', (type, text, kind) => {
    const value = valueOf(typed(text, type));
    expect(value.kind).toBe(kind);
    if (value.kind === 'other') expect(value.illFormed).toBe(true);
  });

  it('does not call an unknown datatype ill-formed', () => {
    expect(valueOf(typed('x', 'http://example.org/type'))).toMatchObject({ kind: 'other', illFormed: false });
  });

  it('has no value for what is not a term of the data', () => {
    expect(valueOf(defaultGraph())).toBe(ERROR);
    expect(() => termOf(ERROR)).toThrow('no term');
  });
});

describe('the effective boolean value', () => {
  it.each([
    ['true', true],
    ['"0"^^xsd:boolean', false],
    ['"z"^^xsd:boolean', undefined],
    ['"z"^^xsd:integer', undefined],
    ['""', false],
    ['"a"', true],
    ['"a"@en', undefined],
    ['0.0', false],
    ['"NaN"^^xsd:double', false],
    ['"-0"^^xsd:float', false],
    ['"INF"^^xsd:double', true],
    [':a', undefined],
    ['"2020-01-01T00:00:00Z"^^xsd:dateTime', undefined],
    ['1/0', undefined],
  ])('of %s is %s', (text, expected) => expect(evaluateBoolean(text)).toBe(expected));

  it('of an error is an error', () => expect(effectiveBoolean(ERROR)).toBeUndefined());
});

describe('compiled expressions', () => {
  it('say what they read, once', () => {
    const compiled = compileExpression(parseExpression('?b + ?a * ?b + ?none'), testContext(['a', 'b']));
    expect([...compiled.slots].sort()).toEqual([0, 1]);
    expect(compiled.volatile).toBe(false);
    expect(compiled.constant).toBeUndefined();
  });

  it.each(['rand()', 'uuid()', 'struuid()', 'bnode()', '1 + rand()'])('%s is volatile', (text) => {
    const compiled = compileExpression(parseExpression(text), testContext());
    expect(compiled.volatile).toBe(true);
    expect(compiled.constant).toBeUndefined();
  });

  it('fold constants', () => {
    const compiled = compileExpression(parseExpression('regex(concat("a", str(1 + 1)), "^a2$")'), testContext());
    expect(compiled.constant).toMatchObject({ kind: 'boolean', value: true });
  });

  it('put parameters in their places', () => {
    const context = { ...testContext(['p']), resolve: () => typed('5', 'integer') };
    expect(compileExpression(parseExpression('?p + ?p'), context).constant).toMatchObject({ value: 10 });
  });

  it('refuse unknown functions and the wrong number of arguments', () => {
    const compile = (text: string) => () => compileExpression(parseExpression(text), testContext());
    expect(compile('<http://example.org/unknown>(1)')).toThrow(
      expect.objectContaining({ name: 'UnknownFunction', iri: 'http://example.org/unknown' }),
    );
    expect(compile('xsd:integer(1, 2)')).toThrow(expect.objectContaining({ name: 'UnknownFunction', count: 2 }));
  });
});
