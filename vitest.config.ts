import { defineConfig } from 'vitest/config';
import { AbsentData } from './test/absent-data.js';
import { HEAVY_UNITS, LONG_TESTS, TESTS_OF_BUILDS } from './test/long-tests.js';
import { entries, startsThreads, threads } from './test/sources.js';
import { patient } from './test/workbench/slow.js';

const alias = entries
  .filter(({ entry }) => !startsThreads(entry))
  .map(({ entry, source }) => ({ find: new RegExp(`^${entry}$`), replacement: source }));
const exclude = ['**/node_modules/**', '**/dist/**'];
// A run that names tests, such as `npx vitest run test/workbench`, has them all.
const namesTests = process.argv.slice(2).some((argument) => !argument.startsWith('-') && argument !== 'run');
if (!namesTests && process.env['QUADRILLE_SHARE'] !== 'all') exclude.push(...LONG_TESTS);
// Tests of a package that start processes, wait for timers, try very many inputs or need a build. `npm run test:unit` leaves them out: it takes a
// minute at most, from sources alone.
const slow = ['packages/*/src/**/*.slow.test.ts', ...HEAVY_UNITS, ...TESTS_OF_BUILDS];
// These replace modules, or look at when one is loaded, so each of them needs a process of its own. The others share two processes: importing the sources
// anew for each file took a third of the time of the suite.
const isolated = [
  'packages/fetch/src/connect.test.ts',
  'packages/sparql/src/engine/more-operators.test.ts',
  'test/sparql-random/queries.test.ts',
];
// Only the unit tests need no build: others run what was built too, and threads of the sources do not know its classes.
const project = (name: string, include: string[], notAmong: string[] = isolated) => ({
  extends: true as const,
  plugins: name === 'unit' ? [threads()] : [],
  test: { name, include, exclude: [...exclude, ...notAmong], isolate: name === 'isolated' },
});

export default defineConfig({
  resolve: { alias },
  test: {
    // Machines differ threefold in speed, and two workers share the cores.
    testTimeout: patient(90_000),
    hookTimeout: 60_000,
    maxWorkers: 2,
    pool: 'forks',
    reporters: ['default', new AbsentData()],
    projects: [
      project('unit', ['packages/*/src/**/*.test.ts'], [...isolated, ...slow]),
      project('slow', slow),
      project('suites', ['test/**/*.test.ts', 'examples/**/*.test.ts', 'bench/src/**/*.test.ts']),
      project('isolated', isolated, []),
    ],
  },
});
