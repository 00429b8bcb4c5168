/**
 * Builds the page into dist/pages, compressed by Brotli: scripts and styles with a hash in their names, the page itself, what a playground has
 * besides, and manifest.json, which files.ts and playground-files.ts read. Does nothing where the sources are those of the last build.
 */
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzipSync } from 'node:zlib';
import { buildParserFile } from '@lezer/generator';
import { build } from 'esbuild';
import { PLAYGROUND_POLICY, POLICY, SITE_POLICY } from './policy.mjs';

/** For `npm run dev`: nothing is made small, and the next build is a whole one. */
const quick = process.env.QUADRILLE_QUICK_BUILD === '1';
const here = import.meta.dirname;
const out = join(here, 'dist/pages');
const ASSETS = 'workbench/assets';
/** The same beside a published store. */
const SITE_ASSETS = 'page/assets';

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
  minify: !quick,
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
  // Chunks of a package import others for nothing but their place in the order.
  logOverride: { 'ignored-bare-import': 'silent' },
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
  const assets = new Map();
  const libraries = await addLibraries(assets);
  const define = {
    ROWS_WORKER: JSON.stringify(workerFile),
    EXAMPLE_FILES: JSON.stringify(Object.fromEntries(examples.map(({ year, name }) => [year, name]))),
  };
  const store = await build({ ...options, ...STORE, define });
  const tables = reachedFrom('src/import/worker.ts', store.metafile);
  define.TABLES_WORKER = JSON.stringify(tables[0]);
  const entryPoints = [
    { in: 'src/main.tsx', out: 'main' },
    { in: 'src/styles/main.css', out: 'style' },
  ];
  const pages = await build({ ...options, plugins: [grammar, libraries], entryPoints, define });
  for (const [name, contents] of contentsOf(worker, pages)) assets.set(name, contents);
  for (const { name, bytes } of examples) assets.set(name, bytes);
  for (const [name, contents] of contentsOf(store)) if (tables.includes(name)) assets.set(name, contents);
  const icon = await addIcon(assets);
  const html = pageOf(await readFile(join(here, 'src/index.html'), 'utf8'), assets, icon);
  const entries = [...assets].map(([name, bytes]) => [`/${ASSETS}/${name}`, bytes, true]);
  entries.push(['/', encoded(html), false]);
  const manifest = {
    ...(quick ? {} : { sources }),
    policy: POLICY,
    files: await Promise.all(entries.map(writeEntry)),
    ...(await writeStandAlone(assets, html, pages, store)),
    chunks: chunksOf(pages.metafile),
  };
  await writeFile(join(out, 'manifest.json'), JSON.stringify(manifest));
}

const encoded = (text) => new TextEncoder().encode(text);
const contentsOf = (...builds) =>
  new Map(builds.flatMap(({ outputFiles }) => outputFiles.map(({ path, contents }) => [basename(path), contents])));
const named = (files, pattern) => [...files.keys()].find((name) => pattern.test(name)) ?? fail(`no ${pattern}`);

const pageOf = (template, assets, icon) =>
  template
    .replace('STYLE', `${ASSETS}/${named(assets, /^style-\w+\.css$/)}`)
    .replace('SCRIPT', `${ASSETS}/${named(assets, /^main-\w+\.js$/)}`)
    .replace('ICON', `${ASSETS}/${icon}`);

/** The workers that contain the library: that with the data, and that which maps tables. They share what they load. */
const STORE = {
  entryPoints: [
    { in: 'src/playground/store-worker.ts', out: 'store' },
    { in: 'src/import/worker.ts', out: 'tables' },
  ],
};

/** The file of an entry, and all that it may load. */
function reachedFrom(entry, { outputs }) {
  const names = new Set([Object.keys(outputs).find((path) => outputs[path].entryPoint === entry)]);
  for (const name of names) for (const { path, external } of outputs[name].imports) if (!external) names.add(path);
  return [...names].map((path) => basename(path));
}

/** Pages that need no server: the playground, and the one of a published store, which reads the files of its folder. They share their files. */
async function writeStandAlone(assets, html, pages, store) {
  const added = new Map([...contentsOf(store)].filter(([name]) => !assets.has(name)));
  await Promise.all([...added].map(([name, bytes]) => writeCompressed(`${ASSETS}/${name}`, bytes)));
  const script = named(added, /^store-\w+\.js$/);
  const names = [...assets.keys(), ...added.keys()].sort();
  const playground = { page: html, folder: ASSETS, policy: PLAYGROUND_POLICY, name: 'playground' };
  const site = {
    page: html.replace(
      '</title>',
      `</title>\n    <meta name="quadrille-place" content="./" />${preloads(pages, store)}`,
    ),
    folder: SITE_ASSETS,
    policy: SITE_POLICY,
    name: 'site',
  };
  return {
    playground: await writePages(playground, script, names),
    // What only imports and the example need is not there.
    site: await writePages(
      site,
      script,
      names.filter((name) => !/^(?:solar|tables)-/.test(name)),
    ),
  };
}

/** What the first query of a published store needs: of the page, and of the worker with the data. */
const FIRST_OF_PAGE = /^(?:main|connect|editor)-|^page-/;
const FIRST_OF_STORE = /^(?:store|host|browser-kept-parts|stored-settings|stored-branches|on-request|more-operators)-/;

/** Links that have the browser fetch it at once, rather than file by file as each names the next. */
function preloads(pages, store) {
  const isQuery = (path) => pages.metafile.outputs[path].entryPoint === 'src/query/page.tsx';
  const first = (path) => FIRST_OF_PAGE.test(basename(path)) && (!basename(path).startsWith('page-') || isQuery(path));
  const link = (rel) => (name) => `\n    <link rel="${rel}" href="${ASSETS}/${name}" />`;
  return [
    ...withImports(pages.metafile, first).map(link('modulepreload')),
    ...withImports(store.metafile, (path) => FIRST_OF_STORE.test(basename(path))).map(link('prefetch')),
  ].join('');
}

/** Outputs, and what they import. */
function withImports({ outputs }, isWanted) {
  const found = new Set(Object.keys(outputs).filter(isWanted));
  for (const path of found)
    for (const each of outputs[path].imports)
      if (each.kind === 'import-statement' && !each.external) found.add(each.path);
  return [...found].map((path) => basename(path));
}

/** The page with its policy in it, and the service worker, which knows all files. */
async function writePages({ page: html, folder, policy, name }, script, names) {
  const page = encoded(
    html
      .replaceAll(`${ASSETS}/`, `${folder}/`)
      .replace('<head>', `<head>\n    <meta http-equiv="Content-Security-Policy" content="${policy}" />`)
      .replace('</title>', `</title>\n    <meta name="quadrille-store" content="${folder}/${script}" />`)
      .replace(/(?<=<noscript>).*(?=<\/noscript>)/, 'This page needs JavaScript.'),
  );
  const files = names.map((file) => `${folder}/${file}`);
  const serviceWorker = await build({
    ...options,
    splitting: false,
    format: 'iife',
    entryPoints: ['src/playground/service-worker.ts'],
    define: {
      PLAYGROUND_FILES: JSON.stringify(files),
      PLAYGROUND_VERSION: JSON.stringify(hashOf(JSON.stringify([files, hashOf(page)])).slice(0, 16)),
      PLAYGROUND_POLICY: JSON.stringify(policy),
    },
  });
  await writeCompressed(`${name}.html`, page);
  await writeCompressed(`${name}-sw.js`, serviceWorker.outputFiles[0].contents);
  return [
    { path: 'index.html', file: `${name}.html` },
    { path: 'sw.js', file: `${name}-sw.js` },
    ...names.map((file) => ({ path: `${folder}/${file}`, file: `${ASSETS}/${file}` })),
  ];
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

async function writeEntry([path, bytes, immutable]) {
  const file = path === '/' ? 'index.html' : path.slice(1);
  await writeCompressed(file, bytes);
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

async function writeCompressed(file, bytes) {
  const params = { [constants.BROTLI_PARAM_QUALITY]: quick ? 1 : 9, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  await writeFile(join(out, `${file}.br`), await promisify(brotliCompress)(bytes, { params }));
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

/** What the worker with the data is built from, besides the sources here. */
const PACKAGES = [
  'model',
  'storage',
  'storage-browser',
  'storage-published',
  'formats',
  'formats-extra',
  'core',
  'sparql',
  'quadrille',
];

/** Over these scripts, the sources, the packages that a playground contains, and the versions of all others. */
async function digestOfSources() {
  const hash = createHash('sha256');
  const own = await filesIn(join(here, 'src'));
  const built = await Promise.all([...PACKAGES, 'server'].map((name) => filesIn(join(here, '..', name, 'dist'))));
  const scripts = built.flat().filter((file) => file.endsWith('.js'));
  const others = ['build.mjs', 'policy.mjs', '../../pnpm-lock.yaml'].map((file) => join(here, file));
  for (const file of [...others, ...own, ...scripts])
    hash.update(`${relative(here, file)}\0`).update(await readFile(file));
  return hash.digest('hex');
}

async function filesIn(folder) {
  const listed = await readdir(folder, { recursive: true, withFileTypes: true });
  return listed
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

await main();
