/**
 * Lines and branches that tests reach, by folder: `npm run coverage`. V8 counts them while the tests of the packages and the suites of
 * crashes and models run. It takes some minutes. `npm run coverage -- packages/storage/src` runs the tests of one folder.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '..');
const MEASURED = ['core/src', 'storage/src', 'storage-directory/src', 'server/src/host'].map(
  (name) => `packages/${name}`,
);
const TESTS = [...MEASURED, 'packages/quadrille/src', 'packages/server/src', 'test/model', 'test/crash'];

const folder = mkdtempSync(join(tmpdir(), 'quadrille-coverage-'));
const given = process.argv.slice(2);
const tests = given.filter((argument) => !argument.startsWith('-'));
const args = [
  'vitest',
  'run',
  ...given.filter((argument) => argument.startsWith('-')),
  '--coverage.enabled',
  '--coverage.provider=v8',
  '--coverage.reporter=json-summary',
  `--coverage.reportsDirectory=${folder}`,
  ...MEASURED.map((path) => `--coverage.include=${path}/**/*.ts`),
  '--coverage.exclude=**/*.test.ts',
  '--coverage.exclude=**/testing/**',
  ...(tests.length > 0 ? tests : TESTS),
];
const { status } = spawnSync('npx', args, { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'] });

const percent = ({ covered, total }) => (total === 0 ? 100 : (100 * covered) / total).toFixed(1);
const add = (sum, { lines, branches }) => {
  for (const [name, count] of Object.entries({ lines, branches })) {
    sum[name].covered += count.covered;
    sum[name].total += count.total;
  }
};
const empty = () => ({ lines: { covered: 0, total: 0 }, branches: { covered: 0, total: 0 } });

const folders = new Map();
const open = [];
const { total: _, ...files } = JSON.parse(readFileSync(join(folder, 'coverage-summary.json'), 'utf8'));
rmSync(folder, { recursive: true });
for (const [path, counts] of Object.entries(files)) {
  const file = relative(ROOT, path);
  const [, name, , part] = file.split('/');
  const key = part.endsWith('.ts') ? name : `${name}/${part}`;
  for (const one of [name, key]) {
    if (!folders.has(one)) folders.set(one, empty());
    if (one === name || key !== name) add(folders.get(one), counts);
  }
  const missed = counts.branches.total - counts.branches.covered;
  if (missed > 0) open.push({ file, missed });
}
console.log('\nlines %  branches %  folder');
for (const [name, { lines, branches }] of [...folders].sort(([a], [b]) => a.localeCompare(b)))
  console.log(`${percent(lines).padStart(7)}  ${percent(branches).padStart(10)}  ${name}`);
console.log('\nfiles with the most branches that no test of these takes:');
for (const { file, missed } of open.sort((a, b) => b.missed - a.missed).slice(0, 25)) console.log(`${missed}  ${file}`);
process.exitCode = status ?? 1;
