import { describe, expect, test } from 'vitest';
import { toHex } from '../../format/byte-codec.js';
import { randomInts } from '../../testing/fixture.js';
import { bitWidth, pack, packedWords, unpackAdd, unpackOne } from './bit-pack.js';
import type { FoundRows, RowColumns } from './block-codec.js';
import {
  blockBounds,
  blockRows,
  decodeColumn,
  decodeRows,
  encodeBlock,
  findEqual,
  groupStart,
  isBlock,
  newRowColumns,
} from './block-codec.js';

function columnsOf(values: readonly (readonly number[])[], rows: number): RowColumns {
  const columns = newRowColumns(rows);
  for (const [i, column] of values.entries()) columns[i]!.set(column);
  return columns;
}

const hexOf = (values: readonly (readonly number[])[], rows: number): string =>
  toHex(encodeBlock(columnsOf(values, rows), 0, rows));

const upTo = (rows: number, value: (row: number) => number): number[] =>
  Array.from({ length: rows }, (_, row) => value(row));

describe('golden bytes', () => {
  test('bit-packed numbers', () => {
    const words = new Uint32Array(4);
    expect(pack(Uint32Array.of(1, 2, 3, 0x1ffff, 0), 5, 17, words, 0)).toBe(3);
    expect(toHex(new Uint8Array(words.buffer))).toBe('010004000c00f8ff0f00000000000000');
  });

  test('a block of one row: every column constant', () => {
    expect(hexOf([[5], [6], [7], [1], [2], [0xffff_ffff]], 1)).toBe(
      '01060100' + // version 1, six columns, one row
        '0200000002000000ffffffffffffffff' + // bounds of from and to
        '0000000005000000' +
        '0000000006000000' +
        '0000000007000000' +
        '0000000001000000' +
        '0000000002000000' +
        '00000000ffffffff',
    );
  });

  test('a partial group as offsets (also of 32 bits), ascending and zigzag', () => {
    const columns = [
      [10, 11, 13, 10000], // ascending would need as many bits: offsets
      [100, 100, 5, 100], // offsets
      [7, 7, 7, 7], // constant
      [0, 0xffff_ffff, 0, 0xffff_ffff], // zigzag: a step of -1 and one of 1 modulo 2^32
      [1_000_000, 1_000_100, 1_000_050, 1_000_150], // offsets
      [9, 9, 9, 9],
    ];
    expect(hexOf(columns, 4)).toBe(
      '0106040040420f00d6420f000900000009000000' +
        '1100000100000000' +
        '1500000100000000' +
        '0000000007000000' +
        '1800000100000000' +
        '1b00000100000000' +
        '0000000009000000' +
        '0a0000001300000e0040003000189c00' +
        '0500000017000007df2fe00b' +
        '000000001a00008264000000' +
        '40420f001d00000800643296',
    );
  });

  test('two groups, ascending', () => {
    const hex = hexOf([upTo(130, (row) => 1000 * row)], 130);
    expect(hex.slice(0, 8)).toBe('01068200');
    expect(hex.slice(40, 56)).toBe('1100000100000000');
    // Directory: base 0, ascending, 10 bits, data at word 21; base 128000, offsets of 10 bits at word 61.
    expect(hex.slice(17 * 8, 21 * 8)).toBe('000000001500004a00f401003d00000a');
    expect(hex.slice(21 * 8, 22 * 8)).toBe('00a08f3e');
    expect(hex.length).toBe(62 * 8);
  });

  test('offsets of full 32 bits', () => {
    const words = decoded([upTo(4, (row) => [0xffff_ffff, 0x7fff_ffff, 0, 0x8000_0001][row]!)], 4);
    expect(words).toBe(true);
  });
});

function decoded(values: readonly (readonly number[])[], rows: number): boolean {
  const columns = columnsOf(values, rows);
  const bytes = encodeBlock(columns, 0, rows);
  const words = new Uint32Array(bytes.buffer);
  expect(isBlock(words, 0)).toBe(true);
  expect(blockRows(words, 0)).toBe(rows);
  const groups = Math.ceil(rows / 128);
  const out = new Uint32Array(groups * 128);
  for (let column = 0; column < 6; column++) {
    decodeColumn(words, 0, column, 0, groups, out);
    expect(out.subarray(0, rows)).toEqual(columns[column]);
    for (let group = 0; group < groups; group++) {
      expect(groupStart(words, 0, column, group)).toBe(columns[column]![group * 128]);
      decodeColumn(words, 0, column, group, group + 1, out);
      const end = Math.min(rows, group * 128 + 128);
      expect(out.subarray(0, end - group * 128)).toEqual(columns[column]!.subarray(group * 128, end));
    }
  }
  return true;
}

test('random rows come back, whole and group by group', () => {
  const int = randomInts(1);
  for (let round = 0; round < 60; round++) {
    const rows = [1, 2, 127, 128, 129, 2047, 2048][round % 7]!;
    const shapes = [
      (): number => int(0, 2 ** 32),
      (row: number): number => row * 7,
      (row: number): number => 4_000_000_000 + ((row * 37) % 50),
      (): number => int(0, 2) * 0xffff_ffff,
      (): number => 3,
      (row: number): number => (row % 128 === 0 ? int(0, 2 ** 32) : 5),
    ];
    const values = Array.from({ length: 6 }, () => upTo(rows, shapes[int(0, shapes.length)]!));
    decoded(values, rows);
    const words = new Uint32Array(encodeBlock(columnsOf(values, rows), 0, rows).buffer);
    expect(blockBounds(words, 0)).toEqual({
      minFrom: Math.min(...values[4]!),
      maxFrom: Math.max(...values[4]!),
      minTo: Math.min(...values[5]!),
      maxTo: Math.max(...values[5]!),
    });
  }
});

test('rows of a group come back without the others, as far as their encoding allows', () => {
  const rows = 128 + 72;
  const columns = columnsOf(
    [
      upTo(rows, () => 7),
      upTo(rows, (row) => 1000 + row * 3), // ascending
      upTo(rows, (row) => 1000 + (row % 2) * 5), // offsets
      upTo(rows, (row) => 50_000 + ((row * 7) % 11) * (row % 3 === 0 ? 1 : -1)), // offsets or zigzag
      upTo(rows, (row) => 100_000 - row), // zigzag
      upTo(rows, () => 0xffff_ffff),
    ],
    rows,
  );
  const words = new Uint32Array(encodeBlock(columns, 0, rows).slice().buffer);
  const out = new Uint32Array(128);
  const firsts = columns.map((column, place) => {
    out.fill(0);
    const first = decodeRows(words, 0, place, 1, 20, 61, out);
    expect(out.subarray(first, 61)).toEqual(column.subarray(128 + first, 128 + 61));
    expect(out.subarray(61).every((value) => value === 0)).toBe(true);
    return first;
  });
  expect([firsts[0], firsts[1], firsts[2], firsts[4], firsts[5]]).toEqual([20, 0, 20, 0, 20]);
});

test('bit packing of every width', () => {
  const int = randomInts(2);
  for (let bits = 0; bits <= 32; bits++) {
    const values = Uint32Array.from({ length: 131 }, () => (bits === 0 ? 0 : int(0, 2 ** bits)));
    values[7] = bits === 0 ? 0 : 2 ** bits - 1;
    const words = new Uint32Array(packedWords(131, bits) + 2);
    expect(pack(values, 131, bits, words, 1)).toBe(1 + packedWords(131, bits));
    const out = new Uint32Array(131);
    unpackAdd(words, 1, bits, 131, 9, out, 0);
    for (let i = 0; i < 131; i++) {
      expect(out[i]).toBe((values[i]! + 9) >>> 0);
      expect(unpackOne(words, 1, bits, i)).toBe(values[i]);
    }
  }
  expect([0, 1, 255, 256, 0xffff_ffff].map(bitWidth)).toEqual([0, 1, 8, 9, 32]);
});

describe('rows are found without decoding their group', () => {
  const random = randomInts(11);
  const sorted = (rows: number, below: number, least = 0): number[] =>
    upTo(rows, () => random(least, least + below)).sort((a, b) => a - b);
  test.each([
    ['few values', sorted(300, 7, 50)],
    ['one value', upTo(300, () => 5)],
    ['one value in each group', upTo(300, (row) => row >> 7)],
    ['ascending by one', upTo(300, (row) => 1000 + row)],
    ['far apart', sorted(300, 0xffff_ffff)],
    ['the largest', [...upTo(298, (row) => row), 0xffff_fffe, 0xffff_ffff]],
    ['a group that is not full', sorted(130, 40)],
  ])('%s', (_, values) => {
    const rows = values.length;
    const other = upTo(rows, (row) => (row % 2) * 1000);
    const block = new Uint32Array(
      encodeBlock(columnsOf([values, other, other, other, other, other], rows), 0, rows).slice().buffer,
    );
    const wrong: unknown[] = [];
    for (let group = 0; group * 128 < rows; group++) {
      const own = values.slice(group * 128, group * 128 + 128);
      const ids = new Set([
        ...own,
        ...own.map((id) => id + 1),
        ...own.map((id) => Math.max(0, id - 1)),
        0,
        0xffff_ffff,
      ]);
      for (const [start, end] of [
        [0, own.length],
        [3, own.length],
        [0, 1],
        [1, 2],
        [1, 1],
      ] as const) {
        for (const id of ids) {
          if (id > 0xffff_ffff) continue;
          const found: FoundRows = { start, end };
          findEqual(block, 0, 0, group, id, found);
          const some = own.slice(start, end);
          const first = start + some.filter((value) => value < id).length;
          const last = first + some.filter((value) => value === id).length;
          if (found.start !== first || found.end !== last) wrong.push({ id, from: start, to: end, ...found });
        }
      }
    }
    expect(wrong).toEqual([]);
  });

  test('rows that ascend only among those that are equal before', () => {
    const first = upTo(128, (row) => row >> 5);
    const second = upTo(128, (row) => (row & 31) * 3);
    const other = upTo(128, (row) => row * 7);
    const block = new Uint32Array(
      encodeBlock(columnsOf([first, second, other, other, other, other], 128), 0, 128).slice().buffer,
    );
    for (let id = 0; id < 100; id++) {
      const found: FoundRows = { start: 64, end: 96 };
      findEqual(block, 0, 1, 0, id, found);
      const start = 64 + Math.min(32, Math.ceil(id / 3));
      expect(found, String(id)).toEqual({ start, end: start + (id % 3 === 0 && id < 96 ? 1 : 0) });
    }
  });
});
