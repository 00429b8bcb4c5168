/** A commit waits for its write while the terms in memory are flushed. Its own terms must not take the place of what was flushed. */
import { expect, test } from 'vitest';
import { flushTail } from '../maintenance/flush.js';
import { Pacer, platformEnv } from '../runtime/env.js';
import { asyncDriver, contents, openRepository, q } from '../testing/fixture.js';
import { manyTurns } from '../testing/storage-keys.js';

interface Hold {
  readonly promise: Promise<void>;
  readonly release: () => void;
}

function hold(): Hold {
  let release!: () => void;
  const promise = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { promise, release };
}

test('terms that were flushed stay when a commit that was staged before is written', async () => {
  const driver = asyncDriver();
  Object.assign(driver, { capabilities: { ...driver.capabilities, remote: true } });
  let turn: Promise<void> | undefined;
  const env = { ...platformEnv(), yieldTurn: () => turn ?? Promise.resolve() };
  const { store, repository } = await openRepository(driver, { env });
  await repository.ready();

  const write = hold();
  turn = write.promise;
  const first = repository.commit([q('first p1 o1')], []);
  await manyTurns();
  expect(repository.handle.timeline.staged.number).toBe(2);
  const staging = hold();
  repository.handle.timeline.guard = () => staging.promise.then(() => undefined);
  const second = repository.commit([q('second p2 o2')], []);
  await manyTurns();
  turn = undefined;
  await flushTail(repository.handle.timeline, new Pacer(env));
  write.release();
  await first;
  staging.release();
  await second;
  await store.close();

  const again = await openRepository(driver);
  expect(await contents(again.repository)).toEqual(['first p1 o1', 'second p2 o2']);
  await again.store.close();
});
