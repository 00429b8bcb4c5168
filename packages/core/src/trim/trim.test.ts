/** Trims of one line: what stays equals what it was, what goes is told, and everything that reads history goes on. */
import { expect, test } from 'vitest';
import { MemoryDriver } from '@quadrille/storage';
import type { Repository } from '../repository.js';
import { contents, many, openRepository, q, SMALL } from '../testing/fixture.js';
import type { TrimRequest } from './trim-repository.js';

const trim = (repository: Repository, request: Partial<TrimRequest>) =>
  repository.maintenance.trim({ deleteHistory: false, dryRun: false, attest: async () => new Map(), ...request });

const codeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'none',
    (error: unknown) => (error as { code: string }).code,
  );

async function logOf(repository: Repository): Promise<number[]> {
  const numbers: number[] = [];
  for await (const { number } of repository.history.log()) numbers.push(number);
  return numbers;
}

async function twenty(repository: Repository): Promise<Map<number, string[]>> {
  const states = new Map([[1, [] as string[]]]);
  for (let n = 2; n <= 20; n++) {
    await repository.commit(
      n === 9 ? many('x', 500) : [q(`s${n} p o`), q(`s${n % 5} p o g`)],
      [q(`s${n - 3} p o`), q(`s${(n + 2) % 5} p o g`)],
      { author: 'ann', message: `n${n}` },
    );
    states.set(n, await contents(repository, n));
  }
  return states;
}

test('keeps the newest revisions and the tagged ones', async () => {
  const driver = new MemoryDriver();
  const { store, repository } = await openRepository(driver, { tuning: SMALL });
  const states = await twenty(repository);
  const revisions = new Map<number, string>();
  for await (const { number, id } of repository.history.log()) revisions.set(number, id);
  const { id } = await repository.resolve(7);
  await repository.tags.set('v7', id);
  const dry = await trim(repository, { last: 3, dryRun: true });
  expect(dry).toMatchObject({ trimmed: 16, kept: 4 });
  expect(await logOf(repository)).toHaveLength(20);
  expect(await trim(repository, { last: 3 })).toMatchObject({ trimmed: 16, kept: 4 });
  const check = async (of: Repository): Promise<void> => {
    expect(await logOf(of)).toEqual([20, 19, 18, 7]);
    for (const number of [7, 18, 19, 20]) {
      expect(await contents(of, number)).toEqual(states.get(number));
      expect((await of.resolve(revisions.get(number)!)).number).toBe(number);
    }
    for (const number of [1, 6, 8, 17]) {
      expect(await codeOf(of.resolve(number))).toBe('REVISION_TRIMMED');
      expect(await codeOf(of.resolve(revisions.get(number)!))).toBe('REVISION_TRIMMED');
    }
    expect(await codeOf(of.resolve(21))).toBe('REVISION_NOT_FOUND');
    expect(await codeOf(of.resolve('01890000-0000-7000-8000-000000000000'))).toBe('REVISION_NOT_FOUND');
    expect((await of.resolve('TAIL')).number).toBe(7);
    expect((await of.resolve('v7')).number).toBe(7);
    expect((await of.maintenance.verify()).problems).toEqual([]);
  };
  await check(repository);
  await repository.maintenance.rebuild();
  await check(repository);
  expect(await trim(repository, { last: 3 })).toMatchObject({ trimmed: 0, kept: 4, bytesFreed: 0 });
  await store.close();
  const again = await openRepository(driver, { tuning: SMALL });
  await check(again.repository);
  await again.repository.commit([q('new p o')], []);
  expect(await trim(again.repository, { last: 1 })).toMatchObject({ trimmed: 3, kept: 2 });
  expect(await logOf(again.repository)).toEqual([21, 7]);
  expect(await contents(again.repository, 7)).toEqual(states.get(7));
  await again.repository.maintenance.compact();
  expect((await again.repository.maintenance.verify()).problems).toEqual([]);
  await again.store.close();
});

test('no branch begins with a revision that was trimmed since the caller has looked it up', async () => {
  const { store, repository } = await openRepository(new MemoryDriver(), { tuning: SMALL });
  await twenty(repository);
  const place = { keyspace: repository.handle.keyspace, record: await repository.resolve(5) };
  const head = { keyspace: repository.handle.keyspace, record: await repository.resolve(20) };
  await trim(repository, { last: 3 });
  const branches = await repository.branches();
  expect(await codeOf(branches.create('old', place))).toBe('REVISION_TRIMMED');
  expect((await branches.list()).map(({ name }) => name)).toEqual(['main']);
  expect(await codeOf(repository.setTag('old', 5))).toBe('REVISION_TRIMMED');
  // A squash took the place of the head: the branch begins with the record as it is now.
  await branches.create('new', head);
  expect((await repository.maintenance.verify()).problems).toEqual([]);
  await store.close();
});
