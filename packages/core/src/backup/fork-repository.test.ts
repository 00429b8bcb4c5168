/** Copies of whole repositories. */
import { expect, test } from 'vitest';
import { repositoryKey } from '../catalogue/catalogue.js';
import { equalBytes } from '../format/byte-codec.js';
import type { Repository } from '../repository.js';
import type { Store } from '../store.js';
import { contents, many, openRepository, q, SMALL } from '../testing/fixture.js';
import { WaitingDriver } from '../testing/storage-keys.js';

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

/** Lets the write that shows or deletes a repository fail, before it is made or behind it. */
function failNaming(driver: WaitingDriver, name: string, isMade: boolean): void {
  const key = repositoryKey(name);
  driver[isMade ? 'after' : 'before'] = (call, ops) => {
    const isIt = call === 'write' && ops.some((op) => 'key' in op && equalBytes(op.key, key));
    if (!isIt) return undefined;
    driver.before = driver.after = () => undefined;
    return Promise.reject(Object.assign(new Error('EIO'), { code: 'EIO' }));
  };
}

test.each([true, false])('a fork whose last write fails is whole or is not there (made: %s)', async (isMade) => {
  const driver = new WaitingDriver();
  const { store, repository: main } = await openRepository(driver, { tuning: SMALL });
  await main.commit(many('a', 100), []);
  failNaming(driver, 'a/copy', isMade);
  expect(await failure(store.fork('a/r', 'a/copy'))).toBe('STORAGE_IO');
  await main.commit([q('later p o')], []);
  // Deletes what is left of others, too.
  await store.repository('a/other', true);
  await store.deleteRepository('a/other');
  expect((await store.verify()).problems).toEqual([]);
  if (isMade) expect(await contents(await store.repository('a/copy'))).toHaveLength(100);
  else expect(await failure(store.repository('a/copy'))).toBe('REPOSITORY_NOT_FOUND');
  await store.close();
});

test.each([true, false])(
  'nobody writes to a repository whose deletion was made by a write that failed (made: %s)',
  async (isMade) => {
    const driver = new WaitingDriver();
    const { store, repository: main } = await openRepository(driver);
    await main.commit(many('a', 10), []);
    failNaming(driver, 'a/r', isMade);
    expect(await store.deleteRepository('a/r').catch((error: { code: string }) => error.code)).toBe(
      isMade ? true : 'STORAGE_IO',
    );
    expect(await failure(main.commit([q('later p o')], []))).toBe(isMade ? 'REPOSITORY_DELETED' : 'no error');
    await store.close();
  },
);
