/** Whatever was made of a repository ends with it, also where another one of the same name was made since. */
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { MemoryDriver } from '@quadrille/storage';
import { asStore, type Database, open, type Repository } from './index.js';
import { hostOf } from './host/index.js';
import { many, memory, q } from './testing/fixtures.js';

const deleted = { code: 'REPOSITORY_DELETED', details: { repository: 'acme/people' } };
const ALL = 'SELECT * { ?s ?p ?o }';

async function opened(): Promise<{ db: Database; repo: Repository }> {
  const db = await memory();
  const repo = await db.repository('acme/people', { create: true });
  await repo.add(many(3000));
  await repo.tags.set('v1', 2);
  return { db, repo };
}

async function remove(db: Database, again: boolean): Promise<void> {
  await db.deleteRepository('acme/people');
  if (again) await (await db.repository('acme/people', { create: true })).add(q('new p o'));
}

describe.each([
  ['a deleted repository', false],
  ['a deleted repository whose name is taken again', true],
])('%s', (_, again) => {
  test('refuses every call on its handle', async () => {
    const { db, repo } = await opened();
    const old = repo.at(2);
    const prepared = await repo.prepare(ALL);
    const lazy = repo.quads();
    await remove(db, again);
    const calls: Record<string, () => unknown> = {
      'asked for before': () => lazy.toArray(),
      prepared: () => prepared.select().toArray(),
      'old.size': () => old.size(),
      'old.quads': () => old.quads().toArray(),
      revision: () => repo.revision(),
      size: () => repo.size(),
      count: () => repo.count(),
      quads: () => repo.quads().toArray(),
      match: () => once(asStore(repo).match() as unknown as Readable, 'data'),
      contexts: () => repo.graphs().toArray(),
      select: () => repo.select(ALL).toArray(),
      ask: () => repo.ask('ASK {}'),
      dump: () => repo.dump().toArray(),
      log: () => repo.log().toArray(),
      diff: () => repo.diff(1, 2).toArray(),
      history: () => repo.history().toArray(),
      load: () => repo.load({ text: '' }, { format: 'nt' }),
      add: () => repo.add(q('c p d')),
      'add many': () => repo.add(many(9000)),
      remove: () => repo.remove({}),
      update: () => repo.update('CLEAR ALL'),
      transaction: () => repo.transaction((tx) => tx.add(q('c p d'))),
      begin: () => hostOf(repo).begin(),
      revert: () => repo.revert('HEAD'),
      stats: () => repo.maintenance.stats(),
      verify: () => repo.maintenance.verify(),
      rebuild: () => repo.maintenance.rebuild(),
      compact: () => repo.maintenance.compact(),
      'metadata.get': () => repo.settings.metadata.get(),
      'metadata.set': () => repo.settings.metadata.set({ summary: 'x' }),
      'tags.list': () => repo.tags.list().toArray(),
      'tags.set': () => repo.tags.set('t', 1),
      'namespaces.list': () => repo.namespaces.list(),
      'namespaces.set': () => repo.namespaces.set('x', 'urn:x:'),
    };
    const wrong: Record<string, unknown> = {};
    for (const [name, call] of Object.entries(calls)) {
      try {
        wrong[name] = await call();
      } catch (error) {
        if ((error as { code?: unknown }).code !== deleted.code) wrong[name] = error;
      }
    }
    expect(wrong).toEqual({});
    if (!again) {
      await expect(db.repository('acme/people')).rejects.toMatchObject({ code: 'REPOSITORY_NOT_FOUND' });
      return;
    }
    const other = await db.repository('acme/people');
    expect([await other.size(), (await other.revision()).number, await other.tags.list().toArray()]).toEqual([
      1,
      2,
      [],
    ]);
  });

  test('ends results and streams that are half read', async () => {
    const { db, repo } = await opened();
    const streams = [
      asStore(repo).match(),
      await asStore(repo).queryBindings(ALL),
    ] as unknown as AsyncIterable<unknown>[];
    const results = [repo.quads(), repo.select(ALL), repo.log(), repo.dump('nq'), repo.at(2).quads(), ...streams];
    const half = results.map((items) => items[Symbol.asyncIterator]());
    for (const items of half) expect((await items.next()).done).toBe(false);
    await remove(db, again);
    for (const items of half) await expect(items.next()).rejects.toMatchObject(deleted);
  });

  test('ends transactions, and nothing of them reaches the other repository', async () => {
    const { db, repo } = await opened();
    const held = await hostOf(repo).begin();
    await held.add(q('x p y'));
    const rows = held.select(ALL)[Symbol.asyncIterator]();
    await rows.next();
    const running = repo.transaction(async (tx) => {
      await tx.add(q('x p z'));
      await remove(db, again);
      await tx.add(q('x p w'));
    });
    await expect(running).rejects.toMatchObject(deleted);
    await expect(rows.next()).rejects.toMatchObject(deleted);
    await expect(held.size()).rejects.toMatchObject(deleted);
    await expect(held.add(q('x p y'))).rejects.toMatchObject(deleted);
    await expect(held.commit()).rejects.toMatchObject(deleted);
    await held.rollback();
    if (again) expect(await (await db.repository('acme/people')).size()).toBe(1);
    expect((await db.verify()).ok).toBe(true);
  });
});

describe('ifRevision', () => {
  const moved = { code: 'REVISION_CONFLICT', details: { repository: 'acme/people' } };

  test('deletes only while this is the head, and a commit that is staged meanwhile counts', async () => {
    const { db, repo } = await opened();
    const head = await repo.revision();
    const commit = repo.add(q('new p o'));
    await expect(db.deleteRepository('acme/people', { ifRevision: head })).rejects.toMatchObject(moved);
    await commit;
    expect(await repo.size()).toBe(3001);
    await repo.add(q('newer p o'));
    expect(await db.deleteRepository('acme/people', { ifRevision: 'HEAD' })).toBe(true);
    await expect(repo.size()).rejects.toMatchObject(deleted);
  });

  test('holds also for a repository that nobody has opened', async () => {
    const storage = new MemoryDriver();
    const first = await open({ storage });
    const repo = await first.repository('acme/people', { create: true });
    const { id } = await repo.add(q('a p o'));
    await repo.add(q('b p o'));
    await first.close();
    const db = await open({ storage });
    await expect(db.deleteRepository('acme/people', { ifRevision: id })).rejects.toMatchObject(moved);
    expect(await (await db.repository('acme/people')).size()).toBe(2);
    expect(await db.deleteRepository('acme/people', { ifRevision: 3 })).toBe(true);
    await expect(db.deleteRepository('acme/people', { ifRevision: 3 })).rejects.toMatchObject({
      code: 'REPOSITORY_NOT_FOUND',
    });
    await db.close();
  });
});
