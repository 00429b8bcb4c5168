import { expect, test } from 'vitest';
import { readAuthorization } from './authorization.js';

const basic = (pair: string): string => `Basic ${Buffer.from(pair).toString('base64')}`;

test.each([
  ['a user and a password', basic('acme:secret'), { scheme: 'basic', user: 'acme', password: 'secret' }],
  ['a password with colons', basic(':a:b'), { scheme: 'basic', user: '', password: 'a:b' }],
  ['a bearer token', 'Bearer qdt_1_2', { scheme: 'bearer', token: 'qdt_1_2' }],
  ['a scheme in other letters', '  bEaReR  qdt_1_2 ', { scheme: 'bearer', token: 'qdt_1_2' }],
  ['a token of a GraphDB login', 'GDB qdt_1_2', { scheme: 'bearer', token: 'qdt_1_2' }],
])('%s', (_, field, credentials) => expect(readAuthorization(field)).toEqual(credentials));

test.each(['', 'Basic', 'Basic !!!', 'Basic YTpi:', 'Basic dG9rZW4=', 'Digest username="acme"'])(
  '%j is unreadable',
  (field) => expect(readAuthorization(field)).toEqual({ scheme: 'unreadable' }),
);

test('no field is an anonymous request', () => {
  expect(readAuthorization(null)).toBeUndefined();
  expect(readAuthorization(undefined)).toBeUndefined();
});
