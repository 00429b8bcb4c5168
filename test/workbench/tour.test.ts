/** The tour of a first visit in Chromium: offered once, done by its own buttons or by the user's, and writing on branches of its own alone. */
import type { Locator, Page } from 'playwright-core';
import type { Repository } from 'quadrille';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { CHROMIUM, WITHOUT_CHROMIUM } from '../browser/chromium.js';
import { openPlayground } from './playground-scene.js';
import { openScene, type Scene, sideways, SOLAR, soon, violations } from './scene.js';

const STEPS = 7;
const OWNER = { account: 'demo', readOnly: false, admin: false };
const panel = (page: Page): Locator => page.getByRole('complementary', { name: 'Tour' });
const press = (page: Page, name: string): Promise<void> => panel(page).getByRole('button', { name }).click();
const isAt = (page: Page, step: number): Promise<void> =>
  soon(() => panel(page).innerText()).toContain(`step ${String(step)} of ${String(STEPS)}`);
/** What the tour points at, by its name or text. */
const pointed = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const all = [...document.querySelectorAll<HTMLElement>('[data-tour]')];
    return all
      .map((each) => (each.querySelector('[aria-label]') ?? each).getAttribute('aria-label') ?? each.innerText.trim())
      .join(' | ');
  });

async function begin(page: Page): Promise<void> {
  await press(page, 'Take the tour');
  await isAt(page, 1);
}

async function next(page: Page, to: number): Promise<void> {
  await press(page, 'Next');
  await isAt(page, to);
}

async function fromHelp(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Take the tour' }).click();
}

/** Marks the page if a step says, for a moment alone, that it is not done. */
const noteTold = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const look = (): void => {
      if (document.querySelector('.tour .warning') !== null) document.body.dataset['told'] = 'true';
    };
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true });
  });

/** Whether the file of the tour was fetched. */
const isFetched = (page: Page): Promise<boolean> =>
  page.evaluate(() => performance.getEntriesByType('resource').some(({ name }) => /\/tour-\w+\.js/.test(name)));

describe.skipIf(CHROMIUM === undefined)(`the tour of the workbench${WITHOUT_CHROMIUM}`, () => {
  let scene: Scene;
  let main: Repository;
  beforeAll(async () => {
    scene = await openScene();
    main = await scene.database.repository(SOLAR);
    await scene.database.repository('demo/empty', { create: true });
  });
  afterEach(async () => {
    await scene.check();
    for (const { name } of await branches()) if (name !== 'main') await main.branches.delete(name, { force: true });
  });
  afterAll(() => scene.close());

  const branches = () => main.branches.list().toArray();
  const names = async (): Promise<string[]> => (await branches()).map(({ name }) => name).sort();
  const first = (address: string, options = {}): Promise<Page> => scene.page(address, { firstVisit: true, ...options });

  test('it is offered on a first visit alone, and can be taken later', async () => {
    const page = await first(`${SOLAR}/query`);
    await panel(page).waitFor();
    expect(await violations(page)).toEqual([]);
    await press(page, 'Not now');
    await soon(() => panel(page).count()).toBe(0);
    await page.reload();
    await page.getByRole('gridcell').first().waitFor();
    expect([await panel(page).count(), await isFetched(page)]).toEqual([0, false]);
    await page.keyboard.press('?');
    await page.getByRole('dialog').getByRole('button', { name: 'Take the tour' }).press('Enter');
    await isAt(page, 1);
    expect(await isFetched(page)).toBe(true);
    await page.keyboard.press('Escape');
    await soon(() => panel(page).count()).toBe(0);
  });

  test('neither at an old revision nor beside the list of repositories it is offered', async () => {
    const old = await first(`${SOLAR}/query?at=4`);
    await old.getByRole('gridcell').first().waitFor();
    expect(await panel(old).count()).toBe(0);
    const list = await first('');
    await list.locator('.card').first().waitFor();
    expect(await panel(list).count()).toBe(0);
  });

  test('"Next" does each step by keyboard alone, and nothing is written but on its branches', async () => {
    const before = await main.revision();
    const page = await first(`${SOLAR}/query`);
    await panel(page).getByRole('button', { name: 'Take the tour' }).focus();
    await page.keyboard.press('Enter');
    await noteTold(page);
    const targets = ['Run', 'Revision', 'History', 'Branch main', 'Run update', 'Merge tour-1…'];
    for (let step = 1; step < STEPS; step++) {
      await isAt(page, step);
      await soon(() => pointed(page)).toBe(targets[step - 1]);
      if (step === 4) expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('History');
      if (step === 3) expect(await page.getByText('Revision 6 is read-only').count()).toBe(1);
      expect([step, await names()]).toEqual([
        step,
        step < 5 ? ['main'] : step < 6 ? ['main', 'tour-1'] : ['main', 'tour-1', 'tour-1-merged'],
      ]);
      expect([step, await violations(page)]).toEqual([step, []]);
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Next');
      await page.keyboard.press('Enter');
    }
    await isAt(page, STEPS);
    expect(await page.evaluate(() => document.body.dataset['told'])).toBeUndefined();
    await soon(() => page.locator('.log-entry').first().innerText()).toContain('Merge tour-1');
    expect(await violations(page)).toEqual([]);
    expect((await main.revision()).id).toBe(before.id);
    const merged = await main.branches.open('tour-1-merged');
    expect(await merged.count()).toBe((await main.count()) + 1);
    await press(page, 'Delete both branches');
    await soon(() => panel(page).count()).toBe(0);
    expect(await names()).toEqual(['main']);
    await page.getByRole('link', { name: 'Query', exact: true }).click();
    await soon(() => page.locator('.query-tab').count()).toBe(1);
    expect(await page.locator('.query-tab').innerText()).not.toContain('tour');
  });

  test('it goes on by itself when the user does what it says', async () => {
    const before = await main.revision();
    const page = await first(`${SOLAR}/query`);
    await begin(page);
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await isAt(page, 2);
    await page.getByRole('button', { name: 'Previous revision' }).click();
    await isAt(page, 3);
    await page.getByRole('link', { name: 'History' }).click();
    await isAt(page, 4);
    await page
      .getByRole('banner')
      .getByRole('button', { name: /^Branch / })
      .click();
    await page.getByRole('menuitem', { name: 'New branch…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name of the branch').fill('tour-mine');
    await page.keyboard.press('Enter');
    await isAt(page, 5);
    await page.getByRole('button', { name: 'Run update' }).click();
    await dialog.getByRole('button', { name: 'Run update' }).click();
    await isAt(page, 6);
    await page.getByRole('button', { name: 'Merge tour-mine…' }).click();
    expect(await dialog.getByRole('heading', { level: 2 }).innerText()).toBe('Merge tour-mine into tour-mine-merged');
    await dialog.getByRole('button', { name: 'Merge', exact: true }).click();
    await isAt(page, 7);
    await press(page, 'Done');
    expect(await names()).toEqual(['main', 'tour-mine', 'tour-mine-merged']);
    expect((await main.revision()).id).toBe(before.id);
  });

  test('Escape ends it at each step, also in a dialog, and the focus is on the page', async () => {
    const page = await first(`${SOLAR}/query`);
    await begin(page);
    await next(page, 2);
    await page.keyboard.press('Escape');
    await soon(() => panel(page).count()).toBe(0);
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('main');
    expect(await pointed(page)).toBe('');
    await fromHelp(page);
    await isAt(page, 1);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await soon(() => panel(page).count()).toBe(0);
  });

  test('ended early, it says which branches stay, and deletes them where it is told to', async () => {
    const page = await first(`${SOLAR}/query`);
    await begin(page);
    for (let step = 2; step <= 5; step++) await next(page, step);
    await press(page, 'End the tour');
    await soon(() => panel(page).innerText()).toContain(
      'The tour has made the branch tour-1. It stays until you delete it.',
    );
    expect(await violations(page)).toEqual([]);
    await press(page, 'Keep it');
    await soon(() => panel(page).count()).toBe(0);
    expect(await names()).toEqual(['main', 'tour-1']);
    await fromHelp(page);
    await isAt(page, 1);
    for (let step = 2; step <= 6; step++) await next(page, step);
    await page.keyboard.press('Escape');
    await soon(() => panel(page).innerText()).toContain('tour-2 and tour-2-merged. They stay until you delete them.');
    await press(page, 'Delete both branches');
    await soon(() => panel(page).count()).toBe(0);
    expect(await names()).toEqual(['main', 'tour-1']);
  });

  test('narrow screens have it in the menu "More"; whoever opens another repository has left it', async () => {
    const page = await scene.page(`${SOLAR}/overview`, { viewport: { width: 400, height: 720 } });
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Take the tour' }).click();
    await isAt(page, 1);
    await page.getByRole('combobox', { name: 'Repository' }).selectOption('demo/empty');
    await soon(() => panel(page).count()).toBe(0);
  });

  test('an old revision: steps that write are told, and nothing is written', async () => {
    const page = await scene.page(`${SOLAR}/query?at=4`);
    await fromHelp(page);
    await isAt(page, 1);
    for (let step = 2; step <= STEPS; step++) {
      await next(page, step);
      const told = await panel(page).innerText();
      expect([step, told.includes('an old revision, so this step is only told')]).toEqual([step, step > 3 && step < 7]);
    }
    expect(await panel(page).innerText()).toContain('Nothing was written');
    expect(await names()).toEqual(['main']);
    await press(page, 'Done');
  });

  test('without a repository all is told; in an empty one all is done', async () => {
    const list = await scene.page('');
    await list.locator('.card').first().waitFor();
    await list.keyboard.press('?');
    await list.getByRole('dialog').getByRole('button', { name: 'Take the tour' }).click();
    await isAt(list, 1);
    expect(await panel(list).innerText()).toContain('No repository is open');
    for (let step = 2; step <= STEPS; step++) await next(list, step);
    const empty = await first('demo/empty/query');
    await begin(empty);
    for (let step = 2; step <= STEPS; step++) await next(empty, step);
    const repository = await scene.database.repository('demo/empty');
    expect(await repository.size()).toBe(0);
    expect(await (await repository.branches.open('tour-1-merged')).size()).toBe(1);
  });

  test.each([
    ['light', 400],
    ['dark', 400],
    ['dark', 1280],
  ] as const)(
    '%s, %i pixels wide: each step can be used, and what it points at is seen',
    async (colorScheme, width) => {
      const page = await first(`${SOLAR}/query`, { colorScheme, viewport: { width, height: 720 } });
      await panel(page).waitFor();
      expect([await violations(page), await sideways(page)]).toEqual([[], 0]);
      await begin(page);
      for (let step = 1; step <= STEPS; step++) {
        await isAt(page, step);
        await soon(() => pointed(page)).not.toBe('');
        expect([step, await violations(page), await sideways(page)]).toEqual([step, [], 0]);
        await soon(() => isInSight(page)).toBe(true);
        if (step < STEPS) await press(page, 'Next');
      }
    },
  );
});

/** Whether the middle of what the tour points at is covered by nothing. */
const isInSight = (page: Page): Promise<boolean> =>
  page.evaluate(() => {
    const target = document.querySelector('[data-tour]');
    if (target === null) return false;
    const { left, top, width, height } = target.getBoundingClientRect();
    const found = document.elementFromPoint(left + width / 2, top + height / 2);
    return found !== null && (target.contains(found) || found.contains(target));
  });

describe.skipIf(CHROMIUM === undefined)(`the tour of somebody who reads alone${WITHOUT_CHROMIUM}`, () => {
  let scene: Scene;
  let main: Repository;
  beforeAll(async () => {
    scene = await openScene({ asks: true });
    main = await scene.database.repository(SOLAR);
    await scene.service.accounts.create('other');
    await scene.service.repositories.update(OWNER, SOLAR, { privacy: 'public' });
  });
  afterEach(() => scene.check());
  afterAll(() => scene.close());

  const writesNext = async (page: Page): Promise<void> => {
    await isAt(page, 1);
    for (let step = 2; step <= 4; step++) await next(page, step);
  };
  const isToldAlone = async (page: Page): Promise<void> => {
    await soon(() => panel(page).innerText()).toContain('You may not make branches here');
    for (let step = 5; step <= STEPS; step++) await next(page, step);
    expect(await panel(page).innerText()).toContain('Nothing was written');
    expect((await main.branches.list().toArray()).length).toBe(1);
  };

  test('is not offered to a token for reading, and tells what it does not do', async () => {
    const { text: token } = await scene.service.tokens.create('demo', { readOnly: true });
    const page = await scene.page(`${SOLAR}/query`, { firstVisit: true, token });
    await page.getByRole('gridcell').first().waitFor();
    expect(await panel(page).count()).toBe(0);
    await fromHelp(page);
    await writesNext(page);
    await isToldAlone(page);
  });

  test('tells the account of somebody else what the server refuses', async () => {
    const { text: token } = await scene.service.tokens.create('other');
    const page = await scene.page(`${SOLAR}/query`, { firstVisit: true, token });
    await press(page, 'Take the tour');
    await writesNext(page);
    // It may write, only not here: the page does not know that before the server has refused.
    expect(await panel(page).innerText()).not.toContain('You may not');
    await press(page, 'Next');
    await isToldAlone(page);
  });

  test('before the rights are known nothing is told, and the server is asked', async () => {
    const { text: token } = await scene.service.tokens.create('demo', { readOnly: true });
    const page = await scene.page('', { token });
    await page.route(/\/(?:session|system)$/, () => new Promise(() => undefined));
    await page.goto(`${scene.server.url}/#/${SOLAR}/query`);
    await page.reload();
    await fromHelp(page);
    await writesNext(page);
    expect(await panel(page).innerText()).not.toContain('so this step is only told');
    await press(page, 'Next');
    await isToldAlone(page);
  });
});

describe.skipIf(CHROMIUM === undefined)(`the tour of the playground${WITHOUT_CHROMIUM}`, () => {
  test('ends in a merge, and is not offered inside of another page', async () => {
    const playground = await openPlayground();
    const frame = '<!doctype html><iframe src="index.html" width="900" height="700"></iframe>';
    playground.host.files.set('frame.html', new TextEncoder().encode(frame));
    const { tab } = await playground.visitor({ storageState: { cookies: [], origins: [] } });
    const outer = await tab('frame.html');
    const inner = outer.frameLocator('iframe');
    await inner.getByRole('gridcell').first().waitFor();
    expect(await inner.getByRole('complementary').count()).toBe(0);
    await outer.close();
    const page = await tab(`#/${SOLAR}/query`);
    await begin(page);
    for (let step = 2; step <= STEPS; step++) await next(page, step);
    await soon(() => page.locator('.log-entry').first().innerText()).toContain('Merge tour-1');
    await playground.check();
    await playground.close();
  });
});
