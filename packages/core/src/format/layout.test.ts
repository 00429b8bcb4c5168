import { expect, test } from 'vitest';
import { compareBytes } from '@quadrille/storage';
import { toHex } from './byte-codec.js';
import { afterPrefix, Area, areaKey, dataKey, putU32, readU32, Tag, tagRange, textKey } from './layout.js';

test('golden bytes of keys', () => {
  expect(toHex(dataKey(7, Tag.head))).toBe('100000000701');
  expect(toHex(dataKey(7, Tag.root))).toBe('100000000702');
  expect(toHex(dataKey(0x01020304, Tag.log, 0x05060708))).toBe('10010203040305060708');
  expect(toHex(dataKey(7, Tag.termBlock, 1, 2))).toBe('1000000007040000000100000002');
  expect(toHex(dataKey(7, Tag.termTail, 130))).toBe('10000000070500000082');
  expect(toHex(dataKey(7, Tag.longTerm, 5, 1))).toBe('1000000007060000000500000001');
  expect(toHex(dataKey(7, Tag.hashPage, 3, 0xff00_0000))).toBe('10000000070700000003ff000000');
  expect(toHex(dataKey(7, Tag.runMeta, 64, 0))).toBe('1000000007080000004000000000');
  expect(toHex(dataKey(7, Tag.block, 64, 9))).toBe('1000000007090000004000000009');
  expect(toHex(dataKey(7, Tag.statistics, 256, 0))).toBe('10000000070a0000010000000000');
  expect(toHex(dataKey(7, Tag.session, 65))).toBe('10000000070b00000041');
  expect(toHex(dataKey(7, Tag.garbage, 65))).toBe('10000000070c00000041');
  expect(toHex(textKey(dataKey(7, Tag.namespace), 'ex'))).toBe('10000000070d6578');
  expect(toHex(textKey(dataKey(7, Tag.tag), 'v1'))).toBe('10000000070e7631');
  expect(toHex(dataKey(7, Tag.dictionary))).toBe('10000000070f');
  expect(toHex(areaKey(Area.store))).toBe('01');
  expect(toHex(textKey(areaKey(Area.account), 'a'))).toBe('0261');
  expect(toHex(textKey(areaKey(Area.repository), 'a/r'))).toBe('03612f72');
  expect(toHex(textKey(areaKey(Area.accountNamespace), 'a\0ex'))).toBe('0461006578');
  expect(toHex(textKey(areaKey(Area.service), 'job/1'))).toBe('066a6f622f31');
});

test('keys order as their numbers', () => {
  const numbers = [0, 1, 0xff, 0x100, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff];
  const keys = numbers.map((number) => dataKey(number, Tag.log, number));
  for (let i = 1; i < keys.length; i++) expect(compareBytes(keys[i - 1]!, keys[i]!)).toBeLessThan(0);
  const bytes = new Uint8Array(6);
  for (const number of numbers) {
    putU32(bytes, 2, number);
    expect(readU32(bytes, 2)).toBe(number);
  }
});

test('a tag range holds every key of its tag and no other', () => {
  const { gte, lt } = tagRange(7, Tag.block);
  expect(toHex(gte)).toBe('100000000709');
  expect(toHex(lt)).toBe('10000000070a');
  expect(toHex(afterPrefix(Uint8Array.of(1, 0xff, 0xff)))).toBe('02');
  expect(toHex(afterPrefix(Uint8Array.of(0xff)))).toBe('ffffffffffffff');
});
