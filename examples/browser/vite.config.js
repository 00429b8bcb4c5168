import { defineConfig } from 'vite';

// oxlint-disable-next-line import/no-default-export
export default defineConfig({
  base: './',
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
  },
});
