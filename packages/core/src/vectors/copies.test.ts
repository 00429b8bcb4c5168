/** The index of vectors goes with copies of a repository, and away where nobody asks for it. */
import { iri, quad } from '@quadrille/model';
import { MemoryDriver, StorageEngine } from '@quadrille/storage';
import { expect, test } from 'vitest';
import { Tag } from '../format/layout.js';
import type { Repository } from '../repository.js';
import { openRepository, SMALL } from '../testing/fixture.js';
import { vectorLiteral } from '../testing/vectors.js';

const DIMENSION = 24;
const PROPERTY = 'http://e/sense';
const vectorAt = (n: number, dimension = DIMENSION) =>
  vectorLiteral(Float32Array.from({ length: dimension }, (_, i) => Math.sin(n * 37 + i * i)));
const sensed = (n: number) => quad(iri(`http://e/s${n}`), iri(PROPERTY), vectorAt(n));
const setting = (dimension = DIMENSION) => ({ vectors: { sense: { property: PROPERTY, dimension } } });

/** Whether a vector is found, and how many there are. */
async function found(repository: Repository, n: number, dimension = DIMENSION): Promise<readonly [boolean, number]> {
  const snapshot = repository.snapshot();
  try {
    const { value: vector, datatype } = vectorAt(n, dimension);
    const { vectors } = await snapshot.nearest({ name: 'sense', vector, datatype: datatype.value });
    return [((await vectors.next())?.score ?? 0) > 0.999999, vectors.count];
  } finally {
    snapshot.close();
  }
}

async function valuesOf({ handle: { keyspace } }: Repository, tag: number): Promise<Uint8Array[]> {
  const keys: Uint8Array[] = [];
  for await (const { rest } of keyspace.entries(tag)) keys.push(rest.slice());
  return keys;
}

async function filled(driver: MemoryDriver, count: number): Promise<Awaited<ReturnType<typeof openRepository>>> {
  const opened = await openRepository(driver, { tuning: SMALL });
  await opened.repository.changeSettings((before) => ({ ...before, search: setting() }));
  for (let n = 0; n < count; n += 500)
    await opened.repository.commit(
      Array.from({ length: 500 }, (_, i) => sensed(n + i)),
      [],
    );
  return opened;
}

test('it has full chunks and a rest, and goes where the setting is gone, or asks for another dimension', async () => {
  const driver = new MemoryDriver();
  const { store, repository } = await filled(driver, 3000);
  expect(await found(repository, 2999)).toEqual([true, 3000]);
  await repository.maintenance.compact();
  // 60,000 bytes have 1,363 vectors of 44 bytes.
  expect(await valuesOf(repository, Tag.vectorPart)).toHaveLength(2);
  expect(await found(repository, 0)).toEqual([true, 3000]);
  await repository.maintenance.rebuild();
  expect(await found(repository, 1)).toEqual([true, 3000]);
  await repository.changeSettings((before) => ({ ...before, search: setting(DIMENSION + 1) }));
  expect(await found(repository, 1, DIMENSION + 1)).toEqual([false, 0]);
  await repository.maintenance.compact();
  expect(await valuesOf(repository, Tag.vectorPart)).toHaveLength(0);
  expect(await valuesOf(repository, Tag.vectorIndex)).toHaveLength(1);
  await repository.changeSettings((before) => ({ ...before, search: undefined }));
  await repository.maintenance.compact();
  expect(await valuesOf(repository, Tag.vectorIndex)).toHaveLength(0);
  await repository.changeSettings((before) => ({ ...before, search: setting() }));
  expect(await found(repository, 2)).toEqual([true, 3000]);
  expect((await store.verify()).problems).toEqual([]);
  await store.close();
  const again = await openRepository(driver, { tuning: SMALL });
  expect(await found(again.repository, 3)).toEqual([true, 3000]);
  await again.store.close();
});

test.each(['chunk', 'rest'])('damage of a %s is found, and rebuild makes it again', async (part) => {
  const driver = new MemoryDriver();
  const first = await filled(driver, 2000);
  await first.repository.maintenance.compact();
  const { keyspace } = first.repository.handle;
  const tag = part === 'chunk' ? Tag.vectorPart : Tag.vectorIndex;
  const [rest] = await valuesOf(first.repository, tag);
  await first.store.close();
  const engine = await StorageEngine.open(driver);
  const key = Uint8Array.of(...keyspace.key(tag), ...rest!);
  const value = (await engine.get(key))!.slice();
  value[value.length - 20]! ^= 1;
  await engine.write([{ type: 'put', key, value }], { durable: true });
  await engine.close();
  const { store, repository } = await openRepository(driver, { tuning: SMALL });
  expect((await repository.maintenance.verify()).problems).toMatchObject([{ code: 'INDEX_DISAGREES' }]);
  await repository.maintenance.rebuild();
  expect((await repository.maintenance.verify()).problems).toEqual([]);
  expect(await found(repository, 5)).toEqual([true, 2000]);
  await store.close();
});

test('a chunk that is missing is damage', async () => {
  const driver = new MemoryDriver();
  const first = await filled(driver, 2000);
  await first.repository.maintenance.compact();
  const { keyspace } = first.repository.handle;
  await first.store.close();
  const engine = await StorageEngine.open(driver);
  await engine.write([{ type: 'deleteRange', ...keyspace.tagRange(Tag.vectorPart) }], { durable: true });
  await engine.close();
  const { store, repository } = await openRepository(driver, { tuning: SMALL });
  await expect(found(repository, 5)).rejects.toMatchObject({ code: 'INDEX_DISAGREES' });
  await repository.maintenance.rebuild();
  expect(await found(repository, 5)).toEqual([true, 2000]);
  await store.close();
});
