/** The page: built by Vite, held to its size, used in Chromium. Asks for the built packages: `npm run build`. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, createServer } from 'vite';
import type { ViteDevServer } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CHROMIUM, launch, serve, WITHOUT_CHROMIUM } from '../../test/browser/chromium.js';
import type { Site } from '../../test/browser/chromium.js';

/** Kilobytes of 1,000 bytes: what opens a store, and what comes on top with the first file and the first query. */
const BUDGET = { start: { raw: 324, gzip: 112 }, used: { raw: 1110, gzip: 372 } };

const root = import.meta.dirname;
let directory: string;
const files = new Map<string, Uint8Array>();

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'quadrille-page-'));
  const outDir = join(directory, 'dist');
  await build({ root, logLevel: 'error', build: { outDir, emptyOutDir: true } });
  for (const entry of await readdir(outDir, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile()) files.set(path.slice(outDir.length + 1), await readFile(path));
  }
});

afterAll(() => rm(directory, { recursive: true, force: true }));

interface Size {
  readonly raw: number;
  readonly gzip: number;
}

function sizeOf(scripts: Iterable<string>): Size {
  let [raw, gzip] = [0, 0];
  for (const script of scripts) {
    const bytes = files.get(script)!;
    raw += bytes.length / 1000;
    gzip += gzipSync(bytes).length / 1000;
  }
  return { raw: Math.round(raw), gzip: Math.round(gzip) };
}

/** The scripts that one imports before it runs, itself included. */
function startOf(script: string, found = new Set<string>()): Set<string> {
  if (found.has(script)) return found;
  found.add(script);
  const text = new TextDecoder().decode(files.get(script));
  for (const [, name] of text.matchAll(/(?:from|import)\s*"\.\/([^"]+\.js)"/g)) startOf(`assets/${name!}`, found);
  return found;
}

function checkBudget(what: keyof typeof BUDGET, size: Size): void {
  const { raw, gzip } = BUDGET[what];
  process.stdout.write(`page, ${what}: ${size.raw} kB, ${size.gzip} kB gzip (budget ${raw} and ${gzip})\n`);
  expect(size.raw, `${what}, raw`).toBeLessThanOrEqual(raw);
  expect(size.gzip, `${what}, gzip`).toBeLessThanOrEqual(gzip);
}

test('what the page starts with stays within its budget', () => {
  const html = new TextDecoder().decode(files.get('index.html'));
  const entry = /<script[^>]* src="\.\/([^"]+)"/.exec(html)![1]!;
  const size = sizeOf(startOf(entry));
  expect(size.raw).toBeGreaterThan(50);
  checkBudget('start', size);
});

describe.skipIf(CHROMIUM === undefined)(`the page in Chromium${WITHOUT_CHROMIUM}`, () => {
  let site: Site;
  let browser: Awaited<ReturnType<typeof launch>>;

  beforeAll(async () => {
    site = await serve(files);
    browser = await launch(join(directory, 'profile'));
    browser.setDefaultTimeout(12_000);
  });

  afterAll(async () => {
    await browser?.close();
    await site?.close();
  });

  test('loads, asks and looks back; after a reload it is still there; all that was fetched is within the budget', async () => {
    const page = await browser.newPage();
    const scripts = new Set<string>();
    const failures: string[] = [];
    page.on('request', (request) => {
      const path = new URL(request.url()).pathname.slice(1);
      if (path.endsWith('.js')) scripts.add(path);
    });
    page.on('pageerror', (error) => failures.push(String(error)));
    page.on('console', (message) => message.type() === 'error' && failures.push(message.text()));
    await page.goto(site.url);
    const answer = page.locator('#answer-title');
    await answer.filter({ hasText: '8 rows at revision 7' }).waitFor();
    expect(await page.locator('#answer tr').nth(1).innerText()).toBe('Jupiter\t69911.0');
    expect(await page.locator('#history li').count()).toBe(7);

    await page.getByRole('button', { name: 'as known in 1930' }).click();
    await answer.filter({ hasText: '9 rows at revision 5' }).waitFor();
    expect(await page.locator('#answer').innerText()).toContain('Pluto');
    expect(await page.locator('#changes').innerText()).toContain('+ Pluto type Planet');

    await page.locator('#query').fill('INSERT DATA { sol:Vulcan a sol:Planet ; rdfs:label "Vulcan"@en }');
    await page.getByRole('button', { name: 'Run' }).click();
    await answer.filter({ hasText: '9 rows at revision 8' }).waitFor();
    await page.locator('#query').fill('SELECT * { ?s ?p');
    await page.getByRole('button', { name: 'Run' }).click();
    await answer.filter({ hasText: 'SPARQL_SYNTAX' }).waitFor();
    checkBudget('used', sizeOf(scripts));

    await page.reload();
    await answer.filter({ hasText: '9 rows at revision 8' }).waitFor();
    expect(await page.locator('#status').innerText()).toBe('Found in IndexedDB.');
    if (process.env['QUADRILLE_SCREENSHOT'] !== undefined) {
      await page.screenshot({ path: process.env['QUADRILLE_SCREENSHOT'], fullPage: true });
    }

    const second = await browser.newPage();
    await second.goto(site.url);
    await second.locator('#answer-title').filter({ hasText: 'STORE_LOCKED' }).waitFor();
    expect(failures).toEqual([]);
  });

  test('works offline after the first visit: it asks, changes and keeps the change', async () => {
    const own = await serve(files);
    const page = await browser.newPage();
    try {
      await page.goto(own.url);
      const answer = page.locator('#answer-title');
      await answer.filter({ hasText: '8 rows at revision 7' }).waitFor();
      await page.evaluate(async () => void (await navigator.serviceWorker.ready));
    } finally {
      await own.close();
    }
    await expect(fetch(own.url)).rejects.toThrow('fetch failed');
    for (const rows of ['8 rows at revision 7', '9 rows at revision 8']) {
      await page.reload();
      const answer = page.locator('#answer-title');
      await answer.filter({ hasText: rows }).waitFor();
      if (!rows.startsWith('8')) continue;
      await page.locator('#query').fill('INSERT DATA { sol:Vulcan a sol:Planet ; rdfs:label "Vulcan"@en }');
      await page.getByRole('button', { name: 'Run' }).click();
      await answer.filter({ hasText: '9 rows at revision 8' }).waitFor();
    }
    await page.close();
  });

  test('runs from its sources under the server of Vite', async () => {
    const server: ViteDevServer = await createServer({
      root,
      logLevel: 'silent',
      cacheDir: join(directory, 'cache'),
      server: { host: '127.0.0.1', port: 0 },
    });
    try {
      await server.listen();
      const page = await browser.newPage();
      await page.goto(server.resolvedUrls!.local[0]!);
      await page.locator('#answer-title').filter({ hasText: '8 rows at revision 7' }).waitFor();
    } finally {
      await server.close();
    }
  });
});
