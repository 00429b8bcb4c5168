/** Branches in Chromium: the picker, the graph of the log, and merges with conflicts and races. */
import type { Locator, Page } from 'playwright-core';
import type { Repository } from 'quadrille';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { CHROMIUM, WITHOUT_CHROMIUM } from '../browser/chromium.js';
import { ask, openScene, type Scene, sideways, SOLAR, soon, summary, violations } from './scene.js';

const PREFIX = 'PREFIX sol: <http://example.org/solar-system/>';

describe.skipIf(CHROMIUM === undefined)(`branches in the workbench${WITHOUT_CHROMIUM}`, () => {
  let scene: Scene;
  let main: Repository;
  beforeAll(async () => {
    scene = await openScene();
    main = await scene.database.repository(SOLAR);
    await main.settings.set({ functional: ['http://example.org/solar-system/meanRadiusKm'] });
  });
  afterEach(() => scene.check());
  afterAll(() => scene.close());

  const picker = (page: Page): Locator => page.getByRole('banner').getByRole('button', { name: /^Branch / });
  const say = (on: Repository, text: string, message: string): Promise<unknown> =>
    on.update(`${PREFIX} ${text}`, { message, author: 'bob' });
  /** A branch of its own for each test. */
  const fork = async (name: string, text: string, message = `on ${name}`): Promise<Repository> => {
    const branch = await main.branches.open(name, { create: true });
    await say(branch, text, message);
    return branch;
  };
  const setRadius = (value: number): string =>
    `DELETE { sol:Eris sol:meanRadiusKm ?r } INSERT { sol:Eris sol:meanRadiusKm ${String(value)} } WHERE { sol:Eris sol:meanRadiusKm ?r }`;
  const radii = async (): Promise<(string | undefined)[]> => {
    const rows = await main.select(`${PREFIX} SELECT ?r { sol:Eris sol:meanRadiusKm ?r }`).toArray();
    return rows.map((row) => row['r']?.value);
  };

  test('a branch is made by keyboard, and every page shows it: its queries, imports, history and slider', async () => {
    const page = await scene.page(`${SOLAR}/query`);
    await soon(() => summary(page)).toMatch(/^7 rows/);
    await picker(page).press('Enter');
    await page.getByRole('menuitem', { name: 'New branch…' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'New branch' });
    await dialog.getByLabel('Name of the branch').fill('HEAD');
    await page.keyboard.press('Enter');
    await soon(() => dialog.getByRole('alert').innerText()).toContain('INVALID_NAME');
    await dialog.getByLabel('Name of the branch').fill('try/this');
    await dialog.getByRole('combobox', { name: 'Begins with' }).fill('year-1930');
    await dialog.getByRole('combobox', { name: 'Begins with' }).press('Enter');
    await dialog.getByLabel('Name of the branch').press('Enter');
    await soon(() => page.url()).toContain('/history?branch=try%2Fthis');
    await soon(() => picker(page).innerText()).toBe('try/this');
    await soon(() => page.locator('.timeline-description').innerText()).toContain('Revision 5 of 5');
    await page.getByRole('link', { name: 'Query', exact: true }).click();
    await ask(page, 'INSERT DATA { sol:Vulcan a sol:Planet }');
    await page.getByRole('dialog').getByLabel('Message of the revision').fill('a guess');
    await page.keyboard.press('Enter');
    await soon(() => summary(page)).toMatch(/^Revision 6: 1 added/);
    await page.getByRole('link', { name: 'Import' }).click();
    const file = { name: 'one.nt', mimeType: '', buffer: Buffer.from('<urn:a> <urn:p> "1" .\n') };
    await page.locator('input[type=file]').setInputFiles(file);
    await soon(() => page.locator('.log-entry', { hasText: 'one.nt' }).innerText()).toMatch(/Revision 7 · \+1 −0/);
    await soon(() => page.locator('.timeline-description').innerText()).toContain('Revision 7 of 7');
    const branch = await main.branches.open('try/this');
    expect((await branch.revision()).message).toBe('one.nt');
    const isThere = `${PREFIX} ASK { sol:Vulcan a sol:Planet }`;
    expect([await main.ask(isThere), await branch.ask(isThere)]).toEqual([false, true]);
    await picker(page).click();
    await page.getByRole('menuitemradio', { name: 'main' }).click();
    await soon(() => page.url()).not.toContain('branch=');
    await soon(() => page.locator('.timeline-description').innerText()).toContain('Revision 7 of 7');
    await soon(() => page.locator('.log-entry', { hasText: 'one.nt' }).innerText()).toContain('Branch try/this');
  });

  test('the log draws all branches, names their heads, and says what a merge brought', async () => {
    await fork('drawn', 'INSERT DATA { sol:Nibiru a sol:Planet }');
    await main.branches.merge('drawn', { message: 'take Nibiru' });
    const page = await scene.page(`${SOLAR}/history`);
    const merge = page.locator('.log-entry', { hasText: 'take Nibiru' });
    await soon(() => merge.innerText()).toMatch(/head of\s+main[^]*merges drawn#\d+/);
    const other = page.locator('.log-entry', { hasText: 'on drawn' });
    expect(await other.innerText()).toMatch(/drawn#\d+[^]*head of\s+drawn/);
    expect(await merge.locator('.graph-cell path').count()).toBeGreaterThan(1);
    expect(await other.getByRole('button', { name: 'Revert' }).count()).toBe(0);
    await other.getByRole('link', { name: 'Show changes' }).click();
    await soon(() => page.getByTestId('diff-summary').innerText()).toBe('1 added, 0 removed');
    await page.goBack();
    await page.getByLabel('All branches').uncheck();
    await soon(() => other.count()).toBe(0);
    expect(page.url()).toContain('only=');
    expect(await merge.getByRole('button', { name: 'Revert' }).count()).toBe(1);
  });

  test('a merge shows what it changes; conflicts are decided, by own values too', async () => {
    await fork('decided', `${setRadius(1162)} ; INSERT DATA { sol:Xena a sol:DwarfPlanet }`);
    await say(main, setRadius(1163.5), 'another radius');
    const page = await scene.page(`${SOLAR}/branches`);
    await page.getByRole('button', { name: 'Merge decided…' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Merge decided into main' });
    await soon(() => dialog.getByTestId('merge-counts').innerText()).toBe('+1 −0');
    expect(page.url()).toContain('merge=decided');
    const conflict = dialog.getByRole('group', { name: /sol:Eris sol:meanRadiusKm/ });
    expect(await conflict.innerText()).toMatch(
      /main \(ours\)\s+1163.5[^]*decided \(theirs\)\s+1162[^]*Before both\s+1163/,
    );
    const submit = dialog.getByRole('button', { name: 'Merge', exact: true });
    expect(await submit.isDisabled()).toBe(true);
    await conflict.getByLabel('Own values').check();
    const values = conflict.getByRole('textbox', { name: /^Own values of/ });
    await values.fill('no term');
    expect([await values.getAttribute('aria-invalid'), await submit.isDisabled()]).toEqual(['true', true]);
    expect([await violations(page), await sideways(page)]).toEqual([[], 0]);
    await soon(() => conflict.innerText()).toContain('“no term” is no term');
    await values.fill('1163.2');
    await dialog.getByLabel('Message of the revision').fill('both agree');
    await submit.press('Enter');
    await soon(() => page.locator('.log-entry', { hasText: 'both agree' }).count()).toBe(1);
    expect([await radii(), (await main.revision()).parents.length]).toEqual([['1163.2'], 2]);
  });

  test('a merge that another commit overtakes says so, and shows the merge as it is then', async () => {
    await fork('raced', setRadius(1170));
    const page = await scene.page(`${SOLAR}/branches?merge=raced`);
    const dialog = page.getByRole('dialog', { name: 'Merge raced into main' });
    await dialog.getByTestId('merge-counts').waitFor();
    await say(main, setRadius(1180), 'first');
    await dialog.getByRole('button', { name: 'Merge', exact: true }).click();
    await soon(() => dialog.getByRole('alert').innerText()).toContain('Another revision came to main first.');
    await dialog
      .getByRole('group', { name: /sol:Eris/ })
      .getByLabel('raced (theirs)')
      .check();
    await dialog.getByRole('button', { name: 'Merge', exact: true }).click();
    await soon(() => dialog.count()).toBe(0);
    expect(await radii()).toEqual(['1170']);
    const again = await scene.page(`${SOLAR}/branches?merge=raced`);
    await again.getByText('main has everything of raced already.').waitFor();
  });

  test('a branch is renamed while it is shown, and deleted after a warning where it was not merged', async () => {
    await fork('old-name', 'INSERT DATA { sol:Theia a sol:Planet }', 'before the moon');
    const page = await scene.page(`${SOLAR}/branches?branch=old-name`);
    await page.getByRole('button', { name: 'Rename old-name…' }).click();
    await page.getByLabel('Name of the branch').fill('new-name');
    await page.keyboard.press('Enter');
    await soon(() => picker(page).innerText()).toBe('new-name');
    await page.getByRole('button', { name: 'Delete new-name…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete new-name' });
    await dialog.getByRole('button', { name: 'Delete branch' }).click();
    await soon(() => dialog.getByRole('alert').innerText()).toContain('the last one is “before the moon”');
    expect(await main.branches.get('new-name')).toBeDefined();
    await dialog.getByRole('button', { name: 'Delete with its revisions' }).click();
    await soon(() => picker(page).innerText()).toBe('main');
    expect(await main.branches.get('new-name')).toBeUndefined();
    expect(await page.getByRole('button', { name: /(?:Rename|Delete) main…/ }).count()).toBe(0);
  });

  test('a branch that is gone says so, and the picker leads on', async () => {
    const page = await scene.page(`${SOLAR}/history?branch=gone`);
    await soon(() => page.locator('main').getByRole('alert').innerText()).toContain('has no branch gone');
    await picker(page).click();
    await page.getByRole('menuitemradio', { name: 'main' }).click();
    await page.locator('.log-entry').first().waitFor();
    expect(await page.getByRole('alert').filter({ hasText: 'gone' }).count()).toBe(0);
  });

  test('a revision of another branch is picked from the history, and a conflict is decided', async () => {
    const branch = await fork('picked', 'INSERT DATA { sol:Sedna a sol:DwarfPlanet }', 'Sedna');
    await say(branch, setRadius(1), 'a radius of one');
    await say(main, setRadius(2), 'a radius of two');
    const page = await scene.page(`${SOLAR}/history`);
    const entry = (message: string): Locator => page.locator('.log-entry', { hasText: message });
    await entry('Sedna').getByRole('button', { name: 'Pick' }).click();
    const dialog = page.getByRole('dialog', { name: /^Pick picked#/ });
    await soon(() => dialog.getByRole('group', { name: 'Changes of the revision' }).innerText()).toContain('Sedna');
    expect(await violations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Pick' }).click();
    await soon(() => dialog.count()).toBe(0);
    expect(await main.ask(`${PREFIX} ASK { sol:Sedna a sol:DwarfPlanet }`)).toBe(true);
    expect((await main.revision()).message).toBe('Sedna');
    await entry('a radius of one').getByRole('button', { name: 'Pick' }).click();
    await dialog.getByRole('button', { name: 'Pick' }).click();
    await soon(() => dialog.getByRole('alert').innerText()).toContain('MERGE_CONFLICT');
    expect(await radii()).toEqual(['2']);
    await dialog.getByLabel('Where both have set').selectOption('theirs');
    await dialog.getByRole('button', { name: 'Pick' }).click();
    await soon(() => dialog.count()).toBe(0);
    expect(await radii()).toEqual(['1']);
    await main.branches.delete('picked', { force: true });
  });
});
