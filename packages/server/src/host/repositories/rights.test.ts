import { NotFoundError } from '@quadrille/model';
import { describe, expect, test } from 'vitest';
import { ANONYMOUS, type Caller, type Need, OPERATOR, type Privacy, type Service } from '../index.js';
import { hosted, memoryDatabase, OTHER, OWNER, READER, WRITER } from '../testing/fixtures.js';
import { isGone } from './rights.js';

const NAME = 'acme/people';
const readOnly = (caller: Caller): Caller => ({ ...caller, readOnly: true });
const CALLERS: Record<string, Caller> = {
  anonymous: ANONYMOUS,
  other: OTHER,
  'other, read-only': readOnly(OTHER),
  reader: READER,
  writer: WRITER,
  'writer, read-only': readOnly(WRITER),
  owner: OWNER,
  'owner, read-only': readOnly(OWNER),
  admin: { account: 'other', readOnly: false, admin: true },
  'admin, read-only': { account: 'other', readOnly: true, admin: true },
  operator: OPERATOR,
  'writer, token to write': { ...WRITER, rights: ['read', 'write'] },
  'owner, token to write': { ...OWNER, rights: ['read', 'write'] },
  'owner, token to own': { ...OWNER, rights: ['read', 'write', 'own'] },
};

async function shared(privacy: Privacy): Promise<Service> {
  const service = await hosted();
  await service.repositories.update(OWNER, NAME, { privacy });
  await service.repositories.setCollaborator(OWNER, NAME, 'reader', 'read');
  await service.repositories.setCollaborator(OWNER, NAME, 'writer', 'write');
  return service;
}

const outcome = async (service: Service, caller: Caller, name: string, need: Need): Promise<string> => {
  const error = await service.rights.open(caller, name, need).then(
    () => undefined,
    (failure: { code: string }) => failure,
  );
  return error?.code ?? 'ok';
};

const U = 'UNAUTHENTICATED';
const F = 'FORBIDDEN';
const N = 'REPOSITORY_NOT_FOUND';
// read, write, own of a repository that is private, public, for authenticated ones.
const MATRIX: [caller: string, outcomes: Record<Privacy, [read: string, write: string, own: string]>][] = [
  ['anonymous', { private: [U, U, U], public: ['ok', U, U], authenticated: [U, U, U] }],
  ['other', { private: [N, N, N], public: ['ok', F, F], authenticated: ['ok', F, F] }],
  ['other, read-only', { private: [N, N, N], public: ['ok', F, F], authenticated: ['ok', F, F] }],
  ['reader', { private: ['ok', F, F], public: ['ok', F, F], authenticated: ['ok', F, F] }],
  ['writer', { private: ['ok', 'ok', F], public: ['ok', 'ok', F], authenticated: ['ok', 'ok', F] }],
  ['writer, read-only', { private: ['ok', F, F], public: ['ok', F, F], authenticated: ['ok', F, F] }],
  ['owner', { private: ['ok', 'ok', 'ok'], public: ['ok', 'ok', 'ok'], authenticated: ['ok', 'ok', 'ok'] }],
  ['owner, read-only', { private: ['ok', F, F], public: ['ok', F, F], authenticated: ['ok', F, F] }],
  ['admin', { private: ['ok', 'ok', 'ok'], public: ['ok', 'ok', 'ok'], authenticated: ['ok', 'ok', 'ok'] }],
  ['admin, read-only', { private: ['ok', F, F], public: ['ok', F, F], authenticated: ['ok', F, F] }],
  ['operator', { private: ['ok', 'ok', 'ok'], public: ['ok', 'ok', 'ok'], authenticated: ['ok', 'ok', 'ok'] }],
  ['writer, token to write', { private: ['ok', 'ok', F], public: ['ok', 'ok', F], authenticated: ['ok', 'ok', F] }],
  ['owner, token to write', { private: ['ok', 'ok', F], public: ['ok', 'ok', F], authenticated: ['ok', 'ok', F] }],
  [
    'owner, token to own',
    { private: ['ok', 'ok', 'ok'], public: ['ok', 'ok', 'ok'], authenticated: ['ok', 'ok', 'ok'] },
  ],
];

describe.each(['private', 'public', 'authenticated'] as const)('a repository that is %s', (privacy) => {
  test.each(MATRIX)('%s', async (name, outcomes) => {
    const service = await shared(privacy);
    const caller = CALLERS[name]!;
    const found = [];
    for (const need of ['read', 'write', 'own'] as const) found.push(await outcome(service, caller, NAME, need));
    expect(found).toEqual(outcomes[privacy]);
  });
});

test('a protected branch is for owners alone, and only they may do what needs one', async () => {
  const service = await shared('private');
  const repository = await service.rights.open(OWNER, NAME, 'own');
  await repository.settings.set({ protected: ['main'] });
  const commit = (caller: Caller, branch?: string) => service.rights.openToCommit(caller, NAME, branch);
  expect((await commit(OWNER)).branch).toBe('main');
  await expect(commit(WRITER)).rejects.toMatchObject({
    code: 'FORBIDDEN',
    message: `branch main is protected: only the owner of ${NAME} may change it`,
  });
  await expect(commit(READER)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  await expect(commit({ ...OWNER, rights: ['read', 'write'] })).rejects.toMatchObject({ code: 'FORBIDDEN' });
  expect(() => service.rights.requireOwner(WRITER, repository, 'other')).toThrow(/^branch other is protected/);
  await repository.branches.create('draft');
  expect((await commit(WRITER, 'draft')).branch).toBe('draft');
  expect((await service.rights.openToRead(READER, NAME, 'draft')).branch).toBe('draft');
  await expect(service.rights.openToRead(OTHER, NAME, 'draft')).rejects.toMatchObject({ code: N });
  await repository.settings.set({ protected: null });
  expect((await commit(WRITER)).branch).toBe('main');
});

test('who may not do it is told why', async () => {
  const service = await shared('private');
  const told = (caller: Caller, need: Need): Promise<string> =>
    service.rights.open(caller, NAME, need).then(
      () => 'opened',
      ({ message }: Error) => message,
    );
  expect(await told(READER, 'write')).toBe('account reader may only read acme/people');
  expect(await told(WRITER, 'own')).toBe('only the owner of acme/people may do this');
  expect(await told(readOnly(OWNER), 'write')).toBe('this token may only read');
  expect(await told({ ...OWNER, rights: ['read', 'write'] }, 'own')).toBe('this token does not have the right own');
  expect(await told(ANONYMOUS, 'read')).toBe('credentials are required');
  expect(await told(OTHER, 'read')).toBe('there is no repository acme/people');
  const long = `acme/${'x'.repeat(300)}`;
  await expect(service.rights.open(OTHER, long, 'read')).rejects.toMatchObject({
    message: `there is no repository ${long.slice(0, 201)}`,
  });
});

test('a failure of the store is not taken for a missing repository, as a deletion is', async () => {
  const database = await memoryDatabase();
  const service = await hosted({}, database);
  await database.deleteRepository(NAME);
  expect(await outcome(service, OWNER, NAME, 'read')).toBe(N);
  await database.close();
  expect(await outcome(service, OWNER, NAME, 'read')).toBe('STORE_NOT_OPEN');
});

test('which errors say that a repository is gone', () => {
  expect(isGone(new NotFoundError('REPOSITORY_NOT_FOUND', ''))).toBe(true);
  expect(isGone(new NotFoundError('REPOSITORY_DELETED', ''))).toBe(true);
  expect(isGone(new NotFoundError('REVISION_NOT_FOUND', ''))).toBe(false);
  expect(isGone(new Error('REPOSITORY_NOT_FOUND'))).toBe(false);
});

test('a repository of which nothing is stored is private', async () => {
  const service = await hosted();
  expect(await service.rights.hosting(await service.rights.open(OWNER, NAME, 'own'))).toEqual({
    privacy: 'private',
    collaborators: {},
  });
});

test('a repository that is not there is like one that may not be read', async () => {
  const service = await shared('private');
  for (const name of [
    'acme/nothing',
    'nobody/nothing',
    'acme/../people',
    'acme',
    'acme/',
    'ACME/people',
    'acme/jobs',
  ]) {
    expect(await outcome(service, ANONYMOUS, name, 'read')).toBe(U);
    expect(await outcome(service, OTHER, name, 'write')).toBe(N);
  }
});

test('rights that were taken away are gone at once', async () => {
  const service = await shared('public');
  await service.repositories.setCollaborator(OWNER, NAME, 'writer', 'none');
  expect(await outcome(service, WRITER, NAME, 'write')).toBe(F);
  await service.repositories.update(OWNER, NAME, { privacy: null });
  expect(await outcome(service, WRITER, NAME, 'read')).toBe(N);
  expect(await service.repositories.collaborators(OWNER, NAME)).toEqual({ reader: 'read' });
});

test('rights outlive the process and not the repository', async () => {
  const database = await memoryDatabase();
  const service = await hosted({}, database);
  await service.repositories.update(OWNER, NAME, { privacy: 'public' });
  const { openService } = await import('../index.js');
  const again = await openService(database);
  expect(await outcome(again, ANONYMOUS, NAME, 'read')).toBe('ok');
  // Not through the service, which would forget the rights itself.
  await database.deleteRepository(NAME);
  await new Promise((resolve) => setTimeout(resolve, 2));
  await database.repository(NAME, { create: true });
  expect(await outcome(again, ANONYMOUS, NAME, 'read')).toBe(U);
  expect(await again.repositories.list(ANONYMOUS, 'acme')).toEqual([]);
});

test('only accounts that are there can be collaborators, whatever they are called', async () => {
  const service = await shared('private');
  const share = (account: string) => service.repositories.setCollaborator(OWNER, NAME, account, 'write');
  await expect(share('nobody')).rejects.toMatchObject({ code: 'ACCOUNT_NOT_FOUND' });
  await expect(share('__proto__')).rejects.toMatchObject({ code: 'ACCOUNT_NOT_FOUND' });
  await service.accounts.create('constructor');
  const caller = { ...OTHER, account: 'constructor' };
  expect(await outcome(service, caller, NAME, 'read')).toBe(N);
  await share('constructor');
  expect(await outcome(service, caller, NAME, 'write')).toBe('ok');
});

test('changes at the same time are all kept', async () => {
  const service = await hosted();
  const names = Array.from({ length: 8 }, (_, i) => `friend${String(i)}`);
  for (const name of names) await service.accounts.create(name);
  await Promise.all([
    ...names.map((name) => service.repositories.setCollaborator(OWNER, NAME, name, 'read')),
    service.repositories.update(OWNER, NAME, { privacy: 'public' }),
  ]);
  expect(Object.keys(await service.repositories.collaborators(OWNER, NAME)).sort()).toEqual(names);
  expect(await outcome(service, ANONYMOUS, NAME, 'read')).toBe('ok');
});
