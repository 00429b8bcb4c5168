import { expect, test } from 'vitest';
import { scrollTopOf, windowOf } from '../ui/virtual-rows.js';
import { arranged } from './arrange.js';
import { RowStore } from './row-store.js';
import { parseTerm, shortened, written } from './term.js';

const encoder = new TextEncoder();

function storeOf(text: string, size = 7): RowStore {
  const store = new RowStore(1_000_000);
  const bytes = encoder.encode(text);
  for (let at = 0; at < bytes.length; at += size) store.append(bytes.subarray(at, at + size));
  store.finish();
  return store;
}

test('rows are found however the bytes are cut', () => {
  const text = '?a\t?b\n<urn:x>\t"ü✓"@de\n\t5\r\n"last"\t';
  for (let size = 1; size < 20; size++) {
    const store = storeOf(text, size);
    expect(store.columns).toEqual(['a', 'b']);
    expect([store.rows, store.shown]).toEqual([3, 3]);
    expect([0, 1, 2].map((row) => store.cells(row))).toEqual([
      ['<urn:x>', '"ü✓"@de'],
      ['', '5'],
      ['"last"', ''],
    ]);
  }
});

test('a full store takes no more, and keeps what it has', () => {
  const store = new RowStore(70_000);
  expect(store.append(encoder.encode('?a\n'))).toBe(true);
  const line = encoder.encode(`"${'x'.repeat(997)}"\n`);
  let taken = 0;
  while (store.append(line)) taken++;
  expect(taken).toBe(69);
  expect(store.rows).toBe(69);
  expect(store.cells(68)[0]).toHaveLength(999);
});

test('more lines than the index begins with', () => {
  const store = storeOf(`?n\n${Array.from({ length: 5000 }, (_, n) => String(n)).join('\n')}`, 999);
  expect(store.rows).toBe(5000);
  expect(store.cells(4999)).toEqual(['4999']);
});

test('filters in any case and sorts as SPARQL does', () => {
  const store = storeOf(
    '?a\t?b\n10\t"Zeta"\n9\t"alpha"@en\n\t<urn:z>\n"10.5"^^<http://www.w3.org/2001/XMLSchema#decimal>\t_:b\n',
  );
  const order = (column: number, descending = false, filter = '') =>
    [...(arranged(store, { filter, column, descending }) ?? [])].join();
  expect(arranged(store, { filter: '', column: -1, descending: false })).toBeUndefined();
  expect(order(0)).toBe('2,1,0,3');
  expect(order(0, true)).toBe('3,0,1,2');
  expect(order(1)).toBe('3,2,1,0');
  expect(order(-1, false, 'ALPHA')).toBe('1');
  store.arrange(arranged(store, { filter: 'z', column: -1, descending: false }));
  expect([store.shown, store.rows]).toEqual([2, 4]);
  expect(store.cells(1)).toEqual(['', '<urn:z>']);
});

test.each([
  ['', { kind: 'unbound', value: '' }],
  ['<urn:a\\u0020b>', { kind: 'iri', value: 'urn:a b' }],
  ['_:b1', { kind: 'blank', value: '_:b1' }],
  ['"a\\tb\\n\\"c\\" \\\\ \\U0001F600"', { kind: 'literal', value: 'a\tb\n"c" \\ 😀' }],
  ['"x"@en-GB', { kind: 'literal', value: 'x', language: 'en-GB' }],
  ['"x"@ar--rtl', { kind: 'literal', value: 'x', language: 'ar', direction: 'rtl' }],
  ['"x"^^<urn:d>', { kind: 'literal', value: 'x', datatype: 'urn:d' }],
  ['5', { kind: 'literal', value: '5', datatype: 'http://www.w3.org/2001/XMLSchema#integer' }],
  ['<<( <urn:a> <urn:b> "c" )>>', { kind: 'triple', value: '<<( <urn:a> <urn:b> "c" )>>' }],
  ['"\\U00FFFFFF"', { kind: 'literal', value: '\ufffd' }],
  ['junk "', { kind: 'literal', value: 'junk "' }],
])('the cell %s', (cell, term) => {
  expect(parseTerm(cell)).toEqual(term);
});

test('a term is written as it was read', () => {
  for (const text of ['<urn:a>', '"a\\"\\\\\\nb"', '"x"@en', '"x"@ar--rtl', '"1"^^<urn:d>', '_:b']) {
    expect(written(parseTerm(text))).toBe(text);
  }
});

test('the longest prefix wins, and only simple names are shortened', () => {
  const namespaces = { a: 'urn:a:', ab: 'urn:a:b/' };
  expect(shortened('urn:a:b/c', namespaces)).toBe('ab:c');
  expect(shortened('urn:a:b', namespaces)).toBe('a:b');
  expect(shortened('urn:a:b/c/d', namespaces)).toBeUndefined();
  expect(shortened('javascript:alert(1)', namespaces)).toBeUndefined();
});

test('few rows have their height each; millions share what browsers can draw', () => {
  expect(windowOf(10, 0, 280)).toEqual({ from: 0, to: 10, height: 280, offset: 0 });
  const middle = windowOf(100_000, 1_400_000, 280);
  expect([middle.from, middle.offset, middle.height]).toEqual([49_988, 49_988 * 28, 2_800_000]);
  const rows = 5_000_000;
  const last = windowOf(rows, 14_000_000 - 280, 280);
  expect(last.height).toBe(14_000_000);
  expect(last.to).toBe(rows);
  for (const row of [0, 1, 2_500_000, rows - 10]) {
    const { from, to } = windowOf(rows, scrollTopOf(row, rows, 280), 280);
    expect(from).toBeLessThanOrEqual(row);
    expect(to).toBeGreaterThan(row);
  }
});
