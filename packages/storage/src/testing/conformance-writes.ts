/** Rules about writes: batches, range deletion, preconditions, large and unusual values. */

import { MAX_KEY_BYTES, MAX_VALUE_BYTES } from '../contract.js';
import { bytes, del, deleteRange, errorCode, list, numberKey, put, show, text, write } from './conformance-tools.js';
import type { Rules } from './conformance-rule.js';

export const writeRules: Rules = {
  'put replaces, delete removes, deleting what is absent does nothing': async ({ engine, expect }) => {
    await write(engine, put('a', '1'), put('b', '2'));
    await write(engine, put('a', '3'), del('b'), del('x'));
    expect(await list(engine)).toEqual(['a=3']);
  },
  'the last operation of a batch on a key wins': async ({ engine, expect }) => {
    await write(engine, put('a', '1'), del('a'), put('b', '1'), put('b', '2'), del('c'), put('c', '3'));
    expect(await list(engine)).toEqual(['b=2', 'c=3']);
  },
  'so it does with values that a backend keeps apart, and for ever': async ({ engine, expect }) => {
    const large = (character: string): string => character.repeat(2000);
    const ops = [
      put('a', large('1')),
      put('a', large('2')),
      put('b', large('3')),
      del('b'),
      put('b', large('4')),
      put('c', large('5')),
      deleteRange('c', 'd'),
      put('c', large('6')),
      put('d', large('7')),
      put('d', 'small'),
      put('e', 'small'),
      put('e', large('8')),
    ];
    await write(engine, ...ops);
    // Without a use, what is kept apart is deleted.
    for (let i = 0; i < 3; i++) await engine.compact();
    const left = [`a=${large('2')}`, `b=${large('4')}`, `c=${large('6')}`, 'd=small', `e=${large('8')}`];
    expect(await list(engine)).toEqual(left);
    await write(engine, ...ops, del('b'));
    for (let i = 0; i < 3; i++) await engine.compact();
    expect(await list(engine)).toEqual(left.filter((entry) => !entry.startsWith('b')));
  },
  'an empty batch is applied': async ({ engine, expect }) => {
    expect(await engine.write([], { durable: true })).toBe('ok');
  },
  'deleteRange includes gte and excludes lt': async ({ engine, expect }) => {
    await write(engine, put('a', '1'), put('b', '2'), put('bb', '2'), put('c', '3'));
    await write(engine, deleteRange('b', 'c'));
    expect(await list(engine)).toEqual(['a=1', 'c=3']);
    await write(engine, deleteRange('c', 'a'), deleteRange('c', 'c'));
    expect(await list(engine)).toEqual(['a=1', 'c=3']);
  },
  'deleteRange removes what the batch put before it and not what it puts after': async ({ engine, expect }) => {
    await write(engine, put('a', '1'));
    await write(engine, put('b', '1'), deleteRange('a', 'd'), put('c', '1'), put('a', '2'));
    expect(await list(engine)).toEqual(['a=2', 'c=1']);
  },
  'deleteRange over many keys': async ({ engine, expect }) => {
    await write(engine, ...Array.from({ length: 3000 }, (_, i) => put(numberKey(i), 'v')));
    await engine.write([{ type: 'deleteRange', gte: numberKey(1), lt: numberKey(2999) }], { durable: false });
    expect(await list(engine)).toEqual(['00000000=v', '00000bb7=v']);
  },
  'a precondition on a value': async ({ engine, expect }) => {
    await write(engine, put('head', '1'));
    const swap = (from: string, to: string) =>
      engine.write([put('head', to), put(to, 'x')], {
        durable: false,
        precondition: { key: text('head'), value: text(from) },
      });
    expect(await swap('0', '2')).toBe('conflict');
    expect(await list(engine)).toEqual(['head=1']);
    expect(await swap('1', '2')).toBe('ok');
    expect(await list(engine)).toEqual(['2=x', 'head=2']);
    expect(engine.state).toBe('open');
  },
  'a precondition on absence': async ({ engine, expect }) => {
    const create = () =>
      engine.write([put('head', '1')], { durable: true, precondition: { key: text('head'), value: undefined } });
    expect(await create()).toBe('ok');
    expect(await create()).toBe('conflict');
    const emptyExpected = { durable: false, precondition: { key: text('none'), value: bytes() } };
    expect(await engine.write([put('none', '1')], emptyExpected)).toBe('conflict');
  },
  'of many writers with the same precondition one wins': async ({ engine, expect }) => {
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        engine.write([put('head', numberKey(i))], {
          durable: false,
          precondition: { key: text('head'), value: undefined },
        }),
      ),
    );
    expect(outcomes.filter((outcome) => outcome === 'ok').length).toBe(1);
  },
  'batches are applied in the order of the calls': async ({ engine, expect }) => {
    await Promise.all(Array.from({ length: 50 }, (_, i) => write(engine, put('last', numberKey(i)))));
    expect(await engine.get(text('last'))).toEqual(numberKey(49));
  },
  'readers see a batch whole, key by key in order': async ({ engine, expect }) => {
    await write(engine, put('a', '0'), put('b', '0'));
    const writing = (async () => {
      for (let i = 1; i <= 50; i++) await write(engine, put('a', numberKey(i)), put('b', numberKey(i)));
    })();
    for (let i = 0; i < 50; i++) {
      const [a, b] = await list(engine);
      expect(a?.slice(2)).toBe(b?.slice(2));
    }
    await writing;
  },
  'empty values, and keys and values of every byte': async ({ engine, expect }) => {
    const every = Uint8Array.from({ length: 256 }, (_, i) => i);
    await write(
      engine,
      put('empty', bytes()),
      put(bytes(0), bytes(0)),
      put(bytes(255, 255), bytes(255)),
      put(every, every),
    );
    expect(await engine.get(text('empty'))).toEqual(bytes());
    expect(await engine.get(bytes(0))).toEqual(bytes(0));
    expect(await engine.get(bytes(255, 255))).toEqual(bytes(255));
    expect(await engine.get(every)).toEqual(every);
  },
  'the longest key and value are kept, longer ones are refused': async ({ engine, expect }) => {
    const key = new Uint8Array(MAX_KEY_BYTES).fill(255);
    const value = Uint8Array.from({ length: MAX_VALUE_BYTES }, (_, i) => i * 7);
    await write(engine, put(key, value));
    expect(await engine.get(key)).toEqual(value);
    expect((await list(engine)).length).toBe(1);
    const refused = [
      put(new Uint8Array(MAX_KEY_BYTES + 1), 'v'),
      put(bytes(), 'v'),
      put('k', new Uint8Array(MAX_VALUE_BYTES + 1)),
    ];
    for (const op of refused) expect(await errorCode(() => write(engine, put('x', '1'), op))).toBe('STORAGE_LIMIT');
    expect(await engine.get(text('x'))).toBe(undefined);
    expect(engine.state).toBe('open');
  },
  'a batch of a megabyte is applied whole': async ({ engine, expect }) => {
    const value = new Uint8Array(16 * 1024).fill(7);
    const ops = Array.from({ length: 64 }, (_, i) => put(numberKey(i), value));
    expect(await engine.write(ops, { durable: true })).toBe('ok');
    expect((await list(engine, {}, { read: 'keys' })).length).toBe(64);
    expect(await engine.get(numberKey(63))).toEqual(value);
  },
  'the caller may reuse its arrays once it is answered': async ({ engine, expect }) => {
    const key = text('key');
    const value = text('value');
    await write(engine, put(key, value));
    key.fill(0);
    value.fill(0);
    expect(show(await engine.get(text('key')))).toBe('value');
  },
};
