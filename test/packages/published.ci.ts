/** Every package as it is published: what its tarball has, and whether its entries and types resolve wherever they are asked for. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const run = promisify(execFile);
const ROOT = resolve(import.meta.dirname, '../..');
const { assemble } = (await import(join(ROOT, 'release/assemble.mjs'))) as {
  assemble: (to: string) => readonly { name: string; folder: string }[];
};
const NAMES = [
  'quadrille',
  '@quadrille/client',
  '@quadrille/lmdb',
  '@quadrille/postgres',
  '@quadrille/s3',
  '@quadrille/bench',
];

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description?: string;
  readonly keywords?: readonly string[];
  readonly license?: string;
  readonly author?: string;
  readonly engines?: object;
  readonly sideEffects?: unknown;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** Files that package managers read by their name. */
const REQUIRED = ['LICENSE', 'README.md', 'package.json'];

let packed: string;
beforeAll(async () => {
  packed = await mkdtemp(join(tmpdir(), 'quadrille-published-'));
  const made = assemble(join(packed, 'assembled'));
  expect(made.map(({ name }) => name)).toEqual(NAMES);
  const folders = made.map(({ folder }) => folder);
  await run('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', packed, ...folders]);
});
afterAll(() => rm(packed, { recursive: true, force: true }));

describe.each(NAMES)('%s', (name) => {
  let unpacked: string;
  let tarball: Buffer;
  let files: string[];
  let manifest: Manifest;

  beforeAll(async () => {
    const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as Manifest;
    const file = join(packed, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`);
    tarball = await readFile(file);
    unpacked = join(packed, 'unpacked', name);
    await mkdir(unpacked, { recursive: true });
    await run('tar', ['-xzf', file, '-C', unpacked, '--strip-components', '1']);
    files = (await readdir(unpacked, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(unpacked.length + 1));
    manifest = JSON.parse(await readFile(join(unpacked, 'package.json'), 'utf8')) as Manifest;
    console.log(`${manifest.name}: ${(tarball.length / 1000).toFixed(0)} kB packed, ${String(files.length)} files`);
  });
  test('has its licence, a README and what a registry shows', async () => {
    expect(files).toEqual(expect.arrayContaining(REQUIRED));
    expect(await readFile(join(unpacked, 'LICENSE'), 'utf8')).toBe(await readFile(join(ROOT, 'LICENSE'), 'utf8'));
    expect(manifest).toMatchObject({
      license: 'MIT',
      author: 'Quadrille contributors',
      sideEffects: expect.anything(),
    });
    expect(manifest.description).toMatch(/\w/);
    expect(manifest.keywords?.length).toBeGreaterThan(1);
    expect(manifest.engines).toEqual({ node: '^20.19.0 || >=22.12.0' });
    expect(Object.values(manifest.dependencies ?? {}).filter((range) => /^(?:workspace|catalog):/.test(range))).toEqual(
      [],
    );
  });

  test('has no tests, no sources, and names no package of this repository alone', async () => {
    expect(files.filter((file) => /\.test\.|\.tsbuildinfo$|^src\/|\.map$/.test(file))).toEqual([]);
    for (const file of files.filter((each) => /\.(?:[cm]?js|d\.ts)$/.test(each) && !each.includes('/pages/'))) {
      const text = await readFile(join(unpacked, file), 'utf8');
      const imports = Array.from(
        text.matchAll(/(?:\bfrom ?|\bimport\(?|\b__import\(|\brequire\()\s?["'](@quadrille\/[^"'/]+)/g),
        ([, found]) => found!,
      );
      expect([file, imports.filter((found) => !NAMES.includes(found))]).toEqual([file, []]);
      expect([file, /\n\/\/# sourceMappingURL=\S+\s*$/.test(text)]).toEqual([file, false]);
    }
  });

  test('publint finds nothing', async () => {
    const { messages, pkg } = await publint({ pkgDir: unpacked, strict: true, pack: false });
    // The address of the repository is not known yet.
    expect(messages.map((message) => formatMessage(message, pkg, { color: false }))).toEqual([]);
  });

  test('its types resolve as ES modules, for bundlers and for Node.js', async () => {
    // Parts of the library are made alike: to check each takes a minute.
    const entrypoints = name === 'quadrille' ? ['.', './server', './storage', './formats/patch'] : undefined;
    const checked = await checkPackage(createPackageFromTarballData(tarball), entrypoints && { entrypoints });
    if (checked.types === false) expect(files.some((file) => file.endsWith('.d.ts'))).toBe(false);
    const problems = 'problems' in checked ? checked.problems : [];
    // Resolution as before `exports` existed is not supported, and CommonJS loads these ES modules by require().
    const wrong = problems.filter(
      (problem) =>
        problem.kind !== 'CJSResolvesToESM' && !('resolutionKind' in problem && problem.resolutionKind === 'node10'),
    );
    expect(wrong).toEqual([]);
  });
});
