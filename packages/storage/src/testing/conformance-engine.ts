/** Rules about the lifecycle of a store: reopening, checksums, sizes, closed states. */

import type { Bytes, WriteOp } from '../contract.js';
import type { StorageEngine } from '../engine.js';
import { bytes, errorCode, list, numberKey, put, show, text, write } from './conformance-tools.js';
import type { RuleContext, Rules } from './conformance-rule.js';
import { seededRandom } from './random.js';

export function engineRules(persistent: boolean): Rules {
  return persistent ? { ...lifeRules, ...persistenceRules } : lifeRules;
}

const lifeRules: Rules = {
  'a flipped bit is found by every kind of read': async ({ engine, driver, expect }) => {
    await write(engine, put('a', 'value'), put('b', 'value'));
    for (const at of [0, 1, 4, 5, 9]) {
      const intact = (await driver.get(text('a')))!;
      await driver.write([{ type: 'put', key: text('a'), value: flipped(intact, at) }], { durable: false });
      await expectCorrupt({ engine, expect });
      await driver.write([{ type: 'put', key: text('a'), value: intact.slice() }], { durable: false });
    }
    expect(show(await engine.get(text('a')))).toBe('value');
  },
  'a value under the key of another is found, and a value cut short': async ({ engine, driver, expect }) => {
    await write(engine, put('b', 'value'));
    const foreign = (await driver.get(text('b')))!.slice();
    for (const value of [foreign, foreign.slice(0, 7), foreign.slice(0, 3), bytes()]) {
      await driver.write([{ type: 'put', key: text('a'), value }], { durable: false });
      await expectCorrupt({ engine, expect });
    }
  },
  'sizes grow with the data and are zero for nothing': async ({ engine, expect }) => {
    expect(await engine.approximateSize({ gte: text('a'), lt: text('a') })).toBe(0);
    await write(engine, ...Array.from({ length: 500 }, (_, i) => put(numberKey(i), new Uint8Array(1000).fill(i))));
    // Some backends do not count data that are still in their log.
    await engine.compact();
    const all = await engine.approximateSize();
    const half = await engine.approximateSize({ lt: numberKey(250) });
    expect(all > 0).toBe(true);
    expect(half <= all).toBe(true);
    if (!engine.capabilities.sizeOnDisk) expect(all >= 500_000 && half >= 250_000).toBe(true);
    expect((await list(engine, {}, { read: 'keys' })).length).toBe(500);
  },
  'a limit that is no natural number is refused': async ({ engine, expect }) => {
    for (const limit of [-1, 1.5, NaN]) expect(await errorCode(() => list(engine, { limit }))).toBe('INVALID_OPTION');
  },
  'a closed engine refuses everything; closing again does nothing': async ({ engine, expect }) => {
    await write(engine, put('a', '1'));
    await engine.close();
    await engine.close();
    expect(engine.state).toBe('closed');
    expect(engine.canGetSync).toBe(false);
    const calls = [
      () => engine.get(text('a')),
      () => engine.getSync(text('a')),
      () => engine.getMany([text('a')]),
      () => list(engine),
      () => write(engine, put('a', '2')),
      () => engine.approximateSize(),
      () => engine.compact(),
      () => engine.recover(),
    ];
    for (const call of calls) expect(await errorCode(call)).toBe('STORE_NOT_OPEN');
  },
  'closing waits for what is running and ends open ranges': async ({ engine, expect }) => {
    await write(engine, ...Array.from({ length: 6000 }, (_, i) => put(numberKey(i), 'v')));
    const range = engine.range();
    expect((await range.next()).done).toBe(false);
    const reading = engine.get(numberKey(1));
    const writing = engine.write([put('a', '1')], { durable: true });
    await engine.close();
    expect(show(await reading)).toBe('v');
    expect(await writing).toBe('ok');
    expect(await errorCode(() => range.next())).toBe('STORE_NOT_OPEN');
  },
  'reads beside writes are right': async ({ engine, expect }) => {
    const writing = (async () => {
      for (let i = 0; i < 200; i++) await write(engine, put(numberKey(i), numberKey(i)));
    })();
    for (let i = 0; i < 200; i++) {
      const value = await engine.get(numberKey(i));
      if (value !== undefined) expect(value).toEqual(numberKey(i));
    }
    await writing;
    expect((await list(engine)).length).toBe(200);
  },
};

const persistenceRules: Rules = {
  'writes go on while the files are written anew, and nothing of them is lost': async ({ engine, reopen, expect }) => {
    const random = seededRandom(7);
    const KEYS = 250;
    const expected = new Map<string, string>();
    const value = (n: number): Bytes => new Uint8Array(n % 3 === 0 ? 9000 : 20).fill(n);
    const set = (i: number, n: number): WriteOp => {
      expected.set(show(numberKey(i))!, show(value(n))!);
      return put(numberKey(i), value(n));
    };
    for (let n = 1; n <= 3; n++)
      for (let i = 0; i < KEYS; i += 50)
        await write(engine, ...Array.from({ length: 50 }, (_, j) => set(i + j, 3 * n + j)));
    const call = { underWay: true };
    const purging = engine.purge().finally(() => (call.underWay = false));
    let [done, others] = [0, 0];
    for (let n = 0; call.underWay; n++) {
      const at = Math.floor(random() * KEYS);
      const ops: WriteOp[] = [set(at, n), set(Math.floor(random() * KEYS), n + 1)];
      if (n % 4 === 0) {
        const [gte, lt] = [numberKey(at), numberKey(at + 5)];
        for (let i = at; i < at + 5; i++) expected.delete(show(numberKey(i))!);
        ops.push({ type: 'deleteRange', gte, lt });
      }
      expect(await engine.write(ops, { durable: n % 2 === 0 })).toBe('ok');
      if (call.underWay) done++;
      else others++;
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
    // Drivers that write no files anew have answered before.
    if ((await purging) > 0) expect(done > 0 && others <= 1).toBe(true);
    const entries = [...expected].map(([key, text]) => `${key}=${text}`).toSorted();
    expect((await list(engine)).toSorted()).toEqual(entries);
    const again = await reopen();
    expect((await list(again)).toSorted()).toEqual(entries);
    expect((await again.purge()) >= 0).toBe(true);
    expect((await list(again)).toSorted()).toEqual(entries);
  },
  'reopening keeps the data, durable or not': async ({ engine, reopen, expect }) => {
    await engine.write([put('a', '1')], { durable: true });
    await engine.write([put('b', '2')], { durable: false });
    const again = await reopen();
    expect(await list(again)).toEqual(['a=1', 'b=2']);
    await write(again, put('c', '3'));
    expect(await list(await reopen())).toEqual(['a=1', 'b=2', 'c=3']);
  },
};

async function expectCorrupt({
  engine,
  expect,
}: {
  engine: StorageEngine;
  expect: RuleContext['expect'];
}): Promise<void> {
  const reads = [
    () => engine.get(text('a')),
    () => engine.getMany([text('b'), text('a')]),
    () => list(engine),
    () => list(engine, {}, { read: 'values' }),
    ...(engine.canGetSync ? [() => engine.getSync(text('a'))] : []),
  ];
  for (const read of reads) expect(await errorCode(read)).toBe('CHECKSUM');
  expect(engine.openIterators).toBe(0);
}

function flipped(value: Bytes, at: number): Bytes {
  const copy = new Uint8Array(value);
  copy[at]! ^= 4;
  return copy;
}
