/** Finding a resource from any page, by its name or its IRI. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { CHROMIUM, WITHOUT_CHROMIUM } from '../browser/chromium.js';
import { openScene, type Scene, sideways, SOLAR, soon, violations } from './scene.js';

const SOL = encodeURIComponent('http://example.org/solar-system/');

describe.skipIf(CHROMIUM === undefined)(`finding a resource in the workbench${WITHOUT_CHROMIUM}`, () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await openScene();
  });
  afterEach(() => scene.check());
  afterAll(() => scene.close());

  test('by keyboard alone: a key, a name, an arrow, and the page of the resource', async () => {
    const page = await scene.page(`${SOLAR}/history`);
    const field = page.getByRole('searchbox', { name: 'Find a resource' });
    await field.waitFor();
    await page.locator('.log-entry').first().waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('titan');
    const options = page.getByRole('listbox', { name: 'Resources' }).getByRole('option');
    await soon(() => options.count()).toBeGreaterThan(1);
    await soon(() => page.getByRole('status').innerText()).toMatch(/^\d+ resources found$/);
    expect(await options.first().getAttribute('aria-selected')).toBe('true');
    await page.keyboard.press('ArrowDown');
    const second = options.nth(1);
    await soon(() => field.getAttribute('aria-activedescendant')).toBe(await second.getAttribute('id'));
    const iri = /http\S+/.exec(await second.innerText())![0];
    await page.keyboard.press('Enter');
    await soon(() => page.url()).toContain(`/resource?iri=${encodeURIComponent(iri)}`);
    expect([await field.inputValue(), await options.count()]).toEqual(['', 0]);
    await page.keyboard.press('Control+k');
    expect(await field.evaluate((element) => element === document.activeElement)).toBe(true);
  });

  test('by a part of its label, at the revision that is shown', async () => {
    const page = await scene.page(`${SOLAR}/overview?at=2`);
    const field = page.getByRole('searchbox', { name: 'Find a resource' });
    const options = page.getByRole('listbox', { name: 'Resources' }).getByRole('option');
    // Uranus was found later.
    await field.fill('uranus');
    await page.getByText('Nothing begins with this.').waitFor();
    await page.getByRole('slider', { name: 'Revision' }).focus();
    await page.keyboard.press('End');
    await soon(() => page.url()).not.toContain('at=2');
    await field.focus();
    await options
      .filter({ hasText: `${decodeURIComponent(SOL)}Uranus` })
      .first()
      .click();
    await soon(() => page.getByRole('heading', { level: 1 }).innerText()).toContain('Uranus');
    await field.fill('HERSCHEL');
    await options.filter({ hasText: 'William Herschel' }).first().waitFor();
  });

  test('by an IRI or a prefixed name, known or not; hostile text finds nothing and breaks nothing', async () => {
    const page = await scene.page(`${SOLAR}/query`);
    const field = page.getByRole('searchbox', { name: 'Find a resource' });
    const options = page.getByRole('listbox', { name: 'Resources' }).getByRole('option');
    await field.fill('http://example.org/none');
    await soon(() => options.first().innerText()).toContain('http://example.org/none');
    await field.fill('sol:Pluto');
    await soon(() => options.first().innerText()).toContain('http://example.org/solar-system/Pluto');
    for (const hostile of ['") } DROP ALL #', '\\', '"', '<script>', '\u202e']) {
      await field.fill(hostile);
      await page.getByText('Nothing begins with this.').waitFor();
    }
    await page.keyboard.press('Escape');
    expect(await page.getByText('Nothing begins with this.').count()).toBe(0);
  });

  test.each([
    ['light', 1280],
    ['dark', 400],
  ] as const)('%s, %i pixels wide: accessible, and not wider than the page', async (colorScheme, width) => {
    const page = await scene.page(`${SOLAR}/overview`, { colorScheme, viewport: { width, height: 800 } });
    await page.getByRole('searchbox', { name: 'Find a resource' }).fill('p');
    await page.getByRole('listbox', { name: 'Resources' }).getByRole('option').first().waitFor();
    expect([await violations(page), await sideways(page)]).toEqual([[], 0]);
  });
});
