/**
 * A release: its versions, tarballs and bill of materials, what the packages cost, and the time from an empty folder to a first result.
 * The tools of a release have packages of their own in release/, which are installed first.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { blocks, pages } from '../docs/markdown.js';
import { installRuntime, RUNTIMES } from '../runtimes/runtime.js';
import { inShare, SHARE_TEXT } from '../share.js';
import { EmptyFolder, tarballsIn, type Tarballs } from './first-steps.js';
import { writePageFiles } from './page-files.js';

const run = promisify(execFile);
const ROOT = resolve(import.meta.dirname, '../..');
const CHROMIUM = '/usr/bin/chromium';
const TURTLE = '<urn:ann> <http://xmlns.com/foaf/0.1/name> "Ann" .\n';
const MAX_MINUTES = 1;
/**
 * What `import('quadrille')` reads: 20 files of 803 kB today. They are its cost: V8 compiles 700 kB in 20 ms, and Node.js finds and reads a file in
 * more than one.
 */
const IMPORT_FILES = 22;
const IMPORT_BYTES = 815e3;
/** Processor time depends on the machine and what else it does (1.75 to 2.05), so this bound finds only work at the start that nobody wanted. */
const IMPORT_RATIO = 3;

const script = async (name: string, ...args: string[]): Promise<string> =>
  (await run(process.execPath, [join(ROOT, 'release', name), ...args], { cwd: ROOT, maxBuffer: 64 << 20 })).stdout;

let dist: string;
let tarballs: Tarballs;
let packed: string;
const made: string[] = [];
const emptyFolder = async (): Promise<EmptyFolder> => {
  const folder = await EmptyFolder.make();
  made.push(folder.path);
  return folder;
};

beforeAll(async () => {
  dist = await mkdtemp(join(tmpdir(), 'quadrille-release-'));
  made.push(dist);
  packed = await script('pack.mjs', dist);
  console.log(packed);
  tarballs = await tarballsIn(dist);
});
afterAll(() => Promise.all(made.map((path) => rm(path, { recursive: true, force: true }))));

describe('versions', () => {
  /** Only the files that name versions: a git repository, which changesets ask for. */
  async function copy(): Promise<string> {
    const to = await mkdtemp(join(tmpdir(), 'quadrille-versions-'));
    made.push(to);
    const listed = (
      await run('git', ['ls-files', '*package.json', 'pnpm-*', '.changeset', 'CHANGELOG.md'], { cwd: ROOT })
    ).stdout
      .split('\n')
      .filter((path) => path !== '' && !/^(?:site|release)\//.test(path));
    for (const path of listed) {
      await mkdir(dirname(join(to, path)), { recursive: true });
      await cp(join(ROOT, path), join(to, path));
    }
    await run('git', ['init', '-q', '-b', 'main'], { cwd: to });
    return to;
  }

  test('a changeset of one package raises all, and dates the changelog', async () => {
    await run('npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund'], { cwd: join(ROOT, 'release') });
    const folder = await copy();
    await expect(script('version.mjs', folder)).rejects.toThrow(/no changeset in \.changeset/);
    await writeFile(join(folder, '.changeset/more.md'), "---\n'@quadrille/server': minor\n---\n\nMore.\n");
    await script('version.mjs', folder);
    const names = [...(await readdir(join(folder, 'packages'))).map((name) => `packages/${name}`), 'bench'];
    const versions = names.map(async (name) => {
      const { version } = JSON.parse(await readFile(join(folder, name, 'package.json'), 'utf8')) as { version: string };
      return version;
    });
    expect(new Set(await Promise.all(versions))).toEqual(new Set(['0.2.0']));
    expect(await readFile(join(folder, 'CHANGELOG.md'), 'utf8')).toMatch(
      /^## Unreleased\n\n## 0\.2\.0 \(\d{4}-\d\d-\d\d\)$/m,
    );
    expect(await readdir(join(folder, '.changeset'))).not.toContain('more.md');
    // Nothing but versions has changed.
    const library = async (root: string) =>
      (await readFile(join(root, 'packages/quadrille/package.json'), 'utf8')).replace(/"version": ".*"/, '');
    expect(await library(folder)).toBe(await library(ROOT));
  });

  test('a release without the address of its repository is refused', async () => {
    const { faults } = (await import(join(ROOT, 'release/check.mjs'))) as { faults: (root: string) => string[] };
    const folder = await copy();
    expect(faults(folder)).toContain(
      'packages/quadrille/package.json has no "repository": add it before the first release',
    );
  });
});

test('the bill of materials names each package with its version, licence and hash, and no path of this machine', async () => {
  const name = (await readdir(dist)).find((file) => file.endsWith('.cdx.json'))!;
  const text = await readFile(join(dist, name), 'utf8');
  const bill = JSON.parse(text) as {
    bomFormat: string;
    specVersion: string;
    components: { name: string; version: string; purl: string; licenses?: object[]; hashes?: object[] }[];
  };
  expect(bill).toMatchObject({ bomFormat: 'CycloneDX', specVersion: expect.stringMatching(/^1\.\d$/) });
  expect(bill.components.filter(({ licenses = [], hashes = [] }) => licenses.length * hashes.length === 0)).toEqual([]);
  expect(bill.components.filter(({ purl, version }) => !purl.endsWith(`@${version}`))).toEqual([]);
  const names = bill.components.map((component) => component.name);
  expect(names).toEqual(expect.arrayContaining([...tarballs.keys(), 'classic-level', 'commander', 'n3']));
  expect(text).not.toMatch(/file:|\/tmp\/|node_modules/);
});

/** Times what somebody does in an empty folder, with the cache of npm filled. */
async function timed(name: string, steps: (folder: EmptyFolder) => Promise<void>): Promise<EmptyFolder> {
  const folder = await emptyFolder();
  const start = performance.now();
  await steps(folder);
  const seconds = (performance.now() - start) / 1000;
  console.log(`${name}: ${seconds.toFixed(1)} s`);
  expect(seconds).toBeLessThan(60 * MAX_MINUTES);
  return folder;
}

describe('the library', () => {
  let folder: EmptyFolder;
  test('from an empty folder to the first result', async () => {
    folder = await timed('library', async (empty) => {
      await empty.install(tarballs, ['quadrille']);
      await empty.write('people.ttl', TURTLE);
      await empty.write(
        'index.mjs',
        `import { open } from 'quadrille';
        const db = await open('./data');
        const repo = await db.repository('people', { create: true });
        await repo.load('people.ttl');
        console.log(await repo.select('SELECT ?name { ?person foaf:name ?name }', { values: 'js' }).toArray());
        await db.close();`,
      );
      expect(await empty.run('node', 'index.mjs')).toBe("[ { name: 'Ann' } ]\n");
    });
  });

  test('at most 60 packages and 33 MB', async () => {
    const { packages, bytes } = await folder.installed();
    console.log(`quadrille: ${String(packages)} packages, ${(bytes / 1e6).toFixed(1)} MB installed`);
    expect(packages).toBeLessThanOrEqual(60);
    expect(bytes).toBeLessThanOrEqual(33e6);
  });

  test(`its import reads at most ${String(IMPORT_FILES)} files of ${String(IMPORT_BYTES / 1e3)} kB`, async () => {
    const { files, bytes } = await folder.modulesOf("await import('quadrille')");
    const [nothing, imported] = (await folder.leastCpu(['0', "await import('quadrille')"], 15)) as [number, number];
    const ratio = imported / nothing;
    console.log(`import: ${String(files)} files, ${(bytes / 1e3).toFixed(0)} kB, ${imported.toFixed(0)} ms`);
    console.log(`node -e 0: ${nothing.toFixed(0)} ms, ratio ${ratio.toFixed(2)}`);
    expect(files).toBeLessThanOrEqual(IMPORT_FILES);
    expect(bytes).toBeLessThanOrEqual(IMPORT_BYTES);
    expect(ratio).toBeLessThanOrEqual(IMPORT_RATIO);
  });
});

/** The packages of ours in the install lines of all documents, with the pages that have each line. */
function installLines(): ReadonlyMap<string, string[]> {
  const found = new Map<string, string[]>();
  for (const page of pages())
    for (const { code, language } of blocks(page))
      for (const [, words = ''] of language === 'sh' ? code.matchAll(/^npm (?:install|i) ([^#\n]*)/gm) : []) {
        const ours = words.split(/\s+/).filter((word) => /^(?:quadrille|@quadrille\/[\w-]+)(?:@\S+)?$/.test(word));
        // A page about a backend is for those who have the library.
        const needs = ours.length === 0 || ours.some((name) => /^(?:quadrille|@quadrille\/client)$/.test(name));
        const names = (needs ? ours : ['quadrille', ...ours]).join(' ');
        if (names !== '') found.set(names, [...new Set([...(found.get(names) ?? []), page.path])]);
      }
  return found;
}

// What the pages install besides is tried by packed.test.ts, with the projects of these pages.
describe('install lines of the documents', () => {
  const lines = installLines();
  test('are found', () => {
    expect(lines.size).toBeGreaterThan(4);
    expect(lines.get('quadrille')).toEqual(expect.arrayContaining(['README.md', 'docs/start/install.md']));
  });

  test.each([...lines])('npm install %s', async (line) => {
    const folder = await emptyFolder();
    const names = line.split(' ');
    await folder.install(tarballs, names);
    await folder.write(
      'all.mjs',
      `for (const name of ${JSON.stringify(names)}) await import(name); console.log('done');`,
    );
    expect(await folder.run('node', 'all.mjs')).toBe('done\n');
    if (names.includes('quadrille'))
      expect(await folder.run('npx', '--no-install', 'quadrille', '--version')).toMatch(/^\d+\.\d+\.\d+/);
  });
});

test('all packages work beside each other, and each entry loads', async () => {
  const folder = await emptyFolder();
  const names = [...tarballs.keys()].sort();
  expect(names).toEqual([
    '@quadrille/bench',
    '@quadrille/client',
    '@quadrille/lmdb',
    '@quadrille/postgres',
    '@quadrille/s3',
    'quadrille',
  ]);
  await folder.install(tarballs, names, ['react@19', 'vue@3']);
  // Suites of tests are for those who have vitest.
  const entries = names.flatMap((name) =>
    Object.keys(tarballs.get(name)!.manifest.exports)
      .filter((entry) => !/package\.json$|\/testing$/.test(entry))
      .map((entry) => name + entry.slice(1)),
  );
  expect(entries).toEqual(
    expect.arrayContaining([
      'quadrille',
      'quadrille/host',
      'quadrille/server',
      'quadrille/server/host',
      '@quadrille/s3',
    ]),
  );
  await folder.write(
    'all.mjs',
    `for (const name of ${JSON.stringify(entries)}) console.log(name, Object.keys(await import(name)).length > 0);`,
  );
  expect(await folder.run('node', 'all.mjs')).toBe(entries.map((name) => `${name} true\n`).join(''));
  // The backend is made of the same parts as the library.
  await folder.write(
    'lmdb.mjs',
    `import { open, QuadrilleError } from 'quadrille';
    const db = await open('./lmdb', { backend: 'lmdb' });
    console.log(await open('./lmdb', { lockTimeoutMs: 0 }).catch((error) => error instanceof QuadrilleError && error.code));
    await db.close();`,
  );
  expect(await folder.run('node', 'lmdb.mjs')).toBe('STORE_LOCKED\n');
}, 300_000);

describe('from an empty folder to the first result', () => {
  test('by command', () =>
    timed('command', async (folder) => {
      await folder.install(tarballs, ['quadrille']);
      await folder.write('people.ttl', TURTLE);
      await folder.run('npx', 'quadrille', 'load', './data', 'people.ttl');
      const query = 'SELECT ?name { ?person foaf:name ?name }';
      expect(await folder.run('npx', 'quadrille', 'query', './data', query, '--format', 'csv')).toMatch(
        /^name\r?\n"Ann"\r?\n$/,
      );
    }));

  test.skipIf(!existsSync(CHROMIUM)).each([
    ['page', 'bundle-with-vite.md', []],
    ['React app', 'use-with-react.md', ['react@19', 'react-dom@19']],
  ])('by %s (skipped without Chromium)', async (what, file, libraries) => {
    await timed(what, async (folder) => {
      await writePageFiles(file, folder.path);
      await folder.install(tarballs, ['quadrille'], ['vite@8', ...libraries]);
      await folder.run('npm', 'run', 'build');
      const preview = ['node_modules/vite/bin/vite.js', 'preview', '--host', '127.0.0.1', '--port', '0'];
      const { address, stop } = await folder.serve(process.execPath, ...preview);
      const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
      try {
        const page = await browser.newPage();
        await page.goto(address);
        await page.getByText('Ann').waitFor();
      } finally {
        await browser.close();
        stop();
      }
    });
  });
});

/** Opens, loads, asks, branches, serves, and asks the server. */
const PATH = `
  import { connect } from '@quadrille/client';
  import { iri, literal, open, quad } from 'quadrille';
  import { hostOf } from 'quadrille/host';
  import { serve } from 'quadrille/server';
  const db = await open('./path');
  const repo = await db.repository('people', { create: true });
  await repo.load('people.ttl');
  await repo.add(quad(iri('urn:bob'), iri('http://xmlns.com/foaf/0.1/name'), literal('Bob')));
  const names = await repo.prepare('SELECT ?name { ?person foaf:name ?name } ORDER BY ?name');
  console.log((await names.serialize('csv').toArray()).join('').split(/\\r?\\n/).join(' '));
  await repo.branches.create('side');
  await (await repo.branches.open('side')).update('INSERT DATA { <urn:c> foaf:name "Cy" }');
  console.log('merged', (await repo.branches.merge('side')).added);
  await hostOf(db).records.write([{ key: 'mine/1', value: 1 }]);
  await db.close();
  const served = await serve('./path', { port: 0, open: true, store: { workers: 0 } });
  const remote = await connect(new URL('default/people', served.url).href);
  await remote.update('INSERT DATA { <urn:d> foaf:name "Di" }');
  console.log('served', await remote.count());
  await served.close();
  console.log(await connect(new URL('default/people', served.url).href).catch(({ code }) => code));
`;

describe.each(RUNTIMES.filter((_, index) => inShare(index, RUNTIMES.length)))(`on $name (${SHARE_TEXT})`, (runtime) => {
  test('library, server, client and command', async ({ skip }) => {
    const tools = await emptyFolder();
    await tools.write('package.json', '{ "private": true }');
    const installed = await installRuntime(runtime, tools.path);
    if (typeof installed === 'string') return skip(installed);
    const folder = await emptyFolder();
    await folder.install(tarballs, ['quadrille', '@quadrille/client']);
    await folder.write('people.ttl', TURTLE);
    await folder.write('path.mjs', PATH);
    const [program, ...args] = installed.command as [string, ...string[]];
    expect(await folder.run(program, ...args, 'path.mjs')).toBe(
      'name "Ann" "Bob" \nmerged 1\nserved 4\nFETCH_FAILED\n',
    );
    const command = [...args, 'node_modules/quadrille/bin/quadrille.js'];
    await folder.run(program, ...command, 'load', './data', 'people.ttl', '--safe');
    expect(await folder.run(program, ...command, 'query', './data', 'ASK { ?s foaf:name "Ann" }')).toContain('true');
  }, 300_000);
});
