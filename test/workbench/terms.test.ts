/** Fields for terms in Chromium: they know prefixes, propose what is there, and refuse what is no term. */
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { CHROMIUM, WITHOUT_CHROMIUM } from '../browser/chromium.js';
import { openScene, type Scene, SOLAR, soon, violations } from './scene.js';

const SOL = 'http://example.org/solar-system/';

describe.skipIf(CHROMIUM === undefined)(`terms in the workbench${WITHOUT_CHROMIUM}`, () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await openScene();
  });
  afterEach(() => scene.check());
  afterAll(() => scene.close());

  const rulesOf = (page: Page): Locator => page.getByRole('form', { name: 'History and rules' });
  const settings = async () => (await scene.database.repository(SOLAR)).settings.get();

  test('predicates with one value: names with a prefix are resolved, what is no term is refused and changes nothing', async () => {
    const page = await scene.page(`${SOLAR}/settings`);
    const rules = rulesOf(page);
    const field = rules.getByLabel('Predicates with one value');
    await field.fill('sol:meanRadiusKm\nunknown:thing');
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    await rules.getByRole('button', { name: 'Save rules' }).click();
    await soon(() => rules.getByRole('alert').innerText()).toMatch(/Line 2: The prefix unknown: is not known/);
    expect((await settings()).functional ?? []).toEqual([]);
    await field.fill('sol:meanRadiusKm\n<unknown:thing>');
    await soon(() => rules.innerText()).toContain(`Stands for <${SOL}meanRadiusKm>`);
    await rules.getByRole('button', { name: 'Save rules' }).click();
    await rules.getByText('Saved').waitFor();
    expect((await settings()).functional).toEqual([`${SOL}meanRadiusKm`, 'unknown:thing']);
  });

  test('a field proposes terms of the repository, by keyboard too', async () => {
    const page = await scene.page(`${SOLAR}/settings`);
    const field = rulesOf(page).getByLabel('Predicates with one value');
    await field.fill('');
    await field.focus();
    await page.keyboard.type('sol:meanR');
    const list = page.getByRole('listbox', { name: 'Known terms' });
    await list.getByRole('option', { name: /^sol:meanRadiusKm/ }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    expect([await field.inputValue(), await list.count()]).toEqual(['sol:meanRadiusKm', 0]);
  });

  test('a graph of shapes that is not there is told; a name with a prefix is resolved', async () => {
    const repository = await scene.database.repository(SOLAR);
    await repository.update(`INSERT DATA { GRAPH <${SOL}shapes> { <urn:s> <urn:p> <urn:o> } }`);
    const page = await scene.page(`${SOLAR}/settings`);
    const rules = rulesOf(page);
    await rules.getByLabel('Graph of shapes').fill('sol:shape');
    await soon(() => rules.getByRole('alert').innerText()).toContain(`no statement in <${SOL}shape>`);
    await rules.getByLabel('Graph of shapes').fill('sol:shapes');
    await soon(() => rules.getByRole('alert').count()).toBe(0);
    await rules.getByRole('button', { name: 'Save rules' }).click();
    await rules.getByText('Saved').waitFor();
    expect((await settings()).shapes).toBe(`${SOL}shapes`);
    await rules.getByLabel('Graph of shapes').fill('shapes');
    await rules.getByRole('button', { name: 'Save rules' }).click();
    await soon(() => rules.getByRole('alert').innerText()).toMatch(/“shapes” is no term/);
    expect((await settings()).shapes).toBe(`${SOL}shapes`);
    await repository.settings.set({ shapes: undefined });
  });

  test('an erasure resolves prefixes, shows what goes, and refuses what is no term', async () => {
    const repository = await scene.database.repository('demo/erased', { create: true });
    await repository.namespaces.set('ex', 'http://example.org/');
    await repository.update('PREFIX ex: <http://example.org/> INSERT DATA { ex:ann ex:age 7 . ex:bob ex:age 8 }');
    await repository.update('PREFIX ex: <http://example.org/> DELETE DATA { ex:ann ex:age 7 }');
    const page = await scene.page('demo/erased/settings');
    await page.getByRole('button', { name: 'Erase data…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Erase data' });
    const term = dialog.getByLabel('Term, as an IRI');
    await dialog.getByLabel('Reason').fill('Request 17');
    await dialog.getByLabel('I know that this cannot be undone').check();
    await term.fill('xe:ann');
    await soon(() => dialog.innerText()).toContain('The prefix xe: is not known');
    expect(await dialog.getByRole('button', { name: /^Erase/ }).isDisabled()).toBe(true);
    await term.fill('ex:ann');
    await soon(() => dialog.getByRole('status').innerText()).toBe('1 statement goes, out of 2 revisions of 1 branch.');
    expect(await violations(page)).toEqual([]);
    expect(await repository.at(2).size()).toBe(2);
    await dialog.getByRole('combobox').selectOption('pattern');
    await dialog.getByLabel('Predicate').fill('ex:age');
    await soon(() => dialog.getByRole('status').innerText()).toMatch(/^2 statements go/);
    await dialog.getByLabel('Object').fill('7');
    await soon(() => dialog.getByRole('status').innerText()).toMatch(/^1 statement goes/);
    await dialog.getByRole('button', { name: 'Erase 1 statement' }).click();
    await soon(() => dialog.getByRole('status').innerText()).toMatch(/Erased 1 statement/);
    expect(await repository.at(2).size()).toBe(1);
  });

  test('an import goes into the graph that the user means, or nowhere', async () => {
    const repository = await scene.database.repository('demo/into', { create: true });
    await repository.namespaces.set('ex', 'http://example.org/');
    const page = await scene.page('demo/into/import');
    const send = (name: string, text: string): Promise<void> =>
      page.locator('input[type=file]').setInputFiles({ name, mimeType: '', buffer: Buffer.from(text) });
    await page.getByLabel('graph', { exact: true }).check();
    await send('none.nt', '<urn:a> <urn:p> "1" .\n');
    await soon(() => page.getByRole('alert').filter({ hasText: 'Nothing was loaded' }).count()).toBe(1);
    await page.getByLabel('Graph IRI').fill('no:graph');
    await send('none.nt', '<urn:a> <urn:p> "1" .\n');
    await soon(() => page.getByRole('alert').filter({ hasText: 'prefix no: is not known' }).count()).toBe(1);
    await page.getByLabel('Graph IRI').fill('ex:graph');
    await send('one.nt', '<urn:a> <urn:p> "1" .\n');
    await soon(() => page.locator('.log-entry', { hasText: 'one.nt' }).innerText()).toMatch(/Revision 2/);
    expect(await repository.ask('ASK { GRAPH <http://example.org/graph> { <urn:a> <urn:p> "1" } }')).toBe(true);
    await send('wrong.ttl', '<urn:a> <urn:p> .\n');
    const row = page.locator('.log-entry', { hasText: 'wrong.ttl' });
    await soon(() => row.locator('.field-error').innerText()).toMatch(/wrong\.ttl/);
    expect(await row.innerText()).not.toContain('request body');
    expect(await page.locator('.log-entry', { hasText: 'none.nt' }).count()).toBe(0);
  });
});
