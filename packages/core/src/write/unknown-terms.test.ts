/** A commit removes a quad whose term has no id yet, and another commit adds that quad before the first one is staged. */
import { expect, test } from 'vitest';
import { contents, many, openRepository, q, show, SMALL } from '../testing/fixture.js';
import { manyTurns, WaitingDriver } from '../testing/storage-keys.js';

type Change = (added: ReturnType<typeof q>[], removed: ReturnType<typeof q>[]) => Promise<{ number: number }>;

test.each(['commit', 'transaction'] as const)('a %s removes what has come meanwhile', async (kind) => {
  const driver = new WaitingDriver();
  const { store, repository } = await openRepository(driver, { tuning: SMALL });
  await repository.commit([q('a p o')], []);
  const change: Change = async (added, removed) => {
    if (kind === 'commit') return repository.commit(added, removed);
    const open = await repository.begin();
    await open.remove(removed);
    await open.add(added);
    return repository.commitTransaction(open, {});
  };

  let release!: () => void;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  // The change is large: its rows are written aside before it is staged.
  driver.before = (call) => (call === 'write' ? held : undefined);
  const large = change(many('s', 100), [q('a p new'), q('a p never')]);
  await manyTurns();
  const small = repository.commit([q('a p new')], []);
  await manyTurns();
  driver.before = () => undefined;
  release();
  expect([(await small).number, (await large).number]).toEqual([3, 4]);
  expect(await contents(repository)).toEqual([q('a p o'), ...many('s', 100)].map(show).toSorted());
  expect((await repository.maintenance.verify()).problems).toEqual([]);
  await store.close();
});
