import { defineConfig, mergeConfig } from 'vitest/config';
import { LONG_TESTS } from './test/long-tests.js';
import { patient } from './test/workbench/slow.js';
import base from './vitest.config.js';

const shared = { testTimeout: patient(300_000), hookTimeout: 600_000, maxWorkers: 2, pool: 'forks' as const };
const behind = (proxy: string) => ({
  extends: true as const,
  test: {
    name: `behind ${proxy}`,
    include: ['test/rest/specification.test.ts'],
    env: { QUADRILLE_PROXY: proxy },
  },
});

/** A long test that needs a process of its own. */
const ALONE = 'test/sparql-random/queries.test.ts';
const long = (name: string, include: string[], exclude: string[]) => ({
  extends: true as const,
  test: { name, include, exclude: ['**/node_modules/**', ...exclude], isolate: name !== 'long' },
});

// The interface, and a suite of SPARQL, over stores that servers share.
const over = (store: string) => ({
  extends: true as const,
  test: {
    name: `over ${store}`,
    include: ['test/rest/specification.test.ts', 'test/w3c/sparql-update.test.ts'],
    env: { QUADRILLE_STORE: store },
  },
});

// What `npm run test:ci` runs besides `npm test`: the long tests, containers, all uses of the packed packages, suites behind the proxies of deploy/ and over
// the stores that servers share.
export default defineConfig({
  resolve: mergeConfig(base, {}).resolve,
  test: {
    ...shared,
    projects: [
      { extends: true as const, test: { name: 'ci', include: ['test/**/*.ci.ts'] } },
      long(
        'long',
        LONG_TESTS.filter((path) => !path.startsWith('test/packages/')),
        [ALONE],
      ),
      long('long alone', [ALONE], []),
      {
        extends: true as const,
        test: { name: 'packages', include: ['test/packages/**/*.test.ts'], env: { QUADRILLE_PACKAGES: 'all' } },
      },
      behind('nginx'),
      behind('caddy'),
      over('postgres'),
      over('s3'),
    ],
  },
});
