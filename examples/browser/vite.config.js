import { defineConfig } from 'vite';
import { offline } from './offline.js';

// oxlint-disable-next-line import/no-default-export
export default defineConfig({
  base: './',
  plugins: [offline()],
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
  },
});
