/** The page of a published store, in Chromium: what a visitor asks, shares, and reads again without a network. */
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import type { Database } from 'quadrille';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { CHROMIUM, WITHOUT_CHROMIUM } from '../browser/chromium.js';
import { filesKept } from '../workbench/playground-scene.js';
import { ask, sideways, soon, summary, violations, watch } from '../workbench/scene.js';
import { openPage, patient } from '../workbench/slow.js';
import { openSite, type Site } from './site.js';

const DATA = join(import.meta.dirname, '../../examples/data');
const SOLAR = 'demo/solar-system';
const YEARS = [1610, 1787, 1846, 1930, 2006, 2015];
const PLANETS = 'SELECT ?planet { ?planet a <http://example.org/solar-system/Planet> } ORDER BY ?planet';

async function solarSystem(database: Database): Promise<void> {
  const repository = await database.repository(SOLAR, { create: true });
  await repository.namespaces.set('sol', 'http://example.org/solar-system/');
  for (const year of YEARS) {
    const revision = await repository.load(join(DATA, `solar-system-${String(year)}.ttl`), {
      replace: true,
      message: `as known in ${String(year)}`,
    });
    await repository.tags.set(`year-${String(year)}`, revision);
  }
}

/** More than a search looks through, and an index of words. */
async function manyThings(database: Database): Promise<void> {
  const repository = await database.repository('demo/things', { create: true });
  const lines = Array.from(
    { length: 8000 },
    (_, i) =>
      `<http://example.org/thing/${String(i)}> <http://www.w3.org/2000/01/rdf-schema#label> "Thing ${String(i)}" ; a <http://example.org/Kind> ; <http://example.org/next> <http://example.org/thing/${String(i + 1)}> .`,
  );
  await repository.load({ text: lines.join('\n') }, { format: 'ttl' });
  await repository.settings.set({ search: { text: true } });
  while ((await repository.settings.get()).search?.progress !== 1) await delay(20);
}

/** The cells of the first column. */
const column = (page: Page): Promise<string[]> =>
  page.locator('[role=row] [role=gridcell]:first-of-type').allInnerTexts();

describe.skipIf(CHROMIUM === undefined)(`the page of a published store${WITHOUT_CHROMIUM}`, () => {
  let browser: Browser;
  let site: Site;
  let head: Site;
  const contexts: BrowserContext[] = [];
  const wrongs: string[] = [];
  beforeAll(async () => {
    [site, head] = await Promise.all([
      openSite(solarSystem, { history: 'all' }),
      openSite(
        async (database) => {
          await solarSystem(database);
          await manyThings(database);
        },
        { all: true },
      ),
    ]);
    browser = await chromium.launch({
      executablePath: CHROMIUM!,
      args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'],
    });
  });
  afterEach(async () => {
    await Promise.all(contexts.splice(0).map((context) => context.close()));
    expect(wrongs.splice(0)).toEqual([]);
  });
  afterAll(async () => {
    await browser.close();
    await Promise.all([site.close(), head.close()]);
  });

  async function visitor(options: BrowserContextOptions = {}): Promise<BrowserContext> {
    const still = { viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' } as const;
    const context = await browser.newContext({ ...still, ...options });
    contexts.push(context);
    return context;
  }

  async function visit(address: string, context?: BrowserContext): Promise<Page> {
    const page = await openPage(context ?? (await visitor()));
    watch(page, new URL(address).origin, wrongs);
    await page.goto(address);
    return page;
  }

  test('a first visit leads to an answer of the only repository, and offers nothing that writes', async () => {
    const page = await visit(site.url);
    await soon(() => summary(page)).toMatch(/^8 rows · .* · revision 7$/);
    expect(page.url()).toContain(`${site.url}#/${SOLAR}/query`);
    expect(await page.getByRole('navigation').getByRole('link').allInnerTexts()).toEqual([
      'Query',
      'History',
      'Overview',
    ]);
    expect(await page.getByRole('button', { name: /^(?:Save|Branch|Take the tour)/ }).count()).toBe(0);
    await page.getByRole('link', { name: 'History' }).click();
    await soon(() => page.locator('.log-entry').count()).toBe(7);
    expect(await page.getByRole('button', { name: 'Revert' }).count()).toBe(0);
    // Addresses of other pages lead to those that are there.
    await page.goto(`${site.url}#/${SOLAR}/settings`);
    await page.getByRole('textbox', { name: 'SPARQL query' }).waitFor();
    await page.goto(`${site.url}#/admin`);
    await page.getByRole('textbox', { name: 'SPARQL query' }).waitFor();
    await ask(page, 'INSERT DATA { <urn:a> <urn:b> 1 }');
    await soon(() => page.getByRole('button', { name: 'Run update' }).isDisabled()).toBe(true);
    await soon(() => page.locator('.results').innerText()).toContain('READ_ONLY');
  });

  test('the timeline moves the answer, where history is published', async () => {
    const page = await visit(`${site.url}#/${SOLAR}/query?q=${encodeURIComponent(PLANETS)}`);
    await soon(() => summary(page)).toMatch(/^8 rows · .* · revision 7$/);
    const slider = page.getByRole('slider', { name: 'Revision' });
    for (let step = 0; step < 2; step++) await slider.press('ArrowLeft');
    await soon(() => page.url()).toContain('at=5');
    // Only a fast query runs again by itself.
    await page.getByRole('button', { name: /^Run/ }).click();
    await soon(() => summary(page)).toMatch(/^9 rows · .* · revision 5$/);
    await page.goto(`${site.url}#/${SOLAR}/history/compare?from=year-1930&to=year-2006`);
    await soon(() => page.getByTestId('diff-summary').innerText()).toMatch(/added, \d+ removed$/);
  });

  test('a head alone has no timeline; of several repositories the visitor chooses one', async () => {
    const page = await visit(head.url);
    await page.locator('.card').filter({ hasText: 'solar-system' }).getByRole('link').click();
    await soon(() => summary(page)).toMatch(/^8 rows · .* · revision 7$/);
    expect(await page.getByRole('slider').count()).toBe(0);
    expect(await page.getByRole('link', { name: 'History' }).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'New repository' }).count()).toBe(0);
  });

  test('words are found by their index where there are many statements, and few bytes are read for it', async () => {
    const page = await visit(`${head.url}#/demo/things/overview`);
    await page.locator('.counted li').first().waitFor();
    head.asked.length = 0;
    await page.getByRole('searchbox', { name: 'Find a resource' }).fill('thing 777');
    await soon(() => page.locator('.found [role=option]').count()).toBeGreaterThan(3);
    expect(await page.locator('.found [role=option]').first().innerText()).toMatch(/^Thing 777/);
    expect(head.asked.filter((name) => name.endsWith('.pack')).length).toBeLessThan(30);
    await page.getByRole('searchbox', { name: 'Find a resource' }).press('Enter');
    await page.getByRole('heading', { name: /Thing 777/ }).waitFor();
  });

  test('a link that was shared shows its query, its revision and its answer', async () => {
    const context = await visitor({ permissions: ['clipboard-read', 'clipboard-write'] });
    const page = await visit(`${site.url}#/${SOLAR}/query?at=year-1846`, context);
    await ask(page, PLANETS);
    await soon(() => summary(page)).toMatch(/^13 rows/);
    await page.getByRole('button', { name: 'Share' }).click();
    await soon(() => page.evaluate(() => navigator.clipboard.readText())).toContain('at=year-1846');
    const link = await page.evaluate(() => navigator.clipboard.readText());
    const other = await visit(link);
    await soon(() => summary(other)).toMatch(/^13 rows · .* · revision 4$/);
    expect(await column(other)).toEqual(await column(page));
  });

  test('what was read is there again without a network', async () => {
    const own = await openSite(solarSystem, { history: 'all' });
    try {
      const context = await visitor();
      const page = await visit(own.url, context);
      await soon(() => summary(page)).toMatch(/^8 rows/);
      await ask(page, PLANETS);
      await soon(() => column(page)).toContain('sol:Mars');
      const planets = await column(page);
      await filesKept(page);
      await soon(() => kept(page)).toContain('quadrille.json');
      await own.stop();
      await page.reload();
      await soon(() => summary(page)).toMatch(/^8 rows · .* · revision 7$/);
      await soon(() => column(page)).toEqual(planets);
      await page.goto(`${own.url}#/${SOLAR}/overview`);
      await page.getByRole('heading', { name: 'Overview' }).waitFor();
    } finally {
      await own.close();
    }
  });

  test('a publication that is newer is read at the next visit, also when the files of before are kept', async () => {
    const own = await openSite(solarSystem, { history: 'none' });
    try {
      const context = await visitor();
      const page = await visit(own.url, context);
      await soon(() => summary(page)).toMatch(/^8 rows · .* · revision 7$/);
      await filesKept(page);
      await own.change(async (database) => {
        const repository = await database.repository(SOLAR);
        await repository.update('INSERT DATA { <urn:vulcan> <urn:newProperty> 1 }');
      });
      expect(await own.publish()).toMatchObject({ page: true, writtenFiles: 1 });
      await page.reload();
      await soon(() => summary(page)).toMatch(/^9 rows · .* · revision 8$/);
    } finally {
      await own.close();
    }
  });

  test('a playground opens the address of a store, and goes back to its own data', async () => {
    const context = await visitor();
    const page = await visit(`${site.playground}#open=${site.url}`, context);
    await soon(() => summary(page)).toMatch(/^8 rows · .* · revision 7$/);
    await soon(() => page.url()).toContain(`open=${encodeURIComponent(site.url)}`);
    expect(await page.locator('.notice').innerText()).toContain(`published store at ${site.url}`);
    expect(await page.getByRole('link', { name: 'Import' }).count()).toBe(0);
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.locator('.counted li').first().waitFor();
    expect(page.url()).toContain(`open=${encodeURIComponent(site.url)}`);
    const link = page.url();
    await page.getByRole('button', { name: 'Show the data of this browser' }).click();
    await soon(() => page.getByRole('link', { name: 'Import' }).count()).toBe(1);
    const other = await visit(link, context);
    await other.locator('.counted li').first().waitFor();
    expect(await other.getByRole('link', { name: 'Import' }).count()).toBe(0);
  });

  test('an address without a store says so', async () => {
    const page = await visit(`${site.playground}#open=${new URL('/nowhere/', site.url).href}`);
    await soon(() => page.locator('.alerts').innerText()).toContain('has no published store');
  });

  test('by keyboard: from the link to the content, over the editor, to the answer', async () => {
    const page = await visit(site.url);
    await soon(() => summary(page)).toMatch(/^8 rows/);
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.className)).toBe('skip');
    await page.keyboard.press('Enter');
    await page.keyboard.press('g');
    await page.keyboard.press('o');
    await page.locator('.counted li').first().waitFor();
    await page.keyboard.press('[');
    await soon(() => page.url()).toContain('at=6');
    await page.keyboard.press('/');
    await page.keyboard.type('Plut');
    await soon(() => page.locator('.found [role=option]').count()).toBeGreaterThan(0);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Pluto' }).waitFor();
  });

  const PAGES = ['query', 'history', 'overview', 'resource?iri=http%3A%2F%2Fexample.org%2Fsolar-system%2FPluto'];
  test.each([
    [1280, 'light'],
    [400, 'dark'],
  ] as const)('pages of %i pixels, %s: accessible, and not wider than the screen', async (width, colorScheme) => {
    const context = await visitor({ viewport: { width, height: 800 }, colorScheme });
    const page = await visit(site.url, context);
    for (const address of PAGES) {
      await page.goto(`${site.url}#/${SOLAR}/${address}`);
      await page.locator('[role=gridcell], .log-entry, .counted li, .value-group').first().waitFor();
      const [name] = address.split('?');
      expect([name, await violations(page), await sideways(page)]).toEqual([name, [], 0]);
      const folder = process.env['QUADRILLE_SCREENS'];
      if (folder !== undefined)
        await page.screenshot({ path: join(folder, `${name}-${String(width)}-${colorScheme}.png`) });
    }
    const list = await visit(head.url, context);
    await list.locator('.card').first().waitFor();
    expect([await violations(list), await sideways(list)]).toEqual([[], 0]);
  });

  test('on a phone, the first answer is there within 5 s', { timeout: patient(180_000) }, async () => {
    const own = await openSite(solarSystem, { history: 'all' });
    try {
      own.slow(400_000, 50);
      const times: number[] = [];
      // Others may use the processor: the best of some visits, with a half more for the machine, is what the page takes.
      const mostMs = patient(1.5 * 5000);
      while (times.length < 5 && Math.min(...times, Infinity) > mostMs) {
        const context = await visitor({ viewport: { width: 400, height: 800 } });
        const page = await openPage(context);
        const devTools = await context.newCDPSession(page);
        await devTools.send('Emulation.setCPUThrottlingRate', { rate: 4 });
        const start = performance.now();
        await page.goto(own.url);
        await page.locator('[role=gridcell]').first().waitFor({ timeout: 60_000 });
        times.push(performance.now() - start);
        await context.close();
      }
      expect(Math.min(...times)).toBeLessThan(mostMs);
    } finally {
      await own.close();
    }
  });
});

/** The files of stores that the browser keeps. */
const kept = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const names = (await caches.keys()).filter((name) => name.startsWith('quadrille published'));
    const found = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
    return found
      .flat()
      .map(({ url }) => url)
      .join(' ');
  });
