/** Copies of all branches, where one branch has kept revisions that another has taken over and trimmed. */
import { MemoryDriver } from '@quadrille/storage';
import { expect, test } from 'vitest';
import type { Database, Repository } from '../index.js';
import { open } from '../index.js';
import { q } from '../testing/fixtures.js';
import { expectSameHistory, historyOf, sealed } from '../testing/histories.js';

/** `main` has taken over the revisions 4 to 6 of `dev`, and has kept the last of them, as a squash. */
async function source(db: Database): Promise<Repository> {
  const main = await db.repository('r', { create: true });
  for (const n of [2, 3]) await main.add([q(`s${String(n)} p o`)]);
  const dev = await main.branches.open('dev', { create: true });
  for (const n of [4, 5, 6]) await dev.add([q(`d${String(n)} p o`)]);
  await main.branches.merge('dev', { fastForward: true });
  await main.branches.create('x', { from: 6 });
  await (await main.branches.open('x')).add([q('x p o')]);
  await main.remove([q('d4 p o')]);
  await main.maintenance.trim({ last: 2 });
  for (const [name, from] of [
    ['y', 6],
    ['z', 4],
  ] as const)
    await dev.branches.create(name, { from });
  await (await main.branches.open('y')).add([q('y p o')]);
  await main.tags.set('kept', (await dev.at(5).revision()).id);
  return main;
}

const WAYS: Readonly<Record<string, (db: Database, main: Repository) => Promise<Repository>>> = {
  clone: (db, main) => db.clone('copy', main, { branches: 'all' }),
  pull: async (db, main) => {
    const copy = await db.repository('copy', { create: true });
    await copy.sync.pull(main, { branches: 'all' });
    return copy;
  },
  'import of each branch after another': async (db, main) => {
    const copy = await db.repository('copy', { create: true });
    const text = await historyOf(main, { branches: 'all' });
    for (const end of [...text.matchAll(/^H sha256 .*\n/gm)].map(({ index, 0: row }) => index + row.length)) {
      const part = copy.sync.importHistory({ text: text.slice(0, end) });
      if (end < text.length) await expect(part).rejects.toMatchObject({ code: 'LOG_BROKEN' });
      else await part;
    }
    return copy;
  },
};

const linesOf = async (repository: Repository, number: number): Promise<string[]> => {
  const text = await repository.at(number).dump('nq', { canonical: true }).toArray();
  return text.join('').split('\n').toSorted();
};

async function expectSameBranches(copy: Repository, main: Repository): Promise<void> {
  const names = (await main.branches.list().toArray()).map(({ name }) => name);
  expect((await copy.branches.list().toArray()).map(({ name }) => name)).toEqual(names);
  for (const name of names) {
    const [ours, theirs] = await Promise.all([copy.branches.open(name), main.branches.open(name)]);
    const log = await theirs.log().toArray();
    expect(await ours.log().toArray(), name).toEqual(log);
    for (const { number } of log) {
      const quads = await Promise.all([ours, theirs].map((each) => linesOf(each, number)));
      expect(quads[0], `${name} ${String(number)}`).toEqual(quads[1]);
    }
  }
  expect(await copy.tags.list().toArray()).toEqual(await main.tags.list().toArray());
  const all = (of: Repository): Promise<{ id: string }[]> => of.log({ branches: 'all' }).toArray();
  expect((await all(copy)).map(({ id }) => id).toSorted()).toEqual((await all(main)).map(({ id }) => id).toSorted());
}

test.each(Object.keys(WAYS))('%s: each branch has what it has kept', async (way) => {
  const storage = new MemoryDriver();
  const [from, to] = [await open(':memory:'), await open({ storage })];
  const main = await source(from);
  expect((await (await main.branches.open('dev')).log().toArray()).map(({ number }) => number)).toEqual([6, 5, 4, 3]);
  expect((await main.log().toArray()).map(({ number }) => number)).toEqual([7, 6, 3]);
  const copy = await WAYS[way]!(to, main);
  await expectSameBranches(copy, main);
  expect(await copy.sync.pull(main, { branches: 'all' })).toMatchObject({ transferred: 0 });
  await to.close();
  const again = await open({ storage });
  expect(await again.verify()).toMatchObject({ ok: true, problems: [] });
  const reopened = await again.repository('copy');
  await expectSameBranches(reopened, main);
  // A copy of the copy has all of it too.
  const second = await from.clone('second', reopened, { branches: 'all' });
  await expectSameBranches(second, main);
  await expectSameHistory(second, main);
  await again.close();
  await from.close();
});

test('the copy knows what its branches have in common', async () => {
  const db = await open(':memory:');
  const copy = await db.clone('copy', await source(db), { branches: 'all' });
  const subjects = async (): Promise<string> =>
    (await copy.quads().toArray())
      .map(({ subject }) => subject.value.split('/').at(-1)!)
      .toSorted()
      .join(' ');
  const head = await copy.revision();
  // What `main` has removed since does not come back.
  for (const name of ['dev', 'z']) expect(await copy.branches.merge(name)).toEqual(head);
  await copy.branches.merge('x');
  await copy.branches.merge('y');
  expect(await subjects()).toBe('d5 d6 s2 s3 x y');
  for (const name of ['x', 'y', 'z', 'dev']) await copy.branches.delete(name);
  await copy.maintenance.compact();
  expect(await db.verify()).toMatchObject({ ok: true, problems: [] });
  await db.close();
});

test('of what one branch has taken over and trimmed altogether, large revisions too', async () => {
  const db = await open(':memory:');
  const main = await db.repository('r', { create: true });
  await main.add([q('s2 p o')]);
  const dev = await main.branches.open('dev', { create: true });
  await dev.add([q('d3 p o')]);
  await dev.add(Array.from({ length: 6000 }, (_, n) => q(`large${String(n)} p o`)));
  await main.branches.merge('dev', { fastForward: true });
  await main.remove([q('d3 p o')]);
  await main.maintenance.trim({ last: 1 });
  expect((await main.log().toArray()).map(({ number }) => number)).toEqual([5, 2]);
  const copy = await db.clone('copy', main, { branches: 'all' });
  await expectSameBranches(copy, main);
  const head = await copy.revision();
  expect(await copy.branches.merge('dev')).toEqual(head);
  expect(await copy.size()).toBe(await main.size());
  expect(await db.verify()).toMatchObject({ ok: true, problems: [] });
  await db.close();
});

test.each([
  [
    'a branch that is not there',
    (text: string) => text.replace('H shared "main"', 'H shared "none"'),
    'with branch none',
  ],
  ['the branch itself', (text: string) => text.replace('H shared "main"', 'H shared "dev"'), 'with branch dev'],
  ['a number that the branch has not', (text: string) => text.replace('H until "6"', 'H until "60"'), 'revision 60'],
  ['no number', (text: string) => text.replace(/^H until .*\n/m, ''), 'until'],
  [
    'another revision',
    (text: string) => text.replace('H until "6"', 'H until "7"').replace('H shared "main"', 'H shared "x"'),
    'x',
  ],
])('a file that says it of %s', async (_, edit, message) => {
  const db = await open(':memory:');
  const copy = await db.repository('copy', { create: true });
  const text = sealed(edit(await historyOf(await source(db), { branches: 'all' })));
  await expect(copy.sync.importHistory({ text })).rejects.toMatchObject({
    code: 'LOG_BROKEN',
    message: expect.stringContaining(message),
  });
  expect(await db.verify()).toMatchObject({ ok: true, problems: [] });
  await db.close();
});

test('a file in which branches share nothing else is as before', async () => {
  const db = await open(':memory:');
  const main = await db.repository('r', { create: true });
  await main.add([q('a p o')]);
  const dev = await main.branches.open('dev', { create: true });
  await dev.add([q('b p o')]);
  await main.branches.merge('dev', { fastForward: true });
  const text = await historyOf(main, { branches: 'all' });
  expect(text).not.toContain('H shared');
  expect(await historyOf(await source(await open(':memory:')), { branches: 'all' })).toContain(
    'H shared "main" .\nH until "6"',
  );
  await db.close();
});
