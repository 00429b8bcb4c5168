import { expect, test } from 'vitest';
import { BlockCache, MISS } from './block-cache.js';
import type { ValueSource } from './block-cache.js';
import { randomInts } from '../testing/fixture.js';

const CAPACITY = 4 * 1024 * 1024;

/** A value that its source and index determine. */
function valueOf(source: number, index: number): Uint8Array {
  const int = randomInts(source * 1_000_003 + index);
  const length = int(0, 20) === 0 ? int(0, 700_000) : int(0, 50_000);
  const value = new Uint8Array(length);
  for (let i = 0; i < length; i += 61) value[i] = int(0, 256);
  return value;
}

function check(cache: BlockCache, offset: number, expected: Uint8Array): void {
  expect(cache.lengthAt(offset)).toBe(expected.length);
  expect(Buffer.compare(cache.bytes.subarray(offset, offset + expected.length), expected)).toBe(0);
}

test('what find returns is always the right value, over many laps of the ring', async () => {
  const cache = new BlockCache(0);
  expect(cache.capacityBytes).toBe(CAPACITY);
  expect(cache.bytes.length).toBeLessThan(CAPACITY);
  const reads = new Map<number, number>();
  const sources = [true, false].map((sync): ValueSource => {
    const id = cache.newSource();
    const read = (index: number): Uint8Array => {
      reads.set(id, (reads.get(id) ?? 0) + 1);
      return valueOf(id, index);
    };
    return { id, readSync: (index) => (sync ? read(index) : undefined), read: async (indexes) => indexes.map(read) };
  });
  const int = randomInts(5);
  for (let step = 0; step < 6000; step++) {
    const source = sources[int(0, 2)]!;
    const index = int(0, 10) === 0 ? 2 ** 24 - 1 - int(0, 5) : int(0, 400);
    let offset = cache.find(source, index);
    if (offset === MISS) {
      expect(source).toBe(sources[1]);
      await cache.fetch(source, [index]);
      offset = cache.find(source, index);
    }
    check(cache, offset, valueOf(source.id, index));
    expect(offset % 16).toBe(0);
  }
  expect(cache.hits).toBeGreaterThan(200);
  expect(reads.get(sources[0]!.id)).toBeGreaterThan(500);
});

test('the newest values stay until the slab is full, oldest out first', () => {
  const cache = new BlockCache(0);
  const read: number[] = [];
  const source: ValueSource = {
    id: cache.newSource(),
    readSync: (index) => {
      read.push(index);
      return new Uint8Array(1024 * 1024 - 16).fill(index);
    },
    read: async () => [],
  };
  for (const index of [0, 1, 2, 3, 0, 1, 2, 3]) cache.find(source, index);
  expect(read).toEqual([0, 1, 2, 3]);
  cache.find(source, 4);
  for (const index of [1, 2, 3, 4]) expect(cache.bytes[cache.find(source, index)]).toBe(index);
  expect(read).toEqual([0, 1, 2, 3, 4]);
  cache.find(source, 0);
  expect(read).toEqual([0, 1, 2, 3, 4, 0]);
  cache.find(source, 1);
  expect(read.at(-1)).toBe(1);
});

test('a value that can never fit is an error, one that just fits is not', () => {
  const cache = new BlockCache(0);
  const source = (length: number): ValueSource => ({
    id: cache.newSource(),
    readSync: () => new Uint8Array(length).fill(9),
    read: async () => [],
  });
  expect(() => cache.find(source(CAPACITY), 0)).toThrow(expect.objectContaining({ code: 'CHECKSUM' }));
  const small = source(100);
  cache.find(small, 0);
  const whole = source(CAPACITY - 16);
  const offset = cache.find(whole, 0);
  expect(cache.bytes[offset + CAPACITY - 17]).toBe(9);
  expect(cache.lengthAt(cache.find(small, 0))).toBe(100);
});

test('values that came in meanwhile are not put in twice', async () => {
  const cache = new BlockCache(0);
  const source: ValueSource = {
    id: cache.newSource(),
    readSync: () => undefined,
    read: async (all) => all.map((i) => Uint8Array.of(i)),
  };
  expect(cache.find(source, 3)).toBe(MISS);
  await Promise.all([cache.fetch(source, [3, 4]), cache.fetch(source, [4, 3])]);
  const [three, four] = [cache.find(source, 3), cache.find(source, 4)];
  expect([cache.bytes[three], cache.bytes[four]]).toEqual([3, 4]);
  expect(Math.max(three, four)).toBeLessThan(64);
});
