import { defineConfig } from 'tsup';

// Over the file that tsc wrote: the parser with all its packages in one file, so that nobody has to install them.
export default defineConfig({
  entry: { traqula: 'src/syntax/traqula.ts' },
  outDir: 'dist/syntax',
  format: 'esm',
  target: 'node20',
  platform: 'neutral',
  splitting: false,
  sourcemap: false,
  clean: false,
  treeshake: true,
  noExternal: [/^@traqula\//, /.*/],
  esbuildOptions(options) {
    options.mainFields = ['module', 'main'];
    options.minifyWhitespace = true;
    options.minifySyntax = true;
  },
  banner: {
    js: '/* Contains Traqula (https://github.com/comunica/traqula), MIT licence, Copyright (c) 2024-now Jitse De Smet, Comunica Association and Ghent University - imec, Belgium. */',
  },
  silent: true,
});
