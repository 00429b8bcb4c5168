/**
 * The projects of docs/how-to, with the packages as they are published, in an empty folder. `npm test` tries those whose tools this
 * repository has. `npm run test:ci` tries all: it installs the packed packages and the tools with npm.
 */
import { execFile, spawn } from 'node:child_process';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { installedFolder, npmInstall, packedFolder } from './packed-folder.js';
import { notInShare } from '../share.js';
import { codeBlocks, writePageFiles } from './page-files.js';

const run = promisify(execFile);
const ALL = process.env['QUADRILLE_PACKAGES'] === 'all';
// To install and run them takes over a minute. The site and the container are in other shares.
const NOT_NOW = ALL
  ? notInShare(2, 3)
  : ' (only with QUADRILLE_PACKAGES=all, as in npm run test:ci: npm downloads its tools)';
const ANN = "[ { name: 'Ann' } ]\n";

let folder: string;
beforeAll(async () => {
  const tools = ['esbuild', 'typescript', 'vite', 'react', 'react-dom', '@types/node', '@rdfjs/types'];
  folder = ALL ? await installedFolder(['quadrille']) : await packedFolder(['quadrille'], tools);
  if (ALL)
    await npmInstall(folder, [
      'esbuild@0.27',
      'typescript@5.9',
      'vite@8',
      '@types/node@20',
      'react@19',
      'react-dom@19',
      ...(NOT_NOW === '' ? LARGE_TOOLS : []),
    ]);
}, 600_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

const LARGE_TOOLS = ['jest@30', 'webpack@5', 'webpack-cli', 'next@16'];

const THREADS = `
  import { open } from 'quadrille';
  const database = await open('store', { workers: 1 });
  const repository = await database.repository('a/r', { create: true });
  const text = Array.from({ length: 1500 }, (_, i) => \`<urn:s\${i}> <urn:p> "\${i}" .\`).join('\\n');
  await repository.load({ text }, { format: 'nt' });
  const query = 'SELECT (COUNT(*) AS ?n) { ?a ?p ?x . ?b ?q ?y FILTER(STRLEN(?x) > STRLEN(?y)) }';
  const answers = new Set();
  while (database.metrics().workers.queries === 0) {
    answers.add((await (await repository.prepare(query)).serialize('csv').toArray()).join(''));
    await new Promise((next) => setTimeout(next, 20));
  }
  console.log(JSON.stringify([...answers]));
  // The database stays open.
`;

/** A folder with the files of a page, and what runs a command in it. */
async function project(page: string): Promise<(...command: string[]) => Promise<string>> {
  const cwd = join(folder, page);
  await mkdir(cwd);
  await writePageFiles(`${page}.md`, cwd);
  // Programs that pnpm starts have a path to the packages of this repository.
  const env = {
    ...process.env,
    NODE_PATH: undefined,
    NODE_ENV: undefined,
    VITEST: undefined,
    NO_COLOR: '1',
    NEXT_TELEMETRY_DISABLED: '1',
  };
  return async (...[file = '', ...args]) => {
    const tool = file === 'node' ? process.execPath : file;
    const { stdout, stderr } = await run(tool, args, { cwd, env: env as NodeJS.ProcessEnv, timeout: 300_000 });
    return stdout + stderr;
  };
}

const binary = (path: string): string => join(folder, 'node_modules', path);

test('CommonJS', async () => {
  const inProject = await project('use-from-commonjs');
  expect(await inProject('node', 'index.cjs')).toBe(ANN);
}, 60_000);

test('query threads find their file, and an idle one does not keep the process alive', async () => {
  const cwd = join(folder, 'threads');
  await mkdir(cwd);
  await writeFile(join(cwd, 'program.mjs'), THREADS);
  const { stdout, stderr } = await run(process.execPath, ['program.mjs'], { cwd, timeout: 60_000 });
  expect([stdout, stderr]).toEqual([`${JSON.stringify(['n\r\n590900\r\n'])}\n`, '']);
}, 120_000);

describe('one file for Node.js', () => {
  test('runs beside its native code', async () => {
    const inProject = await project('bundle-for-node');
    await inProject('node', 'build.mjs');
    expect(await readdir(join(folder, 'bundle-for-node/dist'))).toEqual(['main.mjs']);
    if (!ALL) return;
    // Where packages are links, the bundle finds no native code beside it.
    expect(await inProject('node', 'dist/main.mjs')).toBe(ANN);
  }, 60_000);

  test('runs alone in memory', async () => {
    const alone = join(folder, '../', `${folder.split('/').at(-1)!}-alone`);
    await mkdir(alone);
    try {
      await run('cp', [join(folder, 'bundle-for-node/dist/main.mjs'), alone]);
      const { stdout, stderr } = await run(process.execPath, ['main.mjs', ':memory:'], { cwd: alone });
      expect([stdout, stderr]).toEqual([ANN, '']);
    } finally {
      await rm(alone, { recursive: true });
    }
  }, 60_000);
});

test.each(['bundle-with-vite', 'use-with-react'])(
  'Vite: %s',
  async (page) => {
    const inProject = await project(page);
    const output = await inProject('node', binary('vite/bin/vite.js'), 'build', '--target', 'es2022');
    expect(output).not.toMatch(/warn|externalized|could not/i);
    expect(await readFile(join(folder, page, 'dist/index.html'), 'utf8')).toContain('assets/index-');
  },
  120_000,
);

describe('strict TypeScript', () => {
  const OPTIONS = {
    target: 'ES2022',
    lib: ['ES2023', 'ESNext.Disposable'],
    types: ['node'],
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    noPropertyAccessFromIndexSignature: true,
    skipLibCheck: false,
    noEmit: true,
  };
  const RESOLUTIONS = [
    ['NodeNext', { module: 'NodeNext' }, 'mts'],
    ['NodeNext, in CommonJS', { module: 'NodeNext' }, 'cts'],
    ['bundler', { module: 'ESNext', moduleResolution: 'bundler' }, 'mts'],
  ] as const;

  test.each(ALL ? RESOLUTIONS : RESOLUTIONS.slice(0, 1))(
    'with the resolution %s',
    async (name, options, type) => {
      const cwd = join(folder, `typescript-${name.replaceAll(/\W/g, '')}`);
      await mkdir(cwd);
      const programs = type === 'mts' ? await codeBlocks('use-with-typescript.md', 'ts') : [];
      await Promise.all(programs.map((program, i) => writeFile(join(cwd, `page${String(i)}.${type}`), program)));
      await run('cp', [resolve(import.meta.dirname, 'consumer.ts.txt'), join(cwd, `consumer.${type}`)]);
      const files = [`consumer.${type}`, ...programs.map((_, i) => `page${String(i)}.${type}`)];
      await writeFile(
        join(cwd, 'tsconfig.json'),
        JSON.stringify({ compilerOptions: { ...OPTIONS, ...options }, files }),
      );
      const compiled = await run(process.execPath, [binary('typescript/bin/tsc'), '-p', '.'], { cwd }).catch(
        (error: { stdout: string }) => error,
      );
      expect(compiled.stdout).toBe('');
    },
    120_000,
  );
});

describe.skipIf(NOT_NOW !== '')(`large tools${NOT_NOW}`, () => {
  test('Jest', async () => {
    const inProject = await project('use-with-jest');
    const output = await inProject('node', '--experimental-vm-modules', binary('jest/bin/jest.js'));
    expect(output).toContain('1 passed, 1 total');
    expect(output).not.toContain('did not exit');
  }, 120_000);

  test('webpack', async () => {
    const inProject = await project('bundle-with-webpack');
    const output = await inProject('node', binary('webpack/bin/webpack.js'), '--config', 'webpack.config.cjs');
    expect(output).toMatch(/compiled successfully/);
    expect(await readdir(join(folder, 'bundle-with-webpack/dist'))).toContain('main.js');
  }, 300_000);

  test('Next.js', async () => {
    const inProject = await project('use-with-next');
    const next = binary('next/dist/bin/next');
    expect(await inProject('node', next, 'build')).toContain('/api/people');
    const server = spawn(process.execPath, [next, 'start', '-p', '0', '-H', '127.0.0.1'], {
      cwd: join(folder, 'use-with-next'),
    });
    try {
      let output = '';
      let address: string | undefined;
      for await (const chunk of server.stdout) {
        output += String(chunk);
        address = output.match(/http:\/\/127\.0\.0\.1:\d+/)?.[0];
        if (address !== undefined && output.includes('Ready')) break;
      }
      expect(await (await fetch(`${address!}/api/people`)).json()).toEqual([{ name: 'Ann' }]);
      expect(await (await fetch(`${address!}/`)).text()).toContain('<ul><li>Ann</li></ul>');
    } finally {
      server.kill();
    }
  }, 300_000);
});
