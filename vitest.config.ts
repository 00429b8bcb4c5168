import { existsSync, readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { AbsentData } from './test/absent-data.js';
import { LONG_TESTS } from './test/long-tests.js';

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
alias.push({ find: /^#server-platform$/, replacement: resolve(packagesDir, 'server/src/platform/node.ts') });
alias.push({ find: /^#host-platform$/, replacement: resolve(packagesDir, 'server/src/host/platform/node.ts') });
alias.push({
  find: /^@quadrille\/storage-directory\/testing$/,
  replacement: resolve(packagesDir, 'storage-directory/src/testing.ts'),
});
alias.push({
  find: /^@quadrille\/storage-shared\/testing$/,
  replacement: resolve(packagesDir, 'storage-shared/src/testing.ts'),
});
for (const entry of ['host', 'rpc']) {
  alias.push({
    find: new RegExp(`^@quadrille/server/${entry}$`),
    replacement: resolve(packagesDir, `server/src/${entry}/index.ts`),
  });
}
alias.push({ find: /^@quadrille\/storage\/testing$/, replacement: resolve(packagesDir, 'storage/src/testing.ts') });
alias.push({
  find: /^@quadrille\/sparql\/template$/,
  replacement: resolve(packagesDir, 'sparql/src/algebra/template.ts'),
});

alias.push({ find: /^@quadrille\/sparql\/delta$/, replacement: resolve(packagesDir, 'sparql/src/delta/index.ts') });
alias.push({
  find: /^quadrille\/shacl$/,
  replacement: resolve(packagesDir, 'quadrille/src/guard/validate-dataset.ts'),
});
alias.push({
  find: /^@quadrille\/sparql\/prebound$/,
  replacement: resolve(packagesDir, 'sparql/src/prebound/index.ts'),
});

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
// A run that names tests, such as `npx vitest run test/workbench`, has them all.
const namesTests = process.argv.slice(2).some((argument) => !argument.startsWith('-') && argument !== 'run');
if (!namesTests && process.env['QUADRILLE_SHARE'] !== 'all') exclude.push(...LONG_TESTS);
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
    reporters: ['default', new AbsentData()],
    projects: [
      project('unit', ['packages/*/src/**/*.test.ts'], [...isolated, slow]),
      project('slow', [slow]),
      project('suites', ['test/**/*.test.ts', 'examples/**/*.test.ts', 'bench/src/**/*.test.ts']),
      project('isolated', isolated, []),
    ],
  },
});
