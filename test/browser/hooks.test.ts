/**
 * The hooks for React and Vue in a real Chromium, over a repository in the page and over one of a server. Asks for the built packages:
 * `npm run build`.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHandler, type NodeServer, serveNode } from '@quadrille/server';
import { openService } from '@quadrille/server/host';
import type { BrowserContext, Page } from 'playwright-core';
import { type Database, open } from 'quadrille';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bundlePages } from './bundle.js';
import { CHROMIUM, launch, serve, type Site, WITHOUT_CHROMIUM } from './chromium.js';
import type { HooksPage } from './pages/hooks.js';

// Functions given to evaluate() run in a page.
declare const hooks: HooksPage;

const FRAMEWORKS = ['react', 'vue'] as const;
const PLACES = ['the page', 'a server'] as const;
const QUERY = 'SELECT ?name { ?person <urn:name> ?name }';
const PATIENCE = { timeout: 20_000 };
const ORDERED = `${QUERY} ORDER BY ?name`;

describe.skipIf(CHROMIUM === undefined)(`hooks in Chromium${WITHOUT_CHROMIUM}`, () => {
  let profile: string;
  let site: Site;
  let browser: BrowserContext;
  let database: Database;
  let server: NodeServer;

  beforeAll(async () => {
    profile = await mkdtemp(join(tmpdir(), 'quadrille-chromium-'));
    const pages = FRAMEWORKS.map((name) => join(import.meta.dirname, `pages/hooks-${name}.ts`));
    const { files, builtins } = await bundlePages(pages, { minify: true });
    expect(builtins).toEqual([]);
    site = await serve(files);
    browser = await launch(profile);
    database = await open(':memory:');
    const service = await openService(database, { open: true });
    server = await serveNode(createHandler({ service, cors: [site.url] }), { port: 0 });
  });

  afterAll(async () => {
    await browser?.close();
    await site?.close();
    await server?.close();
    await rm(profile, { recursive: true, force: true });
  });

  const shown = (page: Page, texts: readonly string[]): Promise<void> =>
    expect.poll(() => page.evaluate(() => hooks.texts()), PATIENCE).toEqual(texts);

  const cases = FRAMEWORKS.flatMap((framework) => PLACES.map((place) => [framework, place] as const));

  test.each(cases)('of %s draw what a commit changes, in %s', async (framework, place) => {
    const name = `acme/${framework}`;
    if (place === 'a server') await database.repository(name, { create: true });
    const page = await browser.newPage();
    const faults: string[] = [];
    page.on('pageerror', ({ message }) => faults.push(message));
    await page.goto(`${site.url}/hooks-${framework}.html`);
    await page.waitForFunction(() => 'hooks' in globalThis);
    await page.evaluate((url) => hooks.begin(url), place === 'a server' ? `${server.url}/${name}` : undefined);
    const update = (text: string): Promise<void> => page.evaluate((given) => hooks.update(given), text);
    const draw = (...asked: { query: string; options?: object }[]): Promise<void> =>
      page.evaluate((given) => hooks.draw(given), asked);

    await draw({ query: QUERY }, { query: ORDERED, options: { limit: 2, offset: 1 } });
    await shown(page, ['1:  +0 -0', '1:  +0 -0']);
    const at = (number: number, names: string): Promise<void> =>
      expect
        .poll(() => page.evaluate(() => hooks.texts().map((text) => text.split(' ').slice(0, 2).join(' '))), PATIENCE)
        .toEqual([expect.stringMatching(`^${number}: `), `${number}: ${names}`]);
    await update('INSERT DATA { <urn:a> <urn:name> "ann" . <urn:b> <urn:name> "bob" . <urn:c> <urn:name> "cy" }');
    await at(2, 'bob,cy');
    await update('INSERT DATA { <urn:a2> <urn:name> "aaron" }');
    await at(3, 'ann,bob');
    await update('DELETE DATA { <urn:b> <urn:name> "bob" }');
    await at(4, 'ann,cy');
    const [first] = await page.evaluate(() => hooks.texts());
    expect(first!.split(' ')[1]!.split(',').toSorted()).toEqual(['aaron', 'ann', 'cy']);
    expect(first).toMatch(/ \+0 -1$/);

    // Other queries take the places of these: an old revision, all rows in their order, and one that is wrong.
    await draw({ query: ORDERED, options: { at: '2' } }, { query: ORDERED }, { query: 'SELECT {' });
    await shown(page, ['2: ann,bob,cy +3 -0', '4: aaron,ann,cy +3 -0', 'error SPARQL_SYNTAX']);
    await update('INSERT DATA { <urn:d> <urn:name> "dan" }');
    await shown(page, ['2: ann,bob,cy +3 -0', '5: aaron,ann,cy,dan +1 -0', 'error SPARQL_SYNTAX']);
    await draw();
    await shown(page, []);
    expect(faults).toEqual([]);
    await page.close();
  });
});
