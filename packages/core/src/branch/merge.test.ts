/** Merges of branches: states, strategies, conflicts, picks, and what a merge leaves alone. */
import { expect, test } from 'vitest';
import { iri } from '@quadrille/model';
import type { Repository } from '../repository.js';
import { contents, many, openRepository, q, SMALL } from '../testing/fixture.js';
import type { Conflict } from './conflicts.js';

async function branch(repository: Repository, name: string): Promise<Repository> {
  const record = await repository.resolve('HEAD');
  await (await repository.branches()).create(name, { keyspace: repository.handle.keyspace, record });
  return (await repository.lines()).branch(name);
}

const code = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'no error',
    (error: unknown) => (error as { code?: string }).code,
  );

const functional = (repository: Repository, ...names: string[]) =>
  repository.changeSettings(() => ({ functional: names.map((name) => `http://e/${name}`) }));

test('a merge has two parents, and takes what the other branch has changed since both were one', async () => {
  const { store, repository: main } = await openRepository();
  await main.commit([q('a p 1'), q('b p 1'), q('c p 1')], []);
  const dev = await branch(main, 'dev');
  await dev.commit([q('d p 1')], [q('a p 1')]);
  await main.commit([q('e p 1')], [q('b p 1')]);
  const [before, theirs] = [main.revision, dev.revision];
  const preview = await main.previewMerge('dev', {});
  expect(preview).toMatchObject({ base: { number: 2 }, added: 1, removed: 1, conflictCount: 0, conflicts: [] });
  const merge = await main.merge('dev', {}, { author: 'kim' });
  expect(merge).toMatchObject({ kind: 'merge', number: 4, author: 'kim', message: 'Merge dev', added: 1, removed: 1 });
  expect(merge.parents).toEqual([before.id, theirs.id]);
  expect(await contents(main)).toEqual(['c p 1', 'd p 1', 'e p 1']);
  expect(await contents(dev)).toEqual(['b p 1', 'c p 1', 'd p 1']);
  // It has the revision now: nothing happens, and the branch can be deleted.
  expect(await main.merge('dev', {})).toEqual(merge);
  expect(await main.resolve('HEAD^2').catch(() => 'elsewhere')).toBe('elsewhere');
  expect((await main.locate('HEAD^2')).number).toBe(theirs.number);
  expect(await (await main.branches()).delete('dev', false)).toBe(true);
  await main.maintenance.compact();
  expect((await main.locate('HEAD^2')).number).toBe(theirs.number);
  // A merge is reverted against its first parent.
  await main.revert('HEAD');
  expect(await contents(main)).toEqual(['a p 1', 'c p 1', 'e p 1']);
  expect((await main.maintenance.verify()).problems).toEqual([]);
  await store.close();
});

test('what was removed after it was added again stays removed, and a second merge sees only what is new', async () => {
  const { store, repository: main } = await openRepository();
  await main.commit([q('a p 1')], []);
  const dev = await branch(main, 'dev');
  await dev.commit([], [q('a p 1')]);
  await dev.commit([q('a p 1'), q('b p 1')], []);
  await dev.commit([], [q('a p 1')]);
  await main.merge('dev', {});
  expect(await contents(main)).toEqual(['b p 1']);
  await main.commit([q('a p 1')], [q('b p 1')]);
  await dev.commit([q('c p 1')], []);
  await main.merge('dev', {});
  expect(await contents(main)).toEqual(['a p 1', 'c p 1']);
  await dev.merge('main', {});
  expect(await contents(dev)).toEqual(['a p 1', 'c p 1']);
  await store.close();
});

test('one side as a whole', async () => {
  const { store, repository: main } = await openRepository();
  await main.commit([q('a p 1')], []);
  const [ours, theirs] = [await branch(main, 'x'), await branch(main, 'y')];
  await main.commit([q('b p 1')], [q('a p 1')]);
  for (const each of [ours, theirs]) await each.commit([q('c p 1')], []);
  const kept = await ours.merge('main', { strategy: 'ours' });
  expect(kept).toMatchObject({ kind: 'merge', added: 0, removed: 0 });
  expect(await contents(ours)).toEqual(['a p 1', 'c p 1']);
  await theirs.merge('main', { strategy: 'theirs' });
  expect(await contents(theirs)).toEqual(['b p 1']);
  await store.close();
});

test('predicates with one value: edited on both sides, deleted and edited, decided in each way', async () => {
  const decide = async (
    onConflict: 'ours' | 'theirs' | ((conflict: Conflict) => 'base' | ReturnType<typeof iri>[]),
  ): Promise<string[]> => {
    const { store, repository: main } = await openRepository();
    await functional(main, 'name');
    await main.commit([q('a name 1'), q('b name 1'), q('c name 1'), q('d name 1 g'), q('e many 1')], []);
    const dev = await branch(main, 'dev');
    await dev.commit(
      [q('a name 2'), q('c name 2'), q('d name 2 g'), q('e many 2')],
      [q('a name 1'), q('b name 1'), q('c name 1'), q('d name 1 g')],
    );
    await main.commit(
      [q('a name 3'), q('b name 3'), q('c name 2'), q('e many 3')],
      [q('a name 1'), q('b name 1'), q('c name 1')],
    );
    const before = await contents(main);
    expect(await code(main.merge('dev', {}))).toBe('MERGE_CONFLICT');
    expect(await contents(main)).toEqual(before);
    const { conflictCount, conflicts } = await main.previewMerge('dev', {});
    expect(conflictCount).toBe(2);
    const shown = conflicts.map(({ subject, base, ours, theirs }) =>
      [subject.value, ...[base, ours, theirs].map((terms) => terms.map(({ value }) => value).join())].join(' '),
    );
    expect(shown.map((text) => text.replaceAll('http://e/', '')).toSorted()).toEqual(['a 1 3 2', 'b 1 3 ']);
    await main.merge('dev', { onConflict });
    const found = await contents(main);
    await store.close();
    return found.filter((text) => /^[ab] /.test(text) || text.startsWith('c name') || text.startsWith('d name'));
  };
  expect(await decide('ours')).toEqual(['a name 3', 'b name 3', 'c name 2', 'd name 2 g']);
  expect(await decide('theirs')).toEqual(['a name 2', 'c name 2', 'd name 2 g']);
  expect(await decide(() => 'base')).toEqual(['a name 1', 'b name 1', 'c name 2', 'd name 2 g']);
  const both = [iri('http://e/8'), iri('http://e/9')];
  expect(await decide(({ theirs }) => (theirs.length === 0 ? [] : both))).toEqual([
    'a name 8',
    'a name 9',
    'c name 2',
    'd name 2 g',
  ]);
});

test('the changes of one revision are repeated', async () => {
  const { store, repository: main } = await openRepository();
  await main.commit([q('a p 1'), q('b p 1')], []);
  const dev = await branch(main, 'dev');
  await dev.commit([q('c p 1')], [], { message: 'not this one' });
  const picked = await dev.commit([q('d p 1')], [q('a p 1')], { message: 'this one' });
  const made = await main.cherryPick('dev', {});
  expect(made).toMatchObject({ kind: 'commit', message: 'this one', origin: picked.id, added: 1, removed: 1 });
  expect(await contents(main)).toEqual(['b p 1', 'd p 1']);
  expect(await main.cherryPick('dev', {})).toEqual(made);
  await store.close();
});

test('a merge that loses to a commit is made anew, and large ones are merged like small ones', async () => {
  const { store, repository: main } = await openRepository(undefined, { tuning: SMALL });
  await main.commit(many('a', 300), []);
  const dev = await branch(main, 'dev');
  await dev.commit(many('b', 400), many('a', 100));
  const merges = Promise.all([main.merge('dev', {}), main.commit(many('c', 50), []), main.commit([q('x p y')], [])]);
  const [merge] = await merges;
  expect(merge.kind).toBe('merge');
  expect(main.head.size).toBe(300 - 100 + 400 + 50 + 1);
  expect(await code(main.merge('dev', {}, { ifRevision: 2 }))).toBe('REVISION_CONFLICT');
  await dev.commit(many('d', 300), []);
  expect(await code(main.merge('dev', {}, { ifRevision: 2 }))).toBe('REVISION_CONFLICT');
  // All of it is there already: there is a revision, which changes nothing.
  await main.commit(many('d', 300), []);
  expect(await main.merge('dev', {})).toMatchObject({ kind: 'merge', added: 0, removed: 0 });
  expect((await main.maintenance.verify()).problems).toEqual([]);
  await store.close();
});
