import { expect, test } from 'vitest';
import { canonicalPath } from './paths.js';

test.each([
  ['/a/r/size', '/a/r/size'],
  ['/a/r/size/', '/a/r/size'],
  ['/a/repositories/r/size', '/a/r/size'],
  ['/repositories/a/r/size', '/a/r/size'],
  ['/a/repositories', '/a/repositories'],
  ['/a/repositories/', '/a/repositories'],
  ['/a/repositories/r', '/a/r'],
  ['/repositories', '/repositories'],
  ['/repositories/a', '/a'],
  ['/repositories/jobs/1', '/jobs/1'],
  ['/ops', '/jobs'],
  ['/ops/1', '/jobs/1'],
  ['/sesame2/a/repositories/r/size', '/a/r/size'],
  ['/system/accounts/a/repositories/r/revisions', '/a/r/revisions'],
  ['/accounts/a/repositories', '/a/repositories'],
  ['/accounts', '/accounts'],
  ['/accounts/a', '/accounts/a'],
  ['/accounts/a/tokens/1', '/a/tokens/1'],
  ['/system/accounts/a', '/a'],
  ['/a/r.ttl', '/a/r/export/ttl'],
  ['/a/repositories/r.nq', '/a/r/export/nq'],
  ['/a/r.tar.gz', '/a/r.tar.gz'],
  ['/', '/'],
  ['/timegate/http://h/a/r', '/a/r/timegate/http://h/a/r'],
  ['/timemap/link/https:/h/a/repositories/r', '/a/r/timemap/link/https:/h/a/repositories/r'],
  ['/a/r/timegate/http://h/a/r', '/a/r/timegate/http://h/a/r'],
])('%s is %s', (path, canonical) => {
  expect(canonicalPath(path)).toBe(canonical);
});

test.each(
  (
    '/metrics/ /jobs/ /ops/ /jobs/1/ /accounts/a/ /system/ /backup// /openapi.json/ /sesame2/metrics /system/accounts/metrics ' +
    '/repositories/metrics /accounts/metrics/x /repositories/backup /sesame2/jobs/1 /repositories/accounts/a /sesame2/system ' +
    '/sesame2/ops'
  ).split(' '),
)('%s is no other form of a resource of the server', (path) => {
  expect(canonicalPath(path)).toBe(path);
});
