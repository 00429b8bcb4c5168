import { expect, test } from 'vitest';
import { withoutSecrets } from './secrets.js';

test.each([
  ['postgres://me:hunter2@host:5432/db', 'postgres://me@host:5432/db'],
  ['postgres:/me:hunter2@host/db', 'postgres:/me@host/db'],
  ['postgres:me:hunter2@host', 'postgres:me@host'],
  ['/srv/mysql:/me:hunter2@host/db exists', '/srv/mysql:/me@host/db exists'],
  ["unknown command 'postgres://me:hun/ter2@host/db'", "unknown command 'postgres://me@host/db'"],
  ['postgres://me:hun@ter2@host/db', 'postgres://me@host/db'],
  ['{"error":"http://me:hunter2@host","details":{"x":"a@b"}}', '{"error":"http://me@host","details":{"x":"a@b"}}'],
  ['postgres://host/db?user=me&password=hunter2 (X)', 'postgres://host/db?user=me&password=*** (X)'],
  ['s3://b/p?X-Amz-Signature=hunter2&region=x', 's3://b/p?X-Amz-Signature=***&region=x'],
])('%s is shown as %s', (text, shown) => {
  expect(withoutSecrets(text)).toBe(shown);
});

test.each([
  'http://127.0.0.1:8080/people@work/sparql',
  'the graph <urn:a:b@c> and <http://example.org:80/a@b>',
  'line 3: "x:y@z"',
  'mailto:ann@example.org',
  'postgres://me@host/db',
])('%s stays as it is', (text) => {
  expect(withoutSecrets(text)).toBe(text);
});
