import { expect, test } from 'vitest';
import { hrefOf, parseRoute } from './router.js';

test.each([
  ['', { page: 'repositories', repository: undefined, parameters: {} }],
  ['#/', { page: 'repositories', repository: undefined, parameters: {} }],
  ['#/activity', { page: 'activity', repository: undefined, parameters: {} }],
  ['#/acme', { page: 'repositories', repository: undefined, parameters: {} }],
  ['#/acme/people', { page: 'query', repository: 'acme/people', parameters: {} }],
  ['#/acme/people/nowhere', { page: 'query', repository: 'acme/people', parameters: {} }],
  [
    '#/acme/people/history/compare?from=1&to=2',
    { page: 'compare', repository: 'acme/people', parameters: { from: '1', to: '2' } },
  ],
  [
    '#open=https://acme.example/a%20site/',
    { page: 'repositories', repository: undefined, parameters: { open: 'https://acme.example/a%20site/' } },
  ],
  [
    '#open=https%3A%2F%2Facme.example%2Fsite%2F',
    { page: 'repositories', repository: undefined, parameters: { open: 'https://acme.example/site/' } },
  ],
  ['#/acme/%zz/query', { page: 'query', repository: 'acme/%zz', parameters: {} }],
])('the address %s', (address, route) => {
  expect(parseRoute(address)).toEqual(route);
});

test('an address says a query whatever it has', () => {
  const q = 'SELECT * { ?s ?p "#&?=%/ \n✓" }';
  const href = hrefOf('query', 'acme/people', { q, at: '3', view: undefined });
  expect(href).not.toMatch(/\s/);
  expect(parseRoute(href)).toEqual({ page: 'query', repository: 'acme/people', parameters: { q, at: '3' } });
  expect(hrefOf('repositories')).toBe('#/');
  expect(hrefOf('compare', 'a/b', { from: '1' })).toBe('#/a/b/history/compare?from=1');
});
