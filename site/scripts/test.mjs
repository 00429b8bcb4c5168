// Uses built pages in Chromium: accessibility (axe-core) in both colour schemes, 400 px, requests to other origins, search. Needs `npm run docs:site`.
import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { extname, join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');
const DIST = join(ROOT, 'site/dist');
const PAGES = [
  '',
  'start/tour/',
  'tutorials/solar-system/',
  'how-to/undo/',
  'reference/http/',
  'reference/settings/',
  'reference/cli/load/',
  'reference/rest/statements/',
  'reference/rest/schemas/',
  'reference/api/interfaces/repository/',
  'reference/packages/storage/',
  'explanation/architecture/',
  'compare/stores/',
  'migrate/from-oxigraph/',
];
const TYPES = {
  '.html': 'text/html',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
};
const require = createRequire(join(ROOT, 'test/package.json'));
const { chromium } = require('playwright-core');
const axe = require.resolve('axe-core/axe.min.js');

const server = createServer((request, response) => {
  let path = join(DIST, decodeURIComponent(new URL(request.url, 'http://x').pathname));
  if (existsSync(path) && statSync(path).isDirectory()) path = join(path, 'index.html');
  if (!existsSync(path)) return void response.writeHead(404).end();
  response.writeHead(200, { 'Content-Type': TYPES[extname(path)] ?? 'application/octet-stream' });
  createReadStream(path).pipe(response);
});
await new Promise((done) => server.listen(0, '127.0.0.1', done));
const origin = `http://127.0.0.1:${server.address().port}`;
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
const faults = [];
let checks = 0;
function note(path, scheme, { violations }) {
  for (const { id, nodes } of violations)
    faults.push(`${path} (${scheme}): ${id}: ${nodes[0].html.slice(0, 160)} (${nodes.length})`);
}
try {
  for (const path of PAGES) {
    const page = await browser.newPage({ colorScheme: 'light', viewport: { width: 1280, height: 900 } });
    page.on('request', (request) => {
      if (!request.url().startsWith(origin) && !request.url().startsWith('data:'))
        faults.push(`${path}: asks ${request.url()}`);
    });
    const answer = await page.goto(`${origin}/${path}`);
    if (answer?.status() !== 200) faults.push(`${path}: status ${answer?.status()}`);
    await page.addScriptTag({ path: axe });
    note(path, 'light', await page.evaluate(() => globalThis.axe.run()));
    // Only colours differ in the other scheme. The theme is an attribute, as its switch on the page sets it.
    await page.evaluate(() => (document.documentElement.dataset.theme = 'dark'));
    note(path, 'dark', await page.evaluate(() => globalThis.axe.run({ runOnly: ['color-contrast'] })));
    await page.setViewportSize({ width: 400, height: 800 });
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    if (width > 400) faults.push(`${path}: ${width} px wide at 400 px`);
    checks += 5;
    await page.close();
  }
  const page = await browser.newPage();
  await page.goto(`${origin}/start/tour/`);
  await page.getByRole('button', { name: 'Search' }).first().click();
  await page.locator('input[type=search], .pagefind-ui__search-input').first().fill('blame');
  await page
    .getByText(/results for blame/i)
    .waitFor({ timeout: 15_000 })
    .catch(() => faults.push('search: no results for blame'));
  checks++;
} finally {
  await browser.close();
  server.close();
}
console.log(`${checks} passed with ${faults.length} faults`);
for (const fault of faults) console.error(fault);
process.exitCode = faults.length === 0 ? 0 : 1;
