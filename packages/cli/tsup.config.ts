import { defineConfig, type Options } from 'tsup';

// The JavaScript of LevelDB's package is in the bundle, because its twenty files take longer to find than to run. Only its native code is
// loaded from the package.
const levelInBundle: Options['esbuildPlugins'] = [
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
const file = require.resolve('classic-level/package.json');
module.exports = __createRequire(file)('node-gyp-build')(require('node:path').dirname(file));`,
      }));
    },
  },
];

// One small entry and chunks that load when a command needs them: starting the command costs few files to find and
// parse. The native bindings of LevelDB, LZ4 and LMDB stay outside, and Comunica; LMDB, Comunica and the benchmark are optional peers. The workbench
// finds its pages by its own address.
export default defineConfig({
  // Threads and processes are started by their files, beside the chunks that start them.
  entry: {
    index: 'src/index.ts',
    main: 'src/main.ts',
    thread: '../formats-extra/dist/thread.js',
    'query-thread': '../quadrille/dist/query-thread.js',
  },
  outDir: 'dist/bundle',
  format: 'esm',
  target: 'node20',
  platform: 'node',
  splitting: true,
  // Some dependencies in CommonJS name __dirname.
  shims: true,
  sourcemap: false,
  clean: true,
  // Names stay, since errors are named after their classes.
  esbuildOptions(options) {
    options.minifyWhitespace = true;
    options.minifySyntax = true;
  },
  noExternal: [/^(?!lz4-napi$|lmdb$|@comunica\/|@quadrille\/(?:bench|workbench)$)/],
  external: ['lz4-napi', 'lmdb', '@comunica/query-sparql-rdfjs', '@quadrille/bench', '@quadrille/workbench'],
  banner: {
    // Dependencies in CommonJS ask for built-in modules by require, which an ES module has none of.
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
  esbuildPlugins: levelInBundle,
  silent: true,
});
