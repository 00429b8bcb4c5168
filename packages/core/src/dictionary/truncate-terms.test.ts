/** A load that fails on a full disk deletes its runs and its terms, at whichever write the disk became full. */
import { expect, test } from 'vitest';
import { MemoryDriver, toHex } from '@quadrille/storage';
import { FaultDriver } from '@quadrille/storage/testing';
import { contents, feed, many, openRepository, q, settled, SMALL } from '../testing/fixture.js';

async function keysOf(driver: MemoryDriver): Promise<string[]> {
  const keys: string[] = [];
  for await (const chunk of driver.range({}, { read: 'keys' })) keys.push(...chunk.map(({ key }) => toHex(key)));
  return keys;
}

const TUNING = { ...SMALL, chunkRows: 200, loadTailTerms: 20 };
const LONG = `"${'long '.repeat(20_000)}"`;

async function prepared(terms: number) {
  const memory = new MemoryDriver();
  const driver = new FaultDriver(memory);
  const { store, repository } = await openRepository(driver, { tuning: TUNING });
  await repository.commit([q(`s p ${LONG.replaceAll(' ', '_')}`), ...many('old', terms)], []);
  await settled(repository);
  return { memory, driver, store, repository };
}

test.each([10, 127, 400])('with %i terms before it, at whatever write the load fails', async (terms) => {
  const whole = await prepared(terms);
  const load = async ({ repository }: Awaited<ReturnType<typeof prepared>>): Promise<void> => {
    const loading = await repository.beginLoad();
    try {
      for (let chunk = 0; chunk < 3; chunk++) {
        await feed(loading, [...many(`c${chunk}-`, 150), q(`c${chunk} p "${'x'.repeat(9000 + chunk)}"`)]);
        await loading.writeChunk();
      }
      await repository.finishLoad(loading, {});
    } finally {
      await loading.close();
    }
  };
  const first = whole.driver.calls.write;
  await load(whole);
  const writes = whole.driver.calls.write - first;
  expect(writes).toBeGreaterThan(8);
  const loaded = (await keysOf(whole.memory)).length;
  // Background jobs write too, so the last writes may belong to them.
  for (let at = 1; at <= writes - 8; at++) {
    const tried = await prepared(terms);
    const { memory, driver, repository } = tried;
    const [keys, quads] = [await keysOf(memory), await contents(repository)];
    driver.setFault({ effect: 'full', operations: ['write'], at, repeat: 'forever' });
    await expect(load(tried)).rejects.toMatchObject({ code: 'STORAGE_FULL' });
    // A background flush may have written the earlier terms as blocks and a hash run.
    expect((await keysOf(memory)).length, `at write ${at}`).toBeLessThanOrEqual(keys.length + 8);
    expect(loaded - keys.length).toBeGreaterThan(15);
    expect(await contents(repository)).toEqual(quads);
    driver.setFault();
    expect((await repository.maintenance.verify()).problems).toEqual([]);
    await repository.commit([q('after p o'), ...many('c0-', 5)], []);
    await load(tried);
    expect((await repository.maintenance.verify()).problems).toEqual([]);
    expect((await contents(repository)).length).toBe(quads.length + 454);
  }
});

test('terms that a commit uses which was made while the load went on stay', async () => {
  const { driver, repository } = await prepared(50);
  const loading = await repository.beginLoad();
  await feed(loading, many('a', 300));
  await loading.writeChunk();
  await repository.commit([q('a3 p new')], []);
  const quads = await contents(repository);
  driver.setFault({ effect: 'full', operations: ['write'], repeat: 'forever' });
  await feed(loading, many('b', 300));
  await expect(loading.writeChunk()).rejects.toMatchObject({ code: 'STORAGE_FULL' });
  await loading.close();
  driver.setFault();
  expect(await contents(repository)).toEqual(quads);
  expect((await repository.maintenance.verify()).problems).toEqual([]);
  await repository.commit([q('a5 p b7')], []);
  expect((await repository.maintenance.verify()).problems).toEqual([]);
});
