import { describe, expect, test } from 'vitest';
import { ANONYMOUS, type RepositoryFields } from '../index.js';
import { bodyOf, hosted, OTHER, OWNER, triples } from '../testing/fixtures.js';

const NAME = 'acme/people';
const fieldsOf = (text: string): RepositoryFields => Object.fromEntries(new URLSearchParams(text));

describe('the fields of a record', () => {
  test.each([
    ['', 'name', "can't be blank"],
    ['name=Jobs', 'name', 'is reserved: jobs'],
    ['name=Branches', 'name', 'is reserved: branches'],
    ['name=people', 'name', 'already exists: acme/people'],
    ['name=x&homepage=ftp://e.org', 'homepage', 'is not an http or https URL'],
    ['name=x&homepage=http:', 'homepage', 'is not an http or https URL'],
    ['name=x&privacy=secret', 'privacy', 'is not private, public or authenticated'],
    [`name=x&summary=${'s'.repeat(1001)}`, 'summary', 'is longer than 1000 characters'],
  ])('%s is refused', async (text, field, problem) => {
    const service = await hosted();
    await expect(service.repositories.create(OWNER, 'acme', fieldsOf(text))).rejects.toMatchObject({
      code: 'INVALID_RECORD',
      fields: { [field]: [problem] },
    });
    expect(await service.repositories.list(OWNER, 'acme')).toHaveLength(1);
  });
});

describe('a repository', () => {
  test('is made with a record and a job', async () => {
    const service = await hosted();
    const { record, job } = await service.repositories.create(
      OWNER,
      'acme',
      fieldsOf('name=My Data!&homepage=http://e.org/&privacy=public'),
    );
    expect(record).toMatchObject({
      repository_id: 'acme/my-data',
      name: 'My Data!',
      summary: null,
      homepage: 'http://e.org/',
      triple_count: 0,
      byte_size: 0,
      privacy: 'public',
      created: expect.stringMatching(/\+00:00$/),
    });
    expect(job).toMatchObject({ kind: 'create', status: 'completed', percent: 100, repository: 'acme/my-data' });
    expect(await service.repositories.status(ANONYMOUS, 'acme/my-data')).toEqual(job);
  });

  test('is made once, by whoever may', async () => {
    const service = await hosted({ limits: { repositoriesPerAccount: 3 } });
    const create = (caller: typeof OWNER, name: string) => service.repositories.create(caller, 'acme', { name });
    const attempts = await Promise.allSettled(Array.from({ length: 5 }, () => create(OWNER, 'same')));
    expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await expect(create(ANONYMOUS, 'x')).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    await expect(create(OTHER, 'x')).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(create({ ...OWNER, readOnly: true }, 'x')).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(service.repositories.create(OWNER, 'nobody', { name: 'x' })).rejects.toMatchObject({
      code: 'ACCOUNT_NOT_FOUND',
    });
    await create(OWNER, 'third');
    await expect(create(OWNER, 'fourth')).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED' });
  });

  test('is described; its slug stays', async () => {
    const service = await hosted();
    const { repositories } = service;
    await repositories.update(OWNER, NAME, fieldsOf('name=Persons&summary=s&license_url=http://e.org/l'));
    await repositories.update(OWNER, NAME, { description: 'd' });
    await repositories.update(OWNER, NAME, { summary: null });
    const { source } = { source: { body: bodyOf(triples(10)), mediaType: 'text/plain' } };
    await service.imports.run(OWNER, NAME, { source });
    const record = await repositories.record(OWNER, NAME);
    expect(record).toMatchObject({
      repository_id: NAME,
      name: 'Persons',
      summary: null,
      description: 'd',
      license_url: 'http://e.org/l',
      triple_count: 10,
    });
    expect(record.byte_size).toBeGreaterThan(0);
    await expect(repositories.update(OWNER, NAME, { name: null })).rejects.toMatchObject({ code: 'INVALID_RECORD' });
    await expect(repositories.update(OTHER, NAME, {})).rejects.toMatchObject({ code: 'REPOSITORY_NOT_FOUND' });
  });

  test('is cleared in one revision, and deleted with its rights', async () => {
    const service = await hosted();
    const { repositories } = service;
    const source = { body: bodyOf(triples(10)), mediaType: 'text/plain' };
    await service.imports.run(OWNER, NAME, { source });
    const { revision, job } = await repositories.clear(OWNER, NAME, { message: 'away' });
    expect(revision).toMatchObject({ number: 3, removed: 10, author: 'acme', message: 'away' });
    expect(job).toMatchObject({ kind: 'clear', revision: revision.id });
    await repositories.update(OWNER, NAME, { privacy: 'public' });
    expect(await repositories.remove(OWNER, NAME)).toMatchObject({ kind: 'delete', status: 'completed' });
    await expect(repositories.record(OWNER, NAME)).rejects.toMatchObject({ code: 'REPOSITORY_NOT_FOUND' });
    await expect(repositories.remove(OWNER, NAME)).rejects.toMatchObject({ code: 'REPOSITORY_NOT_FOUND' });
    const { record } = await repositories.create(OWNER, 'acme', { name: 'people' });
    expect(record).toMatchObject({ privacy: 'private', triple_count: 0 });
  });

  test('that the library made has a status too', async () => {
    const service = await hosted();
    await service.database.repository('acme/made', { create: true });
    const status = await service.repositories.status(OWNER, 'acme/made');
    expect(status).toMatchObject({ kind: 'create', status: 'completed', account: 'acme' });
    expect(await service.repositories.status(OWNER, 'acme/made')).toEqual(status);
    await expect(service.repositories.status(OTHER, 'acme/made')).rejects.toMatchObject({
      code: 'REPOSITORY_NOT_FOUND',
    });
  });
});

test('a list has what its reader may read', async () => {
  const service = await hosted();
  for (const [name, privacy] of [
    ['open', 'public'],
    ['club', 'authenticated'],
    ['mine', 'private'],
  ] as const)
    await service.repositories.create(OWNER, 'acme', { name, privacy });
  await service.repositories.setCollaborator(OWNER, 'acme/mine', 'reader', 'read');
  const list = async (caller: typeof OWNER) =>
    (await service.repositories.list(caller, 'acme')).map(({ name, access }) => `${name.slice(5)} ${access}`);
  expect(await list(ANONYMOUS)).toEqual(['open read']);
  expect(await list(OTHER)).toEqual(['club read', 'open read']);
  expect(await list({ ...OTHER, account: 'reader' })).toEqual(['club read', 'mine read', 'open read']);
  expect(await list(OWNER)).toEqual(['club write', 'mine write', 'open write', 'people write']);
  expect(await service.repositories.list(ANONYMOUS, 'nobody')).toEqual([]);
  await expect(service.repositories.list(OTHER, 'nobody')).rejects.toMatchObject({ code: 'ACCOUNT_NOT_FOUND' });
  const records = [];
  for await (const record of service.repositories.records(ANONYMOUS, 'acme')) records.push(record.repository_id);
  expect(records).toEqual(['acme/open']);
});

test('statements are removed by pattern, of everything or of graphs', async () => {
  const service = await hosted();
  const { iri, defaultGraph } = await import('quadrille');
  const lines = ['<urn:a> <urn:p> "1" .', '<urn:b> <urn:p> "1" <urn:g> .', '<urn:a> <urn:p> "1" <urn:h> .'].join('\n');
  await service.imports.run(OWNER, NAME, { source: { body: bodyOf(lines), mediaType: 'text/plain' } });
  const { statements } = service;
  const subject = iri('urn:a');
  expect(await statements.remove(OWNER, NAME, { subject }, [defaultGraph(), iri('urn:g')])).toMatchObject({
    removed: 1,
  });
  expect(await statements.remove(OWNER, NAME, {}, [iri('urn:g')])).toMatchObject({ removed: 1, author: 'acme' });
  const last = await statements.remove(OWNER, NAME, { subject }, undefined);
  expect(last).toMatchObject({ number: 5, removed: 1, size: 0 });
  expect((await statements.remove(OWNER, NAME, {}, undefined)).id).toBe(last.id);
  await expect(statements.remove(OTHER, NAME, {}, undefined)).rejects.toMatchObject({ code: 'REPOSITORY_NOT_FOUND' });
});

test('accounts are made, described and removed', async () => {
  const { accounts, repositories } = await hosted();
  await accounts.create('jo', { fullName: 'Jo', email: 'jo@e.org' });
  await accounts.set('jo', { admin: true });
  expect(await accounts.get('jo')).toMatchObject({ name: 'jo', fullName: 'Jo', email: 'jo@e.org', admin: true });
  expect((await accounts.list()).map(({ name }) => name)).toEqual(['acme', 'jo', 'other', 'reader', 'writer']);
  await expect(accounts.create('jo')).rejects.toMatchObject({ code: 'ALREADY_EXISTS' });
  for (const name of ['Jo', 'jobs', '', 'a/b', 'a.b'])
    await expect(accounts.create(name)).rejects.toMatchObject({ code: 'INVALID_RECORD' });
  await expect(accounts.remove('acme')).rejects.toMatchObject({ code: 'ACCOUNT_NOT_EMPTY' });
  await repositories.remove(OWNER, NAME);
  expect(await accounts.remove('acme')).toBe(true);
  expect(await accounts.remove('acme')).toBe(false);
  expect(await accounts.get('acme')).toBeUndefined();
});
