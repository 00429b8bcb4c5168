import { describe, expect, test } from 'vitest';
import { type Caller, openService, type Right, type Service } from '../index.js';
import { Audit } from './audit.js';
import { hosted, memoryDatabase, OPERATOR_OF, OWNER, SlowBody, triples, until } from '../testing/fixtures.js';
import { hostOf } from 'quadrille/host';

const bearer = (token: string) => ({ scheme: 'bearer', token }) as const;
const caller = (rights: readonly Right[], account = 'acme', admin = false): Caller => ({
  account,
  readOnly: !rights.includes('write'),
  admin,
  rights,
});
const ALL = ['read', 'write', 'own', 'replicate'] as const;

/** What a caller may do with acme/people. */
async function mayDoWith(service: Service, who: Caller): Promise<string[]> {
  const attempts = { read: 'read', write: 'write', own: 'own' } as const;
  const found: string[] = [];
  for (const need of Object.values(attempts)) {
    await service.rights.open(who, 'acme/people', need).then(
      () => found.push(need),
      (error: { code: string }) => found.push(error.code),
    );
  }
  return found;
}

describe('rights of a token', () => {
  test.each([
    [['read'], ['read', 'FORBIDDEN', 'FORBIDDEN']],
    [['write'], ['read', 'write', 'FORBIDDEN']],
    [
      ['read', 'write'],
      ['read', 'write', 'FORBIDDEN'],
    ],
    [['own'], ['read', 'write', 'own']],
  ] as const)('%j', async (rights, able) => {
    const service = await hosted();
    const { text } = await service.tokens.create('acme', { rights });
    expect(await mayDoWith(service, await service.authenticator.identify(bearer(text)))).toEqual(able);
  });

  test('to operate alone read nothing that is not public', async () => {
    const service = await hosted();
    await service.accounts.set('other', { admin: true });
    const { text, token } = await service.tokens.create('other', { rights: ['operate'] });
    const who = await service.authenticator.identify(bearer(text));
    expect([token.rights, who.admin, token.readOnly]).toEqual([['operate'], true, true]);
    const missing = 'REPOSITORY_NOT_FOUND';
    expect(await mayDoWith(service, who)).toEqual([missing, missing, missing]);
    await service.repositories.update(OWNER, 'acme/people', { privacy: 'authenticated' });
    expect(await mayDoWith(service, who)).toEqual([missing, missing, missing]);
    await service.repositories.update(OWNER, 'acme/people', { privacy: 'public' });
    expect(await mayDoWith(service, who)).toEqual(['read', 'FORBIDDEN', 'FORBIDDEN']);
  });

  test('of an account that is no administrator any more shrink with it', async () => {
    let time = Date.now();
    const service = await hosted({ now: () => time });
    await service.accounts.set('other', { admin: true });
    const { text } = await service.tokens.create('other');
    const rights = async () => (await service.authenticator.identify(bearer(text))).rights;
    expect(await rights()).toEqual([...ALL, 'operate']);
    await service.accounts.set('other', { admin: false });
    time += 5001;
    expect(await rights()).toEqual(ALL);
  });

  test('of tokens that earlier versions have made are all of their account, or to read', async () => {
    const database = await memoryDatabase();
    const service = await hosted({}, database);
    for (const readOnly of [false, true]) {
      const { text, token } = await service.tokens.create('acme', { readOnly });
      const key = `token/${token.id}`;
      const {
        rights: _,
        expires: __,
        ...earlier
      } = (await hostOf(database).records.get(key)) as Record<string, unknown>;
      await hostOf(database).records.write([{ key, value: earlier }]);
      const later = await openService(database);
      const identified = await later.authenticator.identify(bearer(text));
      expect([identified.rights, identified.readOnly]).toEqual(readOnly ? [['read'], true] : [ALL, false]);
      await later.close();
    }
  });
});

describe('expiry', () => {
  test('a token is valid until then, also where it is known already', async () => {
    let time = Date.now();
    const service = await hosted({ now: () => time });
    const { text, token } = await service.tokens.create('acme', { name: 'a', expires: new Date(time + 1000) });
    const who = await service.authenticator.identify(bearer(text));
    expect(await service.authenticator.isCurrent(who)).toBe(true);
    time += 999;
    await service.authenticator.identify(bearer(text));
    time += 1;
    await expect(service.authenticator.identify(bearer(text))).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    expect(await service.authenticator.isCurrent(who)).toBe(false);
    expect(await service.tokens.list('acme')).toMatchObject([{ id: token.id }]);
  });

  test('the past is refused; a token that has expired leaves its name and its room', async () => {
    let time = Date.now();
    const service = await hosted({ now: () => time, limits: { tokensPerAccount: 1 } });
    const expires = new Date(time);
    await expect(service.tokens.create('acme', { expires })).rejects.toMatchObject({ code: 'INVALID_RECORD' });
    const later = new Date(Number.NaN);
    await expect(service.tokens.create('acme', { expires: later })).rejects.toMatchObject({ code: 'INVALID_RECORD' });
    await service.tokens.create('acme', { name: 'x', expires: new Date(time + 10) });
    await expect(service.tokens.create('acme', { name: 'x' })).rejects.toMatchObject({ code: 'ALREADY_EXISTS' });
    time += 10;
    const { token } = await service.tokens.create('acme', { name: 'x' });
    expect(await service.tokens.list('acme')).toEqual([token]);
  });
});

describe('administration', () => {
  test('nobody gives a right that it does not have', async () => {
    const service = await hosted();
    const create = (who: Caller, account: string, rights?: readonly Right[]) =>
      service.administration.createToken(who, account, { rights }).then(
        ({ token }) => token.rights,
        (error: { code: string }) => error.code,
      );
    expect(await create(caller(ALL), 'acme')).toEqual(['read', 'write']);
    expect(await create(caller(ALL), 'acme', ['own', 'replicate'])).toEqual(ALL);
    expect(await create(caller(['own']), 'acme', ['replicate'])).toBe('FORBIDDEN');
    expect(await create(caller(ALL), 'acme', ['operate'])).toBe('FORBIDDEN');
    expect(await create(caller(['read']), 'acme')).toBe('FORBIDDEN');
    // An administrator whose token may not operate.
    expect(await create(caller(ALL, 'other', true), 'acme', ['operate'])).toBe('FORBIDDEN');
    expect(await create(OPERATOR_OF('other'), 'acme', ['operate'])).toBe('INVALID_RECORD');
    await service.accounts.set('acme', { admin: true });
    expect(await create(OPERATOR_OF('other'), 'acme', ['operate', 'read'])).toEqual(['read', 'operate']);
  });

  test('of two that create an account or a token of one name, one succeeds', async () => {
    const service = await hosted();
    const { administration } = service;
    const outcomes = async (attempts: Promise<unknown>[]) =>
      (await Promise.allSettled(attempts)).map((each) =>
        each.status === 'fulfilled' ? 'made' : (each.reason as { code: string }).code,
      );
    const accounts = [1, 2, 3].map(() => administration.createAccount(OPERATOR_OF('other'), 'new', { admin: true }));
    expect(await outcomes(accounts)).toEqual(['made', 'ALREADY_EXISTS', 'ALREADY_EXISTS']);
    expect(await service.accounts.get('new')).toMatchObject({ admin: true });
    const tokens = [1, 2, 3].map(() => administration.createToken(OWNER, 'acme', { label: 'x' }));
    expect(await outcomes(tokens)).toEqual(['made', 'ALREADY_EXISTS', 'ALREADY_EXISTS']);
    const gone = [1, 2].map(() => administration.removeAccount(OPERATOR_OF('other'), 'new'));
    expect((await outcomes(gone)).filter((outcome) => outcome !== 'made').length).toBeLessThan(2);
    expect(await service.accounts.get('new')).toBeUndefined();
  });

  test('an account with repositories is removed by force only, with imports that are under way', async () => {
    const service = await hosted();
    const { text } = await service.tokens.create('acme');
    await service.repositories.create(OWNER, 'acme', { name: 'Places' });
    const remove = (force: boolean) => service.administration.removeAccount(OPERATOR_OF('other'), 'acme', force);
    await expect(remove(false)).rejects.toMatchObject({ code: 'ACCOUNT_NOT_EMPTY' });
    await service.authenticator.identify(bearer(text));
    const body = new SlowBody();
    const imported = service.imports.run(OWNER, 'acme/people', { source: { body, mediaType: 'text/plain' } });
    const ended = imported.then(
      () => 'done',
      () => 'failed',
    );
    body.send(triples(10));
    await until(() => service.jobs.list(OWNER).length > 0);
    await remove(true);
    body.end();
    expect(await ended).toBe('failed');
    await expect(service.authenticator.identify(bearer(text))).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    expect(await service.database.repositories('acme').toArray()).toEqual([]);
    await expect(remove(true)).rejects.toMatchObject({ code: 'ACCOUNT_NOT_FOUND' });
    // Nothing of it comes back with a later account of the name.
    await service.accounts.create('acme');
    expect(await service.tokens.list('acme')).toEqual([]);
  });

  test('an administrator may remove its own account, as long as its request lasts', async () => {
    const service = await hosted();
    await service.accounts.set('acme', { admin: true });
    const { text } = await service.tokens.create('acme');
    const who = await service.authenticator.identify(bearer(text));
    await service.administration.removeAccount(who, 'acme', true);
    expect(await service.accounts.get('acme')).toBeUndefined();
  });

  test('each change is recorded with who made it, and nothing secret', async () => {
    const service = await hosted();
    const who = { ...OPERATOR_OF('other'), tokenId: '0123456789abcdef' };
    const { administration, repositories } = service;
    await administration.createAccount(who, 'new', {});
    const { token, text } = await administration.createToken(who, 'new', { label: 'x' });
    await administration.revokeToken(who, 'new', token.id);
    await repositories.setCollaborator(OWNER, 'acme/people', 'reader', 'read');
    await repositories.update(OWNER, 'acme/people', { privacy: 'public', summary: 'not recorded' });
    await repositories.update(OWNER, 'acme/people', { summary: 'not recorded' });
    await administration.removeAccount(who, 'acme', true);
    const entries = await administration.audited(100);
    const [last] = await administration.audited(1);
    expect(last).toEqual(entries[0]);
    expect(JSON.stringify(entries)).not.toContain(text.slice(21));
    expect(JSON.stringify(entries)).not.toContain('not recorded');
    expect(entries.map(({ account, action, subject }) => [account, action, subject]).reverse()).toEqual([
      ['other', 'account.create', 'new'],
      ['other', 'token.create', `new/${token.id}`],
      ['other', 'token.revoke', `new/${token.id}`],
      ['acme', 'collaborator.set', 'acme/people'],
      ['acme', 'repository.privacy', 'acme/people'],
      ['other', 'repository.delete', 'acme/people'],
      ['other', 'account.delete', 'acme'],
    ]);
    expect(entries.at(-1)).toMatchObject({ token: '0123456789abcdef', details: { admin: false } });
  });

  test('the record is bounded, and goes on after a restart', async () => {
    const database = await memoryDatabase();
    let at = 0;
    const subjects = async (audit: Audit) => (await audit.newest(100)).map(({ subject }) => subject);
    const first = new Audit(hostOf(database), () => at, undefined, 4);
    const add = (audit: Audit) => audit.add(OWNER, { action: 'account.create', subject: `s${String(at++)}` });
    for (let i = 0; i < 4; i++) await add(first);
    expect(await subjects(first)).toEqual(['s3', 's2', 's1', 's0']);
    const second = new Audit(hostOf(database), () => at, undefined, 4);
    await add(second);
    expect(await subjects(second)).toEqual(['s4']);
    await Promise.all([add(second), add(second)]);
    expect((await subjects(second)).toSorted()).toEqual(['s4', 's5', 's6']);
  });

  test('the record goes on after a failure of the storage', async () => {
    const database = await memoryDatabase();
    const { records } = hostOf(database);
    let failures = 1;
    const failing = {
      get: records.get.bind(records),
      list: async (prefix: string) => {
        if (failures-- > 0) throw new Error('the disk is away');
        return records.list(prefix);
      },
      write: records.write.bind(records),
    };
    const audit = new Audit({ records: failing }, Date.now);
    const change = { action: 'account.create', subject: 'new' } as const;
    await expect(audit.add(OWNER, change)).rejects.toThrow('away');
    await audit.add(OWNER, change);
    expect(await audit.newest(10)).toMatchObject([change]);
  });
});
