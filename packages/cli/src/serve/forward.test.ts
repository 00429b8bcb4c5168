/** Which requests a server that follows sends to the one that writes. */
import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { isForHolder } from './forward.js';

const QUERY = { 'content-type': 'application/sparql-query; charset=utf-8' };

test.each<[boolean, string, string, Record<string, string>?]>([
  [false, 'GET', '/a/r/statements'],
  [false, 'HEAD', '/a/r/size'],
  [false, 'OPTIONS', '/a/r/jobs'],
  [false, 'POST', '/a/r/sparql', QUERY],
  [true, 'POST', '/a/r/sparql', { 'content-type': 'application/sparql-update' }],
  [true, 'POST', '/a/r/sparql', { 'content-type': 'application/x-www-form-urlencoded' }],
  [true, 'PUT', '/a/r/views/all', QUERY],
  [true, 'POST', '/a/r/transactions/1?action=QUERY', QUERY],
  [true, 'GET', '/a/r/status'],
  [true, 'GET', '/jobs/1'],
  [true, 'GET', '/ops'],
  [true, 'GET', '/queries'],
  [true, 'DELETE', '/a/r'],
  [true, 'POST', '/a/r/views/all', { ...QUERY, 'x-http-method-override': 'PUT' }],
])('%s: %s %s', (expected, method, url, headers = {}) => {
  expect(isForHolder({ method, url, headers } as unknown as IncomingMessage)).toBe(expected);
});
