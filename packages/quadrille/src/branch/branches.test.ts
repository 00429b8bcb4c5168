/** Branches as the library shows them: the whole interface on a branch, refs, names, wrong input. */
import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { iri, quad } from '@quadrille/model';
import { open } from '../index.js';
import type { Database, Repository } from '../index.js';

let database: Database;
let made = 0;

beforeAll(async () => {
  database = await open(':memory:');
});
afterAll(() => database.close());

const fresh = (): Promise<Repository> => database.repository(`r${++made}`, { create: true });
const name = (text: string) => iri(`http://e/${text}`);
const triple = (text: string) => {
  const [s, p, o] = text.split(' ').map((part) => name(part));
  return quad(s!, p!, o!);
};
const texts = async (view: Pick<Repository, 'quads'>): Promise<string[]> => {
  const found: string[] = [];
  for await (const { subject, predicate, object } of view.quads())
    found.push([subject, predicate, object].map(({ value }) => value.slice('http://e/'.length)).join(' '));
  return found.toSorted();
};
const failure = async (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'no error',
    (error: unknown) => (error as { code?: string }).code,
  );

test('a repository is opened on a branch, shows itself by name, and tells whether quads are there', async () => {
  const main = await fresh();
  await main.add(triple('a p b'));
  await main.branches.create('dev');
  const dev = await database.repository(main.name, { branch: 'dev' });
  expect(dev).toBe(await main.branches.open('dev'));
  expect(inspect(dev)).toBe(`Repository ${main.name} (branch dev)`);
  expect(inspect(dev.at('HEAD~1'))).toBe(`RevisionView ${main.name} (branch dev, at HEAD~1)`);
  expect(inspect(database)).toBe('Database :memory: (open)');
  await dev.add(triple('a p c'));
  const found = async (view: Pick<Repository, 'has'>): Promise<boolean[]> =>
    Promise.all([view.has(triple('a p b')), view.has(triple('a p c')), view.has({ object: name('c') }), view.has({})]);
  expect(await found(main)).toEqual([true, false, false, true]);
  expect(await found(dev)).toEqual([true, true, true, true]);
  expect(await found(dev.at(1))).toEqual([false, false, false, false]);
  expect(await failure(database.repository(main.name, { branch: 'none' }))).toBe('BRANCH_NOT_FOUND');
  expect(await failure(main.has({ subject: 'a' } as never))).toBe('INVALID_PATTERN');
});

test('a view of a revision tells the history up to it, also of another branch', async () => {
  const main = await fresh();
  await main.add(triple('a p b'), { author: 'ann' });
  const dev = await main.branches.open('dev', { create: true });
  await dev.add(triple('c p d'), { author: 'jo' });
  await dev.add(triple('e p f'), { author: 'ann' });
  await main.add(triple('g p h'));
  const numbers = async (log: AsyncIterable<{ readonly number: number }>): Promise<number[]> => {
    const all: number[] = [];
    for await (const { number } of log) all.push(number);
    return all;
  };
  expect(await numbers(main.at('dev').log())).toEqual([4, 3, 2, 1]);
  expect(await numbers(main.at('dev#3').log({ author: 'ann' }))).toEqual([2]);
  expect(await numbers(main.at(2).log())).toEqual([2, 1]);
  expect(await numbers(dev.at('HEAD').log({ pattern: { subject: name('c') } }))).toEqual([3]);
  expect(await numbers(dev.at(3).log({ limit: 1 }))).toEqual([3]);
});

describe('a branch', () => {
  test('is the whole interface: changes, queries, updates, transactions, loads, history', async () => {
    const main = await fresh();
    await main.add([triple('a p b'), triple('a p c')]);
    const dev = await main.branches.open('dev', { create: true });
    expect([main.branch, dev.branch]).toEqual(['main', 'dev']);
    expect(await main.branches.open('dev')).toBe(dev);
    expect(await dev.branches.open('main')).toBe(main);
    await dev.update('PREFIX : <http://e/> INSERT DATA { :x :p :y }; DELETE WHERE { :a :p :c }');
    await dev.transaction(async (transaction) => {
      expect(await transaction.count()).toBe(2);
      await transaction.add([triple('x p z')]);
    });
    await dev.load({ text: '<http://e/l> <http://e/p> <http://e/m> .', format: 'text/turtle' } as never).catch(() => 0);
    await main.remove([triple('a p b')]);
    expect(await texts(main)).toEqual(['a p c']);
    expect(await texts(dev)).toContain('x p y');
    expect(await texts(dev.at(2))).toEqual(['a p b', 'a p c']);
    const rows = await dev.select('SELECT ?o { <http://e/x> ?p ?o } ORDER BY ?o').toArray();
    expect(rows.map((row) => row['o']!.value)).toEqual(['http://e/y', 'http://e/z']);
    expect(await dev.count({ predicate: name('p') })).toBe((await texts(dev)).length);
    const log = await dev.log().toArray();
    expect(log.map(({ number }) => number)).toEqual(log.map((_, i) => log.length - i));
    expect(log.at(-2)!.id).toBe((await main.log().toArray()).at(-2)!.id);
    const blamed = await dev.blame({ subject: name('x') }).toArray();
    expect(blamed.map(({ revision }) => revision.number)).toEqual([3, 4]);
    const events = await dev.history({ object: name('c') }).toArray();
    expect(events.map(({ op, revision }) => `${op} ${revision.number}`)).toEqual(['add 2', 'remove 3']);
  });

  test('is named by refs, in every place that takes one', async () => {
    const main = await fresh();
    await main.add([triple('a p b')]);
    const dev = await main.branches.open('dev', { create: true });
    await dev.add([triple('a p c')], { message: 'first' });
    await dev.add([triple('a p d')], { message: 'second' });
    await main.add([triple('a p e')]);
    expect(await texts(main.at('dev'))).toEqual(['a p b', 'a p c', 'a p d']);
    expect(await texts(main.at('dev~1'))).toEqual(['a p b', 'a p c']);
    expect(await texts(main.at('dev#3'))).toEqual(['a p b', 'a p c']);
    expect(await texts(dev.at('main'))).toEqual(['a p b', 'a p e']);
    expect(await texts(dev.at('main~2'))).toEqual([]);
    const { id } = await dev.at('HEAD~1').revision();
    expect(await texts(main.at(id))).toEqual(['a p b', 'a p c']);
    expect(await texts(main.at(`urn:uuid:${id}`))).toEqual(['a p b', 'a p c']);
    const changes = (await main.diff('main', 'dev').toArray()).map(({ op, quad: { object } }) => [op, object.value]);
    expect(changes.toSorted()).toEqual([
      ['add', 'http://e/c'],
      ['add', 'http://e/d'],
      ['remove', 'http://e/e'],
    ]);
    await main.tags.set('shown', 'dev~1');
    expect(await texts(main.at('shown'))).toEqual(['a p b', 'a p c']);
    expect(await texts(dev.at('shown'))).toEqual(['a p b', 'a p c']);
    expect((await main.tags.get('shown'))!.id).toBe(id);
    const other = await main.branches.open('other', { create: true, from: 'dev#3' });
    expect(await texts(other)).toEqual(['a p b', 'a p c']);
    await main.revert('dev#3');
    expect(await texts(main)).toEqual(['a p b', 'a p e']);
    const inMain = 'SELECT ?o { SERVICE <repo:default/NAME@dev> { ?s ?p ?o } }'.replace('default/NAME', main.name);
    expect(await main.select(inMain).toArray()).toHaveLength(3);
  });

  test('is in the log of all branches', async () => {
    const main = await fresh();
    await main.add([triple('a p b')]);
    const dev = await main.branches.open('dev', { create: true });
    const made = await dev.add([triple('a p c')], { author: 'kim' });
    const merge = await main.branches.merge('dev');
    const all = await dev.log({ branches: 'all' }).toArray();
    expect(all.map(({ branch, number }) => `${String(branch)}#${number}`)).toEqual([
      'main#3',
      'dev#3',
      'main#2',
      'main#1',
    ]);
    expect(all[0]).toEqual({ ...merge, branch: 'main' });
    expect(all[0]!.parents[1]).toBe(made.id);
    const page = await main.log({ branches: 'all', limit: 2, before: merge }).toArray();
    expect(page).toEqual(all.slice(1, 3));
    expect(await main.log({ branches: 'all', author: 'kim' }).toArray()).toEqual([all[1]]);
    expect(await failure(main.log({ branches: 'all', from: 2 }).toArray())).toBe('INVALID_OPTION');
    expect(await failure(main.log({ branches: 'all', before: 'none' }).toArray())).toBe('REVISION_NOT_FOUND');
    expect(() => main.log({ branches: 'some' as never })).toThrow(/branches/);
  });

  test('is followed alone', async () => {
    const main = await fresh();
    const dev = await main.branches.open('dev', { create: true });
    const changes = dev.watch();
    const next = changes.next();
    await main.add([triple('a p b')]);
    const { number } = await dev.add([triple('a p c')]);
    expect((await next).value).toMatchObject({ revision: { number, added: 1 } });
    const waiting = changes.next();
    await main.branches.delete('dev', { force: true });
    expect(await failure(waiting)).toBe('BRANCH_NOT_FOUND');
    expect(await failure(dev.add([triple('a p d')]))).toBe('BRANCH_NOT_FOUND');
    // What it was can still be read.
    expect(await texts(dev)).toEqual(['a p c']);
    expect(await texts(main.at(`${(await dev.revision()).id}`))).toEqual(['a p c']);
  });

  test('keeps its name space with tags, and its revisions when it is deleted', async () => {
    const main = await fresh();
    await main.add([triple('a p b')]);
    await main.tags.set('v1', 'HEAD');
    expect(await failure(main.branches.create('v1'))).toBe('ALREADY_EXISTS');
    const dev = await main.branches.open('dev', { create: true, from: 'TAIL' });
    expect(await failure(main.branches.create('dev'))).toBe('ALREADY_EXISTS');
    expect(await failure(main.tags.set('dev', 'HEAD'))).toBe('ALREADY_EXISTS');
    expect(await failure(main.tags.set('main', 'HEAD'))).toBe('ALREADY_EXISTS');
    await dev.add([triple('a p c')]);
    expect(await failure(main.branches.delete('dev'))).toBe('BRANCH_NOT_MERGED');
    const top = await dev.branches.open('feature/top', { create: true });
    await top.add([triple('a p d')]);
    expect(await main.branches.delete('dev')).toBe(true);
    expect(await main.branches.delete('dev')).toBe(false);
    await main.maintenance.compact();
    expect(await texts(top)).toEqual(['a p c', 'a p d']);
    await main.branches.rename('feature/top', 'top');
    expect([top.branch, (await main.branches.list().toArray()).map(({ name }) => name)]).toEqual([
      'top',
      ['main', 'top'],
    ]);
    expect(await main.branches.get('top')).toMatchObject({
      name: 'top',
      head: { number: 3 },
      fork: { number: 2 },
    });
    expect(await main.branches.get('dev')).toBeUndefined();
    expect((await main.maintenance.verify()).problems).toEqual([]);
  });
});

describe('a merge', () => {
  test('is previewed, made with a decision, and picked from', async () => {
    const main = await fresh();
    await main.settings.set({ functional: ['http://e/one'] });
    await main.add([triple('a one b'), triple('a p b')]);
    const dev = await main.branches.open('dev', { create: true });
    await dev.update('PREFIX : <http://e/> DELETE DATA { :a :one :b }; INSERT DATA { :a :one :c . :x :p :y }');
    await main.update('PREFIX : <http://e/> DELETE DATA { :a :one :b }; INSERT DATA { :a :one :d }');
    const preview = await main.branches.merge('dev', { dryRun: true });
    expect(preview).toMatchObject({ base: { number: 2 }, added: 1, removed: 0, conflictCount: 1 });
    expect((await preview.changes().toArray()).map(({ op, quad: { subject } }) => [op, subject.value])).toEqual([
      ['add', 'http://e/x'],
    ]);
    await expect(main.branches.merge('dev')).rejects.toMatchObject({ code: 'MERGE_CONFLICT', details: { count: 1 } });
    expect(await texts(main)).toEqual(['a one d', 'a p b']);
    const merge = await main.branches.merge('dev', {
      onConflict: ({ ours, theirs }) => [...ours, ...theirs],
      message: 'both',
    });
    expect(merge).toMatchObject({ kind: 'merge', message: 'both', added: 2, removed: 0 });
    expect(await texts(main)).toEqual(['a one c', 'a one d', 'a p b', 'x p y']);
    expect((await main.at('HEAD^2').revision()).id).toBe((await dev.revision()).id);
    expect(await main.branches.merge('dev')).toEqual(merge);
    const other = await main.branches.open('other', { create: true, from: 1 });
    expect(await other.branches.cherryPick(`${(await dev.revision()).id}`, { onConflict: 'theirs' })).toMatchObject({
      added: 2,
      origin: (await dev.revision()).id,
    });
    expect(await texts(other)).toEqual(['a one c', 'x p y']);
    expect(await main.branches.delete('dev')).toBe(true);
    expect((await main.maintenance.verify()).problems).toEqual([]);
  });

  test('with wrong input changes nothing', async () => {
    const main = await fresh();
    const dev = await main.branches.open('dev', { create: true });
    await dev.add([triple('a p b')]);
    for (const call of [
      () => main.branches.merge('main'),
      () => main.branches.merge('HEAD'),
      () => main.branches.merge('main', { dryRun: true }),
    ])
      expect(await failure(call())).toBe('INVALID_OPTION');
    expect(await failure(main.branches.merge('none'))).toBe('REVISION_NOT_FOUND');
    expect(await failure(main.branches.merge('dev', { strategy: 'mine' } as never))).toBe('INVALID_OPTION');
    expect(await failure(main.branches.merge('dev', { onConflict: 'base' } as never))).toBe('INVALID_OPTION');
    expect(await failure(main.branches.merge('dev', { fastForward: 'yes' } as never))).toBe('INVALID_OPTION');
    expect(await failure(main.branches.cherryPick('dev', { strategy: 'ours' } as never))).toBe('INVALID_OPTION');
    expect(await failure(main.branches.merge('dev', { ifRevision: 'dev' }))).toBe('REVISION_NOT_FOUND');
    expect(await failure(main.branches.merge('dev', { signal: AbortSignal.abort() }))).toBe('ABORTED');
    expect(await failure((main.at('HEAD') as unknown as Repository).revert('dev'))).toBe('READ_ONLY');
    expect([await main.size(), (await main.revision()).number]).toEqual([0, 1]);
  });
});

describe('wrong input changes nothing', () => {
  test.each([
    ['', 'INVALID_NAME'],
    ['HEAD', 'INVALID_NAME'],
    ['TAIL', 'INVALID_NAME'],
    ['17', 'INVALID_NAME'],
    ['2026-01-01', 'INVALID_NAME'],
    ['a~1', 'INVALID_NAME'],
    ['a^2', 'INVALID_NAME'],
    ['a#2', 'INVALID_NAME'],
    ['remote/origin', 'INVALID_NAME'],
    ['x'.repeat(101), 'INVALID_NAME'],
    ['-x', 'INVALID_NAME'],
    ['a b', 'INVALID_NAME'],
    ['main', 'ALREADY_EXISTS'],
    [undefined as unknown as string, 'INVALID_NAME'],
  ])('the name %j', async (branch, code) => {
    const main = await fresh();
    expect(await failure(main.branches.create(branch))).toBe(code);
    expect((await main.branches.list().toArray()).map(({ name }) => name)).toEqual(['main']);
  });

  test('branches, refs and options that are not there', async () => {
    const main = await fresh();
    expect(await failure(main.branches.open('dev'))).toBe('BRANCH_NOT_FOUND');
    expect(await failure(main.branches.open('dev', { create: true, from: 9 }))).toBe('REVISION_NOT_FOUND');
    expect(await failure(main.branches.open('dev', { create: true, from: 'no such' }))).toBe('INVALID_REF');
    expect(await failure(main.branches.open('dev', { creat: true } as never))).toBe('INVALID_OPTION');
    expect(await failure(main.branches.create('dev', { form: 1 } as never))).toBe('INVALID_OPTION');
    expect(await failure(main.branches.rename('dev', 'next'))).toBe('BRANCH_NOT_FOUND');
    expect(await failure(main.branches.rename('main', 'next'))).toBe('BRANCH_DEFAULT');
    expect(await failure(main.branches.delete('main', { force: true }))).toBe('BRANCH_DEFAULT');
    const dev = await main.branches.open('dev', { create: true });
    await dev.add([triple('a p b')]);
    for (const ref of [
      'dev#9',
      'dev~9',
      'dev^2',
      'HEAD^2',
      'HEAD~9',
      'nothing',
      '019b0000-0000-7000-8000-000000000000',
    ])
      expect(await failure(main.at(ref).size()), ref).toBe('REVISION_NOT_FOUND');
    for (const ref of ['dev^3', 'dev#', 'dev~x', '^2', 'a b'])
      expect(await failure(main.at(ref).size()), ref).toBe('INVALID_REF');
    expect(await failure(main.add([triple('x p y')], { ifRevision: 'dev' }))).toBe('REVISION_NOT_FOUND');
    expect(await main.size()).toBe(0);
    expect((await main.branches.list().toArray()).map(({ name }) => name)).toEqual(['dev', 'main']);
  });
});

test('names that are too long for a key are no refs, no branches and no tags', async () => {
  const repo = await database.repository('long-names', { create: true });
  for (const name of ['x'.repeat(300), '\u5b57'.repeat(100), `${'x'.repeat(300)}~1`]) {
    await expect(repo.at(name).revision()).rejects.toMatchObject({ code: 'INVALID_REF' });
    await expect(repo.branches.open(name)).rejects.toMatchObject({ code: 'BRANCH_NOT_FOUND' });
    expect(await repo.branches.get(name)).toBeUndefined();
    await expect(repo.branches.create(name)).rejects.toMatchObject({ code: 'INVALID_NAME' });
    await expect(repo.tags.set(name, 1)).rejects.toMatchObject({ code: 'INVALID_NAME' });
  }
  await repo.tags.set('\u5b57'.repeat(83), 1);
  expect((await repo.at('\u5b57'.repeat(83)).revision()).number).toBe(1);
});
