/**
 * Writes the command and its server as one file, with the native modules beside it: `node single-file/build.mjs [folder]`. Everything else has to be
 * built before. The folder needs no npm: it can be copied to any machine with Node.js and the same system.
 */
import { copyFile, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'tsup';

const here = dirname(fileURLToPath(import.meta.url));
const cli = dirname(here);
const folder = resolve(process.argv[2] ?? join(cli, '../../deploy/dist'));
const { version } = JSON.parse(await readFile(join(cli, 'package.json'), 'utf8'));

const system = `${process.platform}-${process.arch}`;
const NATIVES = {
  level: { library: 'LevelDB', file: `leveldb-${system}.node` },
  lz4: { library: 'LZ4', file: `lz4-${system}.node` },
};

/** Threads are started by the file itself. */
const OWN_THREADS = /new URL\((["'])(?:query-)?thread\.js\1, import\.meta\.url\)/g;

const oneFile = {
  name: 'one-file',
  setup(bundle) {
    bundle.onLoad({ filter: /packages[\\/][^\\/]+[\\/]dist[\\/][^\\/]+\.js$/ }, async ({ path }) => {
      const code = await readFile(path, 'utf8');
      return { contents: code.replace(OWN_THREADS, 'new URL(import.meta.url)'), resolveDir: dirname(path) };
    });
    // The loader of jsonld for Node.js, which no call uses: contexts come by `loadDocument`.
    bundle.onLoad({ filter: /@digitalbazaar[\\/]http-client[\\/]/ }, () => ({ contents: 'module.exports = {};' }));
    bundle.onLoad({ filter: /classic-level[\\/]binding\.js$/ }, () => ({ contents: nativeModule(NATIVES.level) }));
    bundle.onLoad({ filter: /lz4-napi[\\/]index\.js$/ }, () => ({ contents: nativeModule(NATIVES.lz4) }));
    bundle.onLoad({ filter: /cli[\\/]src[\\/]version\.ts$/ }, () => ({
      contents: `export const versionOfCommand = () => ${JSON.stringify(version)};`,
    }));
    bundle.onLoad({ filter: /cli[\\/]src[\\/]documents[\\/]stored-documents\.ts$/ }, async () => ({
      contents: `export const storedDocuments = async () => Buffer.from(${JSON.stringify(await documents())}, 'base64');`,
    }));
    bundle.onResolve({ filter: /^@quadrille\/workbench$/ }, () => ({ path: join(cli, '../workbench/src/index.ts') }));
    bundle.onLoad({ filter: /workbench[\\/]src[\\/]stored-pages\.ts$/ }, async () => ({
      contents: await storedPages(),
    }));
  },
};

/** What agents search. */
const documents = () => readFile(join(cli, 'dist/documents.json.br'), 'base64');

/** In the place of what finds a native module in its package: it lies beside the file. */
function nativeModule({ file, library }) {
  return `const file = require('node:path').join(__dirname, ${JSON.stringify(file)});
try {
  module.exports = require(file);
} catch (cause) {
  const hint = 'Copy it there for this system, or keep the store in memory: quadrille serve :memory:';
  const message = \`The native module of ${library} cannot be loaded from \${file}. \${hint}\`;
  throw Object.assign(new Error(message, { cause }), { code: 'STORAGE_IO' });
}`;
}

/** A module like `stored-pages.ts` that contains the files. */
async function storedPages() {
  const pages = join(cli, '../workbench/dist/pages');
  const entries = [];
  for (const entry of await readdir(pages, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    entries.push([relative(pages, path).replaceAll('\\', '/'), await readFile(path, 'base64')]);
  }
  return `const PAGES = new Map(${JSON.stringify(entries)});
export const storedPage = (name) => Buffer.from(PAGES.get(name), 'base64');
export const storedJson = (name) => JSON.parse(storedPage(name).toString());`;
}

/** The packages know where the modules for this system lie. */
async function copyNatives() {
  const ofCli = createRequire(join(cli, 'package.json'));
  const level = ofCli.resolve('classic-level');
  const prebuilt = createRequire(level)('node-gyp-build').path(dirname(level));
  await copyFile(prebuilt, join(folder, NATIVES.level.file));
  ofCli('lz4-napi');
  const lz4 = Object.keys(ofCli.cache).find((file) => /lz4-napi.*\.node$/.test(file));
  await copyFile(lz4, join(folder, NATIVES.lz4.file));
}

await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
await build({
  config: false,
  entry: { 'quadrille-server': join(here, 'entry.mjs') },
  outDir: folder,
  outExtension: () => ({ js: '.mjs' }),
  format: 'esm',
  target: 'node20',
  platform: 'node',
  tsconfig: join(cli, 'tsconfig.json'),
  splitting: false,
  noExternal: [/^(?!@quadrille\/(?:lmdb|bench)$|@comunica\/)/],
  external: ['@quadrille/lmdb', '@quadrille/bench', '@comunica/query-sparql-rdfjs'],
  esbuildPlugins: [oneFile],
  esbuildOptions(options) {
    options.minifyWhitespace = true;
    options.minifySyntax = true;
    // Comments of licences stand at the end.
    options.legalComments = 'eof';
  },
  banner: {
    // Dependencies in CommonJS ask for built-in modules by require, and for their folder: that of the file.
    js: [
      "import { createRequire as __createRequire } from 'node:module';",
      "import { fileURLToPath as __fileURLToPath } from 'node:url';",
      'const require = __createRequire(import.meta.url);',
      'const __filename = __fileURLToPath(import.meta.url);',
      "const __dirname = __fileURLToPath(new URL('.', import.meta.url));",
    ].join(''),
  },
  silent: true,
});
await copyNatives();
await copyFile(join(cli, '../../LICENSE'), join(folder, 'LICENSE'));
