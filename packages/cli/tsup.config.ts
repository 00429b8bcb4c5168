import { dirname } from 'node:path';
import { defineConfig, type Options } from 'tsup';

type Plugin = NonNullable<Options['esbuildPlugins']>[number];

/**
 * Comunica is CommonJS, of which an import() in a bundle gives `default` alone; and its index also brings an HTTP server
 * and a command line. This puts a module between that names what is used, the engine.
 */
const comunica: Plugin = {
  name: 'comunica',
  setup(build) {
    build.onResolve({ filter: /^@comunica\/query-sparql-rdfjs$/ }, ({ path, importer }) => ({
      path,
      namespace: 'comunica',
      pluginData: dirname(importer),
    }));
    build.onLoad({ filter: /.*/, namespace: 'comunica' }, ({ path, pluginData }) => ({
      contents: `export { QueryEngine } from '${path}/lib/QueryEngine.js';`,
      resolveDir: String(pluginData),
    }));
  },
};

// One small entry and chunks that load when a command needs them: starting the command costs few files to find and
// parse. Only the native LevelDB binding stays outside.
export default defineConfig({
  entry: { main: 'src/main.ts' },
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
  noExternal: [/^(?!classic-level$)/],
  external: ['classic-level'],
  esbuildPlugins: [comunica],
  banner: {
    // Dependencies in CommonJS ask for built-in modules by require, which an ES module has none of.
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
  silent: true,
});
