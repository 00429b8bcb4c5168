import { readFile } from 'node:fs/promises';
import { defineConfig, type Options } from 'tsup';

// The parser of command lines can start programs. None of ours is one, and loading what that needs takes longer than parsing.
const unused: NonNullable<Options['esbuildPlugins']>[number] = {
  name: 'unused',
  setup({ onLoad }) {
    onLoad({ filter: /commander[\\/]lib[\\/]command\.js$/ }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8')).replace("require('node:child_process')", '{}'),
    }));
    // Finding the file of the package takes longer than all options of the command.
    onLoad({ filter: /cli[\\/]src[\\/]version\.ts$/ }, async () => {
      const { version } = JSON.parse(await readFile('../quadrille/package.json', 'utf8')) as { version: string };
      return { contents: `export const versionOfCommand = () => ${JSON.stringify(version)};` };
    });
    // Making the tools takes all that they run.
    onLoad({ filter: /cli[\\/]src[\\/]launch[\\/]tool-list\.ts$/ }, async () => {
      const { listedTools } = await import('@quadrille/server/mcp-lines');
      const text = JSON.stringify(JSON.stringify(listedTools()));
      return { contents: `export const toolList = () => JSON.parse(${text});` };
    });
    // The loader of jsonld for Node.js, which no call uses: contexts come by `loadDocument`. It brings an HTTP client of half a megabyte.
    onLoad({ filter: /@digitalbazaar[\\/]http-client[\\/]/ }, () => ({ contents: 'module.exports = {};' }));
  },
};

// The JavaScript of LevelDB's package is in the bundle, because its twenty files take longer to find than to run. Only its native code is
// loaded from the package.
const levelInBundle: NonNullable<Options['esbuildPlugins']> = [
  {
    name: 'level-in-bundle',
    setup({ onLoad, onResolve }) {
      // A chunk of a CommonJS module has no exports by name.
      onResolve({ filter: /^classic-level$/ }, ({ namespace, resolveDir }) =>
        namespace === 'level' ? undefined : { path: 'level', namespace: 'level', pluginData: resolveDir },
      );
      onLoad({ filter: /^level$/, namespace: 'level' }, ({ pluginData }) => ({
        contents: `import level from 'classic-level'; export const { ClassicLevel } = level;`,
        resolveDir: String(pluginData),
      }));
      onLoad({ filter: /classic-level[\\/]binding\.js$/ }, () => ({
        contents: `
const { existsSync } = require('node:fs');
const { dirname, join } = require('node:path');
const file = require.resolve('classic-level/package.json');
const folder = dirname(file);
const built = join(folder, 'prebuilds', process.platform + '-' + process.arch, 'classic-level.node');
const isOther = process.env.CLASSIC_LEVEL_PREBUILD || existsSync(join(folder, 'build')) || existsSync('/etc/alpine-release');
// What searches for the file takes longer than loading it.
module.exports = isOther || !existsSync(built) ? require('node:module').createRequire(file)('node-gyp-build')(folder) : require(built);`,
      }));
    },
  },
];

/**
 * The file as one function, so that it is compiled as it was read. It imports by its argument `__import`: compiled code has lost the way to import.
 * Methods may be named `import` too; what is neither is refused.
 */
const asFunction: NonNullable<Options['plugins']>[number] = {
  name: 'as-function',
  renderChunk(code) {
    const replaced = code.replace(/(?<=\bawait |\breturn |=>|[(?:=,])import\(/g, '__import(');
    if (/(?<![{};"\w#.*]|async )import\(/.test(replaced))
      throw new Error('an import in command.cjs that is not understood');
    return { code: `(function(exports,require,module,__filename,__dirname,__import){${replaced}\n})` };
  },
};

/** The native bindings of LevelDB, LZ4 and LMDB stay outside. LMDB, Comunica and the benchmark are optional peers. The workbench finds its pages by its own address. */
const common: Options = {
  outDir: 'dist/bundle',
  target: 'node20',
  platform: 'node',
  sourcemap: false,
  // Names stay, since errors are named after their classes.
  esbuildOptions(options) {
    options.minifyWhitespace = true;
    options.minifySyntax = true;
  },
  noExternal: [/^(?!lz4-napi$|lmdb$|@comunica\/|@quadrille\/(?:bench|workbench)$)/],
  external: ['lz4-napi', 'lmdb', '@comunica/query-sparql-rdfjs', '@quadrille/bench', '@quadrille/workbench'],
  esbuildPlugins: [...levelInBundle, unused],
  silent: true,
};

export default defineConfig([
  // One file, whose compiled code is kept together.
  {
    ...common,
    entry: { command: 'bundle/command.mjs' },
    format: 'cjs',
    splitting: false,
    // import.meta.url, by which threads are found.
    shims: true,
    clean: true,
    plugins: [asFunction],
  },
  // What loads it.
  {
    ...common,
    entry: {
      index: 'src/launch/functions.ts',
      main: 'src/main.ts',
      thread: 'src/thread.ts',
      'query-thread': 'src/query-thread.ts',
    },
    format: 'esm',
    splitting: false,
    clean: false,
  },
  // What the bin loads: Node.js starts it without its loader of modules.
  { ...common, entry: ['src/main.ts'], format: 'cjs', shims: true, splitting: false, clean: false },
]);
