import { beforeAll, describe, expect, test } from 'vitest';
import { toHex } from '../format/byte-codec.js';
import { loadDigest } from '../format/digest.js';
import { randomInts } from '../testing/fixture.js';
import { hashHigh, hashLow, hashTerm } from './hash.js';
import {
  encodeTermBlock,
  longLength,
  matchesEntry,
  readTripleEntry,
  storedEntry,
  termBlockEntries,
  termEntryEnd,
  termEntryStart,
  tripleEntry,
} from './term-block.js';
import { TermTable } from './term-table.js';

beforeAll(loadDigest);
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('golden bytes', () => {
  test('a block with a hole', () => {
    const block = encodeTermBlock([bytesOf('<a>'), new Uint8Array(0), bytesOf('"b"@en')]);
    expect(toHex(block)).toBe('0300' + '030000000600' + '3c613e' + '22622240656e');
    expect([...termBlockEntries(block)].map((entry) => new TextDecoder().decode(entry))).toEqual(['<a>', '', '"b"@en']);
    expect(termEntryStart(block, 0, 3)).toBe(0);
    expect(termEntryEnd).toBe(0);
  });

  test('a triple entry', () => {
    const entry = tripleEntry(2, 3, 0xa000_0001);
    expect(toHex(entry)).toBe('01' + '02000000' + '03000000' + '010000a0');
    expect(readTripleEntry(entry)).toEqual([2, 3, 0xa000_0001]);
  });

  test('a long entry', () => {
    const text = new Uint8Array(4097).fill(0x61);
    text[0] = text[4096] = 0x22;
    const entry = storedEntry(text);
    expect(toHex(entry)).toBe('02' + '01100000' + '12402045a8ff2df8aca9deb2cf66fedc');
    expect(longLength(entry)).toBe(4097);
    expect(matchesEntry(entry, text)).toBe(true);
    text[9] = 0x62;
    expect(matchesEntry(entry, text)).toBe(false);
    expect(storedEntry(text.subarray(1))).toEqual(text.subarray(1));
  });

  test('term hashes', () => {
    const hash = (text: string, seed: number): string => {
      const bytes = bytesOf(`..${text}`);
      hashTerm(bytes, 2, bytes.length, seed);
      return `${hashHigh.toString(16)} ${hashLow.toString(16)}`;
    };
    expect(hash('', 0)).toBe('e168b48f 10edca1d');
    expect(hash('<http://e/a>', 0)).toBe('c489426 db53a653');
    expect(hash('<http://e/a>', 12_345)).toBe('6bd28c02 191edbbb');
    expect(hash('"abcdefg"', 0xdead_beef)).toBe('b0df7239 43304dd1');
  });
});

describe('term table', () => {
  test('grows in entries and bytes; every text keeps its index', () => {
    const int = randomInts(3);
    const table = new TermTable(16);
    const known = new Map<string, number>();
    for (let i = 0; i < 5000; i++) {
      const text = `"${int(0, 3000)}${'x'.repeat(int(0, 40) ** 2 / 100)}"`;
      const bytes = bytesOf(text);
      hashTerm(bytes, 0, bytes.length, 1);
      const [high, low] = [hashHigh, hashLow];
      const found = table.find(bytes, 0, bytes.length, high, low);
      expect(found).toBe(known.get(text) ?? -1);
      if (found === -1) known.set(text, table.add(bytes, 0, bytes.length, high, low));
    }
    expect(table.size).toBe(known.size);
  });

  test('texts longer than a segment, and those around them, come back as they are', () => {
    const table = new TermTable(16);
    const texts = [10, 2 ** 20 - 5, 20, 3 * 2 ** 20 + 7, 30, 2 ** 20, 40, 2 ** 21].map((length, i) =>
      new Uint8Array(length).map((_, at) => (at * 31 + i) & 0xff),
    );
    for (const [i, text] of texts.entries()) expect(table.add(text, 0, text.length, i, i)).toBe(i);
    for (const [i, text] of texts.entries()) {
      expect(table.find(text, 0, text.length, i, i)).toBe(i);
      expect(Buffer.compare(table.text(i), text)).toBe(0);
    }
    expect(table.bytes).toBe(texts.reduce((sum, { length }) => sum + length, 0));
  });

  test('texts of one hash, and hashes of one slot, stay apart', () => {
    const table = new TermTable();
    for (let i = 0; i < 600; i++) {
      const bytes = bytesOf(`t${i}`);
      expect(table.find(bytes, 0, bytes.length, 7, 1024)).toBe(-1);
      table.add(bytes, 0, bytes.length, 7, 1024);
    }
    for (let i = 0; i < 600; i++) expect(table.find(bytesOf(`t${i}`), 0, bytesOf(`t${i}`).length, 7, 1024)).toBe(i);
    expect(table.find(bytesOf('t1'), 0, 2, 8, 1024)).toBe(-1);
    expect(table.find(bytesOf('t1'), 0, 1, 7, 1024)).toBe(-1);
  });
});
