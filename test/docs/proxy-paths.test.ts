/** The how-to for proxies names every path of the server: a new route has to be told to those who protect paths. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEFAULT_SERVICE_LIMITS } from '@quadrille/server/host';
import { expect, test } from 'vitest';
import { canonicalPath } from '../../packages/server/src/dialects/paths.js';
import { routes } from '../../packages/server/src/resources/index.js';
import type { Service } from '../../packages/server/src/service.js';

const page = readFileSync(join(import.meta.dirname, '../../docs/how-to/behind-a-proxy.md'), 'utf8');
const hosted = { limits: DEFAULT_SERVICE_LIMITS } as Service['hosted'];
const ROUTES = routes({ hosted } as Service);
const words = (path: string): string => path.replace(/\/:.*/, '');

test('every path of the server is told', () => {
  const paths = ROUTES.map(({ path }) => words(path)).filter((path) => path !== '' && path !== '/jobs');
  expect(paths.filter((path) => !page.includes(`\`${path}\``))).toEqual([]);
});

test('every path for operators is one that the example denies', () => {
  const [, denied] = /location ~ (\S+) \{\n {2}deny all/.exec(page)!;
  const operators = ROUTES.filter(({ methods }) =>
    Object.values(methods).some(({ access }) => access === 'operator'),
  ).map(({ path }) => words(path));
  expect(operators.filter((path) => !new RegExp(denied!).test(path))).toEqual([]);
});

test('the other forms lead where the page says', () => {
  for (const path of ['/ops', '/repositories/jobs', '/jobs']) {
    expect(page).toContain(`\`${path}\``);
    expect([path, canonicalPath(path), canonicalPath(`${path}/1`)]).toEqual([path, '/jobs', '/jobs/1']);
  }
  for (const path of ['/A', '/A/repositories', '/repositories/A', '/accounts/A', '/system/accounts/A', '/sesame2/A']) {
    expect([path, canonicalPath(`${path}/R/size`)]).toEqual([path, '/A/R/size']);
    expect(page).toContain(`\`${path}/R/…\``);
  }
  expect(canonicalPath('/A/rest/login/u')).toBe('/rest/login/u');
  for (const path of ['/metrics/', '/sesame2/metrics', '/repositories/metrics', '/accounts/metrics/'])
    expect([path, canonicalPath(path)]).not.toEqual([path, '/metrics']);
});
