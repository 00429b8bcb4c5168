import { expect, test } from 'vitest';
import { foreignPart } from './local-pages.js';

test.each(['localhost', 'localhost:8080', 'LOCALHOST:1', '127.0.0.1:8080', '127.9.9.9', '[::1]:8080', '127.1:80'])(
  'Host %s is this machine',
  (host) => expect(foreignPart(host, null, {})).toBeUndefined(),
);

test.each(['evil.example', '192.168.0.7:8080', 'localhost.evil.example', '127.0.0.1.evil.example', '[::2]', '', 'a b'])(
  'Host %j is foreign',
  (host) => expect(foreignPart(host, null, {})).toBe('host'),
);

test.each(['http://localhost:3000', 'http://127.0.0.1:8080', 'https://[::1]', undefined, null])(
  'Origin %s may use it',
  (origin) => expect(foreignPart('localhost', origin, {})).toBeUndefined(),
);

test.each(['https://evil.example', 'null', '', 'http://localhost.evil.example', 'http://127.0.0.1@evil.example', 'x'])(
  'Origin %j is foreign',
  (origin) => expect(foreignPart('localhost', origin, {})).toBe('origin'),
);

test('the public address and the named origins are not foreign', () => {
  const pages = { publicBase: 'https://data.example/rdf', cors: ['https://app.example'] };
  expect(foreignPart('data.example', 'https://data.example', pages)).toBeUndefined();
  expect(foreignPart('DATA.example', 'https://app.example', pages)).toBeUndefined();
  expect(foreignPart('data.example:8443', null, pages)).toBe('host');
  expect(foreignPart('data.example', 'https://app.example.evil', pages)).toBe('origin');
  expect(foreignPart('localhost', 'https://evil.example', { cors: '*' })).toBeUndefined();
});
