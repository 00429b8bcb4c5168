/** A trim of one branch is seen on all others that begin with its revisions, whether they are in memory or not. */
import { MemoryDriver } from '@quadrille/storage';
import { expect, test } from 'vitest';
import type { Database, Repository } from '../index.js';
import { open } from '../index.js';
import { q } from '../testing/fixtures.js';

async function filled(storage: MemoryDriver): Promise<{ db: Database; main: Repository }> {
  const db = await open({ storage });
  const main = await db.repository('r', { create: true });
  for (let n = 2; n <= 6; n++) await main.add([q(`s${String(n)} p o`)]);
  return { db, main };
}

const NAMES = ['main', 'at three', 'on it', 'with its own', 'on that'] as const;
const PLACES: Readonly<Record<string, string>> = { 'at three': 'a', 'on it': 'b', 'with its own': 'c', 'on that': 'd' };
const branch = (main: Repository, name: string): Promise<Repository> => main.branches.open(PLACES[name] ?? 'main');

/** Main, a branch without revisions of its own, one on that, one with its own, and one that begins before the end of that one. */
async function branched(main: Repository): Promise<void> {
  await main.branches.create('a', { from: 3 });
  const a = await main.branches.open('a');
  await a.branches.create('b');
  await main.branches.create('c', { from: 4 });
  const c = await main.branches.open('c');
  for (const s of ['x', 'y', 'z']) await c.add([q(`${s} p o`)]);
  await c.branches.create('d', { from: 'HEAD~2' });
}

async function shown(main: Repository, name: string): Promise<unknown> {
  const repository = await branch(main, name);
  const log = await repository.log().toArray();
  const events = (await repository.history().toArray()).map(({ op, revision }) => [op, revision.number, revision.kind]);
  return [log, events, await repository.revision(), (await repository.branches.get(PLACES[name] ?? 'main'))?.head];
}

const TRIMS: Readonly<Record<string, (main: Repository) => Promise<unknown>>> = {
  'of main': (main) => main.maintenance.trim({ last: 1 }),
  'of a branch': async (main) => (await main.branches.open('c')).maintenance.trim({ last: 1 }),
  'of both': async (main) => {
    await (await main.branches.open('c')).maintenance.trim({ last: 1 });
    await main.maintenance.trim({ last: 2 });
  },
};

test.each(Object.keys(TRIMS))('a trim %s', async (trim) => {
  const storage = new MemoryDriver();
  const { db, main } = await filled(storage);
  await branched(main);
  // All of them are open.
  for (const name of NAMES) await shown(main, name);
  await TRIMS[trim]!(main);
  const before = await Promise.all(NAMES.map((name) => shown(main, name)));
  await db.close();
  const again = await open({ storage });
  const reopened = await again.repository('r');
  for (const [i, name] of NAMES.entries()) expect(await shown(reopened, name), name).toEqual(before[i]);
  expect(await again.verify()).toMatchObject({ ok: true });
  // And they go on.
  for (const name of NAMES) await (await branch(reopened, name)).add([q(`later p ${name.replaceAll(' ', '')}`)]);
  expect(await again.verify()).toMatchObject({ ok: true });
});

test('a revision that was trimmed on one branch is found on another one that has taken it over', async () => {
  const { main } = await filled(new MemoryDriver());
  const dev = await main.branches.open('dev', { create: true });
  for (const s of ['x', 'y', 'z']) await dev.add([q(`${s} p o`)]);
  await main.branches.merge('dev', { fastForward: true });
  const { id } = await dev.at(8).revision();
  await main.maintenance.trim({ last: 1 });
  expect((await main.at(id).revision()).number).toBe(8);
  expect((await main.tags.set('v', id)).number).toBe(8);
  expect((await main.tags.get('v'))?.id).toBe(id);
  const trimmed = { code: 'REVISION_TRIMMED' };
  await expect(main.at(8).revision()).rejects.toMatchObject(trimmed);
  await expect(main.log({ before: id }).toArray()).rejects.toMatchObject(trimmed);
  expect(await main.maintenance.trim({ from: id, dryRun: true })).toMatchObject({ trimmed: 0 });
  expect((await main.diff(id).toArray()).length).toBe(1);
});

test('a quad that comes back within what is trimmed has no event', async () => {
  const { main } = await filled(new MemoryDriver());
  await main.remove([q('s2 p o')]);
  await main.add([q('s2 p o')]);
  await main.add([q('end p o')]);
  await main.maintenance.trim({ last: 1 });
  await main.remove([q('s2 p o')]);
  const events = (await main.history(q('s2 p o')).toArray()).map(({ op, revision }) => [op, revision.number]);
  expect(events).toEqual([
    ['add', 9],
    ['remove', 10],
  ]);
});
