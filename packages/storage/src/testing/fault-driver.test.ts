import { describe, expect, it } from 'vitest';
import { StorageEngine } from '../engine.js';
import { MemoryDriver } from '../memory-driver.js';
import { errorCode, list, numberKey, put, write } from './conformance-tools.js';
import { FaultDriver, type FaultEffect } from './fault-driver.js';

const script = async (engine: StorageEngine): Promise<string[]> => {
  await write(engine, put('a', '1'), put('b', '2'));
  await engine.get(Uint8Array.of(97));
  await engine.getMany([Uint8Array.of(97)]);
  await write(engine, put('c', '3'));
  await engine.compact();
  return list(engine);
};

describe('fault driver', () => {
  it.each<FaultEffect>(['fail', 'throwAfterApply'])(
    '%s at the n-th call, until a script goes through',
    async (effect) => {
      let n = 1;
      for (; ; n++) {
        const driver = new FaultDriver(new MemoryDriver());
        const engine = await StorageEngine.open(driver);
        driver.setFault({ effect, at: n });
        const code = await errorCode(() => script(engine));
        const { fired } = driver;
        driver.setFault();
        if (engine.state === 'failed') await engine.recover();
        expect(driver.openIterators + engine.openIterators).toBe(0);
        expect(await script(engine)).toEqual(['a=1', 'b=2', 'c=3']);
        await engine.close();
        expect(code).toBe(fired === 0 ? 'none' : 'STORAGE_IO');
        if (fired === 0) break;
      }
      // write, get, getMany, write, compact, and two chunks of the range: the second one ends the iteration.
      expect(n).toBe(8);
    },
  );

  it('counts calls by kind and hits once or for ever', async () => {
    const driver = new FaultDriver(new MemoryDriver());
    const engine = await StorageEngine.open(driver);
    const get = () => errorCode(() => engine.get(numberKey(1)));
    driver.setFault({ effect: 'fail', operations: ['get'], at: 2 });
    expect([await get(), await get(), await get()]).toEqual(['none', 'STORAGE_IO', 'none']);
    driver.setFault({ effect: 'fail', operations: ['get'], at: 2, repeat: 'forever' });
    expect([await get(), await get(), await get()]).toEqual(['none', 'STORAGE_IO', 'STORAGE_IO']);
    expect(driver.calls).toMatchObject({ open: 1, get: 6, write: 0 });
    expect(driver.fired).toBe(2);
    await engine.close();
  });

  it('throwAfterApply leaves a write done', async () => {
    const driver = new FaultDriver(new MemoryDriver());
    const engine = await StorageEngine.open(driver);
    driver.setFault({ effect: 'throwAfterApply', operations: ['write'] });
    expect(await errorCode(() => write(engine, put('a', '1')))).toBe('STORAGE_IO');
    expect(await list(engine)).toEqual(['a=1']);
    await engine.close();
  });

  it('short ends a range early, delay does not hurt', async () => {
    const driver = new FaultDriver(new MemoryDriver());
    const engine = await StorageEngine.open(driver);
    await write(engine, ...Array.from({ length: 1000 }, (_, i) => put(numberKey(i), 'v')));
    driver.setFault({ effect: 'short', operations: ['range'], at: 3 });
    expect((await list(engine)).length).toBe(512);
    driver.setFault({ effect: 'delay', repeat: 'forever', delayMs: 1 });
    expect((await list(engine)).length).toBe(1000);
    await engine.close();
  });
});
