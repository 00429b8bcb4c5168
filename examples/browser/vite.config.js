import { defineConfig } from 'vite';

// oxlint-disable-next-line import/no-default-export
export default defineConfig({
  base: './',
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    // An optional part of the library that is not needed, and of which nothing comes into a page that has not installed it.
    rolldownOptions: { external: ['@comunica/query-sparql-rdfjs'] },
  },
});
