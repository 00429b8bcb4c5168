/** The report of the shapes in Chromium. */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { CHROMIUM, WITHOUT_CHROMIUM } from '../browser/chromium.js';
import { openScene, type Scene, soon, violations } from './scene.js';

const countOf = (page: Page): Promise<string> => page.locator('main').getByRole('status').innerText();
const GUARDED = 'demo/guarded';
const PREFIXES = 'PREFIX sh: <http://www.w3.org/ns/shacl#> PREFIX sol: <http://example.org/solar-system/> ';
const SHAPES = `GRAPH <urn:shapes> { sol:PlanetShape sh:targetClass sol:Planet ; sh:minCout 1 ; sh:property sol:NameShape .
  sol:NameShape sh:path sol:name ; sh:minCount 1 ; sh:datatype <http://www.w3.org/2001/XMLSchema#string> .
  sol:MoonShape sh:targetObjectsOf sol:moon ; sh:nodeKind sh:IRI . }`;

describe.skipIf(CHROMIUM === undefined)(`shapes in the workbench${WITHOUT_CHROMIUM}`, () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await openScene();
    const repository = await scene.database.repository(GUARDED, { create: true });
    await repository.namespaces.set('sol', 'http://example.org/solar-system/');
    await repository.update(`${PREFIXES} INSERT DATA { ${SHAPES} sol:earth a sol:Planet ; sol:name "Earth" }`);
    await repository.update(`${PREFIXES} INSERT DATA { sol:mars a sol:Planet ; sol:moon "Phobos" }`);
  });
  afterEach(() => scene.check());
  afterAll(() => scene.close());

  test('without shapes the page says where to name them', async () => {
    const page = await scene.page(`${GUARDED}/shapes`);
    await soon(() => page.locator('main').innerText()).toContain('No graph of shapes is set');
    expect(await violations(page)).toEqual([]);
    await page.locator('main').getByRole('link', { name: 'Settings' }).click();
    const rules = page.getByRole('form', { name: 'History and rules' });
    await rules.getByLabel('Graph of shapes').fill('urn:shapes');
    await rules.getByLabel('Commit what breaks the shapes, and report it').check();
    await rules.getByRole('button', { name: 'Save rules' }).click();
    await rules.getByText('Saved').waitFor();
    expect(await violations(page)).toEqual([]);
    await rules.getByRole('link', { name: 'Report of the shapes' }).click();
    await soon(() => countOf(page)).toBe('2 results');
  });

  test.each([
    [1280, 'light'],
    [1280, 'dark'],
    [400, 'light'],
    [400, 'dark'],
  ] as const)('results are shown by shape, with links to nodes (%i, %s)', async (width, colorScheme) => {
    const repository = await scene.database.repository(GUARDED);
    await repository.settings.set({ shapes: 'urn:shapes', shapesMode: 'report' });
    const page = await scene.page(`${GUARDED}/shapes`, { viewport: { width, height: 800 }, colorScheme });
    const main = page.locator('main');
    await soon(() => main.innerText()).toMatch(/2 results.*statement of the shapes.*sol:NameShape.*1 result/s);
    await main.getByText('1 statement of the shapes has no meaning').click();
    await main.locator('summary').getByText('sol:MoonShape').click();
    await soon(() => main.innerText()).toMatch(/did you mean sh:minCount.*sol:mars.*sol:name.*Violation: .*Phobos/s);
    await main.getByText('What a commit checks: 3 constraints').click();
    await soon(() => main.innerText()).toMatch(/MinCountConstraintComponent\s+The nodes that a change can affect\./);
    expect(await violations(page)).toEqual([]);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(overflow).toBeLessThanOrEqual(0);
    if (process.env['QUADRILLE_LOOK'] !== undefined)
      await page.screenshot({ path: `${process.env['QUADRILLE_LOOK']}/shapes-${String(width)}-${colorScheme}.png` });
    await main.getByRole('link', { name: 'sol:mars' }).click();
    await soon(() => page.locator('h1').innerText()).toContain('mars');
  });

  test('a revision of the history leads to its violations', async () => {
    const repository = await scene.database.repository(GUARDED);
    await repository.settings.set({ shapes: 'urn:shapes', shapesMode: 'report' });
    await repository.update(`${PREFIXES} INSERT DATA { sol:venus a sol:Planet }`);
    const page = await scene.page(`${GUARDED}/history`);
    await page.getByRole('link', { name: '1 violation', exact: true }).first().click();
    const main = page.locator('main');
    await soon(() => main.innerText()).toMatch(/What revision \d+ has changed alone.*1 result.*sol:venus/s);
    expect(await main.innerText()).not.toContain('mars');
    await main.getByRole('link', { name: 'Validate all of the revision' }).click();
    await soon(() => countOf(page)).toBe('3 results');
    await page.goto(`${scene.server.url}/#/${GUARDED}/shapes?at=1`);
    await soon(() => countOf(page)).toBe('All statements obey the shapes.');
  });
});
