import { iri, literal, quad, yieldTurn } from '@quadrille/model';
import { MemoryDriver, StorageEngine } from '@quadrille/storage';
import { expect, test, vi } from 'vitest';
import { platformEnv } from '../runtime/env.js';
import { afterPrefix, dataKey, Tag } from '../format/layout.js';
import type { Repository } from '../repository.js';
import { Store } from '../store.js';
import { manyTurns } from '../testing/storage-keys.js';

const utf8 = new TextEncoder();

async function open(
  driver = new MemoryDriver(),
): Promise<{ store: Store; repository: Repository; driver: MemoryDriver }> {
  const store = await Store.open(await StorageEngine.open(driver), {
    env: platformEnv(),
    tuning: { loadTailTerms: 10 },
  });
  return { store, repository: await store.repository('a/b', true), driver };
}

/** Begins a load, writes one chunk and abandons it: its terms have ids that no revision uses. */
async function failedLoad(repository: Repository, name: string, count: number): Promise<void> {
  const load = await repository.beginLoad();
  for (let i = 0; i < count; i++) {
    const text = utf8.encode(`<http://example.org/${name}/${i}${'x'.repeat(i === 3 ? 5000 : 0)}>`);
    const term = load.term(text, 0, text.length);
    load.quad(term, term, term, 1);
  }
  await load.writeChunk();
  await load.close();
}

const termsOf = async (repository: Repository): Promise<number> =>
  (await repository.maintenance.verify()).checked['terms']!;

test('compact drops the terms that a failed load left, and keeps those of every revision', async () => {
  const { store, repository, driver } = await open();
  const triple = quad(iri('http://t/s'), iri('http://t/p'), literal('inner'));
  await repository.commit([quad(iri('http://k/1'), iri('http://k/p'), triple as never)], []);
  await failedLoad(repository, 'lost', 500);
  await repository.commit([quad(iri('http://k/2'), iri('http://k/p'), literal('old'))], []);
  await repository.commit([], [quad(iri('http://k/2'), iri('http://k/p'), literal('old'))]);
  expect(await termsOf(repository)).toBe(508);
  await repository.maintenance.compact();
  expect(await termsOf(repository)).toBe(8);
  // A later load adds the same texts, the long one too; they get new ids.
  await failedLoad(repository, 'lost', 5);
  await repository.commit([quad(iri('http://example.org/lost/1'), iri('http://k/p'), literal('now'))], []);
  await store.close();
  const again = await open(driver);
  expect(await again.repository.maintenance.verify()).toMatchObject({ ok: true });
  const old = await again.repository.snapshotAt(3);
  expect((await old.read({ s: 0, p: 0, o: 0, g: 0 }).next())!.map((q) => q.object.value).sort()).toEqual(['', 'old']);
  old.close();
});

test('terms stay while a load holds their ids', async () => {
  const { repository } = await open();
  await failedLoad(repository, 'lost', 300);
  const load = await repository.beginLoad();
  const text = utf8.encode('<http://example.org/lost/7>');
  const term = load.term(text, 0, text.length);
  load.quad(term, term, term, 1);
  await load.writeChunk();
  await repository.maintenance.compact();
  await repository.finishLoad(load, {});
  expect(await repository.maintenance.verify()).toMatchObject({ ok: true });
  await repository.maintenance.compact();
  expect(await termsOf(repository)).toBe(1);
});

test('terms are dropped when the load that holds ids has ended, and compact takes no turns of the event loop meanwhile', async () => {
  const { store, repository } = await open();
  await failedLoad(repository, 'lost', 300);
  const load = await repository.beginLoad();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const compacting = repository.maintenance.compact();
    while (vi.getTimerCount() === 0) await yieldTurn();
    const turns = vi.spyOn(repository.handle.env, 'yieldTurn');
    await manyTurns();
    expect(turns).not.toHaveBeenCalled();
    turns.mockRestore();
    await load.close();
    await compacting;
  } finally {
    vi.useRealTimers();
  }
  expect(await termsOf(repository)).toBe(0);
  await store.close();
});

test('compact deletes the blocks that a process left which ended while it wrote them', async () => {
  const { repository } = await open();
  await repository.commit([quad(iri('http://k/1'), iri('http://k/p'), literal('kept'))], []);
  await failedLoad(repository, 'lost', 500);
  const { engine, id } = repository.handle.keyspace;
  const block = (await engine.get(dataKey(id, Tag.termBlock, 2, 0)))!.slice();
  const keys = [dataKey(id, Tag.termBlock, 9, 0), dataKey(id, Tag.termBlock, 70_000, 1)];
  await engine.write(
    keys.map((key) => ({ type: 'put', key, value: block })),
    { durable: false },
  );
  await repository.maintenance.compact();
  const gte = dataKey(id, Tag.termBlock);
  const left: number[] = [];
  for await (const entries of engine.range({ gte, lt: afterPrefix(gte) }, { read: 'keys' }))
    left.push(...entries.map(({ key }) => key[9]!));
  expect(left).toEqual([0, 1, 2]);
  expect(await repository.maintenance.verify()).toMatchObject({ ok: true });
});

test('commits go on while terms are dropped, also with the texts of those', async () => {
  const { store, repository, driver } = await open();
  const wanted: string[] = [];
  for (let round = 0; round < 4; round++) {
    await failedLoad(repository, `lost${round}`, 3000);
    let done = false;
    const compacting = repository.maintenance.compact().finally(() => (done = true));
    let during = 0;
    while (!done && during < 200) {
      const object = `http://example.org/lost${round}/${(during * 37) % 3000}`;
      // Each round waits a different number of turns, so that dropping begins at a different commit.
      for (let turn = 0; turn < round; turn++) await new Promise((resolve) => setImmediate(resolve));
      const inner = quad(iri(object), iri('http://k/p'), literal(`${round} ${during++}`));
      await repository.commit([quad(iri('http://k/1'), iri('http://k/p'), iri(object)), inner], []);
      wanted.push(object);
    }
    await compacting;
    expect((await repository.maintenance.verify()).problems).toEqual([]);
  }
  expect(wanted.length).toBeGreaterThan(20);
  await repository.maintenance.compact();
  expect(await repository.maintenance.verify()).toMatchObject({ ok: true });
  await store.close();
  const again = await open(driver);
  expect(await again.repository.maintenance.verify()).toMatchObject({ ok: true });
  const snapshot = again.repository.snapshot();
  const found = new Set<string>();
  const read = snapshot.read({ s: 0, p: 0, o: 0, g: 0 });
  for (let batch = await read.next(); batch !== undefined; batch = await read.next())
    for (const { subject, object } of batch) if (subject.value === 'http://k/1') found.add(object.value);
  expect([...found].toSorted()).toEqual([...new Set(wanted)].toSorted());
  snapshot.close();
});

test('the first quads of the default graph may come while terms are dropped', async () => {
  for (let steps = 0; steps < 120; steps += 4) {
    const { store, repository } = await open();
    await failedLoad(repository, 'lost', 300);
    const compacting = repository.maintenance.compact();
    for (let step = 0; step < steps; step++) await undefined;
    await repository.commit([quad(iri('http://k/1'), iri('http://k/p'), literal('kept'))], []);
    await compacting;
    expect(await repository.maintenance.verify()).toMatchObject({ ok: true });
    await store.close();
  }
});
