import { readFileSync } from 'node:fs';
import starlight from '@astrojs/starlight';
import { defineConfig } from 'astro/config';

const sidebar = JSON.parse(readFileSync(new URL('src/sidebar.json', import.meta.url), 'utf8'));

export default defineConfig({
  base: process.env.SITE_BASE ?? '/',
  trailingSlash: 'always',
  integrations: [
    starlight({
      title: 'Quadrille',
      description: 'An RDF database for Node.js and browsers that keeps every commit as a revision',
      sidebar,
      customCss: ['./src/site.css'],
      credits: false,
      expressiveCode: {
        defaultProps: { wrap: true },
        shiki: { langAlias: { console: 'shellsession', caddy: 'txt', 'n-triples': 'turtle', patch: 'txt' } },
      },
    }),
  ],
});
