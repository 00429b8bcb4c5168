/**
 * Builds the page into dist/pages: scripts and styles with a hash in their names, the same compressed by Brotli, the page itself, and
 * manifest.json, which files.ts reads. Does nothing where the sources are those of the last build.
 */
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzipSync } from 'node:zlib';
import { buildParserFile } from '@lezer/generator';
import { build } from 'esbuild';

const here = import.meta.dirname;
const out = join(here, 'dist/pages');
const ASSETS = 'workbench/assets';

/** Lezer's grammar becomes a module that exports `parser`, and one of the numbers of its terms. */
const grammar = {
  name: 'lezer',
  setup({ onLoad, onResolve }) {
    const generated = async (path) =>
      buildParserFile(await readFile(path, 'utf8'), { fileName: path, moduleStyle: 'es', warn: fail });
    onLoad({ filter: /\.grammar$/, namespace: 'file' }, async ({ path }) => ({
      contents: (await generated(path)).parser,
      loader: 'ts',
      resolveDir: dirname(path),
    }));
    onResolve({ filter: /\.terms\.js$/ }, ({ path, resolveDir }) => ({
      path: join(resolveDir, path.replace('.terms.js', '.grammar')),
      namespace: 'terms',
    }));
    onLoad({ filter: /\.grammar$/, namespace: 'terms' }, async ({ path }) => ({
      contents: (await generated(path)).terms,
    }));
  },
};

/** Libraries that their authors have packed smaller than esbuild would. Each is a file of its own, as it is. */
const LIBRARIES = [
  { name: 'cytoscape', file: 'cytoscape/dist/cytoscape.esm.min.mjs', end: '' },
  { name: 'uplot', file: 'uplot/dist/uPlot.iife.min.js', end: '\nexport default uPlot;\n' },
];

async function addLibraries(files) {
  const names = new Map();
  for (const { name, file, end } of LIBRARIES) {
    const bytes = Buffer.concat([await readFile(join(here, 'node_modules', file)), Buffer.from(end)]);
    names.set(name, `${name}-${hashOf(bytes).slice(0, 8)}.js`);
    files.set(names.get(name), new Uint8Array(bytes));
  }
  const setup = ({ onResolve }) =>
    onResolve({ filter: /^(?:cytoscape|uplot)$/ }, ({ path }) => ({ path: `./${names.get(path)}`, external: true }));
  return { name: 'libraries', setup };
}

const fail = (message) => {
  throw new Error(message);
};

const options = {
  absWorkingDir: here,
  bundle: true,
  minify: true,
  splitting: true,
  format: 'esm',
  platform: 'browser',
  // The first versions with light-dark(), of May 2024.
  target: ['es2022', 'chrome123', 'firefox120', 'safari17.5'],
  outdir: join(out, ASSETS),
  entryNames: '[name]-[hash]',
  chunkNames: '[name]-[hash]',
  assetNames: '[name]-[hash]',
  write: false,
  metafile: true,
  legalComments: 'none',
  logLevel: 'warning',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  plugins: [grammar],
};

async function main() {
  const sources = await digestOfSources();
  const before = await readFile(join(out, 'manifest.json'), 'utf8').then(JSON.parse, () => undefined);
  if (before?.sources === sources) return;
  await rm(out, { recursive: true, force: true });
  await mkdir(join(out, ASSETS), { recursive: true });
  // The page finds the worker by its name, which has the hash of its content.
  const worker = await build({ ...options, entryPoints: ['src/rows/worker.ts'] });
  const workerFile = basename(worker.outputFiles[0].path);
  const examples = await exampleFiles();
  const files = new Map();
  const libraries = await addLibraries(files);
  const exampleNames = Object.fromEntries(examples.map(({ year, name }) => [year, name]));
  const pages = await build({
    ...options,
    plugins: [grammar, libraries],
    entryPoints: [
      { in: 'src/main.tsx', out: 'main' },
      { in: 'src/styles/main.css', out: 'style' },
    ],
    define: { ROWS_WORKER: JSON.stringify(workerFile), EXAMPLE_FILES: JSON.stringify(exampleNames) },
  });
  for (const file of [...worker.outputFiles, ...pages.outputFiles]) files.set(basename(file.path), file.contents);
  const named = (pattern) => [...files.keys()].find((name) => pattern.test(name)) ?? fail(`no ${pattern}`);
  const page = (await readFile(join(here, 'src/index.html'), 'utf8'))
    .replace('STYLE', `${ASSETS}/${named(/^style-\w+\.css$/)}`)
    .replace('SCRIPT', `${ASSETS}/${named(/^main-\w+\.js$/)}`)
    .replace('ICON', `${ASSETS}/${await addIcon(files)}`);
  for (const { name, bytes } of examples) files.set(name, bytes);
  const entries = [...files].map(([name, bytes]) => [`/${ASSETS}/${name}`, bytes, true]);
  entries.push(['/', new TextEncoder().encode(page), false]);
  const manifest = { sources, files: await Promise.all(entries.map(writeEntry)), chunks: chunksOf(pages.metafile) };
  await writeFile(join(out, 'manifest.json'), JSON.stringify(manifest, null, 1));
}

async function addIcon(files) {
  const bytes = await readFile(join(here, 'src/icon.svg'));
  const name = `icon-${hashOf(bytes).slice(0, 8)}.svg`;
  files.set(name, new Uint8Array(bytes));
  return name;
}

/** The solar system of the examples: one document for each year. */
async function exampleFiles() {
  const folder = join(here, '../../examples/data');
  const names = (await readdir(folder)).filter((name) => /^solar-system-\d+\.ttl$/.test(name)).sort();
  return Promise.all(
    names.map(async (name) => {
      const bytes = new Uint8Array(await readFile(join(folder, name)));
      const year = /\d+/.exec(name)[0];
      return { year, name: `solar-${year}-${hashOf(bytes).slice(0, 8)}.ttl`, bytes };
    }),
  );
}

const TYPES = {
  ttl: 'text/turtle; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  html: 'text/html; charset=utf-8',
};

/** Writes a file and its compressed form. */
async function writeEntry([path, bytes, immutable]) {
  const file = path === '/' ? 'index.html' : path.slice(1);
  const brotli = await promisify(brotliCompress)(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  });
  await writeFile(join(out, file), bytes);
  await writeFile(join(out, `${file}.br`), brotli);
  const type = TYPES[file.split('.').at(-1)];
  return {
    path,
    file,
    type,
    immutable,
    hash: hashOf(bytes).slice(0, 16),
    bytes: bytes.length,
    gzip: gzipSync(bytes, { level: 9 }).length,
  };
}

/** For the test of budgets: which source each chunk begins with, and what it loads with it. */
function chunksOf({ outputs }) {
  return Object.entries(outputs).map(([path, { entryPoint, imports }]) => ({
    file: basename(path),
    entry: entryPoint,
    imports: imports.filter(({ kind }) => kind === 'import-statement').map((each) => basename(each.path)),
  }));
}

const hashOf = (bytes) => createHash('sha256').update(bytes).digest('hex');

/** Over this script, the sources and the versions of all packages. */
async function digestOfSources() {
  const hash = createHash('sha256');
  const listed = await readdir(join(here, 'src'), { recursive: true, withFileTypes: true });
  const sources = listed.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  for (const file of [join(here, 'build.mjs'), join(here, '../../pnpm-lock.yaml'), ...sources.sort()]) {
    hash.update(`${relative(here, file)}\0`).update(await readFile(file));
  }
  return hash.digest('hex');
}

await main();
