/** Fast-forwards: revisions of one line that another one takes over, with their ids, times and numbers. */
import { expect, test } from 'vitest';
import { MemoryDriver } from '@quadrille/storage';
import type { Repository } from '../repository.js';
import { Tag } from '../format/layout.js';
import { toRevision } from '../revision/record.js';
import { asyncDriver, clockEnv, contents, many, openRepository, q, SMALL } from '../testing/fixture.js';

const FAST = { fastForward: true } as const;

async function branch(repository: Repository, name: string): Promise<Repository> {
  const record = await repository.resolve('HEAD');
  await (await repository.branches()).create(name, { keyspace: repository.handle.keyspace, record });
  return (await repository.lines()).branch(name);
}

/** The revisions of a branch, the newest first. */
async function revisions(repository: Repository): Promise<unknown[]> {
  const found: unknown[] = [];
  for (let number = repository.head.number; number > 0; number--)
    found.push(toRevision(await repository.resolve(number)));
  return found;
}

const problems = async (repository: Repository): Promise<unknown> => (await repository.maintenance.verify()).problems;

test.each([
  ['synchronous', () => new MemoryDriver()],
  ['asynchronous', asyncDriver],
])('small and large revisions, over %s storage', async (_, newDriver) => {
  const env = clockEnv();
  const driver = newDriver();
  let { store, repository: main } = await openRepository(driver, { env, tuning: SMALL });
  await main.commit(many('a', 100), []);
  let dev = await branch(main, 'dev');
  for (let i = 0; i < 5; i++) {
    env.time += 1000;
    await dev.commit([q(`small p ${i}`)], [q(`a${i} p o${i}`)], { author: 'kim', message: `step ${i}` });
  }
  await dev.commit(many('b', 200), many('a', 50));
  await dev.commit([], [q('b0 p o0')]);
  env.time += 100_000;
  expect(await main.merge('dev', FAST, { message: 'not used' })).toEqual(dev.revision);
  expect(await revisions(main)).toEqual(await revisions(dev));
  for (const number of [3, 7, 8, 9]) expect(await contents(main, number)).toEqual(await contents(dev, number));
  // Both have the same revision: there is nothing to merge, in either direction.
  const head = main.revision;
  expect(await main.merge('dev', {})).toEqual(head);
  expect(await dev.merge('main', {})).toEqual(head);
  expect(await (await main.branches()).delete('dev', false)).toBe(true);
  expect(await problems(main)).toEqual([]);
  await store.close();
  ({ store, repository: main } = await openRepository(driver, { env, tuning: SMALL }));
  expect(await contents(main)).toHaveLength(100 - 50 + 5 + 200 - 1);
  expect(await problems(main)).toEqual([]);
  await main.maintenance.compact();
  expect(await (await main.lines()).numbers()).toEqual([]);
  expect(main.revision.id).toBe(head.id);
  expect((await main.locate(head.id)).number).toBe(head.number);
  expect(await problems(main)).toEqual([]);
  // The next merge sees a history that is complete.
  dev = await branch(main, 'dev');
  await dev.commit([q('late p 1')], []);
  expect(await main.merge('dev', FAST)).toEqual(dev.revision);
  await store.close();
});

test('a line that has moved gets a merge, also with what it took over before', async () => {
  const { store, repository: main } = await openRepository();
  await main.commit([q('a p 1')], []);
  const dev = await branch(main, 'dev');
  await dev.commit([q('b p 1')], []);
  await main.merge('dev', FAST);
  await dev.commit([q('c p 1')], [q('b p 1')]);
  await main.commit([q('d p 1')], []);
  const merge = await main.merge('dev', FAST);
  expect(merge).toMatchObject({ kind: 'merge', number: 5, added: 1, removed: 1 });
  expect((await main.previewMerge('dev', {})).base.number).toBe(4);
  expect(await contents(main)).toEqual(['a p 1', 'c p 1', 'd p 1']);
  // The other way: dev has nothing that main has not. It takes over what main has made since, not its own revisions.
  expect(await dev.merge('main', FAST)).toMatchObject({ kind: 'merge' });
  expect(await contents(dev)).toEqual(await contents(main));
  expect(await problems(main)).toEqual([]);
  await store.close();
});

test('several lines take over the same revisions, and each ref is looked for on the line that is asked', async () => {
  const { store, repository: main } = await openRepository(undefined, { tuning: SMALL });
  await main.commit([q('a p 1')], []);
  const [one, two] = [await branch(main, 'one'), await branch(main, 'two')];
  await main.commit([q('b p 1')], []);
  await main.commit(many('m', 120), []);
  for (const each of [one, two]) expect(await each.merge('main', FAST)).toEqual(main.revision);
  await one.commit([q('c p 1')], []);
  expect(await two.merge('one', FAST)).toEqual(one.revision);
  expect(await main.merge('two', FAST)).toEqual(one.revision);
  for (const each of [main, one, two]) {
    const record = await each.locate(one.revision.id);
    expect(each.ownerOf(record)).toBe(each);
    expect((await each.resolve(4)).number).toBe(4);
  }
  for (const from of [main, one, two])
    for (const name of ['main', 'one', 'two'])
      if (name !== from.branchName) expect(await from.merge(name, {})).toEqual(one.revision);
  // Where two lines have taken over what a third one has made, that one stays.
  const branches = await main.branches();
  expect(await branches.delete('one', false)).toBe(true);
  await main.maintenance.compact();
  expect(await (await main.lines()).numbers()).toHaveLength(2);
  expect(await branches.delete('two', false)).toBe(true);
  await main.maintenance.compact();
  expect(await (await main.lines()).numbers()).toHaveLength(0);
  expect(await problems(main)).toEqual([]);
  await store.close();
});

test('many commits while a fast-forward is made: all of them stay, and so does every revision', async () => {
  const { store, repository: main } = await openRepository(undefined, { tuning: SMALL });
  await main.commit(many('a', 100), []);
  const dev = await branch(main, 'dev');
  for (let i = 0; i < 300; i++) await dev.commit([q(`d${i} p o`)], []);
  await dev.commit(many('b', 100), []);
  const commits = Array.from({ length: 3 }, (_, i) => main.commit([q(`m${i} p o`)], []));
  // By its id: a merge that loses to a commit is made again, and would see by the name what `dev` has got meanwhile.
  const { id } = dev.revision;
  await Promise.all([main.merge(id, FAST), dev.commit([q('x p y')], []), ...commits]);
  expect(main.head.size).toBe(100 + 300 + 100 + 3);
  await main.merge('dev', FAST);
  expect(main.head.size).toBe(100 + 300 + 100 + 3 + 1);
  expect(await problems(main)).toEqual([]);
  await store.close();
});

test('a thousand revisions are one write', async () => {
  const driver = new MemoryDriver();
  const { store, repository: main } = await openRepository(driver);
  await main.commit(many('a', 10), []);
  const dev = await branch(main, 'dev');
  for (let i = 0; i < 1000; i++)
    await dev.commit([q(`d${i % 40} p ${i}`)], i % 3 === 0 ? [q(`d${(i - 3) % 40} p ${i - 3}`)] : []);
  await dev.commit(many('b', 4000), []);
  await dev.commit([q('end p 1')], []);
  const write = driver.write.bind(driver);
  const key = String(main.handle.keyspace.key(Tag.head));
  let heads = 0;
  driver.write = (ops, options) => {
    for (const op of ops) if (op.type === 'put' && String(op.key) === key) heads++;
    return write(ops, options);
  };
  expect(await main.merge('dev', FAST)).toEqual(dev.revision);
  driver.write = write;
  expect(heads).toBe(1);
  expect(main.head.size).toBe(dev.head.size);
  expect(await contents(main, 700)).toEqual(await contents(dev, 700));
  expect(await problems(main)).toEqual([]);
  await store.close();
}, 60_000);

test('what is refused half-way leaves nothing', async () => {
  const driver = new MemoryDriver();
  const { store, repository: main } = await openRepository(driver, { tuning: SMALL });
  await main.commit([q('a p 1')], []);
  const dev = await branch(main, 'dev');
  for (let i = 0; i < 5; i++) await dev.commit([q(`d${i} p 1`)], []);
  await dev.commit(many('b', 100), []);
  await dev.commit([q('bad p 1')], []);
  await main.changeSettings(() => ({ shapes: 'urn:shapes' }));
  let checked = 0;
  main.guardWith(async () => {
    if (++checked === 7) throw new Error('refused');
    return undefined;
  });
  await expect(main.merge('dev', FAST)).rejects.toThrow('refused');
  expect(main.head.number).toBe(2);
  expect(await contents(main)).toEqual(['a p 1']);
  expect(await problems(main)).toEqual([]);
  main.guardWith(async () => undefined);
  await main.commit([q('c p 1')], []);
  expect(await main.merge('dev', FAST)).toMatchObject({ kind: 'merge', number: 4 });
  expect(await problems(main)).toEqual([]);
  await store.close();
});

test('without fastForward a merge is a revision, and a condition that does not hold changes nothing', async () => {
  const { store, repository: main } = await openRepository();
  await main.commit([q('a p 1')], []);
  const dev = await branch(main, 'dev');
  await dev.commit([q('b p 1')], []);
  await expect(main.merge('dev', FAST, { ifRevision: 1 })).rejects.toMatchObject({ code: 'REVISION_CONFLICT' });
  expect(main.head.number).toBe(2);
  expect(await main.merge('dev', { ...FAST, strategy: 'ours' })).toMatchObject({ kind: 'merge', added: 0 });
  expect(await main.merge('dev', {})).toMatchObject({ kind: 'merge', number: 3 });
  await store.close();
});
