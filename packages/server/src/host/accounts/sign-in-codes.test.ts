import { expect, test } from 'vitest';
import { hosted } from '../testing/fixtures.js';

const bearer = (token: string) => ({ scheme: 'bearer', token }) as const;
const MINUTE = 60_000;

test('a code gives one token with all rights of the account, for a week', async () => {
  let time = Date.now();
  const service = await hosted({ now: () => time });
  await service.accounts.set('acme', { admin: true });
  const code = service.signIn.create('acme');
  expect(code).toMatch(/^[\w-]{43}$/);
  time += 10 * MINUTE - 1;
  const attempts = await Promise.allSettled([1, 2, 3].map(() => service.signIn.exchange(code, '1.1.1.1')));
  expect(attempts.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
  const [first] = attempts;
  const { text, token } = (first as PromiseFulfilledResult<Awaited<ReturnType<typeof service.signIn.exchange>>>).value;
  expect(token.rights).toEqual(['read', 'write', 'own', 'replicate', 'operate']);
  expect(await service.authenticator.identify(bearer(text))).toMatchObject({ account: 'acme', admin: true });
  expect(await service.administration.audited(1)).toMatchObject([
    { account: 'acme', action: 'token.create', subject: `acme/${token.id}` },
  ]);
  time += 7 * 24 * 60 * MINUTE;
  await expect(service.authenticator.identify(bearer(text))).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
});

test('it is good for ten minutes, and so are not those that were made up', async () => {
  let time = Date.now();
  const service = await hosted({ now: () => time });
  const code = service.signIn.create('acme');
  time += 10 * MINUTE;
  for (const wrong of [code, '', 'x', '__proto__', 'x'.repeat(100_000)])
    await expect(service.signIn.exchange(wrong, '1.1.1.1')).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  expect(await service.tokens.list('acme')).toEqual([]);
});

test('attempts are limited by address', async () => {
  const service = await hosted({ now: () => 0 });
  const code = service.signIn.create('acme');
  const codes: string[] = [];
  for (let i = 0; i < 21; i++)
    await service.signIn.exchange('wrong', '1.1.1.1').catch((error: { code: string }) => codes.push(error.code));
  expect([codes.length, codes.at(-2), codes.at(-1)]).toEqual([21, 'UNAUTHENTICATED', 'RATE_LIMITED']);
  await expect(service.signIn.exchange(code, '1.1.1.1')).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  expect((await service.signIn.exchange(code, '2.2.2.2')).token.account).toBe('acme');
});

test('the oldest of too many are forgotten', async () => {
  const service = await hosted();
  const codes = Array.from({ length: 101 }, () => service.signIn.create('acme'));
  await expect(service.signIn.exchange(codes[0]!, '')).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  await service.signIn.exchange(codes[1]!, '');
});
