/** A storage that could not be reopened after a failed write works again for readers as soon as it can be opened. */
import { MemoryDriver } from '@quadrille/storage';
import { FaultDriver } from '@quadrille/storage/testing';
import { expect, test } from 'vitest';
import type { Database, Repository } from './index.js';
import { open } from './index.js';
import { q } from './testing/fixtures.js';

const READS: Readonly<Record<string, (repository: Repository, db: Database) => Promise<unknown>>> = {
  'the list of repositories': async (_, db) => db.repositories().toArray(),
  'an older revision': async (repository) => (await repository.at(2).quads().toArray()).length,
  'the log': async (repository) => (await repository.log().toArray()).length,
  prefixes: async (repository) => repository.namespaces.list(),
  'an export': async (repository) => (await repository.sync.exportHistory().toArray()).length,
  'a verification': async (_, db) => (await db.verify()).ok,
};

test.each(Object.keys(READS))('%s', async (read) => {
  const driver = new FaultDriver(new MemoryDriver());
  const db = await open({ storage: driver });
  const repository = await db.repository('r', { create: true });
  await repository.add([q('s p o')]);
  await repository.add([q('t p o')]);
  await repository.namespaces.set('ex', 'urn:ex:');
  const due = await READS[read]!(repository, db);
  driver.setFault({
    effect: 'fail',
    operations: ['write', 'open'],
    repeat: 'forever',
  });
  for (const quad of [q('u p o'), q('v p o')])
    await expect(repository.add([quad])).rejects.toMatchObject({
      code: 'STORAGE_IO',
    });
  driver.setFault();
  expect(await READS[read]!(repository, db)).toEqual(due);
  expect((await repository.add([q('w p o')])).number).toBe(4);
  expect((await repository.quads().toArray()).length).toBe(3);
  await db.close();
});
