/** Copies of whole repositories. */
import { expect, test } from 'vitest';
import type { Repository } from '../repository.js';
import type { Store } from '../store.js';
import { contents, many, openRepository, q, SMALL } from '../testing/fixture.js';

async function life(): Promise<{ store: Store; main: Repository }> {
  const { store, repository: main } = await openRepository(undefined, { tuning: SMALL });
  await main.commit(many('a', 100), []);
  const record = await main.resolve('HEAD');
  await (await main.branches()).create('dev', { keyspace: main.handle.keyspace, record });
  const dev = await (await main.lines()).branch('dev');
  await dev.commit(many('b', 80), many('a', 10));
  await main.commit([q('c p o')], []);
  await main.tags.set('v1', Uint8Array.from(main.head.id));
  await main.merge('dev', {});
  await main.commit([q('last p o')], []);
  return { store, main };
}

const failure = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'no error',
    (error: unknown) => (error as { code?: string }).code,
  );

test('a fork has all revisions, branches and tags, and is on its own', async () => {
  const { store, main } = await life();
  const fork = await store.fork('a/r', 'other/copy');
  expect(fork.revision).toEqual(main.revision);
  for (let number = 1; number <= main.head.number; number++)
    expect(await contents(fork, number)).toEqual(await contents(main, number));
  expect((await (await fork.branches()).list()).map(({ name }) => name)).toEqual(['dev', 'main']);
  expect((await fork.locate('v1')).number).toBe(3);
  expect((await fork.locate('HEAD~1^2')).number).toBe(3);
  await fork.commit([q('only p here')], []);
  await main.commit([q('only p there')], []);
  expect(await contents(fork)).not.toContain('only p there');
  expect(await contents(main)).not.toContain('only p here');
  // The first revision that both make is another one.
  expect(fork.revision.id).not.toBe(main.revision.id);
  expect(await store.deleteRepository('a/r')).toBe(true);
  expect(await contents(fork)).toContain('only p here');
  for (const name of ['main', 'dev'])
    expect((await (await (await fork.lines()).branch(name)).maintenance.verify()).problems).toEqual([]);
  expect((await store.verify()).problems).toEqual([]);
  await store.close();
});

test('a fork at a revision ends there', async () => {
  const { store, main } = await life();
  const fork = await store.fork('a/r', 'a/early', { at: 'v1' });
  expect(fork.revision).toEqual(await main.resolve(3).then(({ number }) => expect.objectContaining({ number })));
  expect(await contents(fork)).toEqual(await contents(main, 3));
  expect((await (await fork.branches()).list()).map(({ name }) => name)).toEqual(['dev', 'main']);
  const first = await store.fork('a/r', 'a/first', { at: 1 });
  expect(await contents(first)).toEqual([]);
  expect((await (await first.branches()).list()).map(({ name }) => name)).toEqual(['main']);
  expect((await store.verify()).problems).toEqual([]);
  await store.close();
});

test('wrong names and refs change nothing, and forks that wait for each other end', async () => {
  const { store } = await life();
  const before = [...(await store.repositories()).keys()];
  expect(await failure(store.fork('a/r', 'a/r'))).toBe('ALREADY_EXISTS');
  expect(await failure(store.fork('a/none', 'a/x'))).toBe('REPOSITORY_NOT_FOUND');
  expect(await failure(store.fork('a/r', 'No Name'))).toBe('INVALID_NAME');
  expect(await failure(store.fork('a/r', 'a/x', { at: 99 }))).toBe('REVISION_NOT_FOUND');
  expect(await failure(store.fork('a/r', 'a/x', { at: 'dev' }))).toBe('REVISION_NOT_FOUND');
  expect(await failure(store.fork('a/r', 'a/x', { signal: AbortSignal.abort() }))).toBe('ABORTED');
  expect([...(await store.repositories()).keys()]).toEqual(before);
  const both = [store.fork('a/x', 'a/y'), store.fork('a/y', 'a/x')].map(failure);
  expect(await Promise.all(both)).toEqual(['REPOSITORY_NOT_FOUND', 'REPOSITORY_NOT_FOUND']);
  const twice = await Promise.all([failure(store.fork('a/r', 'a/z')), failure(store.fork('a/r', 'a/z'))]);
  expect(twice.toSorted()).toEqual(['ALREADY_EXISTS', 'no error']);
  await store.close();
});
