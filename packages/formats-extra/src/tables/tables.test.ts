import { array, assert, constantFrom, integer, json, property, string, tuple } from 'fast-check';
import { expect, test } from 'vitest';
import { exactJson, numberText } from './exact-numbers.js';
import { DelimitedReader, JsonLinesReader, JsonTableReader, type TableReader } from './index.js';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** The rows of a document that is cut into chunks of a length. */
function rowsOf<Row>(reader: TableReader<Row>, document: Uint8Array, length = Infinity): Row[] {
  const rows: Row[] = [];
  for (let at = 0; at < document.length; at += length) rows.push(...reader.push(document.subarray(at, at + length)));
  rows.push(...reader.end());
  return rows;
}

function csv(
  text: string | Uint8Array,
  length?: number,
  delimiter = ',',
): { names: readonly string[]; rows: unknown[] } {
  let names: readonly string[] = [];
  const reader = new DelimitedReader({ source: 't.csv', delimiter, onHeader: (header) => void (names = header) });
  const rows = rowsOf(reader, typeof text === 'string' ? bytes(text) : text, length);
  return { names, rows };
}

test('quotes, byte order mark, line ends and empty lines, wherever chunks end', () => {
  const text = '\uFEFFid,"first, name"\r\n1,"Ann ""A"""\r\n\r\n2,"B\r\nö𝒳"\r\n3,\r\n';
  const rows = [
    ['1', 'Ann "A"'],
    ['2', 'B\r\nö𝒳'],
    ['3', ''],
  ];
  for (let length = 1; length < 60; length++) expect(csv(text, length)).toEqual({ names: ['id', 'first, name'], rows });
  expect(csv(text.trimEnd())).toMatchObject({ rows: rows.slice(0, 2).concat([['3', '']]) });
  expect(csv('a\tb\n1\t"x\ty"\n', 1, '\t')).toEqual({ names: ['a', 'b'], rows: [['1', 'x\ty']] });
  expect(csv('a,b\r1,2\r3,4').rows).toEqual([
    ['1', '2'],
    ['3', '4'],
  ]);
  expect(csv('a\n').rows).toEqual([]);
});

test('any cells that are written are read, in chunks of any length', () => {
  const cell = string({ unit: constantFrom('a', '"', ',', '\n', '\r', 'ö', '𝒳', ' ', '\uFEFF'), maxLength: 6 });
  const table = array(tuple(cell, cell, cell), { maxLength: 6 });
  const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
  const run = (rows: string[][], length: number): void => {
    const text = [['a', 'b', 'c'], ...rows].map((row) => `${row.map(quoted).join(',')}\n`).join('');
    // A line feed after a carriage return in quotes stays, and only the one before the end of a line goes.
    const expected = rows.map((row) => row.map((one, i) => (i === 2 && one.endsWith('\r') ? one.slice(0, -1) : one)));
    expect(csv(text, length).rows).toEqual(expected);
  };
  assert(property(table, integer({ min: 1, max: 40 }), run), { seed: 1 });
});

test.each([
  ['a,b\n1,2\n3\n', 't.csv:3: row 2: the row has one cell, and the table has 2 columns'],
  ['a,b\n1,"x\ny"\n3,4,5\n', 't.csv:4: row 2: the row has 3 cells, and the table has 2 columns'],
  ['a,b\n1,"2\n3,4\n', 't.csv:2: row 1, column "b": the quote is not closed'],
  ['a,b\n1,2\n"x"y,4\n', 't.csv:3: row 2, column "a": a quote inside a quoted cell has to be doubled: ""'],
  ['"a"b,c\n', 't.csv:1: row of names: a quote inside a quoted cell has to be doubled: ""'],
  ['', 't.csv: the table is empty: its first row has to name its columns'],
  ['\n\n', 't.csv: the table is empty: its first row has to name its columns'],
])('the error of %j says where', (text, message) => {
  for (const length of [Infinity, 1, 3])
    expect(() => csv(text, length)).toThrow(expect.objectContaining({ message, code: 'RDF_SYNTAX' }));
});

test('bytes that are not UTF-8: the error names row and column', () => {
  const document = new Uint8Array([...bytes('a,b\n1,ö\n2,x'), 0xff, ...bytes('y\n3,4\n')]);
  for (const length of [Infinity, 1, 5])
    expect(() => csv(document, length)).toThrow('t.csv:3: row 2, column "b": not UTF-8; iconv');
  const lines = new Uint8Array([...bytes('{"a":1}\n{"a":"'), 0xc3, ...bytes('"}\n')]);
  expect(() => rowsOf(new JsonLinesReader({ source: 't' }), lines)).toThrow('t:2: row 2: not UTF-8');
});

test('a row without an end is not held for ever', () => {
  const reader = new DelimitedReader({ delimiter: ',', onHeader: () => undefined });
  const push = (text: string): unknown[] => [...reader.push(bytes(text))];
  push('a\n"');
  const much = 'x'.repeat(8 * 1024 * 1024);
  expect(() => {
    for (let i = 0; i < 5; i++) push(much);
  }).toThrow(/^2: row 1: the row is longer than 33554432 characters: a quote may not be closed$/);
});

test('rows with other numbers of cells can be left out', () => {
  const faults: string[] = [];
  const reader = new DelimitedReader({
    delimiter: ',',
    onHeader: () => undefined,
    onFault: ({ line, reason }, text) => faults.push(`${String(line)} ${reason} ${text}`),
  });
  expect(rowsOf(reader, bytes('a,b\n1\n2,3\n4,5,6\n'))).toEqual([['2', '3']]);
  expect(faults).toEqual([
    '2 row 1: the row has one cell, and the table has 2 columns 1',
    '4 row 3: the row has 3 cells, and the table has 2 columns 4,5,6',
  ]);
});

test('JSON: an array of objects, one object, and one on each line', () => {
  const arrayOf = (text: string, length?: number): unknown[] =>
    rowsOf(new JsonTableReader({ source: 't' }), bytes(text), length);
  const lines = (text: string, length?: number): unknown[] =>
    rowsOf(new JsonLinesReader({ source: 't' }), bytes(text), length);
  const rows = [{ a: 'x' }, { b: [1, { c: null }] }];
  for (const length of [1, 7, Infinity]) {
    expect(arrayOf(JSON.stringify(rows), length)).toEqual(rows);
    expect(lines(`${rows.map((row) => JSON.stringify(row)).join('\r\n\n')}`, length)).toEqual(rows);
  }
  expect(arrayOf('{"a":1}')).toEqual([{ a: 1 }]);
  expect(arrayOf('[]')).toEqual([]);
  expect(lines('')).toEqual([]);
  const many = Array.from({ length: 20_000 }, (_, i) => ({ id: i }));
  expect(arrayOf(JSON.stringify(many), 50_000)).toEqual(many);
  expect(() => arrayOf('[{"a":1},2]')).toThrow('t: row 2: a row is an object, not 2');
  expect(() => arrayOf('[{"a":1},{"b":}]')).toThrow('t:1:15: not JSON: unexpected "}"');
  expect(() => arrayOf('')).toThrow('an empty document is no JSON');
  expect(() => lines('{"a":1}\n\n{"b":}\n')).toThrow('t:3: row 2: not JSON: unexpected "}"');
  expect(() => lines('{"a":1}\n[1]\n')).toThrow('t:2: row 2: a row is an object, not [1]');
});

test('numbers keep their text', () => {
  const text = '{"a":12345678901234567890,"b":1.10,"c":1e3,"d":"1.5 \\"2.5","e":[-0.0,7],"f1.5":1}';
  const value = exactJson(text) as Record<string, never>;
  const texts = [value['a'], value['b'], value['c'], value['e']![0], value['e']![1], value['f1.5']];
  expect(texts.map((one) => numberText(one!))).toEqual(['12345678901234567890', '1.10', '1e3', '-0.0', '7', '1']);
  expect(value['d']).toBe('1.5 "2.5');
  for (const wrong of ['[01.5]', '[1.]', '[.5]', '[1.5.2]', '[1.5 2]', '[-]', '{1.5:2}', '[1.5e]'])
    expect(() => exactJson(wrong), wrong).toThrow(SyntaxError);
  const back = (one: unknown): unknown => {
    const number = numberText(one as never);
    if (number !== undefined) return Number(number);
    if (Array.isArray(one)) return one.map(back);
    if (typeof one !== 'object' || one === null) return one;
    return Object.fromEntries(Object.entries(one).map(([key, item]) => [key, back(item)]));
  };
  const check = (one: string): void => {
    expect(back(exactJson(`[1.5,${one}]`))).toEqual([1.5, JSON.parse(one)]);
  };
  assert(property(json(), check), { seed: 1 });
});
