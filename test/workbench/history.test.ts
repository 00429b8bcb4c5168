/** History, comparing, reverting, resources and the overview in Chromium. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { CHROMIUM, WITHOUT_CHROMIUM } from '../browser/chromium.js';
import { openScene, type Scene, SOLAR, soon } from './scene.js';

const PLUTO = 'http://example.org/solar-system/Pluto';

describe.skipIf(CHROMIUM === undefined)(`history in the workbench${WITHOUT_CHROMIUM}`, () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await openScene();
  });
  afterEach(() => scene.check());
  afterAll(() => scene.close());

  test('the log is filtered, and leads to what a revision changed', async () => {
    const page = await scene.page(`${SOLAR}/history`);
    await soon(() => page.locator('.log-entry').count()).toBe(7);
    await page.getByLabel('Message contains').fill('1930');
    await soon(() => page.locator('.log-entry').count()).toBe(1);
    await page.getByRole('link', { name: 'Show changes' }).click();
    await soon(() => page.getByTestId('diff-summary').innerText()).toBe('93 added, 5 removed');
    const ceres = page.locator('.change-group', { hasText: 'sol:Ceres' });
    expect(await ceres.locator('.change.removed').first().innerText()).toMatch(/removed\s+rdf:type\s+sol:Planet/);
    await page.getByLabel('Predicate', { exact: true }).check();
    await soon(() => page.locator('.change-group summary').first().innerText()).toContain('rdf:type');
    await page.getByLabel('Compare with').fill('7');
    await page.keyboard.press('Enter');
    await soon(() => page.getByRole('heading', { level: 1 }).innerText()).toBe('Changes from revision 4 to revision 7');
  });

  test('any two refs are compared, by keyboard: what is known is listed, and what there is not says so', async () => {
    const page = await scene.page(`${SOLAR}/history`);
    const [from, to] = [page.getByLabel('Compare', { exact: true }).first(), page.getByLabel('Compare with')];
    await from.focus();
    await page.keyboard.type('1930');
    await page.getByRole('option', { name: /as known in 1930/ }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await soon(() => from.inputValue()).toBe('5');
    await to.fill('year-2006');
    await page.getByRole('button', { name: 'Compare' }).press('Enter');
    await soon(() => page.getByTestId('diff-summary').innerText()).toBe('294 added, 2 removed');
    expect(page.url()).toContain('compare?from=5&to=year-2006');
    await from.fill('nowhere');
    await page.keyboard.press('Enter');
    await soon(() => page.getByRole('alert').filter({ hasText: 'no revision nowhere' }).count()).toBe(1);
    expect(await from.getAttribute('aria-invalid')).toBe('true');
    expect(await page.locator('.change').count()).toBe(0);
    const revision = await (await scene.database.repository(SOLAR)).at('year-1930').revision();
    for (const ref of [revision.id, revision.time.toISOString()]) {
      await from.fill(ref);
      await from.press('Enter');
      await soon(() => page.getByTestId('diff-summary').innerText()).toBe('294 added, 2 removed');
    }
    await page.getByRole('button', { name: 'Swap both' }).click();
    await soon(() => page.getByTestId('diff-summary').innerText()).toBe('2 added, 294 removed');
  });

  test('many changes: counts by predicate, one predicate alone, and pages; all of it in the address', async () => {
    const page = await scene.page(`${SOLAR}/history/compare?from=TAIL&to=HEAD`);
    const pages = page.getByRole('navigation', { name: 'Pages of changes' });
    await soon(() => pages.innerText()).toContain('Changes 1 to 500 of 641');
    await pages.getByRole('link', { name: 'Next page' }).click();
    await soon(() => pages.innerText()).toContain('Changes 501 to 641 of 641');
    const second = await scene.page(page.url().split('#/')[1]!);
    await soon(() => second.locator('.change').count()).toBe(141);
    const counts = page.getByRole('region', { name: 'Counts by predicate' });
    await counts.getByRole('button', { name: /sol:meanRadiusKm/ }).click();
    await soon(() => page.locator('.change').count()).toBe(50);
    expect(await pages.count()).toBe(0);
    expect(page.url()).toMatch(/predicate=[^&]*meanRadiusKm/);
    await counts.getByRole('button', { name: 'All predicates' }).click();
    await soon(() => pages.innerText()).toContain('Changes 1 to 500 of 641');
  });

  test('a difference as a file is what the server says', async () => {
    const page = await scene.page(`${SOLAR}/history/compare?from=5&to=6`);
    for (const [name, type] of [
      ['RDF Patch', 'application/rdf-patch'],
      ['JSON', 'application/json'],
    ] as const) {
      await page.getByRole('button', { name: 'Download' }).click();
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('menuitem', { name }).click(),
      ]);
      const stream = await download.createReadStream();
      const chunks: Uint8Array[] = [];
      for await (const chunk of stream) chunks.push(chunk as Uint8Array);
      const path = `${scene.server.url}/${SOLAR}/diff?from=%235&to=%236`;
      const expected = await (await fetch(path, { headers: { Accept: type } })).text();
      expect(Buffer.concat(chunks).toString()).toBe(expected);
    }
  });

  test('a revert shows what it will change, and makes a revision with its message', async () => {
    const page = await scene.page(`${SOLAR}/history`);
    await page.getByRole('button', { name: 'Revert' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Revert revision 7' });
    await soon(() => dialog.locator('.change.removed').count()).toBeGreaterThan(10);
    expect(await dialog.locator('.change.added').count()).toBe(0);
    await dialog.getByLabel('Message of the revision').fill('back to 2006');
    await dialog.getByRole('button', { name: 'Revert' }).click();
    await soon(() => page.locator('.log-entry').first().innerText()).toContain('back to 2006');
    const repository = await scene.database.repository(SOLAR);
    const revision = await repository.at('HEAD').revision();
    expect([revision.number, revision.removed, revision.message]).toEqual([8, 45, 'back to 2006']);
  });

  test('a resource: values, what refers to it, the origin of each value, and its history', async () => {
    const page = await scene.page(`${SOLAR}/resource?iri=${encodeURIComponent(PLUTO)}`);
    await soon(() => page.getByRole('heading', { level: 1 }).innerText()).toContain('Pluto');
    const type = page.locator('.value-group').first();
    await soon(() => type.innerText()).toMatch(/rdf:type\s+sol:DwarfPlanet/);
    await page.getByLabel('Show origin').check();
    await soon(() => type.innerText()).toContain('since revision 6 · ada · “as known in 2006”');
    await page.getByRole('tab', { name: /Incoming/ }).click();
    await soon(() => page.locator('.value-group').first().innerText()).toContain('sol:Charon');
    await page.getByRole('tab', { name: 'History' }).click();
    await soon(() => page.locator('.resource-history .removed').innerText()).toContain('sol:Planet');
    expect(await page.getByRole('link', { name: 'Open ↗' }).getAttribute('rel')).toContain('noreferrer');
    const old = await scene.page(`${SOLAR}/resource?iri=${encodeURIComponent(PLUTO)}&at=5`);
    await soon(() => old.locator('.value-group').first().innerText()).toMatch(/rdf:type\s+sol:Planet/);
  });

  test('an address without a usable IRI says so, and sends no query', async () => {
    for (const iri of ['', 'a b', 'urn:x> ?p ?o } #', 'javascript:alert(1)']) {
      const page = await scene.page(`${SOLAR}/resource?iri=${encodeURIComponent(iri)}`);
      await page.getByText(/names no IRI|says nothing of this resource/).waitFor();
      expect(await page.getByRole('link', { name: 'Open ↗' }).count()).toBe(0);
    }
  });

  test('the overview counts at each revision, and leads to a query', async () => {
    const page = await scene.page(`${SOLAR}/overview?at=4`);
    const classes = page.getByRole('region', { name: 'Classes' });
    const planets = classes.locator('li', { hasText: 'sol:Planet' });
    await soon(() => planets.innerText()).toMatch(/13/);
    await page.getByRole('button', { name: 'Next revision' }).click();
    await soon(() => planets.innerText()).toMatch(/9/);
    await planets.getByRole('link', { name: 'Query' }).click();
    await soon(() => page.getByTestId('summary').innerText()).toMatch(/^9 rows/);
  });
});
