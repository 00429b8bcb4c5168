import { expect, test } from 'vitest';
import { clientAddress } from './client-address.js';

test.each([
  ['of the connection, whatever the client claims', '9.9.9.9', '1.1.1.1', false, '1.1.1.1'],
  ['the last one of X-Forwarded-For behind a proxy', '6.6.6.6, 2.2.2.2', '1.1.1.1', true, '2.2.2.2'],
  ['of the connection where the proxy says none', ' , ', '1.1.1.1', true, '1.1.1.1'],
  ['of the connection where the header is missing', null, '1.1.1.1', true, '1.1.1.1'],
  ['unknown', undefined, undefined, true, ''],
])('the address is %s', (_, forwardedFor, peer, trustProxy, address) => {
  expect(clientAddress(forwardedFor, peer, { trustProxy })).toBe(address);
});

test('an address is cut: it is a key of counters', () => {
  expect(clientAddress('x'.repeat(5000), undefined, { trustProxy: true })).toHaveLength(100);
});
