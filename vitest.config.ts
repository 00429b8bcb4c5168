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

// Subpaths of packages, and what `imports` of the library picks.
alias.push({ find: /^#platform$/, replacement: resolve(packagesDir, 'quadrille/src/platform/node.ts') });
alias.push({
  find: /^@quadrille\/storage-directory\/testing$/,
  replacement: resolve(packagesDir, 'storage-directory/src/testing.ts'),
});
alias.push({ find: /^@quadrille\/storage\/testing$/, replacement: resolve(packagesDir, 'storage/src/testing.ts') });
alias.push({
  find: /^@quadrille\/sparql\/template$/,
  replacement: resolve(packagesDir, 'sparql/src/algebra/template.ts'),
});

alias.push({ find: /^@quadrille\/bench$/, replacement: resolve(import.meta.dirname, 'bench/src/index.ts') });

export default defineConfig({
  resolve: { alias },
  test: {
    include: ['packages/*/src/**/*.test.ts', 'test/**/*.test.ts', 'examples/**/*.test.ts', 'bench/src/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    pool: 'forks',
  },
});
