import { expect, test } from 'vitest';
import { canonicalPath } from './path.js';

test.each([
  ['/a/r/size', '/a/r/size'],
  ['/a/r/size/', '/a/r/size'],
  ['/a/repositories/r/size', '/a/r/size'],
  ['/repositories/a/r/size', '/a/r/size'],
  ['/a/repositories', '/a/repositories'],
  ['/a/repositories/', '/a/repositories'],
  ['/a/repositories/r', '/a/r'],
  ['/repositories/a', '/repositories/a'],
  ['/', '/'],
  ['/timegate/http://h/a/r', '/a/r/timegate/http://h/a/r'],
  ['/timemap/link/https:/h/a/repositories/r', '/a/r/timemap/link/https:/h/a/repositories/r'],
  ['/a/r/timegate/http://h/a/r', '/a/r/timegate/http://h/a/r'],
])('%s is %s', (path, canonical) => {
  expect(canonicalPath(path)).toBe(canonical);
});
