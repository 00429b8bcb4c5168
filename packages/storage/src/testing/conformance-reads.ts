/** Rules about reads: order, bounds, direction, limits, and one state per range. */

import { bytes, del, deleteRange, list, numberKey, put, show, text, write } from './conformance-tools.js';
import type { Rules } from './conformance-rule.js';

const ABC = [put('a', '1'), put('b', '2'), put('c', '3')];

export const readRules: Rules = {
  'get answers what was put, and undefined for what was not': async ({ engine, expect }) => {
    await write(engine, put('a', '1'));
    expect(show(await engine.get(text('a')))).toBe('1');
    expect(await engine.get(text('b'))).toBe(undefined);
    expect(await engine.get(text('aa'))).toBe(undefined);
  },
  'getSync answers as get, where there is one': async ({ engine, expect }) => {
    expect(engine.canGetSync).toBe(engine.capabilities.getSync);
    if (!engine.canGetSync) return;
    await write(engine, put('a', '1'));
    expect(show(engine.getSync(text('a')))).toBe('1');
    expect(engine.getSync(text('b'))).toBe(undefined);
  },
  'getMany answers in the order of the keys, repeated and absent ones too': async ({ engine, expect }) => {
    await write(engine, ...ABC);
    const values = await engine.getMany(['c', 'x', 'a', 'c'].map(text));
    expect(values.map(show)).toEqual(['3', undefined, '1', '3']);
    expect(await engine.getMany([])).toEqual([]);
  },
  'keys order as unsigned bytes, a prefix first': async ({ engine, expect }) => {
    const keys = [bytes(0), bytes(0, 0), bytes(0, 1), bytes(1), bytes(127), bytes(128), bytes(255), bytes(255, 255)];
    await write(engine, ...keys.toReversed().map((key) => put(key, 'v')));
    expect(await list(engine)).toEqual(keys.map((key) => `${show(key)}=v`));
  },
  'a range includes gte and excludes lt': async ({ engine, expect }) => {
    await write(engine, ...ABC);
    expect(await list(engine, { gte: text('a'), lt: text('c') })).toEqual(['a=1', 'b=2']);
    expect(await list(engine, { gte: text('b') })).toEqual(['b=2', 'c=3']);
    expect(await list(engine, { lt: text('b') })).toEqual(['a=1']);
    expect(await list(engine, { gte: text('aa'), lt: text('bb') })).toEqual(['b=2']);
  },
  'empty and crossed bounds': async ({ engine, expect }) => {
    await write(engine, ...ABC);
    expect(await list(engine, { gte: text('b'), lt: text('b') })).toEqual([]);
    expect(await list(engine, { gte: text('c'), lt: text('a') })).toEqual([]);
    expect(await list(engine, { lt: bytes() })).toEqual([]);
    expect(await list(engine, { gte: bytes() })).toEqual(['a=1', 'b=2', 'c=3']);
    expect(await list(engine, { gte: text('x') })).toEqual([]);
  },
  'reverse and limit': async ({ engine, expect }) => {
    await write(engine, ...ABC);
    expect(await list(engine, { reverse: true })).toEqual(['c=3', 'b=2', 'a=1']);
    expect(await list(engine, { reverse: true, gte: text('a'), lt: text('c') })).toEqual(['b=2', 'a=1']);
    expect(await list(engine, { limit: 2 })).toEqual(['a=1', 'b=2']);
    expect(await list(engine, { limit: 1, reverse: true, lt: text('c') })).toEqual(['b=2']);
    expect(await list(engine, { limit: 0 })).toEqual([]);
    expect(await list(engine, { limit: 9 })).toEqual(['a=1', 'b=2', 'c=3']);
  },
  'keys alone and values alone leave the other empty': async ({ engine, expect }) => {
    await write(engine, put('a', '1'), put('b', '2'));
    expect(await list(engine, {}, { read: 'keys' })).toEqual(['a=', 'b=']);
    expect(await list(engine, {}, { read: 'values' })).toEqual(['=1', '=2']);
  },
  'a range has the values that are wanted, and each other value or nothing': async ({ engine, expect }) => {
    // Large enough for a backend that keeps large values apart.
    const large = 'v'.repeat(4096);
    const count = 100;
    await write(engine, ...Array.from({ length: count }, (_, i) => put(numberKey(i), `${large}${i}`)));
    await write(engine, put(numberKey(3), 'small'));
    const valueOf = (i: number): string => (i === 3 ? 'small' : `${large}${i}`);
    let at = 0;
    for await (const chunk of engine.range({ wants: (key) => key.at(-1)! % 2 === 1 })) {
      for (const { key, value } of chunk) {
        expect(show(key)).toBe(show(numberKey(at)));
        if (at % 2 === 1 || value.length > 0) expect(show(value)).toBe(valueOf(at));
        at++;
      }
    }
    expect(at).toBe(count);
  },
  'a range over many entries misses and repeats none, forwards and backwards': async ({ engine, expect }) => {
    const count = 5000;
    for (let i = 0; i < count; i += 500) {
      await write(engine, ...Array.from({ length: 500 }, (_, j) => put(numberKey(i + j), numberKey(i + j))));
    }
    const expected = Array.from({ length: count }, (_, i) => `${show(numberKey(i))}=${show(numberKey(i))}`);
    expect(await list(engine)).toEqual(expected);
    expect(await list(engine, { reverse: true })).toEqual(expected.toReversed());
    expect(await list(engine, { limit: 2500 })).toEqual(expected.slice(0, 2500));
    const middle = { gte: numberKey(1234), lt: numberKey(4321) };
    expect(await list(engine, middle)).toEqual(expected.slice(1234, 4321));
    expect(await list(engine, { ...middle, reverse: true })).toEqual(expected.slice(1234, 4321).toReversed());
  },
  'a range sees one state while writes go on': async ({ engine, expect }) => {
    const count = 6000;
    await write(engine, ...Array.from({ length: count }, (_, i) => put(numberKey(i), 'old')));
    const seen: (string | undefined)[] = [];
    for await (const chunk of engine.range()) {
      seen.push(...chunk.map(({ value }) => show(value)));
      await write(engine, put(numberKey(count - 1), 'new'), del(numberKey(count - 2)), put(numberKey(count), 'new'));
      await write(engine, deleteRange('\0\0\x10', '\0\0\x12'));
    }
    expect(seen.length).toBe(count);
    expect(seen.every((value) => value === 'old')).toBe(true);
    expect(show(await engine.get(numberKey(count)))).toBe('new');
  },
  'what was read stays as it was': async ({ engine, expect }) => {
    await write(engine, put('a', '1'));
    const value = await engine.get(text('a'));
    const keys: string[] = [];
    for await (const chunk of engine.range()) {
      await write(engine, put('a', '2'));
      keys.push(...chunk.map((entry) => `${show(entry.key)}=${show(entry.value)}`));
    }
    expect(show(value)).toBe('1');
    expect(keys).toEqual(['a=1']);
  },
  'leaving a range closes it': async ({ engine, expect }) => {
    await write(engine, ...Array.from({ length: 3000 }, (_, i) => put(numberKey(i), 'v')));
    for await (const chunk of engine.range()) {
      expect(chunk.length > 0).toBe(true);
      expect(engine.openIterators).toBe(1);
      break;
    }
    expect(engine.openIterators).toBe(0);
  },
};
