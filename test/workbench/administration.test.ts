/** Empty repositories, imports, settings, saved queries and activity in Chromium. */
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { CHROMIUM, WITHOUT_CHROMIUM } from '../browser/chromium.js';
import { ask, openScene, type Scene, SOLAR, soon, summary, type } from './scene.js';

describe.skipIf(CHROMIUM === undefined)(`administration in the workbench${WITHOUT_CHROMIUM}`, () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await openScene();
  });
  afterEach(() => scene.check());
  afterAll(() => scene.close());

  test('a new repository is empty, and gets the example with its six revisions', async () => {
    const page = await scene.page('');
    await page.getByRole('button', { name: 'New repository' }).click();
    await page.getByLabel('Name').fill('Planets');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText('This repository is empty').waitFor();
    expect(page.url()).toContain('#/demo/planets/query');
    await page.getByRole('button', { name: 'Load example data' }).click();
    await soon(() => page.locator('.timeline-description').innerText()).toContain('Revision 7 of 7');
    await soon(() => summary(page)).toMatch(/^7 rows/);
    const repository = await scene.database.repository('demo/planets');
    expect((await repository.tags.list().toArray()).map(({ name }) => name)).toHaveLength(6);
    expect((await repository.at('HEAD').revision()).message).toBe('as known in 2015');
  });

  test('documents are loaded in their order, one revision each; a broken one says where', async () => {
    await scene.database.repository('demo/files', { create: true });
    const page = await scene.page('demo/files/import');
    await page.getByLabel('Message').fill('moved, ✓');
    await page.locator('input[type=file]').setInputFiles([
      { name: 'one.ttl', mimeType: '', buffer: Buffer.from('<urn:a> <urn:p> 1, 2 .') },
      { name: 'broken.nt', mimeType: '', buffer: Buffer.from('<urn:a> <urn:p> "x" .\n<urn:a> oops .\n') },
      { name: 'two.nq.gz', mimeType: '', buffer: gzipSync('<urn:b> <urn:p> "y" <urn:g> .\n') },
    ]);
    const row = (name: string) => page.locator('.log-entry', { hasText: name });
    await soon(() => row('one.ttl').innerText()).toMatch(/completed · Revision 2 · \+2 −0/);
    await soon(() => row('broken.nt').innerText()).toMatch(/failed[^]*(?:line 2|2:)/);
    await soon(() => row('two.nq.gz').innerText()).toMatch(/completed · Revision 3 · \+1 −0/);
    const repository = await scene.database.repository('demo/files');
    expect(await repository.size()).toBe(3);
    await page.getByLabel('Replace').check();
    await page
      .locator('input[type=file]')
      .setInputFiles([{ name: 'three.ttl', mimeType: '', buffer: Buffer.from('<urn:c> <urn:p> 3 .') }]);
    await soon(() => row('three.ttl').innerText()).toMatch(/completed · Revision 4 · \+1 −/);
    await row('three.ttl').getByRole('link', { name: 'Show changes' }).click();
    await soon(() => page.getByTestId('diff-summary').innerText()).toMatch(/^1 added, [23] removed$/);
  });

  test('settings: a summary, a prefix, and a deletion that asks for the name', async () => {
    await scene.database.repository('demo/gone', { create: true });
    const page = await scene.page('demo/gone/settings');
    await page.getByLabel('Summary').fill('For a while <b>');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await soon(async () => (await fetch(`${scene.server.url}/demo/gone/meta`)).text()).toContain('For a while <b>');
    await page.getByLabel('Prefix', { exact: true }).fill('ex');
    await page.getByLabel('Namespace IRI').fill('http://example.org/');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('button', { name: 'Remove ex:' }).waitFor();
    await page.getByRole('button', { name: 'Delete repository' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete demo/gone' });
    expect(await dialog.getByRole('button', { name: 'Delete repository' }).isDisabled()).toBe(true);
    await dialog.getByLabel('Type demo/gone to go on').fill('demo/gone');
    await dialog.getByRole('button', { name: 'Delete repository' }).click();
    await soon(() => page.getByRole('heading', { level: 1 }).innerText()).toBe('Repositories');
    expect((await scene.database.repositories().toArray()).map(({ name }) => name)).not.toContain('demo/gone');
  });

  test('a query is saved, and opened by its name', async () => {
    const page = await scene.page(`${SOLAR}/query`);
    await type(page, '# All stars\nSELECT ?star { ?star a sol:Star }');
    await page.keyboard.press('ControlOrMeta+s');
    const dialog = page.getByRole('dialog', { name: 'Save query' });
    expect(await dialog.getByLabel('Name').inputValue()).toBe('all-stars');
    await dialog.getByRole('button', { name: 'Save' }).click();
    const other = await scene.page(`${SOLAR}/query`);
    await other.getByRole('button', { name: 'Saved queries' }).click();
    await other.getByRole('menuitem', { name: 'all-stars' }).click();
    await soon(() => other.getByRole('textbox', { name: 'SPARQL query' }).innerText()).toContain('sol:Star');
  });

  test('activity shows a query that runs, and ends it', async () => {
    const page = await scene.page(`${SOLAR}/query`);
    await ask(page, 'SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i FILTER(?a != ?d || ?g != STR(?i)) }');
    await page.getByRole('link', { name: 'Activity' }).click();
    const queries = page.getByRole('region', { name: 'Running queries' });
    await soon(() => queries.innerText()).toContain('COUNT(*)');
    await queries.getByRole('button', { name: 'Cancel' }).click();
    await soon(() => queries.innerText()).toContain('No query runs.');
    await page.getByRole('link', { name: 'Query', exact: true }).click();
    await soon(() => page.getByRole('alert').allInnerTexts()).toContainEqual(expect.stringMatching(/ABORTED|cancel/i));
  });
});
