/** A manifest that does not fit into one value. */
import { expect, test } from 'vitest';
import { MemoryDriver, StorageEngine } from '@quadrille/storage';
import { readFacts } from '../backup/facts.js';
import { PART_BYTES, Tag } from '../format/layout.js';
import { SPOG } from '../index/orders.js';
import { flushMemtable } from '../maintenance/flush.js';
import type { Repository } from '../repository.js';
import { Pacer, platformEnv } from '../runtime/env.js';
import { contents, feed, many, openRepository, q, SMALL } from '../testing/fixture.js';
import { decodeManifest, decodeManifestHead, encodeManifest, manifestOps, readManifest } from './manifest.js';

const RUN = { order: SPOG, kind: 'live' as const, rows: 5, revision: 300, logOwned: true };
const MANIFEST = { flushed: 200, checkpoint: 3, nextRun: 65 };
const manifestOf = (count: number) => ({
  ...MANIFEST,
  runs: Array.from({ length: count }, (_, i) => ({ ...RUN, id: 1 + (i % 100) })),
});

test('a short one has its old form; a long one tells the number of its values', () => {
  for (const count of [0, 8569, 8570, 8571, 30_000]) {
    const root = manifestOf(count);
    const bytes = encodeManifest(root);
    const parts = Math.ceil(bytes.length / PART_BYTES);
    expect(decodeManifest(bytes)).toEqual(root);
    expect(decodeManifestHead(bytes.subarray(0, PART_BYTES))).toEqual({ ...MANIFEST, parts });
    expect(bytes[0]).toBe(parts > 1 ? 2 : 1);
  }
  const long = encodeManifest(manifestOf(20_000));
  const head = '02' + 'c801' + '03' + '41' + '03000000' + 'a09c01';
  expect(Buffer.from(long).toString('hex', 0, 19)).toBe(`${head}01000005ac0201`);
});

/** The number of values after the first one. */
async function moreParts({ handle: { keyspace } }: Repository): Promise<number> {
  let parts = -1;
  for await (const { rest } of keyspace.entries(Tag.root)) parts += rest.length >= 0 ? 1 : 0;
  return parts;
}

test('a repository with thousands of runs opens, changes, has branches, and is rebuilt', async () => {
  const driver = new MemoryDriver();
  const tuning = { ...SMALL, tierRuns: 1e6, memtableRows: 1e6 };
  const first = await openRepository(driver, { tuning });
  await first.repository.commit([q('gone p x')], []);
  await first.repository.commit([q('a p o')], [q('gone p x')]);
  const { timeline, keyspace } = first.repository.handle;
  const pacer = new Pacer(platformEnv());
  await timeline.maintenance.run(() => flushMemtable(timeline, pacer));
  const root = await readManifest(keyspace);
  await first.store.close();
  // Readers of the newest revisions skip the run of a quad that was removed, however often it is in the list.
  const history = root.runs.find(({ order, kind }) => order === SPOG && kind === 'history')!;
  const runs = [...root.runs, ...Array.from({ length: 11_000 }, () => history)];
  const engine = await StorageEngine.open(driver);
  await engine.write(manifestOps(keyspace, { ...root, runs }), { durable: true });
  await engine.close();

  const second = await openRepository(driver, { tuning });
  const { repository } = second;
  expect(await moreParts(repository)).toBe(1);
  expect((await readFacts(second.store.engine)).get(keyspace.id)!.nextRun).toBe(root.nextRun);
  const load = async (prefix: string): Promise<void> => {
    const loader = await repository.beginLoad();
    await feed(loader, many(prefix, 100));
    await repository.finishLoad(loader, {});
  };
  await load('b');
  await repository.commit([q('c p o')], []);
  await second.store.close();

  const { store, repository: again } = await openRepository(driver, { tuning });
  expect((await readManifest(again.handle.keyspace)).runs.length).toBe(runs.length + 3);
  const here = { keyspace: again.handle.keyspace, record: await again.resolve('HEAD') };
  await (await again.branches()).create('dev', here);
  const dev = await (await again.lines()).branch('dev');
  await dev.commit([q('d p o')], []);
  expect(await contents(again)).toHaveLength(102);
  await again.maintenance.rebuild();
  expect((await readManifest(again.handle.keyspace)).runs.length).toBeLessThan(12);
  expect(await moreParts(again)).toBe(0);
  await again.commit([q('e p o')], []);
  expect(await contents(dev)).toHaveLength(103);
  expect(await contents(again)).toHaveLength(103);
  expect((await store.verify()).problems).toEqual([]);
  await store.close();
});
