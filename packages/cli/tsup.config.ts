import { defineConfig } from 'tsup';

// One small entry and chunks that load when a command needs them: starting the command costs few files to find and
// parse. Only the native LevelDB binding stays outside.
export default defineConfig({
  entry: { main: 'src/main.ts' },
  outDir: 'dist/bundle',
  format: 'esm',
  target: 'node20',
  platform: 'node',
  splitting: true,
  sourcemap: false,
  clean: true,
  minify: false,
  noExternal: [/^(?!classic-level$)/],
  external: ['classic-level'],
  banner: {
    // Dependencies in CommonJS ask for built-in modules by require, which an ES module has none of.
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
  silent: true,
});
