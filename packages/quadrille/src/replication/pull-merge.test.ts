/** Pulls from copies that have gone another way, and copies of branches. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { iri, quad } from '@quadrille/model';
import { open } from '../index.js';
import type { Database, Repository } from '../index.js';

let database: Database;
let made = 0;
beforeAll(async () => {
  database = await open(':memory:');
});
afterAll(() => database.close());

const triple = (subject: string, object = 'o') => quad(iri(`urn:${subject}`), iri('urn:p'), iri(`urn:${object}`));
const subjects = async (repository: Pick<Repository, 'quads'>): Promise<string> =>
  (await repository.quads().toArray())
    .map(({ subject }) => subject.value.slice(4))
    .toSorted()
    .join(' ');
const failure = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'no error',
    (error: unknown) => (error as { code?: string }).code,
  );

/** Two copies with some common revisions. */
async function copies(common = 3): Promise<{ ours: Repository; theirs: Repository }> {
  const theirs = await database.repository(`r${++made}`, { create: true });
  for (let i = 1; i < common; i++) await theirs.add([triple(`c${i}`)]);
  return { ours: await database.clone(`r${++made}`, theirs), theirs };
}

test.each([1, 2, 200])('both have revisions of their own after %i common ones', async (common) => {
  const { ours, theirs } = await copies(common);
  const shared = await subjects(theirs);
  if (common === 1) await ours.sync.importHistory({ text: (await theirs.sync.exportHistory().toArray()).join('') });
  for (const name of ['t1', 't2', 't3']) await theirs.add([triple(name)], { author: 'they' });
  for (const name of ['o1', 'o2']) await ours.add([triple(name)]);
  const head = await ours.revision();
  expect(await failure(ours.sync.pull(theirs))).toBe('HISTORY_DIVERGED');
  const { transferred, revision } = await ours.sync.pull(theirs, { merge: true });
  expect([transferred, revision.kind, revision.parents]).toEqual([3, 'merge', [head.id, (await theirs.revision()).id]]);
  expect(await subjects(ours)).toBe(
    ['o1', 'o2', 't1', 't2', 't3', ...shared.split(' ').filter(Boolean)].toSorted().join(' '),
  );
  // The revisions of the other copy keep ids, times and numbers.
  const branch = await ours.branches.open(`remote/${theirs.name}`);
  expect(await branch.log().toArray()).toEqual(await theirs.log().toArray());
  expect((await branch.branches.get(branch.branch))!.fork!.number).toBe(common);
  // Only what is new comes next. Nothing comes if nothing is new.
  await theirs.add([triple('t4')]);
  expect((await ours.sync.pull(theirs, { merge: true })).transferred).toBe(1);
  const last = await ours.revision();
  expect(await ours.sync.pull(theirs, { merge: true })).toEqual({ transferred: 0, revision: last });
  // They merge ours in turn. Then both have the same content.
  await theirs.sync.pull(ours, { merge: true });
  expect(await subjects(theirs)).toBe(await subjects(ours));
  for (const each of [ours, theirs]) expect((await each.maintenance.verify()).problems).toEqual([]);
});

test('a pull that can go on does, also with merge', async () => {
  const { ours, theirs } = await copies();
  await theirs.add([triple('t1')]);
  expect(await ours.sync.pull(theirs, { merge: true })).toEqual({ transferred: 1, revision: await theirs.revision() });
  expect((await ours.branches.list().toArray()).map(({ name }) => name)).toEqual(['main']);
});

test('a copy that was set back and has gone another way gets its branch anew', async () => {
  const { ours, theirs } = await copies();
  const again = await database.fork(theirs.name, `r${++made}`);
  await theirs.add([triple('t1')]);
  await ours.add([triple('o1')]);
  await ours.sync.pull(theirs, { merge: true });
  await database.deleteRepository(theirs.name);
  const other = await database.fork(again.name, theirs.name);
  await other.add([triple('t2')]);
  await ours.sync.pull(other, { merge: true });
  expect(await subjects(ours)).toBe('c1 c2 o1 t1 t2');
  expect((await ours.maintenance.verify()).problems).toEqual([]);
});

test('conflicts leave the branch, and are decided by a merge', async () => {
  const { ours, theirs } = await copies();
  await ours.settings.set({ functional: ['urn:p'] });
  const change = (repository: Repository, value: string) =>
    repository.update(`DELETE { <urn:c1> ?p ?o } INSERT { <urn:c1> ?p <urn:${value}> } WHERE { <urn:c1> ?p ?o }`);
  await change(ours, 'ours');
  await change(theirs, 'theirs');
  const head = await ours.revision();
  expect(await failure(ours.sync.pull(theirs, { merge: true }))).toBe('MERGE_CONFLICT');
  expect(await ours.revision()).toEqual(head);
  await ours.branches.merge(`remote/${theirs.name}`, { onConflict: 'theirs' });
  expect(await ours.count(triple('c1', 'theirs'))).toBe(1);
});

test('branches are pulled and pushed, and wrong input changes nothing', async () => {
  const { ours, theirs } = await copies();
  const dev = await ours.branches.open('dev', { create: true });
  const same = await theirs.branches.open('dev', { create: true });
  await dev.add([triple('d1')]);
  await ours.add([triple('o1')]);
  expect((await dev.sync.push(same)).transferred).toBe(1);
  expect(await same.revision()).toEqual(await dev.revision());
  await same.add([triple('d2')]);
  expect((await dev.sync.pull(same)).transferred).toBe(1);
  expect(await subjects(dev)).toBe('c1 c2 d1 d2');
  expect(await subjects(ours)).toBe('c1 c2 o1');
  expect(await failure(ours.sync.pull(theirs, { merge: 'yes' as never }))).toBe('INVALID_OPTION');
  expect(await failure(ours.branches.create('remote/mine'))).toBe('INVALID_NAME');
  const stranger = await database.repository(`r${++made}`, { create: true });
  await stranger.add([triple('s')]);
  const before = await ours.revision();
  expect(await failure(ours.sync.pull(stranger, { merge: true }))).toBe('HISTORY_DIVERGED');
  expect(await ours.revision()).toEqual(before);
});

test('a clone of all branches, and a pull of what has come since', async () => {
  const { theirs } = await copies();
  await (await theirs.branches.open('dev', { create: true })).add([triple('d1')]);
  await theirs.branches.merge('dev');
  const ours = await database.clone(`r${++made}`, theirs, { branches: 'all' });
  expect((await ours.branches.list().toArray()).map(({ name }) => name)).toEqual(['dev', 'main']);
  await (await theirs.branches.open('dev')).add([triple('d2')]);
  await (await theirs.branches.open('new', { create: true })).add([triple('n')]);
  expect(await failure(ours.sync.pull(theirs, { branches: 'all', merge: true }))).toBe('INVALID_OPTION');
  expect(await failure((await ours.branches.open('dev')).sync.pull(theirs, { branches: 'all' }))).toBe(
    'INVALID_OPTION',
  );
  expect((await ours.sync.pull(theirs, { branches: 'all' })).transferred).toBe(2);
  for (const name of ['dev', 'main', 'new'])
    expect(await (await ours.branches.open(name)).proof.digest()).toBe(
      await (await theirs.branches.open(name)).proof.digest(),
    );
});
