/** The index of words goes with copies of a repository, and away where nobody asks for it. */
import { iri, literal, quad } from '@quadrille/model';
import { MemoryDriver, StorageEngine } from '@quadrille/storage';
import { expect, test } from 'vitest';
import { Tag } from '../format/layout.js';
import type { Repository } from '../repository.js';
import { openRepository, SMALL } from '../testing/fixture.js';

const said = (i: number) => quad(iri(`http://e/s${i}`), iri('http://e/p'), literal(`word${i} common`));

async function found(repository: Repository, text: string): Promise<number> {
  const snapshot = repository.snapshot();
  try {
    return (await snapshot.search({ text })).literals.count;
  } finally {
    snapshot.close();
  }
}

async function partsOf({ handle: { keyspace } }: Repository): Promise<number> {
  let parts = 0;
  for await (const _ of keyspace.entries(Tag.textPart)) parts++;
  return parts;
}

test('compact makes it one run, and deletes it where the setting is gone', async () => {
  const driver = new MemoryDriver();
  const { store, repository } = await openRepository(driver, { tuning: SMALL });
  await repository.changeSettings((before) => ({ ...before, search: { text: {} } }));
  for (let i = 0; i < 200; i += 20)
    await repository.commit(
      Array.from({ length: 20 }, (_, j) => said(i + j)),
      [],
    );
  expect(await found(repository, 'common')).toBe(200);
  expect(await partsOf(repository)).toBeGreaterThanOrEqual(4);
  await repository.maintenance.compact();
  expect(await partsOf(repository)).toBe(4);
  expect(await found(repository, 'word7')).toBe(1);
  await repository.maintenance.rebuild();
  expect(await found(repository, 'common')).toBe(200);
  await repository.changeSettings((settings) => ({ ...settings, search: undefined }));
  await repository.maintenance.compact();
  expect(await partsOf(repository)).toBe(0);
  await repository.changeSettings((before) => ({ ...before, search: { text: {} } }));
  expect(await found(repository, 'word7 word8')).toBe(2);
  expect((await store.verify()).problems).toEqual([]);
  await store.close();
  const again = await openRepository(driver, { tuning: SMALL });
  expect(await found(again.repository, 'common')).toBe(200);
  await again.store.close();
});

test('damage of the index is found, and rebuild makes it again', async () => {
  const driver = new MemoryDriver();
  const first = await openRepository(driver, { tuning: SMALL });
  await first.repository.changeSettings((before) => ({ ...before, search: { text: {} } }));
  await first.repository.commit(
    Array.from({ length: 200 }, (_, i) => said(i)),
    [],
  );
  expect(await found(first.repository, 'common')).toBe(200);
  await first.repository.maintenance.compact();
  const { keyspace } = first.repository.handle;
  const keys: Uint8Array[] = [];
  for await (const { rest } of keyspace.entries(Tag.textPart)) keys.push(rest.slice());
  await first.store.close();
  // The lengths of the literals.
  const engine = await StorageEngine.open(driver);
  const run = new DataView(keys[0]!.buffer, keys[0]!.byteOffset).getUint32(0);
  await engine.write([{ type: 'put', key: keyspace.key(Tag.textPart, run, 2, 0), value: new Uint8Array(10) }], {
    durable: true,
  });
  await engine.close();
  const { store, repository } = await openRepository(driver, { tuning: SMALL });
  expect((await repository.maintenance.verify()).problems).toMatchObject([{ code: 'INDEX_DISAGREES' }]);
  await repository.maintenance.rebuild();
  expect((await repository.maintenance.verify()).problems).toEqual([]);
  expect(await found(repository, 'common')).toBe(200);
  await store.close();
});
