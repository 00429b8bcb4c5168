import { describe, expect, test } from 'vitest';
import { randomInts } from '../testing/fixture.js';
import { inlineId, inlineText, isInline } from './inline.js';

const utf8 = new TextEncoder();
const typed = (value: string, datatype: string): string => `"${value}"^^<http://www.w3.org/2001/XMLSchema#${datatype}>`;

/** Returns the inline id of a text that has other bytes before and after it in the buffer. */
function idOf(text: string): number {
  const bytes = utf8.encode(`xx${text}yy`);
  return inlineId(bytes, 2, bytes.length - 2);
}

describe('the table of inline ids', () => {
  test.each([
    ['-536870912', 'integer', 0x8000_0000],
    ['-1', 'integer', 0x9fff_ffff],
    ['0', 'integer', 0xa000_0000],
    ['1', 'integer', 0xa000_0001],
    ['536870911', 'integer', 0xbfff_ffff],
    ['-13421.7727', 'decimal', 0xc000_0001],
    ['-0.0001', 'decimal', 0xc7ff_ffff],
    ['0.0', 'decimal', 0xc800_0000],
    ['1.0', 'decimal', 0xc800_2710],
    ['2.5', 'decimal', 0xc800_61a8],
    ['13421.7727', 'decimal', 0xcfff_ffff],
    ['0000-01-01', 'date', 0xd400_0000 - 719_528],
    ['1969-12-31', 'date', 0xd3ff_ffff],
    ['1970-01-01', 'date', 0xd400_0000],
    ['2000-02-29', 'date', 0xd400_0000 + 11_016],
    ['9999-12-31', 'date', 0xd400_0000 + 2_932_896],
    ['false', 'boolean', 0xd800_0000],
    ['true', 'boolean', 0xd800_0001],
  ])('%s as xsd:%s', (value, datatype, id) => {
    expect(idOf(typed(value, datatype))).toBe(id);
    expect(inlineText(id)).toBe(typed(value, datatype));
    expect(isInline(id)).toBe(true);
  });

  test.each([
    ...['01', '+1', '-0', '', '-', '1 ', ' 1', '1.0', '1e2', '536870912', '-536870913', '9999999999'].map((v) => [
      v,
      'integer',
    ]),
    ...[
      '1',
      '1.',
      '.5',
      '1.50',
      '1.00',
      '-0.0',
      '+1.0',
      '01.0',
      '0.00001',
      '13421.7728',
      '-13421.7728',
      '1.2.3',
      '1e0',
      '',
    ].map((v) => [v, 'decimal']),
    ...[
      '2001-02-29',
      '1900-02-29',
      '2001-13-01',
      '2001-00-01',
      '2001-01-00',
      '2001-04-31',
      '-0001-01-01',
      '10000-01-01',
    ].map((v) => [v, 'date']),
    ...['2001-01-01Z', '2001-01-01+01:00', '01-01-2001', ''].map((v) => [v, 'date']),
    ...['1', '0', 'TRUE', 'truex', 'falsey', 'tru', ''].map((v) => [v, 'boolean']),
    ...['int', 'long', 'double', 'string', 'dateTime', 'nonNegativeInteger'].map((type) => ['1', type]),
  ])('%j as xsd:%s is not inlined', (value, datatype) => {
    expect(idOf(typed(value!, datatype!))).toBe(0);
  });

  test('other texts are not inlined', () => {
    for (const text of [
      '',
      '"',
      '"1"',
      '<http://e/integer>',
      '_:b',
      '"1"@en',
      '"1"^^<http://e/XMLSchema#integer>',
      '1>',
      'r>',
    ]) {
      expect(idOf(text)).toBe(0);
    }
    expect(idOf('"x"^^<http://www.w3.org/2001/XMLSchemas#integer>')).toBe(0);
  });
});

describe('compare(encode) = compare(value)', () => {
  const int = randomInts(11);
  const compare = (texts: [string, number][]): void => {
    for (let i = 1; i < texts.length; i++) {
      const [[x, vx], [y, vy]] = [texts[i - 1]!, texts[i]!];
      const [ix, iy] = [idOf(x), idOf(y)];
      expect(isInline(ix)).toBe(true);
      expect(Math.sign(ix - iy)).toBe(Math.sign(vx - vy));
      expect(inlineText(ix)).toBe(x);
    }
  };
  test('integers', () => {
    const values = Array.from({ length: 500 }, () => int(-(2 ** int(1, 30)) / 2, 2 ** int(1, 30) / 2));
    compare(values.map((value) => [typed(String(value === 0 ? 0 : value), 'integer'), value]));
  });
  test('decimals', () => {
    const values = Array.from({ length: 500 }, () => int(-134_217_727, 134_217_728) / 10_000);
    compare(values.map((value) => [typed(Number.isInteger(value) ? `${value}.0` : String(value), 'decimal'), value]));
  });
  test('dates', () => {
    const values = Array.from({ length: 500 }, () => int(-719_528, 2_932_897));
    compare(values.map((value) => [typed(new Date(value * 86_400_000).toISOString().slice(0, 10), 'date'), value]));
  });
});

test('every inline id of a sample gives a text that gives the id', () => {
  const int = randomInts(12);
  const ranges = [[0x8000_0000, 0xc000_0000], [0xc000_0001, 0xd000_0000], [0xd400_0000 - 719_528, 0xd400_0000 + 2_932_897]]; // prettier-ignore
  for (const [low, high] of ranges) {
    for (let i = 0; i < 500; i++) {
      const id = int(low!, high!);
      expect(idOf(inlineText(id))).toBe(id);
    }
  }
});
