import { expect, test } from 'vitest';
import { CorruptionError } from '@quadrille/model';
import { ByteReader, ByteWriter, equalBytes, toHex } from './byte-codec.js';

test('golden bytes of varints', () => {
  const cases: [number, string][] = [
    [0, '00'],
    [127, '7f'],
    [128, '8001'],
    [300, 'ac02'],
    [0xffff_ffff, 'ffffffff0f'],
    [Number.MAX_SAFE_INTEGER, 'ffffffffffffff0f'],
  ];
  for (const [value, hex] of cases) {
    const bytes = new ByteWriter(1).varint(value).finish();
    expect(toHex(bytes)).toBe(hex);
    expect(new ByteReader(bytes).varint()).toBe(value);
  }
});

test('numbers and texts come back, little-endian', () => {
  const bytes = new ByteWriter(1)
    .u8(1)
    .u16(0x0203)
    .u32(0xf405_0607)
    .f64(-1.5)
    .text('é')
    .optionalText(undefined)
    .finish();
  expect(toHex(bytes)).toBe('010302070605f4000000000000f8bf02c3a900');
  const reader = new ByteReader(bytes);
  expect([reader.u8(), reader.u16(), reader.u32(), reader.f64(), reader.text(), reader.optionalText()]).toEqual([
    1,
    0x0203,
    0xf405_0607,
    -1.5,
    'é',
    undefined,
  ]);
  expect(reader.remaining).toBe(0);
  expect(() => reader.u8()).toThrow(CorruptionError);
});

test('equalBytes', () => {
  expect(equalBytes(Uint8Array.of(1, 2), Uint8Array.of(1, 2))).toBe(true);
  expect(equalBytes(Uint8Array.of(1, 2), Uint8Array.of(1, 3))).toBe(false);
  expect(equalBytes(Uint8Array.of(1), Uint8Array.of(1, 2))).toBe(false);
});
