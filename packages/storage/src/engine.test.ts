import { StateError, StorageError } from '@quadrille/model';
import { describe, expect, it } from 'vitest';
import { StorageEngine } from './engine.js';
import { MemoryDriver } from './memory-driver.js';
import { FaultDriver } from './testing.js';
import { errorCode, list, numberKey, put, show, text, write } from './testing/conformance-tools.js';

async function openFaulty(): Promise<{ driver: FaultDriver; engine: StorageEngine }> {
  const driver = new FaultDriver(new MemoryDriver());
  return { driver, engine: await StorageEngine.open(driver) };
}

const noSpace = () => new Error('batch failed', { cause: new Error('IO error: 000012.log: No space left on device') });

describe('fail-stop', () => {
  it.each([
    ['STORAGE_IO', undefined],
    ['STORAGE_FULL', Object.assign(new Error('write'), { code: 'ENOSPC' })],
    ['STORAGE_FULL', noSpace()],
  ])('a failed write refuses every later one with %s until recover()', async (code, error) => {
    const { driver, engine } = await openFaulty();
    await write(engine, put('a', '1'));
    driver.setFault({ effect: 'fail', operations: ['write'], ...(error && { error }) });
    expect(await errorCode(() => write(engine, put('b', '1')))).toBe(code);
    expect(engine.state).toBe('failed');
    const calls = driver.calls.write;
    const refusal = await write(engine, put('c', '1')).catch((thrown: unknown) => thrown);
    expect(refusal).toBeInstanceOf(StorageError);
    expect(refusal).toMatchObject({ code, message: expect.stringContaining('until recover() succeeds') });
    expect(driver.calls.write).toBe(calls);
    expect(await list(engine)).toEqual(['a=1']);
    expect(show(engine.getSync(text('a')))).toBe('1');

    await engine.recover();
    expect(engine.state).toBe('open');
    expect(engine.failure).toBe(undefined);
    await write(engine, put('d', '1'));
    expect(await list(engine)).toEqual(['a=1', 'd=1']);
    await engine.close();
  });

  it('refuses writes that were queued behind the one that failed', async () => {
    const { driver, engine } = await openFaulty();
    driver.setFault({ effect: 'fail', operations: ['write'] });
    const writes = await Promise.allSettled([1, 2, 3].map((i) => write(engine, put(numberKey(i), 'v'))));
    expect(writes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(driver.calls.write).toBe(1);
    await engine.close();
  });

  it('an unknown outcome is answered, and fails the engine', async () => {
    const { driver, engine } = await openFaulty();
    driver.setFault({ effect: 'unknown', operations: ['write'] });
    expect(await engine.write([put('a', '1')], { durable: true })).toBe('unknown');
    expect(await errorCode(() => write(engine, put('b', '1')))).toBe('STORAGE_IO');
    await engine.recover();
    expect(await list(engine)).toEqual(['a=1']);
    await engine.close();
  });

  it('only whoever has made the write of which nothing is known is told so: others can try again', async () => {
    const { driver, engine } = await openFaulty();
    const error = new StorageError('COMMIT_UNKNOWN', 'it is not known what became of it');
    driver.setFault({ effect: 'fail', operations: ['write', 'open'], repeat: 'forever', error });
    expect(await errorCode(() => write(engine, put('a', '1')))).toBe('COMMIT_UNKNOWN');
    const refused = await write(engine, put('b', '1')).catch((thrown: unknown) => thrown);
    expect(refused).toMatchObject({ code: 'STORE_UNAVAILABLE', cause: { code: 'COMMIT_UNKNOWN' } });
    expect(await errorCode(() => engine.recover())).toBe('STORE_UNAVAILABLE');
    expect(await errorCode(() => engine.get(text('a')))).toBe('STORE_UNAVAILABLE');
    await engine.close();
  });

  it('a conflict and a limit do not fail it', async () => {
    const { engine } = await openFaulty();
    const precondition = { key: text('a'), value: text('x') };
    expect(await engine.write([put('a', '1')], { durable: true, precondition })).toBe('conflict');
    expect(await errorCode(() => write(engine, put('', '1')))).toBe('STORAGE_LIMIT');
    expect(engine.state).toBe('open');
    await engine.close();
  });

  it('failed reads do not fail it', async () => {
    const { driver, engine } = await openFaulty();
    for (const operation of ['get', 'getMany', 'range'] as const) {
      driver.setFault({ effect: 'fail', operations: [operation], repeat: 'forever' });
      const reads = {
        get: () => engine.get(text('a')),
        getMany: () => engine.getMany([text('a')]),
        range: () => list(engine),
      };
      expect(await errorCode(reads[operation])).toBe('STORAGE_IO');
    }
    expect(await errorCode(() => (driver.setFault({ effect: 'fail' }), engine.getSync(text('a'))))).toBe('STORAGE_IO');
    expect([engine.state, engine.openIterators, driver.openIterators]).toEqual(['open', 0, 0]);
    await engine.close();
  });
});

describe('a full medium', () => {
  it('refuses a batch of which nothing is kept; what gives space back is written; it goes on without reopening', async () => {
    const { driver, engine } = await openFaulty();
    await write(engine, put('a', '1'), put('b', '1'));
    driver.setFault({ effect: 'full', operations: ['write'], repeat: 'forever' });
    expect(await errorCode(() => write(engine, put('a', '2')))).toBe('STORAGE_FULL');
    expect([engine.state, engine.failure?.code]).toEqual(['failed', 'STORAGE_FULL']);
    const calls = driver.calls.write;
    expect(await errorCode(() => write(engine, put('a', '3')))).toBe('STORAGE_FULL');
    expect(driver.calls.write).toBe(calls);
    await write(engine, { type: 'delete', key: text('b') });
    expect(await engine.write([put('c', '1')], { durable: true, frees: true })).toBe('ok');
    expect(await list(engine)).toEqual(['a=1', 'c=1']);
    driver.setFault({ effect: 'fail', operations: ['probe'], error: noSpace() });
    expect(await errorCode(() => engine.recover())).toBe('STORAGE_FULL');
    const range = engine.range();
    await range.next();
    await engine.recover();
    expect((await range.next()).done).toBe(true);
    expect([engine.state, driver.calls.open]).toEqual(['open', 1]);
    await write(engine, put('a', '4'));
    await engine.close();
  });

  it('on which a driver opens for reading alone: writes are refused until it has been reopened', async () => {
    const driver = new MemoryDriver();
    const failing = Object.assign(driver, { failure: noSpace() as Error | undefined });
    const engine = await StorageEngine.open(failing);
    expect([engine.state, engine.failure?.code]).toEqual(['failed', 'STORAGE_FULL']);
    expect(await errorCode(() => write(engine, put('a', '1')))).toBe('STORAGE_FULL');
    expect(await errorCode(() => engine.write([], { durable: true, frees: true }))).toBe('STORAGE_FULL');
    expect(await errorCode(() => engine.recover())).toBe('STORAGE_FULL');
    expect(await engine.get(text('a'))).toBe(undefined);
    failing.failure = undefined;
    await engine.recover();
    await write(engine, put('a', '1'));
    expect(await list(engine)).toEqual(['a=1']);
    await engine.close();
  });
});

describe('recover', () => {
  it('does nothing on an open engine', async () => {
    const { driver, engine } = await openFaulty();
    await engine.recover();
    expect(driver.calls.open).toBe(1);
    await engine.close();
    expect(await errorCode(() => engine.recover())).toBe('STORE_NOT_OPEN');
  });

  it('while the medium takes no writes, leaves reads and open ranges as they are', async () => {
    const { driver, engine } = await openFaulty();
    await write(engine, ...Array.from({ length: 600 }, (_, i) => put(numberKey(i), 'v')));
    driver.setFault({ effect: 'fail', operations: ['write', 'probe'], repeat: 'forever', error: noSpace() });
    await errorCode(() => write(engine, put('a', '1')));
    const range = engine.range();
    await range.next();
    expect(await errorCode(() => engine.recover())).toBe('STORAGE_FULL');
    expect(engine.state).toBe('failed');
    expect(engine.canGetSync).toBe(true);
    expect((await range.next()).done).toBe(false);
    expect(driver.calls.open).toBe(1);
    await range.return();
    driver.setFault();
    await engine.recover();
    expect(engine.state).toBe('open');
    await engine.close();
  });

  it('lets reads wait and getSync be gone while it reopens; ends ranges and snapshots with an error', async () => {
    const { driver, engine } = await openFaulty();
    await write(engine, ...Array.from({ length: 600 }, (_, i) => put(numberKey(i), 'v')));
    const range = engine.range();
    await range.next();
    const snapshot = await engine.snapshot();
    const inSnapshot = engine.range({}, { snapshot });
    await inSnapshot.next();
    driver.setFault({ effect: 'fail', operations: ['write'] });
    await errorCode(() => write(engine, put('a', '1')));
    driver.setFault({ effect: 'delay', operations: ['open'], delayMs: 30 });
    const recovering = Promise.all([engine.recover(), engine.recover()]);
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(engine.canGetSync).toBe(false);
    expect(() => engine.getSync(numberKey(1))).toThrow(StateError);
    const reading = Promise.all([engine.get(numberKey(1)), list(engine, { limit: 1 })]);
    expect(await Promise.race([reading, recovering.then(() => 'recovered first')])).toBe('recovered first');
    expect(await reading).toEqual([text('v'), ['00000000=v']]);
    expect(driver.calls.open).toBe(2);
    expect(engine.canGetSync).toBe(true);
    const ended = [() => range.next(), () => inSnapshot.next(), () => engine.get(numberKey(1), { snapshot })];
    for (const read of ended) expect(await errorCode(read)).toBe('STORAGE_IO');
    await snapshot.close();
    expect([engine.openIterators, driver.openIterators]).toEqual([0, 0]);
    await engine.close();
  });

  it('a reopening that fails can be tried again', async () => {
    const { driver, engine } = await openFaulty();
    await write(engine, put('a', '1'));
    driver.setFault({ effect: 'fail', operations: ['write', 'open'], repeat: 'forever' });
    await errorCode(() => write(engine, put('b', '1')));
    expect(await errorCode(() => engine.recover())).toBe('STORAGE_IO');
    expect(engine.state).toBe('failed');
    expect(await errorCode(() => engine.get(text('a')))).toBe('STORAGE_IO');
    driver.setFault();
    await engine.recover();
    expect(await list(engine)).toEqual(['a=1']);
    await engine.close();
    expect(driver.calls.close).toBe(1);
  });

  const READS = {
    get: async (engine: StorageEngine) => [(await engine.get(text('a')))?.length],
    getMany: async (engine: StorageEngine) => (await engine.getMany([text('a')])).map((value) => value?.length),
    range: (engine: StorageEngine) => list(engine),
    size: async (engine: StorageEngine) => [(await engine.approximateSize()) > 0],
  };

  it.each(Object.keys(READS) as (keyof typeof READS)[])('%s tries a reopening again that has failed', async (read) => {
    const { driver, engine } = await openFaulty();
    await write(engine, put('a', '1'));
    const due = await READS[read](engine);
    driver.setFault({
      effect: 'fail',
      operations: ['write', 'open'],
      repeat: 'forever',
    });
    await errorCode(() => write(engine, put('b', '1')));
    await errorCode(() => engine.recover());
    expect(await errorCode(() => READS[read](engine))).toBe('STORAGE_IO');
    expect(engine.canGetSync).toBe(false);
    driver.setFault();
    const opened = driver.calls.open;
    expect(await Promise.all([READS[read](engine), READS[read](engine)])).toEqual([due, due]);
    expect(driver.calls.open).toBe(opened + 1);
    expect([engine.state, engine.canGetSync]).toEqual(['open', true]);
    await write(engine, put('b', '1'));
    expect(await list(engine)).toEqual(['a=1', 'b=1']);
    await engine.close();
    expect([driver.calls.close, engine.openIterators]).toEqual([1, 0]);
  });

  it('closing waits for it, and closes the driver even if it failed', async () => {
    const { driver, engine } = await openFaulty();
    driver.setFault({ effect: 'fail', operations: ['write', 'open'], repeat: 'forever' });
    await errorCode(() => write(engine, put('b', '1')));
    const recovering = errorCode(() => engine.recover());
    await engine.close();
    expect(await recovering).toBe('STORAGE_IO');
    expect(driver.calls.close).toBe(1);
    expect(engine.state).toBe('closed');
  });

  it('without reopen of the driver closes and opens it', async () => {
    const { driver, engine } = await openFaulty();
    Object.defineProperty(driver, 'reopen', { value: undefined });
    driver.setFault({ effect: 'fail', operations: ['write'] });
    await errorCode(() => write(engine, put('b', '1')));
    await engine.recover();
    expect([driver.calls.close, driver.calls.open]).toEqual([1, 2]);
    await engine.close();
    expect(driver.calls.close).toBe(2);
  });
});

describe('opening', () => {
  it('wraps what the driver throws', async () => {
    const driver = new FaultDriver(new MemoryDriver());
    driver.setFault({ effect: 'fail', operations: ['open'] });
    expect(await errorCode(() => StorageEngine.open(driver))).toBe('STORAGE_IO');
  });

  it('wraps what closing throws', async () => {
    const { driver, engine } = await openFaulty();
    driver.setFault({ effect: 'fail', operations: ['close'] });
    expect(await errorCode(() => engine.close())).toBe('STORAGE_IO');
    expect(engine.state).toBe('closed');
  });
});
