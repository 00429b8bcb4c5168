/** Typing in Chromium, key by key, fast and on slow machines: no letter is lost in any field. Long runs: `node test/workbench/typing.mjs`. */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { CHROMIUM, WITHOUT_CHROMIUM } from '../browser/chromium.js';
import { editorText, slowDown, tabText, textFields, typeQuery } from './keys.js';
import { openScene, type Scene, SOLAR, soon, summary } from './scene.js';

const QUERIES = [
  'SELECT ?planet ?name WHERE { ?planet a sol:Planet ; rdfs:label ?name FILTER(lang(?name) = "en") } ORDER BY ?name',
  '# Which moons are in it, and who found them?\nSELECT ?p\nWHERE { ?planet sol:moon ?p }\nORDER BY ?p\nLIMIT 10',
];

describe.skipIf(CHROMIUM === undefined)(`typing in the workbench${WITHOUT_CHROMIUM}`, () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await openScene();
    const repository = await scene.database.repository(SOLAR);
    const dev = await repository.branches.open('dev', { create: true });
    await dev.update('INSERT DATA { <urn:s> <urn:p> 1 }');
  });
  afterEach(() => scene.check());
  afterAll(() => scene.close());

  test.each([
    [1, 15],
    [4, 0],
  ])('a query, with a processor %i times slower and %i ms between keys', async (factor, pauseMs) => {
    const page = await scene.page(`${SOLAR}/query`);
    await soon(() => summary(page)).toMatch(/^7 rows/);
    await slowDown(page, factor);
    for (const query of QUERIES) {
      await typeQuery(page, query, pauseMs);
      await soon(() => editorText(page)).toBe(query);
      expect(await tabText(page, SOLAR)).toBe(query);
    }
  });

  test('keys that follow the one that runs the query stay in the same tab', async () => {
    const page = await scene.page(`${SOLAR}/query`);
    await soon(() => summary(page)).toMatch(/^7 rows/);
    await slowDown(page, 4);
    const query = 'SELECT ?planet WHERE { ?planet a sol:Planet }';
    await typeQuery(page, query, 0);
    await page.keyboard.press('ControlOrMeta+Enter');
    await page.keyboard.type(' LIMIT 5');
    await soon(() => summary(page)).toMatch(/^8 rows/);
    expect([await editorText(page), await page.getByRole('tab', { name: /Untitled/ }).count()]).toEqual([
      `${query} LIMIT 5`,
      1,
    ]);
  });

  test('a text from elsewhere is set: another tab, a link, the history of the browser', async () => {
    const page = await scene.page(`${SOLAR}/query?q=${encodeURIComponent('SELECT ?one {}')}`);
    await soon(() => editorText(page)).toBe('SELECT ?one {}');
    await page.getByRole('button', { name: 'New query' }).click();
    await typeQuery(page, 'SELECT ?two { }', 0);
    await page.keyboard.press('ControlOrMeta+Enter');
    await soon(() => page.url()).toContain('two');
    await page.getByRole('tab').first().click();
    expect(await editorText(page)).toBe('SELECT ?one {}');
    await page.getByRole('tab').nth(1).click();
    expect(await editorText(page)).toBe('SELECT ?two { }');
    await page.evaluate(() => (location.hash = location.hash.replace(/\?.*/, '?q=SELECT%20%3Fthree%20%7B%7D')));
    await soon(() => editorText(page)).toBe('SELECT ?three {}');
    await page.goBack();
    await soon(() => editorText(page)).toBe('SELECT ?two { }');
  });

  /** Pages with their dialogs: a button opens each. */
  const PLACES: [address: string, content: string, buttons?: readonly string[]][] = [
    ['', '.card', ['New repository']],
    [`${SOLAR}/query`, '[role=gridcell] .term', ['Save']],
    [`${SOLAR}/query?view=graph&q=${encodeURIComponent('SELECT ?a ?b { ?a a ?b }')}`, '.graph-canvas canvas'],
    [`${SOLAR}/history`, '.log-entry'],
    [`${SOLAR}/history/compare?from=5&to=6`, '.change'],
    [`${SOLAR}/branches?new`, 'dialog input'],
    [`${SOLAR}/branches?merge=dev`, 'dialog input'],
    [`${SOLAR}/import`, '.drop'],
    [`${SOLAR}/settings`, '.entries li', ['Trim history…', 'Erase data…', 'Delete repository']],
    ['admin', '.log-entry'],
  ];

  test.each(PLACES)('every field of %s', async (address, content, buttons = []) => {
    const page = await scene.page(address);
    await page.locator(content).first().waitFor();
    if (address.endsWith('/import')) await page.getByLabel('graph', { exact: true }).check();
    await slowDown(page, 4);
    await typeInAll(page);
    for (const name of buttons) {
      await page.getByRole('button', { name, exact: true }).click();
      await page.getByRole('dialog').waitFor();
      await typeInAll(page);
      await page.keyboard.press('Escape');
      if ((await page.getByRole('dialog').count()) > 0) await page.keyboard.press('Escape');
      await soon(() => page.getByRole('dialog').count()).toBe(0);
    }
  });

  test('a filter of rows keeps its letters while the query is asked again', async () => {
    const page = await scene.page(`${SOLAR}/query`);
    await soon(() => summary(page)).toMatch(/^7 rows/);
    const field = page.getByLabel('Filter rows');
    await field.click();
    await page.keyboard.type('/Pl', { delay: 5 });
    await page.evaluate(() => (location.hash += '?at=4'));
    await page.keyboard.type('anet', { delay: 30 });
    await soon(() => summary(page)).toMatch(/revision 4$/);
    expect(await field.inputValue()).toBe('/Planet');
    await soon(() => page.getByRole('gridcell').allInnerTexts()).toEqual(['sol:Planet', '13']);
  });
});

const TYPED = 'http://x.ex/A b';

/** Types into each field that is shown, of the dialog where one is open. */
async function typeInAll(page: Page): Promise<void> {
  const inDialog = (await page.getByRole('dialog').count()) > 0;
  const fields = inDialog ? textFields(page).and(page.locator('dialog *')) : textFields(page);
  const count = await fields.count();
  for (let index = 0; index < count; index++) {
    const field = fields.nth(index);
    await field.fill('');
    await field.focus();
    await page.keyboard.type(TYPED, { delay: index % 2 === 0 ? 0 : 10 });
    const [name, value] = await field.evaluate((element: HTMLInputElement) => [
      element.labels?.[0]?.textContent ?? element.getAttribute('aria-label') ?? element.outerHTML,
      element.value,
    ]);
    expect([name, value]).toEqual([name, TYPED]);
  }
}
