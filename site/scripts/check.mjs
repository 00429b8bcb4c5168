// Follows every link and anchor of the built site, and refuses what would ask another origin.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const DIST = resolve(import.meta.dirname, '../dist');
const BASE = `${(process.env.SITE_BASE ?? '/').replace(/\/$/, '')}/`;
const pages = readdirSync(DIST, { recursive: true }).filter((name) => name.endsWith('.html'));
const routes = new Map(
  pages.map((name) => [name.replaceAll('\\', '/').replace(/index\.html$/, ''), readFileSync(join(DIST, name), 'utf8')]),
);
const ids = new Map(
  [...routes].map(([route, html]) => [route, new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))]),
);
const faults = [];
let links = 0;

for (const [route, html] of routes) {
  for (const [, tag, url] of html.matchAll(
    /<(script|img|link|iframe|source|video|audio)\b[^>]*? (?:src|href)="([^"]+)"/g,
  ))
    if (/^(?:https?:)?\/\//.test(url) && !(tag === 'link' && /rel="(?:canonical|sitemap)"/.test(html)))
      faults.push(`${route}: ${tag} asks ${url}`);
  for (const [, raw] of html.matchAll(/<a\b[^>]*? href="([^"]+)"/g)) {
    const url = raw.replaceAll('&amp;', '&').replaceAll('&#38;', '&');
    if (/^(?:[a-z]+:|\/\/)/.test(url)) continue;
    links++;
    const { pathname, hash } = new URL(url, `http://site${BASE}${route}`);
    const target = decodeURIComponent(pathname).slice(BASE.length);
    if (!routes.has(target)) {
      if (!existsSync(join(DIST, target))) faults.push(`${route}: ${url} leads nowhere`);
    } else if (hash !== '' && hash !== '#_top' && !ids.get(target).has(decodeURIComponent(hash.slice(1))))
      faults.push(`${route}: ${url} has no such anchor`);
  }
}
console.log(`${routes.size} pages, ${links} links, ${faults.length} faults`);
for (const fault of faults.slice(0, 50)) console.error(fault);
process.exitCode = faults.length === 0 ? 0 : 1;
