/** Copies of trimmed repositories: whatever way they were made, they open again, and have what their originals have. */
import { MemoryDriver } from '@quadrille/storage';
import { expect, test } from 'vitest';
import type { Database, Repository } from '../index.js';
import { open } from '../index.js';
import { q } from '../testing/fixtures.js';
import { expectSameHistory, historyOf } from '../testing/histories.js';

/** A store that can be closed and opened again. */
async function storeOf(name: string): Promise<{ repository: Repository; again: () => Promise<Database> }> {
  const storage = new MemoryDriver();
  let db = await open({ storage });
  const repository = await db.repository(name, { create: true });
  const again = async (): Promise<Database> => {
    await db.close();
    return (db = await open({ storage }));
  };
  return { repository, again };
}

/** Twelve revisions, of which the last ones and two others are left. */
async function trimmed(): Promise<Repository> {
  const { repository } = await storeOf('source');
  for (let n = 2; n <= 12; n++) await repository.add([q(`s${String(n)} p o`), q(`s${String(n % 3)} p o${String(n)}`)]);
  await repository.tags.set('kept', 5);
  await repository.maintenance.trim({ last: 3 });
  return repository;
}

const textOf = async function* (repository: Repository): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(await historyOf(repository));
};

const WAYS: Readonly<Record<string, (source: Repository, copy: Repository) => Promise<unknown>>> = {
  import: (source, copy) => copy.sync.importHistory(textOf(source)),
  push: (source, copy) => source.sync.push(copy),
  pull: (source, copy) => copy.sync.pull(source),
  'pull of all branches': (source, copy) => copy.sync.pull(source, { branches: 'all' }),
};

test.each(Object.keys(WAYS))('%s: the copy opens again, also after changes, trims and a rebuild', async (way) => {
  const source = await trimmed();
  const { repository, again } = await storeOf('copy');
  await WAYS[way]!(source, repository);
  if (way === 'push') await repository.tags.set('kept', 5);
  let db = await again();
  expect(await db.verify()).toMatchObject({ ok: true, checked: { repositories: 1 } });
  await expectSameHistory(await db.repository('copy'), source);
  await db.rebuild('copy');
  await (await db.repository('copy')).add([q('later p o')]);
  db = await again();
  await (await db.repository('copy')).maintenance.trim({ last: 1 });
  db = await again();
  expect((await (await db.repository('copy')).log().toArray()).map(({ number }) => number)).toEqual([13, 5]);
  expect(await db.verify()).toMatchObject({ ok: true, checked: { repositories: 1 } });
});

test('a large first revision', async () => {
  const { repository: source } = await storeOf('source');
  await source.add(Array.from({ length: 6000 }, (_, n) => q(`s${String(n)} p o`)));
  await source.add([q('b p o')]);
  await source.maintenance.trim({ last: 1 });
  const { repository, again } = await storeOf('copy');
  await repository.sync.pull(source);
  await repository.add([q('c p o')]);
  const db = await again();
  expect((await (await db.repository('copy')).log().toArray()).map(({ number }) => number)).toEqual([4, 3]);
  expect(await (await db.repository('copy')).size()).toBe(6002);
  expect(await db.verify()).toMatchObject({ ok: true, checked: { repositories: 1 } });
});

test.each([
  ['tags', (repository: Repository) => repository.tags.set('first', 1)],
  ['branches', (repository: Repository) => repository.branches.create('dev')],
])('no history takes the place of a first revision that %s name', async (what, use) => {
  const full = (await storeOf('full')).repository;
  await full.add([q('a p o')]);
  for (const source of [await trimmed(), full]) {
    const { repository, again } = await storeOf('copy');
    await use(repository);
    await expect(repository.sync.importHistory(textOf(source))).rejects.toMatchObject({
      code: 'HISTORY_DIVERGED',
      message: expect.stringContaining(`the repository has ${what}`),
    });
    const db = await again();
    expect(await (await db.repository('copy')).log().toArray()).toHaveLength(1);
    expect(await db.verify()).toMatchObject({ ok: true, checked: { repositories: 1 } });
  }
});
