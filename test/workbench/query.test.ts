/** The page of queries in Chromium: answers, streaming, cancelling, the timeline, updates, links. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { CHROMIUM, WITHOUT_CHROMIUM } from '../browser/chromium.js';
import { ask, openScene, type Scene, SOLAR, soon, summary, type, violations } from './scene.js';

if (CHROMIUM === undefined) console.warn(`workbench${WITHOUT_CHROMIUM}`);

describe.skipIf(CHROMIUM === undefined)(`queries in the workbench${WITHOUT_CHROMIUM}`, () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await openScene();
  });
  afterEach(() => scene.check());
  afterAll(() => scene.close());

  test('a first visit: the list, a repository, an answer without a word typed, the past by the timeline', async () => {
    const page = await scene.page('');
    await page.getByRole('link', { name: /solar-system/ }).click();
    await soon(() => summary(page)).toMatch(/^7 rows · .* · revision 7$/);
    // One that is fast follows the timeline by itself. The first query of a server takes longer, and so does any on a busy machine.
    const isFastAt = (revision: number): Promise<void> =>
      soon(async () => {
        const told = await summary(page);
        if (/ s · revision \d$/.test(told)) await page.locator('.toolbar .primary').click();
        return told;
      }).toMatch(new RegExp(`^\\d+ rows · \\d+ ms · revision ${String(revision)}$`));
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await isFastAt(7);
    const planets = page.getByRole('row', { name: /sol:Planet/ });
    await soon(() => planets.innerText()).toMatch(/sol:Planet\s+8/);
    const slider = page.getByRole('slider', { name: 'Revision' });
    expect(await slider.getAttribute('aria-valuetext')).toMatch(/^Revision 7 of 7, .*, 45 added$/);
    await slider.focus();
    for (let n = 0; n < 3; n++) await page.keyboard.press('ArrowLeft');
    await soon(() => planets.innerText()).toMatch(/sol:Planet\s+13/);
    expect(page.url()).toContain('at=4');
    await isFastAt(4);
    await soon(() => page.getByText('Revision 4 is read-only').count()).toBe(1);
    await page.getByRole('button', { name: 'Back to current' }).click();
    await soon(() => planets.innerText()).toMatch(/sol:Planet\s+8/);
    expect(page.url()).not.toContain('at=');
  });

  test('an update asks for a message, makes a revision, and is undone; the past refuses it', async () => {
    const page = await scene.page(`${SOLAR}/query`);
    await ask(page, 'INSERT DATA { sol:Vulcan a sol:Planet }');
    const dialog = page.getByRole('dialog', { name: 'Run update' });
    await dialog.getByLabel('Message of the revision').fill('Le Verrier, ✓');
    await dialog.getByRole('button', { name: 'Run update' }).click();
    await soon(() => summary(page)).toBe('Revision 8: 1 added, 0 removed');
    await page.getByRole('button', { name: 'Undo' }).click();
    await soon(() => page.getByRole('slider', { name: 'Revision' }).getAttribute('aria-valuetext')).toMatch(
      /^Revision 9 of 9/,
    );
    const old = await scene.page(`${SOLAR}/query?at=2`);
    await ask(old, 'INSERT DATA { sol:Vulcan a sol:Planet }');
    await soon(() => old.getByText('An old revision cannot be changed').count()).toBe(1);
    const repository = await scene.database.repository(SOLAR);
    expect((await repository.at('HEAD').revision()).number).toBe(9);
  });

  test('an error says where; the text and the last answer of other tabs stay', async () => {
    const page = await scene.page(`${SOLAR}/query`);
    await soon(() => summary(page)).toMatch(/^7 rows/);
    await page.getByRole('button', { name: 'New query' }).click();
    await ask(page, 'SELECT * {\n  ?s ?p ');
    await soon(() => page.getByRole('alert').filter({ hasText: 'SPARQL_SYNTAX' }).innerText()).toContain('line 2');
    await page.getByRole('tab').first().click();
    await soon(() => summary(page)).toMatch(/^7 rows/);
    await page.reload();
    await soon(() => page.getByRole('tab').count()).toBeGreaterThan(1);
  });

  test('a link shows the query and its answer in another profile', async () => {
    const query = 'SELECT ?name { ?p a sol:Planet ; rdfs:label ?name FILTER(lang(?name) = "en") } ORDER BY ?name';
    const page = await scene.page(`${SOLAR}/query?at=2&q=${encodeURIComponent(query)}`);
    await soon(() => page.getByRole('gridcell').allInnerTexts()).toContainEqual(expect.stringContaining('Saturn'));
    expect(await page.getByRole('textbox', { name: 'SPARQL query' }).innerText()).toContain('ORDER BY ?name');
  });

  test('an answer streams, scrolls, is filtered and sorted', async () => {
    const page = await scene.page(`${SOLAR}/query`);
    const digits =
      'VALUES ?a { 0 1 2 3 4 5 6 7 8 9 } VALUES ?b { 0 1 2 3 4 5 6 7 8 9 } VALUES ?c { 0 1 2 3 4 5 6 7 8 9 }';
    await ask(page, `SELECT (?a * 100 + ?b * 10 + ?c AS ?n) ("x" AS ?x) { ${digits} }`);
    await soon(() => summary(page)).toMatch(/^1,000 rows/);
    const grid = page.getByRole('grid', { name: 'Results' });
    expect(await grid.getAttribute('aria-rowcount')).toBe('1001');
    await grid.getByRole('button', { name: 'n', exact: true }).click();
    await grid.getByRole('button', { name: 'n', exact: true }).click();
    await soon(() => grid.locator('[aria-rowindex="2"]').innerText()).toMatch(/^999/);
    await grid.evaluate((element) => (element.scrollTop = element.scrollHeight));
    await soon(() => grid.locator('[aria-rowindex="1001"]').innerText()).toMatch(/^0/);
    await page.getByLabel('Filter rows').fill('77');
    await soon(() => grid.getAttribute('aria-rowcount')).toBe('20');
  });

  test('a query that takes too long is cancelled, also on the server, and keeps the rows that it had', async () => {
    const page = await scene.page(`${SOLAR}/query`);
    await ask(page, 'SELECT * { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }');
    await soon(() => summary(page)).toMatch(/so far$/);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await soon(() => summary(page)).toMatch(/^Cancelled · [\d,]+ rows$/);
    await soon(async () => (await fetch(`${scene.server.url}/queries`)).json()).toEqual([]);
  });

  test('the plan as a tree, and the rows that changed since another revision', async () => {
    const page = await scene.page(`${SOLAR}/query?at=6`);
    await ask(page, 'SELECT ?planet { ?planet a sol:Planet }');
    await soon(() => summary(page)).toMatch(/^8 rows/);
    await page.getByRole('tab', { name: 'Plan' }).click();
    const tree = page.getByRole('tree', { name: 'Query plan' });
    await soon(() => tree.getByRole('treeitem').first().innerText()).toContain('→ 8');
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Run at revision 6' }).click();
    await page.getByRole('gridcell', { name: 'sol:Earth' }).waitFor();
    await page.getByRole('button', { name: 'Explain' }).click();
    await tree.getByRole('treeitem').first().waitFor();
    await page.getByRole('tab', { name: 'Changes' }).click();
    const changes = page.getByTestId('row-changes');
    await soon(() => changes.innerText()).toBe('From revision 5 to 6: 0 rows added, 1 removed');
    expect(await page.locator('.changed-rows .removed').innerText()).toContain('sol:Pluto');
    await page.getByLabel('Compare with').selectOption('2');
    await soon(() => changes.innerText()).toMatch(/^From revision 2 to 6: \d rows added/);
    expect(await violations(page)).toEqual([]);
  });

  test('keys move through revisions and pages, and can be turned off', async () => {
    const page = await scene.page(`${SOLAR}/overview`);
    await page.getByText('sol:Planet').first().waitFor();
    await page.keyboard.press('[');
    await soon(() => page.getByText(/Revision \d+ is read-only/).count()).toBe(1);
    await page.keyboard.press('g');
    await page.keyboard.press('h');
    await soon(() => page.getByRole('heading', { level: 1 }).innerText()).toBe('History');
    await page.keyboard.press('?');
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await dialog.getByLabel('Single keys are on').uncheck();
    expect(await violations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.keyboard.press('?');
    expect(await dialog.count()).toBe(0);
  });

  test('the editor marks what the server finds wrong', async () => {
    const page = await scene.page(`${SOLAR}/query`);
    await type(page, 'SELECT ?a (COUNT(*) AS ?n) { ?a ?b ?c }');
    await soon(() => page.locator('.cm-lintRange-error').count()).toBe(1);
  });

  test('hostile terms are text', async () => {
    const page = await scene.page(`${SOLAR}/query`);
    const terms = [
      '<javascript:alert(1)>',
      '"<img src=x onerror=alert(1)>"',
      '"<script>alert(1)</script>"@en',
      '"\u202eevil\u2066"',
      '<http://evil.example/%3Cscript%3E>',
    ];
    await ask(page, `SELECT ?term { VALUES ?term { ${terms.join(' ')} } }`);
    await soon(() => summary(page)).toMatch(/^5 rows/);
    await soon(() => page.getByRole('gridcell').count()).toBe(5);
    expect(await page.getByRole('gridcell').allInnerTexts()).toContainEqual('<img src=x onerror=alert(1)>');
    expect(await page.locator('main img, main script, main a[href^="javascript"]').count()).toBe(0);
    await page.getByRole('tab', { name: 'Raw' }).click();
    await soon(() => page.locator('pre').innerText()).toContain('onerror');
  });

  test('a server that goes away and comes back: nothing that was typed is lost', async () => {
    const page = await scene.page(`${SOLAR}/query`);
    await soon(() => summary(page)).toMatch(/^7 rows/);
    await type(page, 'ASK { sol:Pluto a sol:DwarfPlanet }');
    await page.context().setOffline(true);
    await page.getByRole('button', { name: 'Run' }).click();
    await page.getByText('The server is out of reach').waitFor();
    await page.context().setOffline(false);
    // The page goes on by itself.
    await soon(() => summary(page)).toMatch(/^Yes/);
    expect(await page.getByText('The server is out of reach').count()).toBe(0);
  });

  test('an answer is followed: rows that come and go appear by themselves', async () => {
    const repository = await scene.database.repository(SOLAR);
    const feeds = (): number => scene.service.feeds.open;
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await scene.page(`${SOLAR}/query`, { colorScheme });
      await ask(page, 'SELECT ?planet ?none { ?planet a sol:Planet BIND(?x AS ?none) }');
      await soon(() => summary(page)).toMatch(/^8 rows/);
      await page.getByRole('tab', { name: 'Changes' }).click();
      const before = feeds();
      await page.getByLabel('Compare with').selectOption('live');
      const live = page.getByTestId('live-rows');
      await soon(() => live.innerText()).toMatch(/^Followed since revision \d+: 0 rows added, 0 removed$/);
      await soon(() => feeds()).toBe(before + 1);
      await repository.update('INSERT DATA { sol:Vulcan a sol:Planet . sol:Vulcan sol:seen false }');
      await soon(() => live.innerText()).toMatch(/1 row added, 0 removed$/);
      await repository.update('DELETE DATA { sol:Vulcan a sol:Planet . sol:Vulcan sol:seen false }');
      await soon(() => live.innerText()).toMatch(/1 row added, 1 removed$/);
      expect(await page.locator('.changed-rows tbody tr').allInnerTexts()).toEqual([
        expect.stringContaining('sol:Vulcan'),
        expect.stringContaining('sol:Vulcan'),
      ]);
      expect(await page.locator('.changed-rows tbody tr').first().getAttribute('class')).toBe('removed');
      expect(await violations(page)).toEqual([]);
      await page.getByRole('tab', { name: 'Table' }).click();
      await soon(() => feeds()).toBe(before);
      await page.close();
    }
  });
});
