import { existsSync, readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';

// Tests import sources, not build output: every package name resolves to its src/.
const packagesDir = resolve(import.meta.dirname, 'packages');
const alias = readdirSync(packagesDir)
  .filter((folder) => existsSync(resolve(packagesDir, folder, 'src')))
  .map((folder) => ({
    find: new RegExp(`^${folder === 'quadrille' ? 'quadrille' : `@quadrille/${folder}`}$`),
    replacement: resolve(packagesDir, folder, 'src/index.ts'),
  }));

// Subpaths of packages, and what `imports` of packages pick.
alias.push({ find: /^#platform$/, replacement: resolve(packagesDir, 'quadrille/src/platform/node.ts') });
alias.push({ find: /^#rest-platform$/, replacement: resolve(packagesDir, 'rest/src/platform/node.ts') });
alias.push({ find: /^#service-platform$/, replacement: resolve(packagesDir, 'service/src/platform/node.ts') });
alias.push({
  find: /^@quadrille\/storage-directory\/testing$/,
  replacement: resolve(packagesDir, 'storage-directory/src/testing.ts'),
});
alias.push({
  find: /^@quadrille\/storage-shared\/testing$/,
  replacement: resolve(packagesDir, 'storage-shared/src/testing.ts'),
});
alias.push({ find: /^@quadrille\/storage\/testing$/, replacement: resolve(packagesDir, 'storage/src/testing.ts') });
alias.push({
  find: /^@quadrille\/sparql\/template$/,
  replacement: resolve(packagesDir, 'sparql/src/algebra/template.ts'),
});

alias.push({
  find: /^@quadrille\/sparql\/comunica$/,
  replacement: resolve(packagesDir, 'sparql/src/comunica/index.ts'),
});

alias.push({ find: /^@quadrille\/sparql\/delta$/, replacement: resolve(packagesDir, 'sparql/src/delta/index.ts') });

alias.push({
  find: /^@quadrille\/model\/resolve-iri$/,
  replacement: resolve(packagesDir, 'model/src/resolve-iri.ts'),
});

alias.push({
  find: /^@quadrille\/formats\/patch$/,
  replacement: resolve(packagesDir, 'formats/src/patch/index.ts'),
});

alias.push({ find: /^@quadrille\/core\/backup$/, replacement: resolve(packagesDir, 'core/src/backup/index.ts') });
alias.push({ find: /^@quadrille\/core\/share$/, replacement: resolve(packagesDir, 'core/src/share/index.ts') });

alias.push({ find: /^@quadrille\/bench$/, replacement: resolve(import.meta.dirname, 'bench/src/index.ts') });

const exclude = ['**/node_modules/**', '**/dist/**'];
// Long tests that take turns in `.ci/run`: a run has one of these lists. Other runs have all of them.
const TURNS = [
  [
    'test/workbench/playground-faults.test.ts',
    'test/workbench/import.test.ts',
    'test/workbench/query.test.ts',
    'test/workbench/accounts.test.ts',
    'test/workbench/settings.test.ts',
    'test/workbench/prefix.test.ts',
    'test/formats/load-thread.test.ts',
    'test/crash/recover-directory.test.ts',
    'test/crash/backup-kill.test.ts',
    'test/killers/million-groups.test.ts',
    'packages/cli/src/bench/bench.slow.test.ts',
    'packages/cli/src/backup/copy.slow.test.ts',
  ],
  [
    'test/workbench/journeys.test.ts',
    'test/workbench/timeline.test.ts',
    'test/workbench/find.test.ts',
    'test/workbench/administration.test.ts',
    'test/browser/storage.test.ts',
    'test/data/bad-input.test.ts',
    'test/crash/history-kill.test.ts',
    'bench/src/peers/peers.test.ts',
    'packages/cli/src/branches/branch.slow.test.ts',
    'packages/rest/src/routes/server/backup.slow.test.ts',
    'packages/quadrille/src/history/history-file.slow.test.ts',
    'test/crash/full-disk.test.ts',
    'test/query-threads/random-queries.test.ts',
    'examples/browser/browser.test.ts',
    'packages/formats/src/turtle/turtle-chunks.slow.test.ts',
  ],
  [
    'test/workbench/drawings.test.ts',
    'test/workbench/playground.test.ts',
    'test/workbench/faults.test.ts',
    'test/workbench/activity.test.ts',
    'test/workbench/branches.test.ts',
    'test/workbench/history.test.ts',
    'test/crash/power-loss.test.ts',
    'test/model/backup.test.ts',
    'test/data/schemaorg.test.ts',
    'test/data/schemaorg-history.test.ts',
    'packages/cli/src/account.slow.test.ts',
    'packages/cli/src/backup/backup.slow.test.ts',
    'packages/cli/src/history/history.slow.test.ts',
    'packages/cli/src/watch/watch.slow.test.ts',
    'packages/quadrille/src/backup/backup.slow.test.ts',
    'packages/sparql/src/engine/deep-requests.slow.test.ts',
    'packages/storage-level/src/level-directory.slow.test.ts',
    'test/clients/nginx.test.ts',
    'test/browser/library.test.ts',
  ],
];
if (process.env['CI'] !== undefined) {
  // `.ci/run` runs these in `npm run test:ci`, with all their tools.
  exclude.push('test/packages/**');
  const told = process.env['QUADRILLE_TURN'] !== undefined;
  const turn = (process.env['QUADRILLE_TURN'] ??= String(Date.now() % TURNS.length));
  const all = process.env['QUADRILLE_SHARE'] === 'all';
  const left = all ? [] : TURNS.flatMap((list, i) => (i === Number(turn) ? [] : list));
  if (!told) console.info(`QUADRILLE_TURN=${turn} leaves out ${left.join(' ')}`);
  exclude.push(...left);
}
// Tests of a package that start processes, wait for timers or try very many inputs. `npm run test:unit` leaves them out.
const slow = 'packages/*/src/**/*.slow.test.ts';
// These replace modules, or look at when one is loaded, so each of them needs a process of its own. The others share two processes: importing the sources
// anew for each file took a third of the time of the suite.
const isolated = [
  'packages/fetch/src/connect.test.ts',
  'packages/sparql/src/engine/more-operators.test.ts',
  'test/sparql-random/queries.test.ts',
];
const project = (name: string, include: string[], notAmong: string[] = isolated) => ({
  extends: true as const,
  test: { name, include, exclude: [...exclude, ...notAmong], isolate: name === 'isolated' },
});

export default defineConfig({
  resolve: { alias },
  test: {
    // Machines differ threefold in speed, and two workers share the cores.
    testTimeout: 90_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    pool: 'forks',
    projects: [
      project('unit', ['packages/*/src/**/*.test.ts'], [...isolated, slow]),
      project('slow', [slow]),
      project('suites', ['test/**/*.test.ts', 'examples/**/*.test.ts', 'bench/src/**/*.test.ts']),
      project('isolated', isolated, []),
    ],
  },
});
