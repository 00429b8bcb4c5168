/** `verify` finds quads that are stored twice at the same time, on `main` and on branches. */
import { expect, test } from 'vitest';
import { quadIds } from '../dictionary/encode-quads.js';
import { QuadColumns } from '../index/quad-columns.js';
import type { Repository } from '../repository.js';
import { Pacer } from '../runtime/env.js';
import { many, openRepository, q, SMALL } from '../testing/fixture.js';

async function branch(from: Repository, name: string): Promise<Repository> {
  const record = await from.resolve('HEAD');
  await (await from.branches()).create(name, { keyspace: from.handle.keyspace, record });
  return (await from.lines()).branch(name);
}

/** Stages additions without a look at what is there, as a defect of the writer would do it. */
async function plant(repository: Repository, quads: ReturnType<typeof q>[]): Promise<void> {
  await repository.ready();
  const { timeline } = repository.handle;
  const added = await quadIds(timeline, quads, true, new Pacer(timeline.env));
  const change = { added, removed: Object.assign(new QuadColumns(), { from: new Uint32Array(0) }) };
  const pacer = new Pacer(timeline.env);
  const staged = await timeline.change({ meta: {}, pacer, prepare: async () => change });
  await staged!.durable;
}

const FLUSHED = [false, true];
const twice = (count: number) => ({
  code: 'INDEX_DISAGREES',
  message: expect.stringContaining(`${count} quads are stored twice`),
});

async function problemsOf(repository: Repository, flushed: boolean): Promise<unknown[]> {
  if (flushed) await repository.maintenance.compact();
  return [...(await repository.maintenance.verify()).problems];
}

test.each(FLUSHED)('on main, compacted: %s', async (flushed) => {
  const { store, repository } = await openRepository(undefined, { tuning: SMALL });
  await repository.commit(many('s', 100), []);
  await repository.commit(many('t', 100), many('s', 50));
  await repository.commit(many('s', 50), []);
  expect(await problemsOf(repository, flushed)).toEqual([]);
  await plant(repository, [q('s3 p o3'), q('t3 p o3'), q('new p o')]);
  expect(await problemsOf(repository, flushed)).toMatchObject([twice(2)]);
  await store.close();
});

test.each(FLUSHED)('on a branch of a branch, compacted: %s', async (flushed) => {
  const { store, repository: main } = await openRepository(undefined, { tuning: SMALL });
  await main.commit(many('s', 100), []);
  const dev = await branch(main, 'dev');
  await dev.commit(many('t', 100), many('s', 50));
  const top = await branch(dev, 'top');
  // It comes back: on the line on which it was removed, and above it.
  await dev.commit(many('s', 10), []);
  await top.commit([...many('s', 20), ...many('u', 200)], many('t', 90));
  await top.commit(many('t', 80), many('u', 10));
  await main.commit([], many('s', 100));
  expect(await problemsOf(main, flushed)).toEqual([]);
  // In the base of its base, in its base, on itself, and what is there once.
  await plant(top, [
    q('s70 p o70'),
    q('t95 p o95'),
    q('s5 p o5'),
    q('t5 p o5'),
    q('u50 p o50'),
    q('s30 p o30'),
    q('u5 p o5'),
  ]);
  expect(await problemsOf(main, flushed)).toMatchObject([twice(5)]);
  await store.close();
});

test('what was twice at an older revision is found', async () => {
  const { store, repository: main } = await openRepository(undefined, { tuning: SMALL });
  await main.commit(many('s', 10), []);
  const dev = await branch(main, 'dev');
  await plant(dev, [q('s3 p o3')]);
  await dev.commit([], many('s', 10));
  expect(await problemsOf(main, false)).toMatchObject([twice(1)]);
  await store.close();
});
