/** What a guest knows of requests must be what the resources say. */
import { expect, test } from 'vitest';
import { isDoneOnce, isWrite } from './repeatable.js';
import { READING_TOOLS, WRITING_TOOLS } from './protocol.js';
import { RESOURCES } from '../resources/index.js';
import type { Method } from '../service.js';

/** The requests of the client that change something, and some that do not. */
const REQUESTS: readonly (readonly [Method, string, string?])[] = [
  ['POST', '/a/b/sparql', 'application/sparql-update'],
  ['POST', '/a/b/sparql', 'application/sparql-query'],
  ['POST', '/a/b/statements', 'text/turtle'],
  ['PUT', '/a/b/statements', 'text/turtle'],
  ['DELETE', '/a/b/statements?subj=%3Curn:a%3E'],
  ['POST', '/a/b/changes', 'application/rdf-patch'],
  ['POST', '/a/b/revisions/HEAD~1/revert'],
  ['POST', '/a/b/revisions/HEAD~1/cherry-pick'],
  ['POST', '/a/b/reset?to=1'],
  ['POST', '/a/b/branches/dev/merge', 'application/json'],
  ['POST', '/a/b/transactions'],
  ['PUT', '/a/b/transactions/1?action=ADD', 'text/turtle'],
  ['PUT', '/a/b/transactions/1?action=COMMIT'],
  ['PUT', '/a/b/branches/dev'],
  ['DELETE', '/a/b/branches/dev'],
  ['PUT', '/a/b/refs/one?to=1'],
  ['PUT', '/a/b/namespaces/ex', 'text/plain'],
  ['PATCH', '/a/b/settings', 'application/json'],
  ['DELETE', '/a/b/revisions?last=1'],
  ['POST', '/a/b/erase', 'application/json'],
  ['POST', '/a/b/fork', 'application/json'],
  ['DELETE', '/a/b'],
  ['POST', '/a/b/parse', 'application/sparql-update'],
  ['GET', '/a/b/statements'],
];

const pattern = (path: string): RegExp => new RegExp(`^${path.replace(/:\w+(?:\{[^}]*\})?/g, '[^/]+')}$`);

test.each(REQUESTS.map((request) => ({ request, name: request.slice(0, 2).join(' ') })))('$name', ({ request }) => {
  const [method, address, contentType] = request;
  const { pathname: path, searchParams: parameters } = new URL(address, 'http://localhost');
  const resource = RESOURCES.find((each) => pattern(each.path).test(path));
  expect(resource?.methods[method], 'the resource').toBeDefined();
  const asked = { method, path, parameters, contentType };
  const once = resource!.once?.(method, parameters) === true;
  expect(isWrite(asked) && isDoneOnce(asked)).toBe(isWrite(asked) && once);
  const reads =
    method === 'GET' || /parse|\/transactions$|=ADD/.test(address) || contentType === 'application/sparql-query';
  expect(isWrite(asked)).toBe(!reads);
});

test('tools of agents', () => {
  const asked = (path: string) => ({
    method: 'POST',
    path,
    parameters: new URLSearchParams(),
    contentType: 'application/json',
  });
  expect([isWrite(asked(READING_TOOLS)), isWrite(asked(WRITING_TOOLS))]).toEqual([false, true]);
  expect(isDoneOnce(asked(WRITING_TOOLS))).toBe(true);
});
