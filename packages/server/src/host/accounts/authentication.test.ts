import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { open } from 'quadrille';
import { describe, expect, test } from 'vitest';
import { type Credentials, openService, type Service, type ServiceOptions } from '../index.js';
import { directory, hosted, memoryDatabase, OWNER } from '../testing/fixtures.js';

const basic = (user: string, password: string): Credentials => ({ scheme: 'basic', user, password });
const bearer = (token: string): Credentials => ({ scheme: 'bearer', token });

async function withToken(options: ServiceOptions = {}): Promise<{ service: Service; token: string; id: string }> {
  const service = await hosted(options);
  const { text, token } = await service.tokens.create('acme', { name: 'laptop' });
  return { service, token: text, id: token.id };
}

describe('the forms of credentials', () => {
  test.each([
    ['the token as user', (token: string) => basic(token, '')],
    ['the token as password', (token: string) => basic('', token)],
    ['the token as user with any password', (token: string) => basic(token, 'X')],
    ['account and token', (token: string) => basic('acme', token)],
    ['a bearer token', (token: string) => bearer(token)],
  ])('%s', async (_, form) => {
    const { service, token, id } = await withToken();
    const caller = await service.authenticator.identify(form(token), '1.2.3.4');
    const rights = ['read', 'write', 'own', 'replicate'];
    expect(caller).toEqual({ account: 'acme', readOnly: false, admin: false, rights, tokenId: id });
  });

  test.each([
    ['nothing in them', () => basic('', '')],
    ['no form that is known', () => ({ scheme: 'unreadable' }) as const],
    ['another account', (token: string) => basic('other', token)],
    ['an unknown account', (token: string) => basic('nobody', token)],
    ['one wrong character', (token: string) => bearer(`${token.slice(0, -1)}${token.endsWith('A') ? 'E' : 'A'}`)],
    ['the id of one and the secret of another', (token: string) => bearer(`${token.slice(0, 21)}${'A'.repeat(43)}`)],
    ['an id that nobody has', (token: string) => bearer(`qdt_0000000000000000_${token.slice(21)}`)],
    ['ten kilobytes', () => basic('x'.repeat(10_000), '')],
  ])('%s is refused', async (_, form) => {
    const { service, token } = await withToken();
    const refused = service.authenticator.identify(form(token), '1.2.3.4');
    await expect(refused).rejects.toMatchObject({ code: 'UNAUTHENTICATED', message: 'the credentials are not valid' });
  });

  test('none at all are nobody in particular; a server that asks for none takes everybody for its operator', async () => {
    const service = await hosted();
    expect(await service.authenticator.identify(undefined)).toMatchObject({ account: undefined, admin: false });
    const opened = await openService(await memoryDatabase(), { open: true });
    expect(await opened.authenticator.identify(basic('', ''))).toMatchObject({ admin: true, readOnly: false });
  });
});

describe('tokens', () => {
  test('are listed without what they are, and revoked by name or id at once', async () => {
    let time = Date.now();
    const { service, token, id } = await withToken({ now: () => time++ });
    const second = await service.tokens.create('acme', { readOnly: true });
    expect(await service.authenticator.identify(bearer(second.text))).toMatchObject({ readOnly: true });
    const listed = await service.tokens.list('acme');
    expect(listed).toMatchObject([{ id, name: 'laptop', readOnly: false }, { readOnly: true }]);
    expect(JSON.stringify(listed)).not.toContain(token.slice(21));
    await service.authenticator.identify(bearer(token));
    await service.tokens.revoke('acme', 'laptop');
    await expect(service.authenticator.identify(bearer(token))).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    await expect(service.tokens.revoke('acme', 'laptop')).rejects.toMatchObject({ code: 'TOKEN_NOT_FOUND' });
    await expect(service.tokens.revoke('other', second.token.id)).rejects.toMatchObject({ code: 'TOKEN_NOT_FOUND' });
    await service.tokens.revoke('acme', second.token.id);
    expect(await service.tokens.list('acme')).toEqual([]);
  });

  test('are of an account that is there, named once, and so many', async () => {
    const { service } = await withToken({ limits: { tokensPerAccount: 2 } });
    await expect(service.tokens.create('nobody')).rejects.toMatchObject({ code: 'ACCOUNT_NOT_FOUND' });
    await expect(service.tokens.create('acme', { name: 'laptop' })).rejects.toMatchObject({ code: 'ALREADY_EXISTS' });
    await expect(service.tokens.create('acme', { name: 'a\nb' })).rejects.toMatchObject({ code: 'INVALID_RECORD' });
    await service.tokens.create('acme');
    await expect(service.tokens.create('acme')).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED' });
  });

  test('go with their account, and do not come back with another one of its name', async () => {
    const { service, token } = await withToken();
    const attempt = () => service.authenticator.identify(bearer(token));
    expect(await attempt()).toMatchObject({ account: 'acme' });
    await service.repositories.remove(OWNER, 'acme/people');
    expect(await service.accounts.remove('acme')).toBe(true);
    await expect(attempt()).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    await new Promise((resolve) => setTimeout(resolve, 2));
    await service.accounts.create('acme');
    await expect(attempt()).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    expect(await service.tokens.list('acme')).toEqual([]);
  });

  test('of an account that was removed behind the back of the service are none after five seconds', async () => {
    let time = Date.now();
    const { service, token } = await withToken({ now: () => time });
    const attempt = () => service.authenticator.identify(bearer(token));
    await attempt();
    await service.database.deleteRepository('acme/people');
    await service.database.accounts.delete('acme');
    time += 5001;
    await expect(attempt()).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    await new Promise((resolve) => setTimeout(resolve, 2));
    await service.database.accounts.create('acme');
    await expect(attempt()).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  test('are not in the store: none of their bytes, in no spelling', async () => {
    const path = await directory();
    const database = await open(path);
    const service = await openService(database);
    const first = (await service.ensureFirstAccount())!;
    const texts = [first.token, (await service.tokens.create(first.account, { readOnly: true })).text];
    for (const text of texts) await service.authenticator.identify(bearer(text));
    await service.tokens.revoke(first.account, 'first');
    await service.close();
    await database.close();
    const files = await readdir(path, { recursive: true, withFileTypes: true });
    let read = 0;
    for (const file of files.filter((entry) => entry.isFile())) {
      const content = await readFile(join(file.parentPath, file.name));
      read += content.length;
      for (const text of texts) {
        const secret = text.slice(21);
        const raw = Buffer.from(secret, 'base64url');
        for (const needle of [secret, raw, raw.toString('hex'), raw.toString('base64')])
          expect(content.includes(needle), file.name).toBe(false);
        if (content.includes(text.slice(4, 20))) read += 1e9;
      }
    }
    // The ids are there: the right files were looked at.
    expect(read).toBeGreaterThan(1e9);
  });
});

describe('failures', () => {
  test('are counted by address and account; whoever has another name or address is let in', async () => {
    let time = 1_000_000;
    const { service, token } = await withToken({ now: () => time });
    const wrong = (address: string) => service.authenticator.identify(basic('acme', 'wrong'), address);
    for (let i = 0; i < 20; i++) await expect(wrong('1.1.1.1')).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    await expect(wrong('1.1.1.1')).rejects.toMatchObject({ code: 'RATE_LIMITED', details: { retryAfter: 60 } });
    time += 50_500;
    await expect(service.authenticator.identify(basic('acme', token), '1.1.1.1')).rejects.toMatchObject({
      code: 'RATE_LIMITED',
      details: { retryAfter: 10 },
    });
    expect(await service.authenticator.identify(basic(token, ''), '1.1.1.1')).toMatchObject({ account: 'acme' });
    expect(await service.authenticator.identify(basic('acme', token), '2.2.2.2')).toMatchObject({ account: 'acme' });
    time += 10_000;
    expect(await service.authenticator.identify(basic('acme', token), '1.1.1.1')).toMatchObject({ account: 'acme' });
  });

  test('with names that are made up are counted by address', async () => {
    const service = await hosted({ now: () => 0 });
    const codes = new Map<string, number>();
    for (let i = 0; i < 30; i++) {
      const error = await Promise.resolve(
        service.authenticator.identify(basic(`u${String(i)}`, 'wrong'), '1.1.1.1'),
      ).catch((e) => e);
      codes.set(error.code, (codes.get(error.code) ?? 0) + 1);
    }
    expect(Object.fromEntries(codes)).toEqual({ UNAUTHENTICATED: 20, RATE_LIMITED: 10 });
  });

  test('are not counted where that is switched off', async () => {
    const service = await hosted({ rateLimit: false });
    for (let i = 0; i < 30; i++)
      await expect(service.authenticator.identify(basic('acme', 'wrong'))).rejects.toMatchObject({
        code: 'UNAUTHENTICATED',
      });
  });
});

test('the first account is made once in the life of a store', async () => {
  const database = await memoryDatabase();
  const service = await openService(database);
  const first = (await service.ensureFirstAccount())!;
  expect(first.account).toBe('default');
  expect(await service.authenticator.identify(bearer(first.token))).toMatchObject({
    account: 'default',
    admin: true,
  });
  expect(await service.ensureFirstAccount()).toBeUndefined();
  await service.tokens.revoke('default', 'first');
  expect(await (await openService(database)).ensureFirstAccount()).toBeUndefined();
});

test('a store with tokens gets none; one with accounts alone gets one for the first of them', async () => {
  const { service } = await withToken();
  expect(await service.ensureFirstAccount()).toBeUndefined();
  const others = await hosted();
  expect(await others.ensureFirstAccount()).toMatchObject({ account: 'acme' });
});
