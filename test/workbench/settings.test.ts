/** Tags, collaborators, saved queries and maintenance of a repository in Chromium. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { CHROMIUM, WITHOUT_CHROMIUM } from '../browser/chromium.js';
import { openScene, type Scene, SOLAR, soon, violations } from './scene.js';

describe.skipIf(CHROMIUM === undefined)(`settings in the workbench${WITHOUT_CHROMIUM}`, () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await openScene();
    await scene.service.accounts.create('friend');
  });
  afterEach(() => scene.check());
  afterAll(() => scene.close());

  test('tags are set and removed, and lead to their revision', async () => {
    const page = await scene.page(`${SOLAR}/settings`);
    const tags = page.getByRole('region', { name: 'Tags' });
    await soon(() => tags.getByRole('listitem').count()).toBe(6);
    await tags.getByLabel('Tag', { exact: true }).fill('pluto/found');
    await tags.getByLabel('Revision of the tag').selectOption('5');
    await tags.getByRole('button', { name: 'Set tag' }).click();
    await soon(() => tags.getByRole('listitem').count()).toBe(7);
    const repository = await scene.database.repository(SOLAR);
    expect((await repository.tags.get('pluto/found'))?.number).toBe(5);
    await tags.getByLabel('Tag', { exact: true }).fill('HEAD');
    await tags.getByRole('button', { name: 'Set tag' }).click();
    await soon(() => page.getByRole('alert').innerText()).toMatch(/tag/i);
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await tags.getByRole('button', { name: 'Remove tag year-1610' }).click();
    await soon(() => tags.getByRole('listitem').count()).toBe(6);
    expect(await repository.tags.get('year-1610')).toBeUndefined();
    await tags.getByRole('link', { name: 'Revision 5' }).first().click();
    await soon(() => page.getByText('Revision 5 is read-only').count()).toBe(1);
  });

  test('collaborators get rights, more rights, and lose them', async () => {
    const page = await scene.page(`${SOLAR}/settings`);
    const collaborators = page.getByRole('region', { name: 'Collaborators' });
    const rights = async (): Promise<unknown> => (await fetch(`${scene.server.url}/${SOLAR}/collaborators`)).json();
    await collaborators.getByLabel('Account of the collaborator').fill('nobody');
    await collaborators.getByRole('button', { name: 'Add collaborator' }).click();
    await soon(() => page.getByRole('alert').innerText()).toContain('nobody');
    await collaborators.getByLabel('Account of the collaborator').fill('friend');
    await collaborators.getByRole('button', { name: 'Add collaborator' }).click();
    await collaborators.getByLabel('What friend may do').waitFor();
    expect(await rights()).toEqual({ friend: { read: true, write: false } });
    await collaborators.getByLabel('What friend may do').selectOption('write');
    await soon(rights).toEqual({ friend: { read: true, write: true } });
    await collaborators.getByRole('button', { name: 'Remove collaborator friend' }).click();
    await soon(rights).toEqual({});
  });

  test('rules of the history are set, and what the server refuses says why', async () => {
    const repository = await scene.database.repository(SOLAR);
    await repository.branches.open('next', { create: true });
    const page = await scene.page(`${SOLAR}/settings`);
    const rules = page.getByRole('form', { name: 'History and rules' });
    await rules.getByLabel('Predicates with one value').fill('http://example.org/solar-system/orbits\n\nno iri');
    await rules.getByRole('button', { name: 'Save rules' }).click();
    await soon(() => rules.getByRole('alert').innerText()).toMatch(/functional/);
    await rules.getByLabel('Predicates with one value').fill('sol:orbits\n');
    await rules.getByLabel('Graph of shapes').fill('urn:shapes');
    await rules.getByLabel('Default branch').selectOption('next');
    await rules.getByLabel('Protected branches').fill('main\nreleases');
    await rules.getByLabel('Newest revisions').fill('1000');
    await rules.getByLabel('Last revisions of each day').fill('2');
    await rules.getByRole('button', { name: 'Save rules' }).click();
    await rules.getByText('Saved').waitFor();
    expect(await repository.settings.get()).toMatchObject({
      retention: { last: 1000, perDay: 2 },
      functional: ['http://example.org/solar-system/orbits'],
      shapes: 'urn:shapes',
      defaultBranch: 'next',
      protected: ['main', 'releases'],
    });
    await soon(() => page.getByRole('button', { name: 'Branch next' }).count()).toBe(1);
    await page.reload();
    await soon(() => rules.getByLabel('Newest revisions').inputValue()).toBe('1000');
    for (const label of ['Graph of shapes', 'Newest revisions', 'Last revisions of each day'])
      await rules.getByLabel(label).fill('');
    await rules.getByLabel('Default branch').selectOption('main');
    await rules.getByRole('button', { name: 'Save rules' }).click();
    await soon(async () => (await repository.settings.get()).shapes).toBeUndefined();
    expect((await repository.settings.get()).retention).toBeUndefined();
  });

  test('a trim shows how much goes before it does, and the timeline leaves out what is gone', async () => {
    const repository = await scene.database.repository('demo/long', { create: true });
    for (let n = 2; n <= 9; n++) await repository.update(`INSERT DATA { <urn:s> <urn:p> ${String(n)} }`);
    const page = await scene.page('demo/long/settings');
    await page.getByRole('button', { name: 'Trim history…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Trim history' });
    const show = dialog.getByRole('button', { name: 'Show what would go' });
    expect(await show.isDisabled()).toBe(true);
    await dialog.getByLabel('Keep the newest revisions').fill('3');
    await show.press('Enter');
    await soon(() => dialog.getByRole('status').innerText()).toMatch(/6 revisions go, 3 stay.*cannot be brought back/);
    expect((await repository.log().toArray()).length).toBe(9);
    expect(await violations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Remove 6 revisions' }).click();
    await soon(() => dialog.count()).toBe(0);
    expect((await repository.log().toArray()).map(({ number }) => number)).toEqual([9, 8, 7]);
    const slider = page.getByRole('slider', { name: 'Revision' });
    await soon(() => slider.getAttribute('min')).toBe('7');
    await slider.press('Home');
    await soon(() => page.url()).toContain('at=7');
    await soon(() => page.getByRole('button', { name: 'Previous revision' }).isDisabled()).toBe(true);
    // A link to what is gone leads back.
    for (const [at, said] of [
      ['3', 'Revision 3 was trimmed'],
      ['no-tag', 'There is no revision no-tag'],
      ['99', 'There is no revision 99'],
    ] as const)
      for (const to of ['query', 'overview']) {
        await page.goto(`${scene.server.url}/#/demo/long/${to}?at=${at}`);
        const region = page.getByRole('region', { name: 'Timeline' });
        await soon(() => region.getByRole('alert').innerText()).toContain(said);
        await region.getByRole('link', { name: 'Go to the oldest one, revision 7' }).click();
        await soon(() => page.url()).toContain('at=7');
        await soon(() => region.getByRole('alert').count()).toBe(0);
        await page.goBack();
        await region.getByRole('link', { name: 'Back to current' }).click();
        await soon(() => page.locator('.timeline-description').innerText()).toContain('Revision 9 of 9');
      }
  });

  test('an erasure asks for what, why and certainty, and reports what it did', async () => {
    const repository = await scene.database.repository('demo/erased', { create: true });
    await repository.update(
      'INSERT DATA { <urn:ann> <urn:p> "o" . <urn:x> <urn:knows> <urn:ann> . <urn:x> <urn:p> 1 }',
    );
    await repository.update('DELETE DATA { <urn:ann> <urn:p> "o" }');
    const page = await scene.page('demo/erased/settings');
    await page.getByRole('button', { name: 'Erase data…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Erase data' });
    const erase = dialog.getByRole('button', { name: 'Erase' });
    expect(await erase.isDisabled()).toBe(true);
    await dialog.getByLabel('Term, as an IRI').fill('urn:nobody');
    await dialog.getByLabel('Reason').fill('Request 17');
    expect(await erase.isDisabled()).toBe(true);
    await dialog.getByLabel('I know that this cannot be undone').check();
    expect(await violations(page)).toEqual([]);
    await erase.click();
    await soon(() => dialog.getByRole('alert').innerText()).toContain('NOTHING_TO_ERASE');
    await dialog.getByLabel('Term, as an IRI').fill('<urn:ann>');
    await erase.click();
    await soon(() => dialog.getByRole('status').innerText()).toMatch(
      /Erased 2 statements and \d terms? from 2 revisions of 1 branch.*Why: Request 17.*Who: .*Backups/s,
    );
    expect(await violations(page)).toEqual([]);
    expect([await repository.at(2).size(), (await repository.revision()).kind]).toEqual([1, 'erase']);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Erase data…' }).click();
    await dialog.getByRole('combobox').selectOption('pattern');
    await dialog.getByLabel('Subject').fill('urn:x');
    await dialog.getByLabel('Graph').fill('default');
    await dialog.getByLabel('Reason').fill('all of it');
    await dialog.getByLabel('I know that this cannot be undone').check();
    // Nothing is erased before its count is shown.
    await soon(() => dialog.getByRole('status').innerText()).toMatch(/1 statement goes/);
    await dialog.getByLabel('Reason').press('Enter');
    await soon(() => dialog.getByRole('status').innerText()).toMatch(/Erased 1 statement/);
    expect(await repository.at(2).size()).toBe(0);
  });

  test('saved queries are opened and removed', async () => {
    const views = `${scene.server.url}/${SOLAR}/views`;
    const headers = { 'Content-Type': 'application/sparql-query' };
    const query = '# Moons\nSELECT ?moon { ?planet sol:moon ?moon }';
    for (const name of ['moons', 'other']) await fetch(`${views}/${name}`, { method: 'PUT', headers, body: query });
    const page = await scene.page(`${SOLAR}/settings`);
    await page.getByRole('button', { name: 'Remove query other' }).click();
    await soon(async () => ((await (await fetch(views)).json()) as unknown[]).length).toBe(1);
    await page.getByRole('button', { name: 'Open moons' }).click();
    await soon(() => page.getByRole('textbox', { name: 'SPARQL query' }).innerText()).toContain('sol:moon');
  });

  test('a check and a compaction run as jobs, and say how they ended', async () => {
    const page = await scene.page(`${SOLAR}/settings`);
    const maintenance = page.getByRole('region', { name: 'Maintenance' });
    await soon(() => maintenance.innerText()).toMatch(/\d+ statements now · .*B stored · 7 revisions/);
    await maintenance.getByRole('button', { name: 'Check for damage' }).click();
    await soon(() => maintenance.innerText()).toMatch(/everything is in order; checked 7 revisions/);
    await maintenance.getByRole('button', { name: 'Compact' }).click();
    await soon(() => maintenance.innerText()).toMatch(/compacted from .* to /);
    await page.getByRole('link', { name: 'Activity' }).click();
    await soon(() => page.getByRole('region', { name: 'Jobs' }).innerText()).toMatch(/compact demo\/solar-system/);
  });
});
