/** Settings are read once, also when they change while they are read. */
import { expect, test } from 'vitest';
import { toJson } from '../format/byte-codec.js';
import { Tag } from '../format/layout.js';
import { openRepository } from '../testing/fixture.js';
import { WaitingDriver } from '../testing/storage-keys.js';

interface Held {
  readonly begun: Promise<void>;
  readonly release: () => void;
}

/** Holds the answer of the next `get`. */
function holdGet(driver: WaitingDriver): Held {
  let release!: () => void;
  let begin!: () => void;
  const held = new Promise<void>((resolve) => (release = resolve));
  const begun = new Promise<void>((resolve) => (begin = resolve));
  driver.after = (call) => {
    if (call !== 'get') return undefined;
    driver.after = () => undefined;
    begin();
    return held;
  };
  return { begun, release };
}

test('settings that another process writes while they are read are read again', async () => {
  const driver = new WaitingDriver(false);
  const { store, repository } = await openRepository(driver);
  const { handle } = repository;
  const read = holdGet(driver);
  const answers = [repository.settings(), repository.settings()];
  await read.begun;
  const after = { functional: ['http://e/p'] };
  await handle.keyspace.writeAlone([{ type: 'put', key: handle.keyspace.key(Tag.settings), value: toJson(after) }]);
  handle.settings.forget();
  read.release();
  expect(await Promise.all(answers)).toEqual([after, after]);
  expect(handle.settings.known).toEqual(after);
  await store.close();
});

test('a read of the settings that fails is made again', async () => {
  const driver = new WaitingDriver(false);
  const { store, repository } = await openRepository(driver);
  driver.before = (call) =>
    call === 'get' ? Promise.reject(Object.assign(new Error('EIO'), { code: 'EIO' })) : undefined;
  await expect(repository.settings()).rejects.toMatchObject({ code: 'STORAGE_IO' });
  driver.before = () => undefined;
  expect(await repository.settings()).toEqual({});
  const changed = await repository.changeSettings((before) => ({ ...before, functional: ['http://e/q'] }));
  expect([changed, repository.handle.settings.known]).toEqual([{ functional: ['http://e/q'] }, changed]);
  await store.close();
});
