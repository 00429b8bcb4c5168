/** A fast-forward that loses to a load. What it has prepared goes, and the runs of the load stay. */
import { MemoryDriver } from '@quadrille/storage';
import { expect, test } from 'vitest';
import { contents, feed, many, openRepository, q, show } from '../testing/fixture.js';

const TUNING = { deltaBytes: 90, loadTailTerms: 10 };

test('the runs of a load that a fast-forward loses to are there after a compaction and a restart', async () => {
  const driver = new MemoryDriver();
  const { store, repository: main } = await openRepository(driver, { tuning: TUNING });
  await main.commit([q('a p o')], []);
  const place = { keyspace: main.handle.keyspace, record: await main.resolve('HEAD') };
  await (await main.branches()).create('dev', place);
  const dev = await (await main.lines()).branch('dev');
  await dev.commit(many('dev', 200), []);
  await dev.commit([q('late p o')], []);
  let calls = 0;
  let begin!: () => void;
  let release!: () => void;
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const held = new Promise<void>((resolve) => (release = resolve));
  // The second revision waits after the first one, which is large, was prepared.
  main.handle.timeline.guard = () => {
    if (++calls !== 2) return undefined;
    begin();
    return held.then(() => undefined);
  };
  const merged = main.merge('dev', { fastForward: true }).catch(() => undefined);
  await begun;
  const loader = await main.beginLoad();
  await feed(loader, many('load', 200));
  const { number } = await main.finishLoad(loader, {});
  release();
  await merged;
  await main.maintenance.compact();
  const found = (await contents(main, number)).length;
  await store.close();
  const again = await openRepository(driver, { tuning: TUNING });
  expect((await again.store.verify()).problems).toEqual([]);
  expect(await contents(again.repository, number)).toEqual([q('a p o'), ...many('load', 200)].map(show).toSorted());
  expect(found).toBe(201);
  await again.repository.maintenance.rebuild();
  expect((await contents(again.repository, number)).length).toBe(201);
  await again.store.close();
});
