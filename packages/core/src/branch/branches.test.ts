import { describe, expect, test } from 'vitest';
import { MemoryDriver } from '@quadrille/storage';
import { asyncDriver, contents, feed, many, openRepository, q, SMALL } from '../testing/fixture.js';

describe.each([
  ['synchronous', () => new MemoryDriver()],
  ['asynchronous', asyncDriver],
])('branches over %s storage', (_, newDriver) => {
  test('a branch begins with the content of its revision, and both go on alone', async () => {
    const { store, repository } = await openRepository(newDriver());
    await repository.commit([q('a p b'), q('a p c')], []);
    const branches = await repository.branches();
    const created = await branches.create('dev', await placeOf(repository));
    expect(created).toMatchObject({ name: 'dev', head: { number: 2 }, fork: { number: 2 } });
    const dev = await (await repository.lines()).branch('dev');
    await dev.commit([q('a p d')], [q('a p b')]);
    await repository.commit([q('a p e')], [q('a p c')]);
    expect(await contents(dev)).toEqual(['a p c', 'a p d']);
    expect(await contents(repository)).toEqual(['a p b', 'a p e']);
    expect(await contents(dev, 2)).toEqual(['a p b', 'a p c']);
    expect(dev.revision).toMatchObject({ number: 3, size: 2, added: 1, removed: 1 });
    await store.close();
  });

  test('a large load into a new branch has each quad once, also one that several of its parts have', async () => {
    const { store, repository } = await openRepository(newDriver(), {
      tuning: { ...SMALL, chunkRows: 3, deltaBytes: 5 },
    });
    await repository.commit(many('s', 7), []);
    await (await repository.branches()).create('dev', await placeOf(repository));
    const dev = await (await repository.lines()).branch('dev');
    const quads = [
      ...many('t', 9),
      ...many('s', 2),
      ...many('t', 1),
      ...many('u', 5),
      ...many('s', 3),
      ...many('u', 2),
    ];
    const load = await dev.beginLoad();
    for (const quad of quads) {
      await feed(load, [quad]);
      if (load.full) await load.writeChunk();
    }
    // Commits beside it are not taken for its own rows.
    await dev.commit([...many('u', 1), ...many('v', 1)], []);
    expect(await dev.finishLoad(load, {})).toMatchObject({ size: 7 + 9 + 5 + 1 });
    await load.close();
    const texts = await contents(dev);
    expect([texts.length, new Set(texts).size]).toEqual([22, 22]);
    await store.close();
  });

  test('a branch of a branch, after flushes and merges of all of them, and after reopening', async () => {
    const driver = newDriver();
    const first = await openRepository(driver, { tuning: SMALL });
    await first.repository.commit(many('s', 200), []);
    const branches = await first.repository.branches();
    await branches.create('one', await placeOf(first.repository));
    const one = await (await first.repository.lines()).branch('one');
    await one.commit(many('t', 150), many('s', 50));
    await branches.create('two', await placeOf(one));
    const two = await (await first.repository.lines()).branch('two');
    await two.commit(many('u', 90), [...many('t', 20), ...many('s', 60)]);
    await one.commit(many('s', 10), []);
    await first.repository.commit([], many('s', 200));
    const expected = [await contents(first.repository), await contents(one), await contents(two)];
    expect(expected.map(({ length }) => length)).toEqual([0, 310, 150 - 20 + 140 + 90]);
    for (const each of [first.repository, one, two]) await each.maintenance.compact();
    expect([await contents(first.repository), await contents(one), await contents(two)]).toEqual(expected);
    await first.store.close();
    const again = await openRepository(driver, { tuning: SMALL });
    const lines = await again.repository.lines();
    expect(await contents(await lines.branch('two'))).toEqual(expected[2]);
    expect(await contents(await lines.branch('one'))).toEqual(expected[1]);
    expect(await contents(again.repository)).toEqual(expected[0]);
    await again.store.close();
  });
});

type Repository = Awaited<ReturnType<typeof openRepository>>['repository'];

async function placeOf(repository: Repository, ref: number | string = 'HEAD') {
  const record = await repository.locate(ref);
  return { keyspace: repository.ownerOf(record).handle.keyspace, record };
}
