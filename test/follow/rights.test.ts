/** Rights of accounts that another server of the same store changes: they count after the next refresh, cached or not. */
import { openService, type Caller, type Service } from '@quadrille/server/host';
import { SharedMemory, SharedMemoryDriver, SharedStorage } from '@quadrille/storage-shared';
import { open, type Database } from 'quadrille';
import { hostOf } from 'quadrille/host';
import { expect, onTestFinished, test } from 'vitest';

const NAME = 'acme/people';
const OWNER: Caller = { account: 'acme', readOnly: false, admin: false };
const READER: Caller = { account: 'reader', readOnly: false, admin: false };

async function server(memory: SharedMemory, follow: boolean): Promise<{ database: Database; service: Service }> {
  const database = await open({ storage: new SharedStorage(new SharedMemoryDriver(memory), { follow }) });
  onTestFinished(() => database.close());
  const service = await openService(database);
  onTestFinished(() => service.close());
  return { database, service };
}

/** A server that writes, with two accounts and a repository, and its store. */
async function furnished(): Promise<{ memory: SharedMemory; service: Service }> {
  const memory = new SharedMemory();
  const { service } = await server(memory, false);
  await service.accounts.create('acme');
  await service.accounts.create('reader');
  await service.repositories.create(OWNER, 'acme', { name: 'People' });
  return { memory, service };
}

const outcome = ({ rights }: Service, caller: Caller): Promise<string> =>
  rights.open(caller, NAME, 'read').then(
    () => 'opened',
    ({ code }: { code: string }) => code,
  );

test('a right that one server gives or takes is given or taken on the other', async () => {
  const { memory, service } = await furnished();
  const other = await server(memory, true);
  expect(await outcome(other.service, READER)).toBe('REPOSITORY_NOT_FOUND');

  await service.repositories.setCollaborator(OWNER, NAME, 'reader', 'read');
  expect(await outcome(other.service, READER)).toBe('REPOSITORY_NOT_FOUND');
  await hostOf(other.database).refresh();
  expect(await outcome(other.service, READER)).toBe('opened');

  await service.repositories.setCollaborator(OWNER, NAME, 'reader', 'none');
  await hostOf(other.database).refresh();
  expect(await outcome(other.service, READER)).toBe('REPOSITORY_NOT_FOUND');
});

test('rights that were read before a refresh are not kept after it', async () => {
  const { memory, service } = await furnished();
  await service.repositories.setCollaborator(OWNER, NAME, 'reader', 'read');
  const other = await server(memory, true);
  await service.repositories.setCollaborator(OWNER, NAME, 'reader', 'none');
  // The first look at the rights and the refresh run beside each other.
  await Promise.all([outcome(other.service, READER), hostOf(other.database).refresh()]);
  expect(await outcome(other.service, READER)).toBe('REPOSITORY_NOT_FOUND');
});

test('a token that one server revokes is refused on the other', async () => {
  const { memory, service } = await furnished();
  const { token } = await service.tokens.create('acme');
  const other = await server(memory, true);
  expect(await other.service.tokens.find(token.id)).toMatchObject({ account: 'acme' });
  await service.tokens.revoke('acme', token.id);
  await hostOf(other.database).refresh();
  expect(await other.service.tokens.find(token.id)).toBeUndefined();
});
