/** The playground where the browser refuses, where room is short, and beside stores and tabs of other versions; and who can use it. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { CHROMIUM, WITHOUT_CHROMIUM } from '../browser/chromium.js';
import { filesKept, openPlayground, type Playground, storeWorker } from './playground-scene.js';
import { ask, sideways, soon, summary, violations } from './scene.js';
import { openPage } from './slow.js';

const SOLAR = 'demo/solar-system';
const ALL = 'SELECT * { ?s ?p ?o }';
const STORE = 'quadrille-playground /some/where/';

/** Puts a line before the script of the worker with the data. */
async function beforeStore(page: Page, line: string): Promise<void> {
  await page.context().route(/\/store-\w+\.js$/, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: `${line}\n${await response.text()}` });
  });
}

describe.skipIf(CHROMIUM === undefined)(`the playground in trouble${WITHOUT_CHROMIUM}`, () => {
  let scene: Playground;
  beforeAll(async () => {
    scene = await openPlayground();
  });
  afterEach(() => scene.check());
  afterAll(() => scene.close());

  test.each([
    ['refuses to keep data', `indexedDB.open = () => { throw new DOMException('no data here', 'InvalidStateError') };`],
    ['has nothing to keep data in', `Object.defineProperty(globalThis, 'indexedDB', { value: undefined });`],
  ])('a browser that %s: the page works, and says that nothing is kept', async (_, line) => {
    const { context, tab } = await scene.visitor();
    const blank = await openPage(context);
    await beforeStore(blank, line);
    const page = await tab(`#/${SOLAR}/query`);
    await soon(() => page.getByRole('alert').first().innerText()).toContain('This browser keeps nothing for this page');
    await ask(page, ALL);
    await soon(() => summary(page)).toMatch(/^641 rows/);
    // A second tab is answered by the first.
    const second = await tab(`#/${SOLAR}/query`);
    await ask(second, 'INSERT DATA { <urn:a> <urn:p> 1 }');
    await second.getByRole('dialog').getByRole('button', { name: 'Run update' }).click();
    await soon(() => second.locator('.timeline').innerText()).toContain('of 8');
    await soon(() => second.getByRole('alert').innerText()).toContain('This browser keeps nothing for this page');
    await page.bringToFront();
    await ask(page, ALL);
    await soon(() => summary(page)).toMatch(/^642 rows/);
  });

  test('a page without https has no locks: each tab is alone, in memory', async () => {
    const { context, tab } = await scene.visitor();
    const blank = await openPage(context);
    await beforeStore(blank, `Object.defineProperty(WorkerNavigator.prototype, 'locks', { value: undefined });`);
    const page = await tab(`#/${SOLAR}/query`);
    await soon(() => page.getByRole('alert').first().innerText()).toMatch(/keeps nothing.*https/);
    await ask(page, ALL);
    await soon(() => summary(page)).toMatch(/^641 rows/);
  });

  test('a full disk: what is there is read, and writes say that there is no room until there is', async () => {
    const { tab } = await scene.visitor();
    const page = await tab(`#/${SOLAR}/query`);
    await ask(page, ALL);
    await soon(() => summary(page)).toMatch(/^641 rows/);
    const worker = storeWorker(page);
    // As browsers do it: the transaction is aborted with this error.
    await worker.evaluate(() => {
      const { put } = IDBObjectStore.prototype;
      (globalThis as { room?: () => void }).room = () => void (IDBObjectStore.prototype.put = put);
      IDBObjectStore.prototype.put = function refuse() {
        this.transaction.abort();
        throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
      };
    });
    const insert = async (): Promise<void> => {
      await ask(page, 'INSERT DATA { <urn:a> <urn:p> 1 }');
      await page.getByRole('dialog').getByRole('button', { name: 'Run update' }).click();
    };
    await insert();
    await soon(() => page.getByRole('main').innerText()).toMatch(/the storage is full[\s\S]*STORAGE_FULL/);
    await page.goto(`${scene.host.url}#/${SOLAR}/import`);
    const buffer = Buffer.from('<urn:b> <urn:p> 1 .');
    await page.locator('input[type=file]').setInputFiles({ name: 'one.ttl', mimeType: 'text/turtle', buffer });
    await soon(() => page.locator('.log-entry').first().innerText()).toMatch(
      /failed[\s\S]*(storage is full|no space left)/i,
    );
    await page.goto(`${scene.host.url}#/${SOLAR}/query`);
    await ask(page, ALL);
    await soon(() => summary(page)).toMatch(/^641 rows/);
    await worker.evaluate(() => (globalThis as unknown as { room: () => void }).room());
    await insert();
    await soon(() => page.locator('.timeline').innerText()).toContain('of 8');
  });

  test('a store of a newer version is left alone, and the page says so', async () => {
    const { context, tab } = await scene.visitor();
    const blank = await openPage(context);
    await blank.goto(`${scene.host.url}sw.js`);
    await blank.evaluate(
      (name) =>
        new Promise<void>((resolve) => {
          const opening = indexedDB.open(name, 99);
          opening.addEventListener('success', () => (opening.result.close(), resolve()));
        }),
      STORE,
    );
    const page = await tab(`#/${SOLAR}/query`);
    await soon(() => page.getByRole('alert').first().innerText()).toContain('created by a newer version of Quadrille');
    await page.getByRole('alert').first().getByRole('button', { name: 'Reload' }).click();
    await soon(() => page.getByRole('alert').first().innerText()).toContain('created by a newer version of Quadrille');
    const version = await blank.evaluate(
      async (name) => (await indexedDB.databases()).find((each) => each.name === name)?.version,
      STORE,
    );
    expect(version).toBe(99);
  });

  test('data that the browser has thrown away: the next visit is a first one', async () => {
    const { context, tab } = await scene.visitor();
    const page = await tab(`#/${SOLAR}/query`);
    await ask(page, 'INSERT DATA { <urn:a> <urn:p> 1 }');
    await page.getByRole('dialog').getByRole('button', { name: 'Run update' }).click();
    await soon(() => page.locator('.timeline').innerText()).toContain('of 8');
    const devtools = await context.newCDPSession(page);
    const { origin } = new URL(scene.host.url);
    await devtools.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
    await page.reload();
    await ask(page, ALL);
    await soon(() => summary(page)).toMatch(/^641 rows/);
  });
});

describe.skipIf(CHROMIUM === undefined)(`who can use the playground${WITHOUT_CHROMIUM}`, () => {
  let scene: Playground;
  beforeAll(async () => {
    scene = await openPlayground();
  });
  afterEach(() => scene.check());
  afterAll(() => scene.close());

  const pages = [
    '',
    `${SOLAR}/query`,
    `${SOLAR}/history`,
    `${SOLAR}/overview`,
    `${SOLAR}/import`,
    `${SOLAR}/settings`,
    'activity',
  ];

  test.each([
    ['light', 1280],
    ['dark', 400],
  ] as const)('no rule of WCAG is broken in %s at %d pixels, nor is a page wider', async (colorScheme, width) => {
    const { tab } = await scene.visitor({ colorScheme, viewport: { width, height: 800 } });
    const page = await tab(`#/${SOLAR}/query`);
    await filesKept(page);
    for (const address of pages) {
      await page.goto(`${scene.host.url}#/${address}`);
      await soon(() => page.locator('.loading').count()).toBe(0);
      await soon(() => page.getByRole('heading', { level: 1 }).or(page.getByRole('textbox')).count()).toBeGreaterThan(
        0,
      );
      expect(await violations(page), address).toEqual([]);
      expect(await sideways(page), address).toBe(0);
    }
    const folder = process.env['QUADRILLE_SCREENSHOT'];
    if (folder !== undefined) {
      await page.goto(`${scene.host.url}#/`);
      await page.screenshot({ path: `${folder}/playground-${colorScheme}-${String(width)}.png` });
    }
  });
});
