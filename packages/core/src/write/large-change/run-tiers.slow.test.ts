/** Changes of many chunks: their runs are merged while they are written. */
import { describe, expect, test } from 'vitest';
import { MemoryDriver } from '@quadrille/storage';
import { FaultDriver } from '@quadrille/storage/testing';
import { Tag } from '../../format/layout.js';
import type { Repository } from '../../repository.js';
import { readRecord } from '../../revision/log.js';
import { Pacer, platformEnv } from '../../runtime/env.js';
import { contents, feed, many, openRepository, q, show, SMALL } from '../../testing/fixture.js';
import { LargeChange } from './large-change.js';

const TUNING = { ...SMALL, chunkRows: 16, memtableRows: 1e6 };
/** Two of each level, in four orders, of at most six levels. */
const FEW = 2 * 4 * 6;

type Loader = Awaited<ReturnType<Repository['beginLoad']>>;

async function feedChunks(loader: Loader, quads: ReturnType<typeof many>): Promise<void> {
  for (let at = 0; at < quads.length; at += 16) {
    await feed(loader, quads.slice(at, at + 16));
    await loader.writeChunk();
  }
}

async function sound(repository: Repository, expected: readonly string[]): Promise<void> {
  expect(await contents(repository)).toEqual([...new Set(expected)].toSorted());
  expect((await repository.maintenance.verify()).problems).toEqual([]);
}

const runsIn = async ({ handle: { keyspace } }: Repository): Promise<number> => {
  let runs = 0;
  for await (const { rest } of keyspace.entries(Tag.runMeta)) runs += rest.length > 0 ? 1 : 0;
  return runs;
};

describe('a load of hundreds of chunks', () => {
  test('has few runs, while it goes on and when it is done', async () => {
    const { store, repository } = await openRepository(undefined, { tuning: TUNING });
    const loader = await repository.beginLoad();
    const quads = many('a', 3200, 'g');
    let most = 0;
    for (let at = 0; at < quads.length; at += 400) {
      await feedChunks(loader, quads.slice(at, at + 400));
      most = Math.max(most, await runsIn(repository));
    }
    const { added, number } = await repository.finishLoad(loader, {});
    expect(added).toBe(3200);
    expect(most).toBeLessThan(FEW);
    const { payload } = await readRecord(repository.handle.keyspace, number);
    expect(payload!.added.length).toBeLessThan(FEW / 4);
    expect(payload!.added.reduce((sum, { rows }) => sum + rows, 0)).toBe(3200);
    await sound(repository, quads.map(show));
    await repository.maintenance.rebuild();
    await sound(repository, quads.map(show));
    await store.close();
  });

  test('with quads that the base has and that come again and again, as a replacement', async () => {
    const { store, repository } = await openRepository(undefined, { tuning: TUNING });
    const old = many('old', 300, 'g');
    await repository.commit([...old, ...many('else', 50)], []);
    const loader = await repository.beginLoad({ graph: q('s p o g').graph, replace: true });
    const kept = old.slice(0, 100);
    for (let i = 0; i < 30; i++) await feedChunks(loader, [...kept, ...many(`n${i % 10}-`, 40, 'g')]);
    const meanwhile = [kept[3]!, kept[77]!];
    await repository.commit([q('late p o g')], meanwhile);
    expect(await repository.finishLoad(loader, {})).toMatchObject({ removed: 201 });
    const fresh = Array.from({ length: 10 }, (_, i) => many(`n${i}-`, 40, 'g')).flat();
    await sound(repository, [...kept, ...fresh, ...many('else', 50)].map(show));
    await store.close();
  });
});

test('merged runs are deleted as durably as a commit: a loss of power would bring them back without the mark of their range', async () => {
  const driver = new MemoryDriver();
  const { store, repository } = await openRepository(driver, { tuning: TUNING });
  const write = driver.write.bind(driver);
  const deletions: boolean[] = [];
  driver.write = (ops, options) => {
    if (ops.some(({ type }) => type === 'deleteRange')) deletions.push(options.durable);
    return write(ops, options);
  };
  const loader = await repository.beginLoad();
  await feedChunks(loader, many('a', 400));
  expect(deletions.length).toBeGreaterThan(3);
  expect(deletions).not.toContain(false);
  await repository.finishLoad(loader, {});
  await store.close();
});

test('a removal of many chunks, of which commits remove some quads before it ends', async () => {
  const { store, repository } = await openRepository(undefined, { tuning: TUNING });
  const quads = many('m', 2000);
  await repository.commit(quads, []);
  const change = new LargeChange(repository.handle.timeline, undefined, new Pacer(platformEnv()));
  const snapshot = repository.snapshot();
  const columns = { s: [], p: [], o: [], g: [] } as Record<'s' | 'p' | 'o' | 'g', number[]>;
  for (const quad of quads) {
    const ids = (await snapshot.ids({ subject: quad.subject, predicate: quad.predicate, object: quad.object }))!;
    columns.s.push(ids.s);
    columns.p.push(ids.p);
    columns.o.push(ids.o);
    columns.g.push(1);
  }
  snapshot.close();
  for (let at = 0; at < 1990; at += 16) {
    const [s, p, o, g] = (['s', 'p', 'o', 'g'] as const).map((side) =>
      Uint32Array.from(columns[side].slice(at, Math.min(1990, at + 16))),
    );
    await change.remove({ s: s!, p: p!, o: o!, g: g!, length: s!.length });
  }
  await repository.commit([], [quads[5]!, quads[900]!, quads[1995]!]);
  await repository.commit([quads[900]!], []);
  await change.commit({});
  await change.close();
  expect(repository.head).toMatchObject({ number: 5, size: 9 });
  await sound(
    repository,
    quads
      .slice(1990)
      .filter((_, i) => i !== 5)
      .map(show),
  );
  await store.close();
});

test('a load that fails anywhere leaves nothing, and one after it works', async () => {
  for (let at = 1; at < 400; at += 37) {
    const memory = new MemoryDriver();
    const driver = new FaultDriver(memory);
    const { repository } = await openRepository(driver, { tuning: TUNING });
    await repository.commit(many('first', 20), []);
    driver.setFault({ effect: 'fail', operations: ['write'], at, repeat: 'forever' });
    const load = async (): Promise<unknown> => {
      const loader = await repository.beginLoad();
      await feedChunks(loader, many('a', 1000));
      return repository.finishLoad(loader, {});
    };
    const failed = await load().then(
      () => false,
      () => true,
    );
    // As after a crash: the store that has failed is not closed.
    const again = await openRepository(memory, { tuning: TUNING });
    await sound(again.repository, [...many('first', 20), ...(failed ? [] : many('a', 1000))].map(show));
    const loader = await again.repository.beginLoad();
    await feedChunks(loader, many('b', 500));
    await again.repository.finishLoad(loader, {});
    expect((await again.store.verify()).problems).toEqual([]);
    expect(await runsIn(again.repository)).toBeLessThan(3 * FEW);
    await again.store.close();
  }
});
