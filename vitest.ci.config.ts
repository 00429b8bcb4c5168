import { defineConfig, mergeConfig } from 'vitest/config';
import base from './vitest.config.js';

const shared = { testTimeout: 300_000, hookTimeout: 600_000, maxWorkers: 2, pool: 'forks' as const };
const behind = (proxy: string) => ({
  extends: true as const,
  test: {
    name: `behind ${proxy}`,
    include: ['test/rest/specification.test.ts'],
    env: { QUADRILLE_PROXY: proxy },
  },
});

// The interface, and the suites of SPARQL, over stores that servers share. The kinds take turns, in one run of three.
const STORES = ['postgres', 's3'] as const;
const turn = Math.floor(Date.now() / 1000) % (3 * STORES.length);
const store = process.env['QUADRILLE_STORE'] ?? STORES[turn % STORES.length]!;
const isStoreTurn =
  process.env['QUADRILLE_SHARE'] === 'all' || process.env['QUADRILLE_STORE'] !== undefined || turn < STORES.length;
if (isStoreTurn) console.info(`QUADRILLE_STORE=${store}`);
const overStore = {
  extends: true as const,
  test: {
    name: `over ${store}`,
    include: ['test/rest/specification.test.ts', 'test/w3c/sparql-update.test.ts'],
    env: { QUADRILLE_STORE: store },
  },
};

// What `npm run test:ci` runs besides `npm test`: containers, all uses of the packed packages, and suites behind the proxies of deploy/.
export default defineConfig({
  resolve: mergeConfig(base, {}).resolve,
  test: {
    ...shared,
    projects: [
      { extends: true as const, test: { name: 'ci', include: ['test/**/*.ci.ts'] } },
      {
        extends: true as const,
        test: { name: 'packages', include: ['test/packages/**/*.test.ts'], env: { QUADRILLE_PACKAGES: 'all' } },
      },
      behind('nginx'),
      behind('caddy'),
      ...(isStoreTurn ? [overStore] : []),
    ],
  },
});
