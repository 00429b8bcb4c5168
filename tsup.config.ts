/**
 * The JavaScript of every package: one file for each entry, and chunks for what entries share or load later. tsc checks the types and
 * writes the declarations. Few files to find and parse make a program start in a third of the time.
 */
import { copyFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { defineConfig } from 'tsup';
import type { Options } from 'tsup';

type Plugin = NonNullable<Options['esbuildPlugins']>[number];

/** Entries by the name of their file in `dist`, beside `index`. They stand side by side, so that a chunk finds them by its own address. */
const ENTRIES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  // What threads share is read by no page, and no page makes backups.
  core: { share: 'src/share/index.ts', backup: 'src/backup/index.ts' },
  client: {},
  fetch: {},
  // A parser's thread is started by its file. Programs without patches do not load what reads them.
  formats: {
    packing: 'src/packing/index.ts',
    patch: 'src/patch/index.ts',
    worker: 'src/worker/index.ts',
    thread: 'src/worker/thread.ts',
  },
  'formats-extra': {
    tables: 'src/tables/index.ts',
    worker: 'src/worker/index.ts',
    thread: 'src/worker/thread.ts',
  },
  // A page that starts needs no relative IRIs: in the index they would be loaded with everything else. And it needs nothing but the endings.
  model: { endings: 'src/endings.ts', 'order-key': 'src/values/order-key.ts', 'resolve-iri': 'src/resolve-iri.ts' },
  // The last one lets tests set when a load starts a thread; it is not published.
  quadrille: {
    host: 'src/host/index.ts',
    shacl: 'src/guard/validate-dataset.ts',
    react: 'src/hooks/react.ts',
    vue: 'src/hooks/vue.ts',
    'query-thread': 'src/threads/query-thread.ts',
    'platform-node': 'src/platform/node.ts',
    'platform-browser': 'src/platform/browser.ts',
    'load-parser': 'src/load/parser.ts',
  },
  // What a page loads of the handler has no adapter of node:http.
  server: {
    browser: 'src/fetch/browser.ts',
    host: 'src/host/index.ts',
    mcp: 'src/mcp/index.ts',
    'mcp-lines': 'src/mcp/command.ts',
    'mcp-start': 'src/mcp/introduction.ts',
    rpc: 'src/rpc/index.ts',
    share: 'src/share/index.ts',
    'platform-node': 'src/platform/node.ts',
    'platform-browser': 'src/platform/browser.ts',
    'host-platform-node': 'src/host/platform/node.ts',
    'host-platform-browser': 'src/host/platform/browser.ts',
  },
  shacl: {},
  sparql: {
    template: 'src/algebra/template.ts',
    delta: 'src/delta/index.ts',
    mapping: 'src/mapping/index.ts',
    prebound: 'src/prebound/index.ts',
  },
  storage: { testing: 'src/testing.ts' },
  'storage-browser': {},
  'storage-directory': { testing: 'src/testing.ts' },
  'storage-level': { browser: 'src/browser.ts' },
  // Only whoever publishes needs the writer.
  'storage-published': { testing: 'src/testing.ts', write: 'src/write.ts' },
  lmdb: {},
  postgres: {},
  s3: {},
  'storage-shared': { testing: 'src/testing.ts' },
  workbench: {},
};

/** Entries of programs that have loaded the index before, or load it with them. */
const AFTER_INDEX: Readonly<Record<string, readonly string[]>> = {
  core: ['share', 'backup'],
  formats: ['packing', 'patch', 'worker', 'thread'],
  quadrille: ['host'],
  sparql: ['delta', 'mapping', 'prebound'],
};

/**
 * Libraries of which a package uses a small part of many files, with the files of their licences. They become part of the package:
 * finding and parsing their files took a quarter of the time of `import('quadrille')`.
 */
const BUNDLED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  core: { uuid: 'LICENSE.md' },
  formats: { fzstd: 'LICENSE', 'unbzip2-stream': 'LICENSE' },
  model: { 'rdf-data-factory': 'LICENSE.txt' },
  server: { uuid: 'LICENSE.md' },
};

/**
 * V8 keeps a source in two bytes for each character if one character needs them, and then reads it more slowly. In strings they are
 * escaped already, so the rest stands in comments.
 */
const asciiComments = {
  name: 'ascii-comments',
  renderChunk: (code: string) => ({ code: code.replace(/[^\0-\x7f]/g, '.') }),
};

/**
 * Puts everything that an index needs into one chunk, also parts that modules loaded later share, or entries in `after`. Such a module
 * begins with an import of the index, which is loaded by then. Otherwise each combination of shared parts would be a chunk of its own. Finding
 * and reading a file takes longer than parsing 20 kB.
 */
const oneChunkForIndex = (index: string, after: readonly string[]): Plugin => ({
  name: 'one-chunk-for-index',
  setup(build) {
    const later = new Set(after);
    build.onResolve({ filter: /^\.{1,2}\// }, async ({ path, kind, ...rest }) => {
      if (kind !== 'dynamic-import' || rest.pluginData === 'resolved') return undefined;
      const found = await build.resolve(path, { kind, resolveDir: rest.resolveDir, pluginData: 'resolved' });
      later.add(found.path);
      return found;
    });
    build.onResolve({ filter: /^the-index$/ }, () => ({ path: index, sideEffects: true }));
    build.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      if (!later.has(path)) return undefined;
      return { contents: `${await readFile(path, 'utf8')}\nimport 'the-index';\n`, loader: 'ts' };
    });
  },
});

const library = (name: string, more: Readonly<Record<string, string>>): Options => {
  const folder = `packages/${name}`;
  const entries = { index: 'src/index.ts', ...more };
  const bundled = BUNDLED[name] ?? {};
  const after = (AFTER_INDEX[name] ?? []).map((entry) => resolve(folder, more[entry]!));
  return {
    name,
    entry: Object.fromEntries(Object.entries(entries).map(([entry, file]) => [entry, `${folder}/${file}`])),
    outDir: `${folder}/dist`,
    tsconfig: `${folder}/tsconfig.json`,
    format: 'esm',
    target: 'node20',
    platform: 'neutral',
    splitting: true,
    // With the sources in them, which are not published.
    sourcemap: true,
    // Chunks get other names when they change. Declarations are those of tsc.
    clean: ['!**/*.d.ts', '!**/*.d.ts.map'],
    noExternal: Object.keys(bundled),
    external: [/^(?!the-index$)[^./]/],
    esbuildPlugins: [oneChunkForIndex(resolve(folder, entries.index), after)],
    plugins: [asciiComments],
    onSuccess: async () => {
      for (const [library, licence] of Object.entries(bundled))
        copyFileSync(`${folder}/node_modules/${library}/${licence}`, `${folder}/dist/LICENSE-${library}.txt`);
    },
    silent: true,
  };
};

export default defineConfig(Object.entries(ENTRIES).map(([name, more]) => library(name, more)));
