import { expect, test } from 'vitest';
import { ex, lines, memory, q, repository } from '../testing/fixtures.js';
import { hostOf } from '../host/index.js';

test('stays open between calls and commits once', async () => {
  const repo = await repository('a p b');
  const before = await repo.revision();
  const transaction = await hostOf(repo).begin();
  await transaction.add(q('c p d'));
  await transaction.remove(q('a p b'));
  await transaction.update('INSERT DATA { <urn:x> <urn:y> <urn:z> }');
  expect(await transaction.size()).toBe(2);
  expect(await lines(repo.quads())).toEqual(['a p b']);
  const revision = await transaction.commit({ message: 'at last', author: 'jo' });
  expect(revision).toMatchObject({ number: before.number + 1, added: 2, removed: 1, message: 'at last', author: 'jo' });
  expect(await repo.ask`ASK { ${ex('c')} ?p ?o }`).toBe(true);
  const ended = expect.objectContaining({ code: 'SNAPSHOT_CLOSED' });
  await expect(transaction.add(q('e p f'))).rejects.toThrow(ended);
  await expect(transaction.commit()).rejects.toThrow(ended);
  await transaction.rollback();
  expect((await repo.revision()).id).toBe(revision.id);
});

test('drops its changes on rollback, and when it is disposed of', async () => {
  const repo = await repository('a p b');
  const before = await repo.revision();
  const dropped = await hostOf(repo).begin();
  await dropped.add(q('c p d'));
  await dropped.rollback();
  {
    await using scoped = await hostOf(repo).begin();
    await scoped.add(q('e p f'));
  }
  expect(await lines(repo.quads())).toEqual(['a p b']);
  expect((await repo.revision()).id).toBe(before.id);
  await expect(dropped.size()).rejects.toThrow(expect.objectContaining({ code: 'SNAPSHOT_CLOSED' }));
});

test('fails where another commit came between what it read and its own', async () => {
  const repo = await repository('a p b');
  const transaction = await hostOf(repo).begin();
  await transaction.remove({ subject: ex('a') });
  await repo.add(q('c p d'));
  await expect(transaction.commit()).rejects.toThrow(expect.objectContaining({ code: 'REVISION_CONFLICT' }));
  expect(await lines(repo.quads())).toEqual(['a p b', 'c p d']);
});

test('closing the database ends it', async () => {
  const database = await memory();
  const repo = await database.repository('r', { create: true });
  const transaction = await hostOf(repo).begin();
  await transaction.add(q('a p b'));
  await database.close();
  await expect(transaction.commit()).rejects.toThrow(expect.objectContaining({ code: 'STORE_NOT_OPEN' }));
  await expect(hostOf(repo).begin()).rejects.toThrow(expect.objectContaining({ code: 'STORE_NOT_OPEN' }));
});
